//! A command in the queue of the supervisor: who wants it, and what came of it so far.

use std::time::{Duration, Instant};

use super::group::{Group, is_of_group};
use super::{
    Command, Event, Finish, Held, LoadSettings, MachineAsk, MachineNews, RunId, RunTimings,
    StopReason,
};

/// A command with what became of it so far.
pub(super) struct Job {
    pub(super) command: Command,
    pub(super) origin: Origin,
    /// 2 for a run that lost its engine.
    pub(super) attempt: u32,
    pub(super) reply: Reply,
    /// What came of the replies where they run together.
    pub(super) group: Group,
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
    /// The graphics device that a load puts layers on.
    device: Option<String>,
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
            group: Group::default(),
        }
    }

    /// Whether an event can be this command's.
    pub(super) fn awaits(&self, event: &Event) -> bool {
        let is_of_its_kind = match event {
            Event::LoadingOn { .. }
            | Event::LoadProgress { .. }
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
            Event::Machine { .. } => matches!(self.command, Command::Machine { .. }),
            Event::Started { .. }
            | Event::PrefillProgress { .. }
            | Event::Tokens { .. }
            | Event::Staged { .. }
            | Event::Finished { .. }
            | Event::RunFailed { .. }
            | Event::GroupFinished { .. } => {
                if let Command::RunGroup { id, runs, .. } = &self.command {
                    return is_of_group(event, (*id, runs));
                }
                let is_group = matches!(event, Event::GroupFinished { .. });
                !is_group && matches!(self.command, Command::Run { .. })
            }
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
        let can_end = match self.command {
            Command::Load { .. } | Command::Run { .. } | Command::RunGroup { .. } => true,
            Command::Machine { ask, .. } => ask == MachineAsk::Measure,
            _ => false,
        };
        can_end && self.command.id() == Some(id)
    }

    /// What a command that only asks ends with when its engine is lost; none for one that changes something.
    pub(super) fn failure(&self, message: &str) -> Option<Event> {
        let message = message.to_owned();
        match self.command {
            Command::Preview { id, .. } => Some(Event::PreviewFailed { id, message }),
            Command::Walk { id, .. } => Some(Event::WalkFailed { id, message }),
            Command::Machine { id, .. } => Some(Event::Machine {
                id,
                news: Box::new(MachineNews::Failed { message }),
            }),
            _ => None,
        }
    }

    /// The graphics device that a load puts layers on.
    pub(super) fn gpu(&self) -> Option<String> {
        self.reply.device.clone()
    }

    /// The load again without the graphics device that it was lost on; none if it was on none.
    pub(super) fn on_cpu(&self, reason: &str) -> Option<Self> {
        let Command::Load { id, settings } = &self.command else {
            return None;
        };
        let device = self.reply.device.as_ref()?;
        let settings: LoadSettings = settings.on_cpu(device, reason);
        Some(Self::new(Command::Load { id: *id, settings }, self.origin))
    }

    /// Whether nothing more comes of it behind this event.
    pub(super) fn is_ended_by(&self, event: &Event) -> bool {
        event.is_end() && event.id() == self.command.id()
    }

    /// Takes in what an event tells of it.
    pub(super) fn hear(&mut self, event: &Event) {
        match self.command {
            Command::RunGroup { .. } => self.group.hear(event),
            _ => self.reply.hear(event),
        }
    }

    /// The events that end a run, a group or a measurement which its engine does not end itself.
    pub(super) fn end(self, stop: StopReason) -> Vec<Event> {
        match self.command {
            Command::Run { id, .. } => vec![self.reply.finish(id, stop)],
            Command::RunGroup { id, runs, .. } => self.group.end(id, &runs, &stop),
            Command::Machine { id, .. } => vec![Event::Machine {
                id,
                news: Box::new(MachineNews::Cancelled),
            }],
            _ => Vec::new(),
        }
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
            Event::LoadingOn { device, .. } => self.device = Some(device.clone()),
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
