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
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicU64>);

impl Cancel {
    /// Asks for the end of this load or run. Ids are never 0.
    pub fn request(&self, id: RunId) {
        self.0.store(id.0, Ordering::Relaxed);
    }

    pub fn is_requested(&self, id: RunId) -> bool {
        self.0.load(Ordering::Relaxed) == id.0
    }
}
