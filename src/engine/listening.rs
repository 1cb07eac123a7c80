//! Listens to an engine: whether its process lives, and whether a reply goes on.

use std::time::Instant;

use super::limits::Limits;
use super::vigil::Vigil;
use super::{Event, Silence};

/// Both vigils, and what was told of them.
pub(super) struct Listening {
    /// Whether the process lives.
    pulse: Vigil,
    /// Whether a reply goes on.
    progress: Vigil,
    /// The silence that was told, and is not over.
    told: Option<Silence>,
}

impl Listening {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            pulse: Vigil::new(limits.pulse),
            progress: Vigil::new(limits.progress),
            told: None,
        }
    }

    pub(super) fn on_process(&mut self, now: Instant) {
        self.pulse.begin(now);
    }

    pub(super) fn on_reply(&mut self, now: Instant) {
        self.progress.begin(now);
    }

    pub(super) fn on_reply_end(&mut self) {
        self.progress.on_end();
    }

    /// Something was heard; a bare sign of life says nothing of the work.
    pub(super) fn on_news(&mut self, is_bare: bool, now: Instant) {
        // It could make no progress while it was stopped.
        if !is_bare || self.is_stopped() {
            self.progress.on_sign(now);
        }
        self.pulse.on_sign(now);
    }

    /// The process is gone.
    pub(super) fn on_end(&mut self) {
        self.pulse.on_end();
        self.progress.on_end();
    }

    pub(super) fn on_time(&mut self, now: Instant) {
        self.pulse.on_time(now);
        self.progress.on_time(now);
    }

    /// When `on_time` is due at the latest.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let both = [self.pulse.deadline(), self.progress.deadline()];
        both.into_iter().flatten().min()
    }

    /// Whether the process shows no sign of life.
    pub(super) fn is_stopped(&self) -> bool {
        self.pulse.is_silent()
    }

    /// What is to be told, if anything changed. `process` is the system's number of the process.
    pub(super) fn change(&mut self, process: Option<u32>) -> Option<Event> {
        let is_silent = self.is_stopped() || self.progress.is_silent();
        let silence = is_silent.then(|| Silence {
            process,
            lives: !self.is_stopped(),
        });
        if silence == self.told {
            return None;
        }
        self.told = silence;
        Some(match silence {
            Some(silence) => Event::EngineSilent { silence },
            None => Event::EngineSilenceOver,
        })
    }
}
