//! Measures a cold start by phase: the window, its first frame, the model, the first token of a reply.

use std::time::Instant;

use crate::app::{EnginePhase, Model, RunPhase};

/// What has been reached last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Built,
    FirstFrame,
    Loaded,
    FirstToken,
    Done,
}

/// What the window is to do for the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Run,
    Close,
}

/// A start that is being measured.
pub(super) struct Phases {
    begun: Instant,
    say: fn(&str),
    reached: Phase,
    n_frames: u32,
}

impl Phases {
    /// Begins behind the making of the window; `begun` is when the program was started.
    pub(super) fn new(begun: Instant, say: fn(&str)) -> Self {
        let phases = Self {
            begun,
            say,
            reached: Phase::Built,
            n_frames: 0,
        };
        phases.tell("window built");
        phases
    }

    /// Looks at the state before each frame.
    pub(super) fn look(&mut self, model: &Model) -> Option<Wish> {
        self.n_frames += 1;
        match self.reached {
            // Before the second frame, the first is on the screen.
            Phase::Built if self.n_frames > 1 => {
                self.reach(Phase::FirstFrame, "first frame");
                None
            }
            Phase::FirstFrame if matches!(model.engine, EnginePhase::Ready(_)) => {
                self.reach(Phase::Loaded, "model loaded");
                Some(Wish::Run)
            }
            Phase::Loaded if has_token(model) => {
                self.reach(Phase::FirstToken, "first token");
                None
            }
            Phase::FirstToken if matches!(model.run, RunPhase::Done { .. }) => {
                self.reach(Phase::Done, "reply done");
                Some(Wish::Close)
            }
            Phase::Loaded | Phase::FirstFrame if has_failed(model) => {
                self.reach(Phase::Done, "failed");
                Some(Wish::Close)
            }
            _ => None,
        }
    }

    fn reach(&mut self, phase: Phase, what: &str) {
        self.reached = phase;
        self.tell(what);
    }

    fn tell(&self, what: &str) {
        let seconds = self.begun.elapsed().as_secs_f64();
        (self.say)(&format!("{seconds:7.3} s  {what}"));
    }
}

fn has_token(model: &Model) -> bool {
    model
        .reply()
        .is_some_and(|it| !it.assembly.tokens.is_empty())
}

fn has_failed(model: &Model) -> bool {
    matches!(model.engine, EnginePhase::Failed { .. })
        || matches!(model.run, RunPhase::Failed { .. })
}
