//! What crosses between the window and the engine: commands one way, events the other, all with ids.

use serde::{Deserialize, Serialize};

use super::crash_note::CrashNote;
use super::finish::{Finish, StageDone};
use super::loading::{LoadSettings, ModelInfo};
use super::{MachineAsk, MachineNews};
use crate::constraint::{Constraint, Hold, Walk};
use crate::prompt::{FirstStage, Message, TemplateChoice, Thinking};
use crate::sampling::{Knobs, TokenId, TokenKnobReport, TokenTrace};

/// Names one load, preview or run, so that late events of an abandoned one fall away.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct RunId(pub u64);

/// What the engine is asked to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// Loads a model in place of the one that is loaded.
    Load {
        id: RunId,
        settings: LoadSettings,
    },
    Unload,
    /// Renders and counts a prompt without running it.
    Preview {
        id: RunId,
        request: Box<PreviewRequest>,
    },
    Run {
        id: RunId,
        request: Box<RunRequest>,
    },
    /// Runs replies together, `width` of them at a time; each tells its own events. Cancelled as a whole.
    RunGroup {
        id: RunId,
        /// At least 1; fewer are evaluated at a time where memory has no room for so many.
        width: u32,
        runs: Vec<GroupRun>,
    },
    /// Walks a text under a constraint with the model's tokens; nothing is computed by the model.
    Walk {
        id: RunId,
        constraint: Constraint,
        text: String,
    },
    /// Asks about the computer.
    Machine {
        id: RunId,
        ask: MachineAsk,
    },
    /// Ends a load, a run or a measurement within 100 ms. A late one for another id does nothing.
    Cancel {
        id: RunId,
    },
}

/// One reply of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupRun {
    pub id: RunId,
    pub request: RunRequest,
}

/// What the engine tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The weights go to this graphics device from here on; not told when the processor does it all.
    LoadingOn {
        id: RunId,
        device: String,
    },
    LoadProgress {
        id: RunId,
        fraction: f32,
    },
    Loaded {
        id: RunId,
        info: Box<ModelInfo>,
    },
    LoadFailed {
        id: RunId,
        message: String,
    },
    /// The load was cancelled; no model is loaded now.
    LoadCancelled {
        id: RunId,
    },
    Unloaded,
    Previewed {
        id: RunId,
        view: Box<PromptView>,
    },
    PreviewFailed {
        id: RunId,
        message: String,
    },
    Walked {
        id: RunId,
        walk: Box<Walk>,
    },
    WalkFailed {
        id: RunId,
        message: String,
    },
    Machine {
        id: RunId,
        news: Box<MachineNews>,
    },
    /// The prompt is known and its evaluation begins. Comes a second time, with `attempt` 2, when the
    /// engine was lost and the reply is tried again: what was received of it until then is void.
    Started {
        id: RunId,
        attempt: u32,
        view: Box<PromptView>,
    },
    PrefillProgress {
        id: RunId,
        n_done: u32,
        n_total: u32,
    },
    /// Some tokens of the reply, batched.
    Tokens {
        id: RunId,
        tokens: Vec<TokenEvent>,
    },
    /// The first of two stages is done; the second begins with another `Started`, and its tokens are the reply.
    Staged {
        id: RunId,
        stage: Box<StageDone>,
    },
    Finished {
        id: RunId,
        finish: Box<Finish>,
    },
    /// The run could not begin: prompt too long, constraint with a fault, template that fails.
    RunFailed {
        id: RunId,
        message: String,
    },
    /// All replies of a group have ended.
    GroupFinished {
        id: RunId,
    },
    /// The engine's process ended, with the reason; it is being started again.
    EngineLost {
        reason: String,
    },
    /// It is back, with the model loaded again if one was.
    EngineRestarted,
    /// What is known of an engine that is gone; told just before the loss, or the load that failed with it.
    CrashNoted {
        note: Box<CrashNote>,
    },
    /// Nothing is heard of the engine for seconds, and nothing is done about it yet.
    EngineSilent {
        silence: Silence,
    },
    /// The engine is heard again, or is gone.
    EngineSilenceOver,
}

/// An engine of which nothing is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Silence {
    /// The system's number of the process; none for an engine on a thread.
    pub process: Option<u32>,
    /// The process lives, and its work makes no progress. Else it shows no sign of life: it is stopped, or the
    /// computer is short of memory.
    pub lives: bool,
}

/// A prompt before it is rendered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromptRequest {
    pub messages: Vec<Message>,
    #[serde(default)]
    pub template: TemplateChoice,
    /// The reply's beginning, put into the model's mouth.
    #[serde(default)]
    pub prefill: String,
    #[serde(default)]
    pub thinking: Thinking,
}

/// What is to be found out before a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PreviewRequest {
    pub prompt: PromptRequest,
    /// Texts to cut into tokens as a reply would be.
    #[serde(default)]
    pub texts: Vec<String>,
    /// Knobs of which some may name tokens.
    #[serde(default = "Knobs::neutral")]
    pub knobs: Knobs,
}

