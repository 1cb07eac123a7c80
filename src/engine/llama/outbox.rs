//! Gathers tokens, so that a fast model does not become an event each.

use std::time::{Duration, Instant};

use crate::engine::{Event, RunId, TokenEvent};

/// Tells the first token at once, later ones a few together.
pub(super) struct Outbox<'a> {
    gathered: Gathered,
    tell: &'a mut dyn FnMut(Event),
}

/// The tokens of one reply that are not told yet.
pub(super) struct Gathered {
    id: RunId,
    waiting: Vec<TokenEvent>,
    told_at: Option<Instant>,
}

const MAX_WAITING: usize = 8;
/// One frame of a window.
const MAX_WAIT: Duration = Duration::from_millis(16);

impl Gathered {
    pub(super) fn new(id: RunId) -> Self {
        Self {
            id,
            waiting: Vec::new(),
            told_at: None,
        }
    }

    /// Takes tokens in, and gives the event that is due.
    pub(super) fn push(&mut self, tokens: Vec<TokenEvent>) -> Option<Event> {
        self.waiting.extend(tokens);
        let is_due = self.told_at.is_none_or(|it| it.elapsed() >= MAX_WAIT);
        if is_due || self.waiting.len() >= MAX_WAITING {
            return self.take();
        }
        None
    }

    /// All that waits.
    pub(super) fn take(&mut self) -> Option<Event> {
        if self.waiting.is_empty() {
            return None;
        }
        self.told_at = Some(Instant::now());
        Some(Event::Tokens {
            id: self.id,
            tokens: std::mem::take(&mut self.waiting),
        })
    }
}

impl<'a> Outbox<'a> {
    pub(super) fn new(id: RunId, tell: &'a mut dyn FnMut(Event)) -> Self {
        Self {
            gathered: Gathered::new(id),
            tell,
        }
    }

    pub(super) fn push(&mut self, tokens: Vec<TokenEvent>) {
        if let Some(event) = self.gathered.push(tokens) {
            (self.tell)(event);
        }
    }

    /// Tells anything else, after what waits.
    pub(super) fn tell(&mut self, event: Event) {
        if let Some(tokens) = self.gathered.take() {
            (self.tell)(tokens);
        }
        (self.tell)(event);
    }
}
