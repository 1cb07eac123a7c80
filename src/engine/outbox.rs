//! Events on their way to a listener that may be slow: tokens of one reply are merged while they wait.

use std::collections::VecDeque;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use super::Event;

/// Events that lie ready for the listener; few, so that tokens are merged as soon as it falls behind.
const N_READY: usize = 16;

/// What was told and not yet taken.
pub(super) struct Outbox {
    ready: Sender<Event>,
    waiting: VecDeque<Event>,
    wake: Box<dyn Fn() + Send>,
}

impl Outbox {
    pub(super) fn new(wake: impl Fn() + Send + 'static) -> (Self, Receiver<Event>) {
        let (ready, events) = bounded(N_READY);
        let outbox = Self {
            ready,
            waiting: VecDeque::new(),
            wake: Box::new(wake),
        };
        (outbox, events)
    }

    pub(super) fn push(&mut self, event: Event) {
        if let Some(event) = merge(self.waiting.back_mut(), event) {
            self.waiting.push_back(event);
        }
        self.flush();
    }

    /// The channel to watch for room; none while nothing waits.
    pub(super) fn blocked(&self) -> Option<Sender<Event>> {
        (!self.waiting.is_empty()).then(|| self.ready.clone())
    }

    /// Hands over what there is room for.
    pub(super) fn flush(&mut self) {
        while let Some(event) = self.waiting.pop_front() {
            match self.ready.try_send(event) {
                Ok(()) => (self.wake)(),
                Err(TrySendError::Full(event)) => {
                    self.waiting.push_front(event);
                    return;
                }
                Err(TrySendError::Disconnected(_)) => self.waiting.clear(),
            }
        }
    }
}

/// Puts an event into the one before it, or gives it back. Order and tokens are kept; of two shares of progress the later stays.
fn merge(last: Option<&mut Event>, event: Event) -> Option<Event> {
    let Some(last) = last else { return Some(event) };
    match (last, event) {
        (
            Event::Tokens { id, tokens },
            Event::Tokens {
                id: of,
                tokens: more,
            },
        ) if *id == of => {
            tokens.extend(more);
            None
        }
        (
            Event::LoadProgress { id, fraction },
            Event::LoadProgress {
                id: of,
                fraction: now,
            },
        ) if *id == of => {
            *fraction = now;
            None
        }
        (last @ Event::PrefillProgress { .. }, event @ Event::PrefillProgress { .. })
            if last.id() == event.id() =>
        {
            *last = event;
            None
        }
        (_, event) => Some(event),
    }
}
