//! Holds an experiment that runs on a thread of its own, and counts the time that it works.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Hold an experiment or end it, from the window's thread.
#[derive(Debug, Default)]
pub(super) struct Reins(AtomicU8);

const GOES: u8 = 0;
const PAUSES: u8 = 1;
const STOPS: u8 = 2;

impl Reins {
    pub(super) fn pause(&self, pauses: bool) {
        let (from, to) = if pauses {
            (GOES, PAUSES)
        } else {
            (PAUSES, GOES)
        };
        let swapped = self
            .0
            .compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed);
        // What has stopped stays so.
        if swapped.is_err() {}
    }

    pub(super) fn stop(&self) {
        self.0.store(STOPS, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == STOPS
    }

    pub(super) fn is_paused(&self) -> bool {
        self.0.load(Ordering::Relaxed) == PAUSES
    }
}

/// Seconds of work, pauses left out.
pub(super) struct Clock {
    begun: Instant,
    pub(super) paused: Duration,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self {
            begun: Instant::now(),
            paused: Duration::ZERO,
        }
    }

    pub(super) fn seconds(&self) -> f64 {
        let whole = self.begun.elapsed();
        whole.saturating_sub(self.paused).as_secs_f64()
    }
}
