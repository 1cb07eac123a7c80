//! Gathers tokens, so that a fast model does not become an event each.

use std::time::{Duration, Instant};

use crate::engine::{Event, RunId, TokenEvent};

/// Tells the first token at once, later ones a few together.
pub(super) struct Outbox<'a> {
    id: RunId,
    tell: &'a mut dyn FnMut(Event),
    waiting: Vec<TokenEvent>,
    told_at: Option<Instant>,
}

const MAX_WAITING: usize = 8;
/// One frame of a window.
const MAX_WAIT: Duration = Duration::from_millis(16);

impl<'a> Outbox<'a> {
    pub(super) fn new(id: RunId, tell: &'a mut dyn FnMut(Event)) -> Self {
        Self {
            id,
            tell,
            waiting: Vec::new(),
            told_at: None,
        }
    }

    pub(super) fn push(&mut self, tokens: Vec<TokenEvent>) {
        self.waiting.extend(tokens);
        let is_due = self.told_at.is_none_or(|it| it.elapsed() >= MAX_WAIT);
        if is_due || self.waiting.len() >= MAX_WAITING {
            self.flush();
        }
    }

    pub(super) fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        self.told_at = Some(Instant::now());
        (self.tell)(Event::Tokens {
            id: self.id,
            tokens: std::mem::take(&mut self.waiting),
        });
    }

    /// Tells anything else, after what waits.
    pub(super) fn tell(&mut self, event: Event) {
        self.flush();
        (self.tell)(event);
    }
}
