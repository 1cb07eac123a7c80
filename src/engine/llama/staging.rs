//! Two-stage runs: a free text first, then the reply in a prompt that holds it.

use crate::constraint::{Constraint, Hold};
use crate::engine::{Event, RunRequest, StageDone, StopReason};
use crate::prompt::FirstStage;
use crate::sampling::Knob;

use super::constraints::Constraints;
use super::load::Loaded;
use super::outbox::Outbox;
use super::run::{Written, write};
use super::watch::Watch;

/// Writes both stages; gives the event that ends the run.
pub(super) fn run_staged(
    loaded: &mut Loaded,
    constraints: &mut Constraints,
    (request, first, watch): (&RunRequest, FirstStage, &Watch),
    outbox: &mut Outbox<'_>,
) -> Event {
    let free = first_request(request, first);
    let (view, tokens, finish) = match write(loaded, constraints, (&free, watch), outbox) {
        Written::Reply {
            view,
            tokens,
            finish,
        } if finish.stop != StopReason::Cancelled => (*view, tokens, *finish),
        other => return other.into_event(watch.id),
    };
    let second = second_request(request, first, &finish.text);
    outbox.tell(Event::Staged {
        id: watch.id,
        stage: Box::new(StageDone {
            kind: first.kind,
            messages: free.prompt.messages,
            view,
            tokens,
            finish,
        }),
    });
    write(loaded, constraints, (&second, watch), outbox).into_event(watch.id)
}

/// The same without a constraint, of its own length.
fn first_request(request: &RunRequest, first: FirstStage) -> RunRequest {
    let mut free = request.clone();
    free.first = None;
    free.constraint = Constraint::None;
    free.hold = Hold {
        guards: request.hold.guards,
        ..Hold::default()
    };
    free.given_tokens = Vec::new();
    free.prompt.prefill = String::new();
    free.prompt.messages = first.kind.first_messages(&request.prompt.messages);
    // Out of the knob's range, the run's own limit holds.
    drop(free.knobs.set(Knob::MaxTokens, f64::from(first.max_tokens)));
    free
}

fn second_request(request: &RunRequest, first: FirstStage, written: &str) -> RunRequest {
    let mut second = request.clone();
    second.first = None;
    second.prompt.messages = first
        .kind
        .second_messages(&request.prompt.messages, written);
    second
}
