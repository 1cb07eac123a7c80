//! Watches whether something is still heard: the engine's process, or the work that it does.

use std::time::{Duration, Instant};

use super::limits::OVERSLEPT;

/// Told of each sign and of the time; knows whether there is silence.
pub(super) struct Vigil {
    /// The longest silence that is in order; none where nothing is watched.
    patience: Option<Duration>,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// Nothing is there to be heard.
    Off,
    Heard(Instant),
    Silent,
}

impl Vigil {
    pub(super) fn new(patience: Option<Duration>) -> Self {
        Self {
            patience,
            state: State::Off,
        }
    }

    pub(super) fn is_silent(&self) -> bool {
        self.state == State::Silent
    }

    /// What is watched begins.
    pub(super) fn begin(&mut self, now: Instant) {
        self.state = State::Heard(now);
    }

    /// A sign was heard of what is watched; it means nothing where nothing is.
    pub(super) fn on_sign(&mut self, now: Instant) {
        if self.state != State::Off {
            self.state = State::Heard(now);
        }
    }

    /// What was watched is over.
    pub(super) fn on_end(&mut self) {
        self.state = State::Off;
    }

    /// When `on_time` is due at the latest.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::Heard(heard) => Some(heard + self.patience?),
            State::Off | State::Silent => None,
        }
    }

    /// A silence may begin.
    pub(super) fn on_time(&mut self, now: Instant) {
        let Some(due) = self.deadline().filter(|it| *it <= now) else {
            return;
        };
        self.state = if due + OVERSLEPT <= now {
            // We slept ourselves, so it was not listened to.
            State::Heard(now)
        } else {
            State::Silent
        };
    }
}
