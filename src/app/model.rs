//! The whole state of the window.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::checked::judge_fault;
use super::{
    BenchDesk, Branch, Checked, CompareDesk, CompareDraft, DownloadDesk, Draft, Effect,
    GrammarsDesk, GrammarsDraft, MachineDesk, ModelSearch, RepairDesk, RepairDraft,
};
use crate::constraint::{self, ConstraintError};
use crate::engine::{LoadSettings, Measurement, ModelInfo, PromptView, RunId, Silence};
use crate::lab::Trial;
use crate::ladder::Stream;
use crate::prompt::Forecast;
use crate::runner::Assembly;
use crate::store::{FoundModel, Library};

/// How many model files are remembered.
const MAX_RECENT: usize = 8;

/// One owner, the UI thread; changed by `on_action` and `on_event` alone (widgets may write to `draft`).
#[derive(Debug)]
pub struct Model {
    pub tab: Tab,
    pub settings: Settings,
    pub draft: Draft,
    pub library: Library,
    pub engine: EnginePhase,
    /// Nothing is heard of the engine that works.
    pub silence: Option<Silence>,
    /// What is known of the engine that was lost last, until it is dismissed.
    pub crash: Option<Box<Crash>>,
    pub preview: Preview,
    /// What is wrong with the constraint's text, if anything is; checked as it is typed.
    pub constraint_error: Option<ConstraintError>,
    pub checked: Checked,
    pub run: RunPhase,
    pub repair: RepairDesk,
    pub grammars: GrammarsDesk,
    pub bench: BenchDesk,
    pub compare: CompareDesk,
    /// The other way for the reply, after a fork.
    pub branch: Option<Box<Branch>>,
    pub models: Vec<FoundModel>,
    pub search: ModelSearch,
    pub machine: MachineDesk,
    pub download: DownloadDesk,
    pub notices: Vec<Notice>,
    /// The id that the next load, preview or run gets.
    pub next_id: u64,
    /// A recording is played: nothing of it is remembered as a model.
    pub is_scripted: bool,
}

/// The tabs that work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    #[default]
    Play,
    Compare,
    Bench,
    Repair,
    Grammars,
}

/// What is remembered from one start to the next, beside the draft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub v: u32,
    pub theme: ThemeChoice,
    /// Model files opened before, the latest first.
    pub recent: Vec<PathBuf>,
    /// How models are loaded; its path is not used.
    pub load: LoadSettings,
    /// How fast a model ran here, with which threads and batches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measurement>,
    /// Fields this version does not know, kept as they were.
    #[serde(flatten)]
    pub other: serde_json::Map<String, serde_json::Value>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            v: 1,
            theme: ThemeChoice::default(),
            recent: Vec::new(),
            load: LoadSettings::default(),
            measured: None,
            other: serde_json::Map::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    #[default]
    Dark,
    Light,
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
    /// The process was lost and is being started again; the model that was loaded comes back with it.
    Restarting {
        reason: String,
        info: Option<Box<ModelInfo>>,
    },
}

/// A crash note, as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crash {
    pub text: String,
    /// Where it is kept, or why it is not; none while it is being written.
    pub kept: Option<Result<PathBuf, String>>,
    pub is_open: bool,
}

/// The prompt as the model will read it.
#[derive(Debug, Default)]
pub struct Preview {
    /// The latest answer; none before the first.
    pub shown: Option<Result<PromptView, String>>,
    /// What the draft's n-gram ban will forbid; none without one.
    pub forecast: Option<Forecast>,
    /// The request that is out; at most one is, however fast the user types.
    pub asked: Option<RunId>,
    /// The draft moved on since it was asked.
    pub stale: bool,
}

#[derive(Debug, Default)]
pub enum RunPhase {
    #[default]
    Idle,
    Running {
        reply: Box<Reply>,
    },
    Done {
        reply: Box<Reply>,
        trial: Box<Trial>,
    },
    Failed {
        message: String,
    },
}

/// A reply as far as it has come.
#[derive(Debug)]
pub struct Reply {
    pub assembly: Assembly,
    /// Tokens of the prompt that are evaluated, of how many, while no token has come.
    pub prefill: Option<(u32, u32)>,
    /// The value so far; fed each new piece once.
    pub stream: Stream,
    /// The user asked for its end, and it has not come yet.
    pub cancelling: bool,
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

impl RunPhase {
    /// The reply, running or done.
    pub fn reply(&self) -> Option<&Reply> {
        match self {
            Self::Running { reply } | Self::Done { reply, .. } => Some(reply),
            Self::Idle | Self::Failed { .. } => None,
        }
    }
}

impl Model {
    /// The state at the start, before the engine has told anything.
    pub fn new(library: Library, draft: Draft, settings: Settings) -> Self {
        let mut model = Self {
            tab: Tab::default(),
            settings,
            draft,
            engine: EnginePhase::default(),
            silence: None,
            crash: None,
            preview: Preview::default(),
            constraint_error: None,
            checked: Checked::default(),
            run: RunPhase::default(),
            repair: RepairDesk::default(),
            grammars: GrammarsDesk::default(),
            bench: BenchDesk::default(),
            compare: CompareDesk::new(CompareDraft::new(&library)),
            library,
            branch: None,
            models: Vec::new(),
            search: ModelSearch::default(),
            machine: MachineDesk::default(),
            download: DownloadDesk::default(),
            notices: Vec::new(),
            next_id: 1,
            is_scripted: false,
        };
        for problem in std::mem::take(&mut model.library.problems) {
            model.notify(NoticeKind::Warning, problem);
        }
        model.check_constraint();
        model
    }

