//! All that a user can do, and all that follows from it outside the state.

use std::path::PathBuf;

use serde_json::Value;

use super::{
    Asked, AskedTrial, BenchAction, BenchOrder, Change, CompareAction, DocumentKind,
    GrammarsAction, RepairAction, RunsEffect, Tab, ThemeChoice,
};
use crate::engine::{Command, LoadSettings};
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
    /// How models are loaded from now on.
    SetLoadSettings(LoadSettings),
    /// Looks for models on this computer again.
    FindModels,
    /// Opens the system's file dialog.
    BrowseForModel,
    CopyText(String),
    /// Brings the reply that is shown in Play to Repair.
    OpenInRepair,
    Repair(RepairAction),
    Grammars(GrammarsAction),
    Bench(BenchAction),
    Compare(CompareAction),
    DismissNotice(usize),
    /// The draft was changed by a widget: save it, check the constraint, render the prompt anew.
    DraftEdited,
}

/// What the shell must do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Send(Command),
    SaveDraft,
    SaveSettings,
    AppendTrial(Box<Trial>),
    /// Search for models; [`on_searching`](super::on_searching) and [`on_found`](super::on_found) are told.
    FindModels,
    BrowseForModel,
    CopyText(String),
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
    /// Add a line to the regression set; [`on_case_saved`](super::on_case_saved) is told.
    AppendCase(Box<Value>),
}
