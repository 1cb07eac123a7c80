//! One reply, from the prompt to the stop reason.

use std::collections::VecDeque;
use std::time::Instant;

use crate::constraint::{Constraint, Matcher, Start};
use crate::engine::{
    Event, Finish, Held, PromptView, RunId, RunRequest, RunTimings, StopReason, TokenEvent,
};
use crate::sampling::{Chain, Knob, SelfTest, TokenId, TokenTrace};

use super::clock::Clock;
use super::closing::Closing;
use super::constraints::Constraints;
use super::given;
use super::load::Loaded;
use super::loops::Loops;
use super::opening::Opening;
use super::outbox::Outbox;
use super::prompt;
use super::staging::run_staged;
use super::text::ReplyText;
use super::watch::{DecodeError, Watch};

/// Runs one request and tells its events; the last is `Finished` or `RunFailed`.
pub(super) fn run(
    loaded: &mut Loaded,
    constraints: &mut Constraints,
    (request, watch): (&RunRequest, &Watch),
    tell: &mut dyn FnMut(Event),
) {
    let mut outbox = Outbox::new(watch.id, tell);
    let last = match request.first {
        Some(first) => {
            let asked = (request, first, watch);
            run_staged(loaded, constraints, asked, &mut outbox)
        }
        None => write(loaded, constraints, (request, watch), &mut outbox).into_event(watch.id),
    };
    outbox.tell(last);
}

/// What came of a reply.
pub(super) enum Written {
    Reply {
        view: Box<PromptView>,
        tokens: Vec<TokenId>,
        finish: Box<Finish>,
    },
    /// Cancelled before it began.
    Nothing,
    Failed(String),
}

impl Written {
    /// The event that ends a run.
    pub(super) fn into_event(self, id: RunId) -> Event {
        let finish = match self {
            Self::Reply { finish, .. } => finish,
            Self::Failed(message) => return Event::RunFailed { id, message },
            Self::Nothing => Box::new(Finish {
                stop: StopReason::Cancelled,
                text: String::new(),
                timings: RunTimings::default(),
                knobs: Vec::new(),
                held: Held::default(),
            }),
        };
        Event::Finished { id, finish }
    }
}

/// Writes one reply and tells its beginning and its tokens.
pub(super) fn write(
    loaded: &mut Loaded,
    constraints: &mut Constraints,
    (request, watch): (&RunRequest, &Watch),
    outbox: &mut Outbox<'_>,
) -> Written {
    let (mut reply, view) = match Reply::prepare(loaded, constraints, (request, watch)) {
        Ok(it) => it,
        Err(Unready::Cancelled) => return Written::Nothing,
        Err(Unready::Failed(message)) => return Written::Failed(message),
    };
    let view = Box::new(view);
    outbox.tell(Event::Started {
        id: watch.id,
        attempt: 1,
        view: view.clone(),
    });
    let res = reply.write(&view.tokens, outbox);
    let last = reply.text.finish();
    outbox.push(last);
    match res {
        Ok(stop) => Written::Reply {
            view,
            finish: Box::new(reply.finish(stop)),
            tokens: reply.written,
        },
        Err(message) => Written::Failed(message),
    }
}

/// Why a reply could not begin.
pub(super) enum Unready {
    Failed(String),
    Cancelled,
}

/// A reply while it is written.
pub(super) struct Reply<'a> {
    pub(super) loaded: &'a mut Loaded,
    pub(super) watch: &'a Watch,
    pub(super) chain: Chain,
    pub(super) self_test: Option<SelfTest>,
    /// Stands behind the given tokens from the start.
    pub(super) matcher: Option<Matcher>,
    /// From where on the matcher holds.
    pub(super) opening: Opening,
    /// What begins the answer, where that comes behind the model's thoughts.
    pub(super) late_prefill: String,
    pub(super) began_at: Option<u32>,
    /// Given tokens that are still to be evaluated, each with whether the matcher is behind it already.
    pub(super) given: VecDeque<(TokenId, bool)>,
    pub(super) written: Vec<TokenId>,
    pub(super) text: ReplyText,
    pub(super) loops: Loops,
    pub(super) closing: Closing,
    pub(super) n_max: u32,
    pub(super) clock: Clock,
}