    /// Opens Repair with what was typed there before, and climbs it.
    pub fn open_repair(&mut self, draft: RepairDraft) -> Vec<Effect> {
        self.repair = RepairDesk::new(draft);
        self.repair.climb(&self.library)
    }

    /// Opens Grammars with what was typed there before, and tries it; without that, with the JSON grammar.
    pub fn open_grammars(&mut self, draft: Option<GrammarsDraft>) -> Vec<Effect> {
        let draft = draft.filter(|it| !it.name.is_empty());
        let draft = draft.unwrap_or_else(|| GrammarsDraft::new(&self.library));
        self.grammars = GrammarsDesk::new(draft);
        self.grammars.ask().into_iter().collect()
    }

    /// Opens Compare with what stood there before; without that, with two presets on the shopping task.
    pub fn open_compare(&mut self, draft: Option<CompareDraft>) {
        let mut draft = draft.unwrap_or_else(|| CompareDraft::new(&self.library));
        draft.mend();
        self.compare = CompareDesk::new(draft);
    }

    /// The loaded model, also while its process is being started again.
    pub fn info(&self) -> Option<&ModelInfo> {
        match &self.engine {
            EnginePhase::Ready(info) => Some(info),
            EnginePhase::Restarting { info, .. } => info.as_deref(),
            _ => None,
        }
    }

    pub fn is_running(&self) -> bool {
        let other = self.branch.as_ref().map(|it| &it.run);
        let mut phases = std::iter::once(&self.run).chain(other);
        self.compare.is_running() || phases.any(|it| matches!(it, RunPhase::Running { .. }))
    }

    /// The reply that is shown, running or done.
    pub fn reply(&self) -> Option<&Reply> {
        self.run.reply()
    }

    /// Why Run cannot be pressed; none when it can.
    pub fn obstacle(&self) -> Option<String> {
        if let Some(engine) = self.engine_obstacle() {
            return Some(engine);
        }
        if let Some(error) = &self.constraint_error {
            return Some(format!("The constraint has a fault: {error}"));
        }
        self.draft.fault()
    }

    /// Why the engine can run nothing now; none when it can.
    pub(super) fn engine_obstacle(&self) -> Option<String> {
        if self.is_running() {
            return Some("A reply is running".to_owned());
        }
        if self.is_measuring() {
            return Some("The machine is being measured".to_owned());
        }
        if self.bench.running.is_some() {
            return Some("An experiment is running in Bench".to_owned());
        }
        match &self.engine {
            EnginePhase::NoModel => Some("Open a model first".to_owned()),
            EnginePhase::Loading { .. } => Some("The model is loading".to_owned()),
            EnginePhase::Failed { .. } => Some("The model could not be loaded".to_owned()),
            EnginePhase::Restarting { .. } => Some("The engine is being started again".to_owned()),
            EnginePhase::Ready(_) => None,
        }
    }

    pub(crate) fn notify(&mut self, kind: NoticeKind, text: impl Into<String>) {
        let notice = Notice {
            kind,
            text: text.into(),
        };
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }

    /// Puts a model that was loaded at the head of the recent ones, and among those to choose from.
    pub(crate) fn remember(&mut self, info: &ModelInfo) {
        let recent = &mut self.settings.recent;
        recent.retain(|it| *it != info.path);
        recent.insert(0, info.path.clone());
        recent.truncate(MAX_RECENT);
        if self.models.iter().all(|it| it.path != info.path) {
            self.models.push(FoundModel {
                path: info.path.clone(),
                name: info.name.clone(),
                architecture: info.architecture.clone(),
                quantization: info.quantization.clone(),
                bytes: info.bytes,
                found_in: "opened before".to_owned(),
                ..FoundModel::default()
            });
        }
    }

    pub(crate) fn take_id(&mut self) -> RunId {
        let id = RunId(self.next_id);
        self.next_id += 1;
        id
    }

    /// Checks the constraint and the schema that judges, each only if it changed: a check can take half a second.
    pub fn check_constraint(&mut self) {
        let chosen = self.draft.constraint.chosen();
        if self.checked.constraint.as_ref() != Some(&chosen) {
            let examined = constraint::examine(&chosen);
            self.checked.badge = examined.badge;
            self.checked.constraint = Some(chosen);
            self.checked.warnings = match &examined.error {
                Some(_) => Vec::new(),
                None => examined.sentences(),
            };
            self.constraint_error = examined.error;
        }
        if self.checked.judge_schema.as_ref() != Some(&self.draft.judge_schema) {
            let text = self.draft.judge_schema.clone();
            self.checked.judge_fault = judge_fault(&text);
            self.checked.judge_schema = Some(text);
        }
    }
}
