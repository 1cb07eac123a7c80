//! Compiles constraints against the loaded model's vocabulary, whose trie is built once and only when needed.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};

use crate::constraint::{self, Constraint, Legs, Matcher, TokenTrie, Walk};

use super::load::Loaded;
use super::reply::Unready;
use super::vocabulary::{ModelVocabulary, tokenize_as};
use super::watch::Watch;

/// The trie of one model's vocabulary, in whatever state it is.
#[derive(Default)]
pub(super) enum Constraints {
    #[default]
    Unasked,
    /// It takes seconds with a large vocabulary, so a thread builds it and a cancelled run leaves it to that.
    Building(Receiver<Result<TokenTrie, String>>),
    Ready(TokenTrie),
}

/// How often a run that waits looks whether it was cancelled.
const LOOK_EVERY: Duration = Duration::from_millis(20);

impl Constraints {
    /// The matcher of one reply, behind its prefill; none without a constraint.
    pub(super) fn matcher(
        &mut self,
        (constraint, prefill): (&Constraint, &str),
        vocabulary: &ModelVocabulary,
        watch: &Watch,
    ) -> Result<Option<Matcher>, Unready> {
        if *constraint == Constraint::None {
            return Ok(None);
        }
        // A fault in the text is told before the wait for the trie.
        constraint::check(constraint).map_err(|it| Unready::Failed(it.to_string()))?;
        let trie = self.trie(vocabulary, watch)?;
        let mut matcher =
            constraint::compile(constraint, trie).map_err(|it| Unready::Failed(it.to_string()))?;
        if let Some(matcher) = &mut matcher {
            take_prefill(matcher, prefill).map_err(Unready::Failed)?;
        }
        Ok(matcher)
    }

    /// Walks a text under a constraint.
    pub(super) fn walk(
        &mut self,
        (constraint, text): (&Constraint, &str),
        loaded: &Loaded,
        watch: &Watch,
    ) -> Result<Walk, Unready> {
        const MAX_BYTES: usize = 1 << 20;
        if text.len() > MAX_BYTES {
            let message = format!(
                "the text has {} bytes; at most {MAX_BYTES} can be stepped through; shorten it",
                text.len()
            );
            return Err(Unready::Failed(message));
        }
        let failed = |it: constraint::ConstraintError| Unready::Failed(it.to_string());
        constraint::check(constraint).map_err(failed)?;
        let trie = self.trie(&loaded.vocabulary, watch)?;
        let model = loaded.desk().model;
        let tokenize = |text: &str, reads_names| tokenize_as(model, text, reads_names);
        let started = Instant::now();
        let legs = Legs {
            trie,
            tokenize: &tokenize,
            clock: &|| started.elapsed().as_secs_f64() * 1e6,
        };
        let walk = constraint::walk(constraint, text, legs).map_err(failed)?;
        walk.ok_or_else(|| Unready::Failed("there is no constraint; write one first".to_owned()))
    }

    fn trie(&mut self, vocabulary: &ModelVocabulary, watch: &Watch) -> Result<&TokenTrie, Unready> {
        if let Self::Unasked = self {
            *self = Self::Building(build(vocabulary)?);
        }
        if let Self::Building(receiver) = self {
            let res = wait(receiver, watch)?;
            *self = Self::Unasked;
            *self = Self::Ready(res.map_err(Unready::Failed)?);
        }
        match self {
            Self::Ready(trie) => Ok(trie),
            _ => Err(Unready::Failed("the vocabulary was not read".to_owned())),
        }
    }
}

/// The prefill stands in the prompt already, so the constraint goes on behind it.
fn take_prefill(matcher: &mut Matcher, prefill: &str) -> Result<(), String> {
    let n_taken = matcher.accept_text(prefill.as_bytes());
    if n_taken == prefill.len() {
        return Ok(());
    }
    let rest = String::from_utf8_lossy(&prefill.as_bytes()[n_taken..]);
    Err(format!(
        "the constraint does not allow the prefill: it refuses {rest:?} behind {:?}; \
         change the prefill or leave it empty",
        String::from_utf8_lossy(&prefill.as_bytes()[..n_taken])
    ))
}

fn build(vocabulary: &ModelVocabulary) -> Result<Receiver<Result<TokenTrie, String>>, Unready> {
    let (sender, receiver) = bounded(1);
    let tokens = Arc::clone(&vocabulary.tokens);
    thread::Builder::new()
        .name("vocabulary".to_owned())
        .spawn(move || {
            // Nobody waits any more when the model was unloaded meanwhile.
            let _unheard = sender.send(TokenTrie::new(&tokens));
        })
        .map_err(|it| Unready::Failed(format!("no thread to read the vocabulary on: {it}")))?;
    Ok(receiver)
}

fn wait(
    receiver: &Receiver<Result<TokenTrie, String>>,
    watch: &Watch,
) -> Result<Result<TokenTrie, String>, Unready> {
    loop {
        match receiver.recv_timeout(LOOK_EVERY) {
            Ok(it) => return Ok(it),
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(Err(
                    "the vocabulary could not be read for constraints".to_owned()
                ));
            }
            Err(RecvTimeoutError::Timeout) if watch.is_cancelled() => {
                return Err(Unready::Cancelled);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
