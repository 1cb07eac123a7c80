//! A command in the queue of the supervisor: who wants it, and what came of it so far.

use std::time::{Duration, Instant};

use super::{Command, Event, Finish, Held, RunId, RunTimings, StopReason};

/// A command with what became of it so far.
pub(super) struct Job {
    pub(super) command: Command,
    pub(super) origin: Origin,
    /// 2 for a run that lost its engine.
    pub(super) attempt: u32,
    pub(super) reply: Reply,
}

/// Who wants it, and so who hears of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    User,
    /// The model comes back after a loss that was told.
    ReloadAfterLoss,
    /// We tidy up behind the scenes: only a failure is told.
    Quiet,
}

/// What came of a reply.
#[derive(Default)]
pub(super) struct Reply {
    text: String,
    n_prompt: u32,
    n_tokens: u32,
}

/// Losses with nothing done between them.
#[derive(Default)]
pub(super) struct Losses {
    pub(super) n: u32,
    since: Option<Instant>,
}

/// So many losses within [`LOSS_WINDOW`], and the model is not loaded again.
const MAX_LOSSES: u32 = 3;

const LOSS_WINDOW: Duration = Duration::from_mins(1);

impl Job {
    pub(super) fn new(command: Command, origin: Origin) -> Self {
        Self {
            command,
            origin,
            attempt: 1,
            reply: Reply::default(),
        }
    }

    /// Whether an event can be this command's.
    pub(super) fn awaits(&self, event: &Event) -> bool {
        let is_of_its_kind = match event {
            Event::LoadProgress { .. }
            | Event::Loaded { .. }
            | Event::LoadFailed { .. }
            | Event::LoadCancelled { .. } => matches!(self.command, Command::Load { .. }),
            Event::Unloaded => matches!(self.command, Command::Unload),
            Event::Previewed { .. } | Event::PreviewFailed { .. } => {
                matches!(self.command, Command::Preview { .. })
            }
            Event::Walked { .. } | Event::WalkFailed { .. } => {
                matches!(self.command, Command::Walk { .. })
            }
            Event::Started { .. }
            | Event::PrefillProgress { .. }
            | Event::Tokens { .. }
            | Event::Staged { .. }
            | Event::Finished { .. }
            | Event::RunFailed { .. } => matches!(self.command, Command::Run { .. }),
            // Only we can know of these.
            Event::EngineLost { .. }
            | Event::EngineRestarted
            | Event::CrashNoted { .. }
            | Event::EngineSilent { .. }
            | Event::EngineSilenceOver => false,
        };
        is_of_its_kind && event.id() == self.command.id()
    }

    pub(super) fn can_cancel(&self, id: RunId) -> bool {
        let is_load_or_run = matches!(self.command, Command::Load { .. } | Command::Run { .. });
        is_load_or_run && self.command.id() == Some(id)
    }

    /// Whether the user wants another model than the one that is there, or none.
    pub(super) fn is_change_of_model(&self) -> bool {
        let changes = matches!(self.command, Command::Load { .. } | Command::Unload);
        changes && self.origin == Origin::User
    }

    /// Whether it brings a model back after a loss that was told.
    pub(super) fn is_comeback(&self) -> bool {
        self.is_reload() && self.origin == Origin::ReloadAfterLoss
    }

    /// Whether it brings a model back that the user did not ask for anew.
    pub(super) fn is_reload(&self) -> bool {
        matches!(self.command, Command::Load { .. }) && self.origin != Origin::User
    }
}

impl Reply {
    /// Takes in what an event tells of the reply.
    pub(super) fn hear(&mut self, event: &Event) {
        match event {
            // What came until now is void.
            Event::Started { view, .. } => {
                *self = Self {
                    n_prompt: view.tokens.len() as u32,
                    ..Self::default()
                };
            }
            Event::Tokens { tokens, .. } => {
                self.n_tokens += tokens.len() as u32;
                self.text.extend(tokens.iter().map(|it| it.text.as_str()));
            }
            _ => (),
        }
    }

    /// The end of a reply that its engine cannot tell.
    pub(super) fn finish(self, id: RunId, stop: StopReason) -> Event {
        let finish = Box::new(Finish {
            knobs: Vec::new(),
            held: Held::default(),
            stop,
            text: self.text,
            timings: RunTimings {
                n_prompt: self.n_prompt,
                n_reply: self.n_tokens,
                ..RunTimings::default()
            },
        });
        Event::Finished { id, finish }
    }
}

impl Losses {
    pub(super) fn are_enough(&self) -> bool {
        self.n >= MAX_LOSSES
    }

    pub(super) fn count(&mut self, now: Instant) {
        match self.since {
            Some(since) if now - since <= LOSS_WINDOW => self.n += 1,
            _ => {
                *self = Self {
                    n: 1,
                    since: Some(now),
                }
            }
        }
    }
}
