//! Stops a download from another thread, in the middle of whatever it waits for.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ureq::Agent;

/// A handle to stop a download; all clones are one.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    stopped: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_stopped: bool,
    /// What holds the connection that is being read from.
    agent: Option<Agent>,
}

impl Control {
    /// Ends the download soon; its part is kept.
    pub fn stop(&self) {
        let agent = {
            let mut state = self.state();
            state.is_stopped = true;
            state.agent.take()
        };
        self.0.stopped.notify_all();
        if let Some(agent) = agent {
            agent.shutdown();
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.state().is_stopped
    }

    /// Sleeps so long, unless it is stopped before. Says whether it was.
    pub(super) fn wait(&self, time: Duration) -> bool {
        let waited = self
            .0
            .stopped
            .wait_timeout_while(self.state(), time, |it| !it.is_stopped);
        waited.map_or_else(|it| it.into_inner().0.is_stopped, |it| it.0.is_stopped)
    }

    /// From now on a stop closes this agent's connections.
    pub(super) fn watch(&self, agent: &Agent) {
        let mut state = self.state();
        if state.is_stopped {
            drop(state);
            agent.clone().shutdown();
        } else {
            state.agent = Some(agent.clone());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that holds the lock can fail halfway.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
