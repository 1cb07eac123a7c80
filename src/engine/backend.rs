//! What runs a model: one command at a time, telling events as they happen.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Command, Event, RunId};

/// Runs models. `Cancel` never reaches `execute`: it arrives through the shared [`Cancel`] while another command runs.
pub trait Backend {
    /// Executes one command to its end, and returns then. Failure is told as an event, never returned.
    fn execute(&mut self, command: Command, cancel: &Cancel, tell: &mut dyn FnMut(Event));
}

/// Tells a running command that it is to end; shared between the thread that hears it and the one that works.
///
/// It holds the highest id that was cancelled. Ids only grow, so a late request for an older one changes nothing.
/// The other way, it carries the signs of life that tell slow work from work that is stuck.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    highest: AtomicU64,
    n_beats: AtomicU64,
}

impl Cancel {
    /// Asks for the end of this load or run. Ids are never 0.
    pub fn request(&self, id: RunId) {
        self.0.highest.fetch_max(id.0, Ordering::Relaxed);
    }

    /// Asks for the end of everything, now and later: nobody listens any more.
    pub fn request_all(&self) {
        self.0.highest.store(u64::MAX, Ordering::Relaxed);
    }

    pub fn is_requested(&self, id: RunId) -> bool {
        let highest = self.0.highest.load(Ordering::Relaxed);
        highest == id.0 || highest == u64::MAX
    }

    pub fn is_all_requested(&self) -> bool {
        self.0.highest.load(Ordering::Relaxed) == u64::MAX
    }

    /// A sign of life, for work that tells no event for long: without events and signs the engine counts as hung.
    pub fn beat(&self) {
        self.0.n_beats.fetch_add(1, Ordering::Relaxed);
    }

    /// Signs of life until now.
    pub(super) fn n_beats(&self) -> u64 {
        self.0.n_beats.load(Ordering::Relaxed)
    }
}
