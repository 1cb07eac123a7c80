//! All that a user can do, and all that follows from it outside the state.

use std::path::PathBuf;

use serde_json::Value;

use super::{
    Asked, AskedTrial, BenchAction, BenchEffect, BenchOrder, Change, CompareAction, DocumentKind,
    DownloadAction, DownloadEffect, GrammarsAction, MachineAction, RepairAction, RunsEffect, Tab,
    ThemeChoice,
};
use crate::engine::{Command, LoadSettings, Restarter};
use crate::lab::{Plan, Trial};

/// A wish of the user, returned by a view.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    ShowTab(Tab),
    SetTheme(ThemeChoice),
    /// Fills the prompt from a task; its first input is chosen.
    PickTask(String),
    /// Puts one of the task's inputs into the prompt.
    PickInput(usize),
    /// Sets knobs, style and constraint from a preset.
    PickPreset(String),
    /// Puts a shipped grammar's text into the constraint.
    PickGrammar(String),
    /// Puts a kept text back to where it was.
    RestoreKept(usize),
    /// Turns the settings to what is fit for JSON.
    TakeStructuredTwin,
    AddExample,
    RemoveExample(usize),
    /// Renders the prompt with ChatML, because the model's own template is missing or fails.
    UseChatMl,
    Run,
    Cancel,
    /// Goes on from the shown reply's first tokens with something changed.
    Fork {
        n_shared: usize,
        change: Change,
    },
    /// Makes the other branch the current reply.
    SwapBranches,
    CloseBranch,
    LoadModel(PathBuf),
    CancelLoad,
    UnloadModel,
    /// Ends an engine that does not respond, and starts it anew.
    RestartEngine,
    /// How models are loaded from now on.
    SetLoadSettings(LoadSettings),
    Machine(MachineAction),
    /// Looks for models on this computer again.
    FindModels,
    /// Opens the system's file dialog.
    BrowseForModel,
    Download(DownloadAction),
    CopyText(String),
    /// Writes everything of the user's into one file; trials and experiments if wanted.
    Export {
        with_trials: bool,
    },
    /// Takes in what such a file holds; without one, asks for it.
    Import(Option<PathBuf>),
    /// Brings the reply that is shown in Play to Repair.
    OpenInRepair,
    Repair(RepairAction),
    Grammars(GrammarsAction),
    Bench(BenchAction),
    Compare(CompareAction),
    DismissNotice(usize),
    /// Shows the crash note, or folds it away.
    ShowCrash(bool),
    DismissCrash,
    /// The draft was changed by a widget: save it, check the constraint, render the prompt anew.
    DraftEdited,
}

/// What the shell must do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Send(Command),
    /// Start an engine anew: that of an experiment, or else the window's own.
    RestartEngine(Option<Restarter>),
    /// Keep a crash note as a file; [`on_crash_kept`](super::on_crash_kept) is told.
    KeepCrashNote {
        when: String,
        text: String,
    },
    SaveDraft,
    SaveSettings,
    AppendTrial(Box<Trial>),
    /// Search for models; [`on_searching`](super::on_searching) and [`on_found`](super::on_found) are told.
    FindModels,
    BrowseForModel,
    Download(DownloadEffect),
    CopyText(String),
    /// Ask for a place and export there; [`on_exported`](super::on_exported) is told.
    Export {
        with_trials: bool,
    },
    /// Import the file, or the one that is asked for; [`on_imported`](super::on_imported) is told.
    Import(Option<PathBuf>),
    SaveRepairDraft,
    /// Climb a large reply beside the window's thread; [`on_climbed`](super::on_climbed) takes what comes of it.
    Climb(Box<Asked>),
    /// Read a file; [`on_reply_read`](super::on_reply_read) takes what is in it.
    ReadReply(PathBuf),
    BrowseForReply,
    SaveGrammarsDraft,
    SaveCompareDraft,
    /// Save a plan among the user's own.
    SavePlan(Box<Plan>),
    /// Try a constraint beside the window's thread; [`on_tried`](super::on_tried) takes what comes of it.
    TryConstraint(Box<AskedTrial>),
    /// Save a document of the user's own in the data folder; without a text, take its file away.
    SaveDocument {
        kind: DocumentKind,
        name: String,
        text: Option<String>,
    },
    /// Ask for a place and write the text there.
    SaveDocumentAs {
        kind: DocumentKind,
        name: String,
        text: String,
    },
    BrowseForDocument,
    /// Read a file; [`on_document_read`](super::on_document_read) takes what is in it.
    ReadDocument(PathBuf),
    /// Run a plan on a thread and an engine of its own; [`on_bench_news`](super::on_bench_news) is told.
    StartBench(Box<BenchOrder>),
    StopBench,
    /// List the experiments; [`on_experiments`](super::on_experiments) is told.
    FindExperiments,
    /// Read an experiment; [`on_bench_news`](super::on_bench_news) is told, with 0 for its number.
    ReadExperiment(PathBuf),
    /// Read or count beside the window's thread; [`on_runs_news`](super::on_runs_news) is told.
    Runs(Box<RunsEffect>),
    /// Write the report into an experiment's folder.
    SaveReport(PathBuf),
    Bench(BenchEffect),
    /// Add a line to the regression set; [`on_case_saved`](super::on_case_saved) is told.
    AppendCase(Box<Value>),
}
