//! Watches whether the engine's process lives at all, whatever it works on.

use std::time::{Duration, Instant};

use super::limits::OVERSLEPT;

/// Told of each sign of life and of the time; says when a silence begins and ends.
pub(super) struct Vigil {
    /// The longest silence of a process that lives; none where no process is watched.
    patience: Option<Duration>,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// No process is there.
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

    /// Whether a silence was told, and is not over.
    pub(super) fn is_silent(&self) -> bool {
        self.state == State::Silent
    }

    /// The process was started or heard; whether that ends a silence.
    pub(super) fn on_heard(&mut self, now: Instant) -> bool {
        std::mem::replace(&mut self.state, State::Heard(now)) == State::Silent
    }

    /// The process is gone; whether that ends a silence.
    pub(super) fn on_end(&mut self) -> bool {
        std::mem::replace(&mut self.state, State::Off) == State::Silent
    }

    /// When `on_time` is due at the latest.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::Heard(heard) => Some(heard + self.patience?),
            State::Off | State::Silent => None,
        }
    }

    /// Whether a silence begins.
    pub(super) fn on_time(&mut self, now: Instant) -> bool {
        let Some(due) = self.deadline().filter(|it| *it <= now) else {
            return false;
        };
        if due + OVERSLEPT <= now {
            // We slept ourselves, so it was not listened to.
            self.state = State::Heard(now);
            return false;
        }
        self.state = State::Silent;
        true
    }
}
