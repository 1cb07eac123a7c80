//! One reply, from the prompt to the stop reason.

use std::time::Instant;

use crate::engine::{Event, Finish, Held, PromptView, RunId, RunRequest, RunTimings, StopReason};
use crate::sampling::TokenId;

use super::constraints::Constraints;
use super::load::Loaded;
use super::outbox::Outbox;
use super::reply::{Next, Reply, Unready};
use super::rows::Rows;
use super::sequence::Sequence;
use super::staging::run_staged;
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
    let (desk, sequence) = loaded.split();
    let (mut reply, view) = match Reply::prepare(desk, constraints, (request, watch)) {
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
    let res = write_tokens(&mut reply, sequence, &view.tokens, outbox);
    let last = reply.text.finish();
    outbox.push(last);
    match res {
        Ok(stop) => Written::Reply {
            view,
            finish: Box::new(reply.finish(stop)),
            tokens: reply.written,
        },
        Err(DecodeError::Cancelled) => Written::Reply {
            view,
            finish: Box::new(reply.finish(StopReason::Cancelled)),
            tokens: reply.written,
        },
        Err(error) => Written::Failed(error.to_string()),
    }
}

/// Evaluates the prompt and writes tokens until something ends the reply.
fn write_tokens(
    reply: &mut Reply<'_>,
    sequence: &mut Sequence,
    prompt: &[TokenId],
    outbox: &mut Outbox<'_>,
) -> Result<StopReason, DecodeError> {
    let watch = reply.watch;
    let started = Instant::now();
    let vocabulary = reply.desk.vocabulary;
    let longest = sequence.settings().n_batch as usize;
    let rows = Rows::of(
        prompt,
        longest,
        |it| vocabulary.written(it),
        |it| vocabulary.ends_reply(it),
    );
    let n_kept = sequence.prefill(&rows, watch, &mut |n_done| {
        outbox.tell(Event::PrefillProgress {
            id: watch.id,
            n_done: n_done as u32,
            n_total: prompt.len() as u32,
        });
    })?;
    reply.clock.n_kept = n_kept as u32;
    reply.clock.prefill = started.elapsed();
    reply.clock.decode_started = Instant::now();
    loop {
        let logits = sequence.logits().ok_or(DecodeError::NoLogits)?;
        let next = reply.next(logits).map_err(DecodeError::Reply)?;
        outbox.push(reply.text.settled());
        match next {
            Next::Token(token) => sequence.push(token, watch)?,
            Next::End(stop) => return Ok(stop),
        }
    }
}