/// A prompt as the model reads it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromptView {
    pub rendered: String,
    pub tokens: Vec<TokenId>,
    /// Where each token ends in `rendered`, in bytes; empty where that is not known.
    #[serde(default)]
    pub ends: Vec<u32>,
    /// The tokens of each text that a preview was asked for; empty in a run's own view.
    #[serde(default)]
    pub texts: Vec<Vec<Piece>>,
    /// What the vocabulary makes of the knobs that name tokens; empty in a run's own view.
    #[serde(default)]
    pub token_knobs: TokenKnobReport,
    /// Such as "double begin token". Those about the constraint stand in a run's own view only.
    pub warnings: Vec<String>,
}

/// A token and its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    pub token: TokenId,
    pub bytes: Vec<u8>,
}

/// One reply, asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    pub prompt: PromptRequest,
    pub knobs: Knobs,
    pub constraint: Constraint,
    /// When the constraint begins, how it ends, and what is watched.
    #[serde(default, skip_serializing_if = "Hold::is_neutral")]
    pub hold: Hold,
    /// What the model writes freely before the reply, in a prompt of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstStage>,
    /// The reply's first tokens where it goes on from another reply. They are evaluated one by one as they were
    /// then, so that the same knobs go on in the same way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_tokens: Vec<TokenId>,
}

/// One token of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenEvent {
    pub token: TokenId,
    /// The token's bytes: with some tokens only part of a character.
    pub bytes: Vec<u8>,
    /// The text that this token completes; empty while a character is unfinished. All of them, joined, are the reply.
    pub text: String,
    pub trace: TokenTrace,
    /// It was given with the request and not chosen: its trace says how likely it was, and nothing of the chain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given: bool,
    /// The texts of the tokens named in `trace`, so that the window needs no vocabulary.
    pub names: Vec<(TokenId, String)>,
}

impl Command {
    /// The load, preview or run it begins or ends.
    pub fn id(&self) -> Option<RunId> {
        match self {
            Self::Load { id, .. }
            | Self::Preview { id, .. }
            | Self::Run { id, .. }
            | Self::RunGroup { id, .. }
            | Self::Walk { id, .. }
            | Self::Machine { id, .. }
            | Self::Cancel { id } => Some(*id),
            Self::Unload => None,
        }
    }
}

impl Event {
    /// The load, preview or run it tells of; none for those that tell of the engine.
    pub fn id(&self) -> Option<RunId> {
        match self {
            Self::LoadingOn { id, .. }
            | Self::LoadProgress { id, .. }
            | Self::Machine { id, .. }
            | Self::Loaded { id, .. }
            | Self::LoadFailed { id, .. }
            | Self::LoadCancelled { id }
            | Self::Previewed { id, .. }
            | Self::PreviewFailed { id, .. }
            | Self::Walked { id, .. }
            | Self::WalkFailed { id, .. }
            | Self::Started { id, .. }
            | Self::PrefillProgress { id, .. }
            | Self::Tokens { id, .. }
            | Self::Staged { id, .. }
            | Self::Finished { id, .. }
            | Self::RunFailed { id, .. }
            | Self::GroupFinished { id } => Some(*id),
            Self::Unloaded
            | Self::EngineLost { .. }
            | Self::EngineRestarted
            | Self::CrashNoted { .. }
            | Self::EngineSilent { .. }
            | Self::EngineSilenceOver => None,
        }
    }

    /// Whether it is the last one of a load, preview, walk, run or group.
    pub fn is_end(&self) -> bool {
        if let Self::Machine { news, .. } = self {
            return news.is_end();
        }
        matches!(
            self,
            Self::Loaded { .. }
                | Self::LoadFailed { .. }
                | Self::LoadCancelled { .. }
                | Self::Unloaded
                | Self::Previewed { .. }
                | Self::PreviewFailed { .. }
                | Self::Walked { .. }
                | Self::WalkFailed { .. }
                | Self::Finished { .. }
                | Self::RunFailed { .. }
                | Self::GroupFinished { .. }
        )
    }

    /// The same event of another load, preview or run.
    #[must_use]
    pub fn with_id(mut self, new: RunId) -> Self {
        match &mut self {
            Self::LoadingOn { id, .. }
            | Self::LoadProgress { id, .. }
            | Self::Machine { id, .. }
            | Self::Loaded { id, .. }
            | Self::LoadFailed { id, .. }
            | Self::LoadCancelled { id }
            | Self::Previewed { id, .. }
            | Self::PreviewFailed { id, .. }
            | Self::Walked { id, .. }
            | Self::WalkFailed { id, .. }
            | Self::Started { id, .. }
            | Self::PrefillProgress { id, .. }
            | Self::Tokens { id, .. }
            | Self::Staged { id, .. }
            | Self::Finished { id, .. }
            | Self::RunFailed { id, .. }
            | Self::GroupFinished { id } => *id = new,
            Self::Unloaded
            | Self::EngineLost { .. }
            | Self::EngineRestarted
            | Self::CrashNoted { .. }
            | Self::EngineSilent { .. }
            | Self::EngineSilenceOver => (),
        }
        self
    }
}
