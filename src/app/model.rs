//! The whole state of the window.

use std::path::PathBuf;

use super::Draft;
use crate::engine::{ModelInfo, PromptView, RunId, TokenEvent};
use crate::lab::{Preset, Trial};
use crate::prompt::Task;

/// One owner, the UI thread; changed by `on_action` and `on_event` alone (widgets may write to `draft`).
#[derive(Debug)]
pub struct Model {
    pub tab: Tab,
    pub theme: ThemeChoice,
    pub draft: Draft,
    pub library: Library,
    pub engine: EnginePhase,
    /// The prompt as the model will read it, or why it cannot be rendered; none while it is not known.
    pub preview: Option<Result<PromptView, String>>,
    /// What is wrong with the constraint's text, if anything is; checked as it is typed.
    pub constraint_error: Option<crate::constraint::ConstraintError>,
    pub run: RunPhase,
    pub models: Vec<FoundModel>,
    pub notices: Vec<Notice>,
}

/// The tabs that work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    #[default]
    Play,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    #[default]
    Dark,
    Light,
}

/// What there is to choose from: shipped and the user's own.
#[derive(Debug, Default)]
pub struct Library {
    pub tasks: Vec<Task>,
    pub presets: Vec<Preset>,
    /// Name and text.
    pub grammars: Vec<(String, String)>,
}

/// A model file that was found or opened before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundModel {
    pub path: PathBuf,
    pub name: String,
    pub quantization: String,
    pub bytes: u64,
}

#[derive(Debug, Default)]
pub enum EnginePhase {
    #[default]
    NoModel,
    Loading {
        id: RunId,
        path: PathBuf,
        fraction: f32,
    },
    Ready(Box<ModelInfo>),
    Failed {
        path: PathBuf,
        message: String,
    },
    /// The process was lost and is being started again.
    Restarting {
        reason: String,
    },
}

#[derive(Debug, Default)]
pub enum RunPhase {
    #[default]
    Idle,
    Running {
        id: RunId,
        reply: Reply,
    },
    Done {
        reply: Reply,
        trial: Box<Trial>,
    },
    Failed {
        message: String,
    },
}

/// A reply as far as it has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    pub tokens: Vec<TokenEvent>,
    /// Share of the prompt that is evaluated, while no token has come.
    pub prefill: Option<(u32, u32)>,
    /// 2 when the engine was lost and the reply is tried again.
    pub attempt: u32,
    pub prompt: PromptView,
}

/// Something to tell the user, until it is dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoticeKind,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    Info,
    Warning,
    Error,
}