impl<'a> Reply<'a> {
    fn prepare(
        loaded: &'a mut Loaded,
        constraints: &mut Constraints,
        (request, watch): (&RunRequest, &'a Watch),
    ) -> Result<(Self, PromptView), Unready> {
        let started = Instant::now();
        let is_constrained = request.constraint != Constraint::None;
        let start = is_constrained.then_some(&request.hold.start);
        let (view, opening) = prompt::view(
            (&request.prompt, start),
            &loaded.context,
            &loaded.vocabulary,
        )
        .map_err(|it| Unready::Failed(it.to_string()))?;
        let is_late = !opening.has_begun();
        // Behind a trigger of its own, the constraint begins anew.
        let prefill = Some(request.prompt.prefill.as_str());
        let prefill = prefill.filter(|_| !is_late).unwrap_or_default();
        let n_prompt = view.tokens.len() as u32;
        check_room(n_prompt, loaded.context.n_ctx()).map_err(Unready::Failed)?;
        let compile_started = Instant::now();
        let constraint = (&request.constraint, prefill);
        let mut matcher = constraints.matcher(constraint, &loaded.vocabulary, watch)?;
        let early = matcher.as_mut().filter(|_| !is_late);
        given::check(request, early, loaded, n_prompt)?;
        let (chain, self_test) = chains(request, loaded, &view.tokens);
        let reply = Self {
            chain,
            self_test,
            matcher,
            late_prefill: late_prefill(request, &opening),
            opening,
            began_at: None,
            given: request
                .given_tokens
                .iter()
                .map(|it| (*it, !is_late))
                .collect(),
            written: Vec::new(),
            text: ReplyText::new(&request.knobs.stop),
            loops: Loops::new(request.hold.guards, prefill),
            closing: Closing::new(request.hold.close_in_time),
            n_max: request.knobs.count(Knob::MaxTokens) as u32,
            clock: Clock::new(started, compile_started, n_prompt),
            loaded,
            watch,
        };
        Ok((reply, view))
    }

    /// Evaluates the prompt and writes tokens until something ends the reply.
    fn write(&mut self, prompt: &[TokenId], outbox: &mut Outbox<'_>) -> Result<StopReason, String> {
        if let Some(stop) = self.prefill(prompt, outbox)? {
            return Ok(stop);
        }
        self.clock.decode_started = Instant::now();
        loop {
            if let Some(stop) = self.next_token(outbox)? {
                return Ok(stop);
            }
        }
    }

    /// Always in the same chunks, since a logit depends on the shape of its batch. Whole chunks that the run before
    /// evaluated at the same place are kept, so a kept prompt and one that is evaluated anew give the same reply.
    fn prefill(
        &mut self,
        prompt: &[TokenId],
        outbox: &mut Outbox<'_>,
    ) -> Result<Option<StopReason>, String> {
        let started = Instant::now();
        let n_total = prompt.len();
        let mut n_done = self.loaded.context.keep(prompt);
        self.clock.n_kept = n_done as u32;
        let n_chunk = self.loaded.context.n_batch() as usize;
        for chunk in prompt[n_done..].chunks(n_chunk) {
            n_done += chunk.len();
            if let Some(stop) = self.decode(chunk, n_done == n_total)? {
                return Ok(Some(stop));
            }
            outbox.tell(Event::PrefillProgress {
                id: self.watch.id,
                n_done: n_done as u32,
                n_total: n_total as u32,
            });
        }
        self.clock.prefill = started.elapsed();
        Ok(None)
    }

    /// Picks one token, tells it and evaluates it; or says why the reply ends.
    fn next_token(&mut self, outbox: &mut Outbox<'_>) -> Result<Option<StopReason>, String> {
        if self.watch.is_cancelled() {
            return Ok(Some(StopReason::Cancelled));
        }
        let given = self.given.pop_front();
        let (token, trace) = match given {
            Some((token, _)) => (token, self.pass(token)?),
            None => match self.pick()? {
                Ok(it) => it,
                Err(stop) => return Ok(Some(stop)),
            },
        };
        if self.loaded.vocabulary.ends_reply(token) {
            return Ok(Some(StopReason::EndOfGeneration));
        }
        self.chain.accept(token);
        if let Some(test) = &mut self.self_test {
            test.accept(token);
        }
        if !given.is_some_and(|it| it.1) {
            self.follow(token)?;
        }
        self.written.push(token);
        self.clock.n_reply += 1;
        let event = TokenEvent {
            given: given.is_some(),
            ..self.event(token, trace)
        };
        let stop = self.text.push(event);
        outbox.push(self.text.settled());
        if self.clock.first_token.is_none() {
            self.clock.first_token = Some(self.clock.started.elapsed());
        }
        if let Some(text) = stop {
            return Ok(Some(StopReason::StopString { text }));
        }
        if let Some(stop) = self.why_end(token) {
            return Ok(Some(stop));
        }
        self.decode(&[token], true)
    }

    /// What ends the reply after a token that was told.
    fn why_end(&mut self, token: TokenId) -> Option<StopReason> {
        let piece = self.loaded.vocabulary.piece(token);
        let may_be_complete = self.given.is_empty() && self.opening.has_begun();
        if may_be_complete && self.matcher.as_mut().is_some_and(Matcher::is_complete) {
            return Some(StopReason::ConstraintComplete);
        }
        if let Some(what) = self.loops.push(token, piece) {
            return Some(StopReason::LoopGuard { what });
        }
        if self.clock.n_reply >= self.n_max {
            return Some(StopReason::TokenLimit);
        }
        if self.loaded.context.n_past() >= self.loaded.context.n_ctx() {
            return Some(StopReason::ContextFull);
        }
        None
    }

    fn decode(
        &mut self,
        tokens: &[TokenId],
        wants_logits: bool,
    ) -> Result<Option<StopReason>, String> {
        if self.watch.is_cancelled() {
            return Ok(Some(StopReason::Cancelled));
        }
        match self.loaded.context.decode(tokens, wants_logits, self.watch) {
            Ok(()) => Ok(None),
            Err(DecodeError::Cancelled) => Ok(Some(StopReason::Cancelled)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn event(&self, token: TokenId, trace: TokenTrace) -> TokenEvent {
        let vocabulary = &self.loaded.vocabulary;
        let shown = trace.before.iter().chain(&trace.after);
        let mut ids: Vec<TokenId> = shown.map(|it| it.token).collect();
        ids.extend([trace.wanted, token]);
        ids.extend(trace.effects.iter().filter_map(|it| it.new_top));
        ids.sort_unstable();
        ids.dedup();
        TokenEvent {
            given: false,
            token,
            bytes: vocabulary.piece(token).to_vec(),
            text: String::new(),
            trace,
            names: ids
                .into_iter()
                .map(|it| (it, vocabulary.shown(it)))
                .collect(),
        }
    }

    fn finish(&self, stop: StopReason) -> Finish {
        Finish {
            stop,
            text: self.text.text().to_owned(),
            timings: self.clock.timings(),
            knobs: self
                .self_test
                .as_ref()
                .map_or_else(Vec::new, SelfTest::effects),
            held: Held {
                never_began: self.matcher.is_some() && !self.opening.has_begun(),
                began_at: self.began_at,
                lost: self.closing.lost(),
            },
        }
    }
}

fn check_room(n_prompt: u32, n_ctx: u32) -> Result<(), String> {
    if n_prompt < n_ctx {
        return Ok(());
    }
    Err(format!(
        "the prompt has {n_prompt} tokens and the context takes {} of them; \
         shorten the prompt or load the model with a larger context",
        n_ctx - 1
    ))
}

/// The prefill that cannot stand in the prompt, since the model may think first.
fn late_prefill(request: &RunRequest, opening: &Opening) -> String {
    match (&request.hold.start, opening) {
        (_, Opening::Begun) | (Start::Now | Start::After(_), _) => String::new(),
        (Start::AfterThinking, _) => request.prompt.prefill.clone(),
    }
}

/// The chain of a reply and the self-test of its knobs, behind the prompt.
fn chains(request: &RunRequest, loaded: &Loaded, prompt: &[TokenId]) -> (Chain, Option<SelfTest>) {
    let n_vocab = loaded.vocabulary.n_tokens() as usize;
    let lexicon = loaded.vocabulary.lexicon();
    let mut chain = Chain::with_lexicon(&request.knobs, n_vocab, lexicon);
    chain.feed_prompt(prompt);
    let mut self_test = SelfTest::new(&request.knobs, n_vocab, lexicon);
    if let Some(test) = &mut self_test {
        test.feed_prompt(prompt);
    }
    (chain, self_test)
}
