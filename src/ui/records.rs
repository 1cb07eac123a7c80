//! Trials on their way to the disk: kept until they are there, and tried again.

use std::fs;
use std::time::{Duration, Instant};

use crate::lab::Trial;
use crate::store::Trials;

/// How long it takes until what failed is tried again.
pub(super) const AGAIN: Duration = Duration::from_secs(2);

/// One file of trials, and what could not be written to it yet.
pub(super) struct Records {
    trials: Trials,
    unwritten: Vec<Trial>,
    tried: Option<Instant>,
}

impl Records {
    pub(super) fn new(trials: Trials) -> Self {
        Self {
            trials,
            unwritten: Vec::new(),
            tried: None,
        }
    }

    /// Takes a trial and writes what is still to be written, in order.
    pub(super) fn add(&mut self, trial: Trial) -> Result<(), String> {
        self.unwritten.push(trial);
        self.write()
    }

    /// Tries again what failed, but not at every frame; none if there is nothing to try.
    pub(super) fn try_again(&mut self) -> Option<Result<(), String>> {
        let is_due = self.tried.is_none_or(|it| it.elapsed() >= AGAIN);
        (is_due && !self.unwritten.is_empty()).then(|| self.write())
    }

    pub(super) fn is_waiting(&self) -> bool {
        !self.unwritten.is_empty()
    }

    fn write(&mut self) -> Result<(), String> {
        self.tried = Some(Instant::now());
        while let Some(trial) = self.unwritten.first() {
            self.trials.append(trial).map_err(|it| {
                let n = self.unwritten.len();
                let what = if n == 1 { "trial is" } else { "trials are" };
                format!("{it}; {n} {what} in memory and tried again")
            })?;
            self.unwritten.remove(0);
        }
        Ok(())
    }
}

impl Drop for Records {
    /// The last chance: where the data folder cannot be written, another place may be.
    fn drop(&mut self) {
        if self.unwritten.is_empty() || self.write().is_ok() {
            return;
        }
        let place = std::env::temp_dir().join("stepladder-trials");
        let trials = Trials::at(place.join(format!("{}.jsonl", std::process::id())));
        let is_made = fs::create_dir_all(&place).is_ok();
        // The window is gone: there is nobody left to tell.
        if is_made && self.unwritten.iter().all(|it| trials.append(it).is_ok()) {}
    }
}
