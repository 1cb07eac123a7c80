//! Bench: plans that are run, experiments that were, and what their replies say.

mod actions;
mod building;
mod counted;
mod draft;
mod outlook;
mod playing;
mod regression;
mod runs;
mod shown;

pub(super) use actions::on_bench;
pub use actions::{
    BenchAction, BenchEffect, BenchNews, BenchOrder, on_bench_news, on_experiments, on_reported,
};
pub(super) use building::refresh as refresh_outlook;
pub use building::{BuildAction, Builder, on_speeds};
pub use counted::{Counted, ToCount};
pub use draft::{AblationDraft, InputsDraft, InputsKind, PlanDraft, PlanDrafts, RetryDraft};
pub use outlook::{Fault, ModelOutlook, Outlook, PlanField};
pub use runs::{RunsAction, RunsEffect, RunsNews, Second, on_runs_news, two_runs};
pub use shown::{CellChoice, Matrix, Part, Shown};

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::engine::Restarter;

/// The state behind the view.
#[derive(Debug, Default)]
pub struct BenchDesk {
    /// The plan that is chosen, by its name; empty for the first one.
    pub plan: String,
    /// Experiments on the disk, the latest first.
    pub experiments: Vec<Experiment>,
    /// The experiment whose results are shown.
    pub shown: Option<Box<Shown>>,
    /// The experiment that is running; at most one is.
    pub running: Option<Running>,
    pub page: Page,
    pub builder: Builder,
    /// Replies that are to become a task, by the trials' indices.
    pub marked: BTreeSet<usize>,
    next_id: u64,
}

/// What stands in the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    #[default]
    Results,
    Builder,
}

/// An experiment on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experiment {
    pub folder: PathBuf,
    pub title: String,
    pub n_trials: usize,
}

/// How far a running experiment is.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    pub id: u64,
    pub folder: PathBuf,
    pub n_done: usize,
    pub n_todo: usize,
    /// What is being done now.
    pub text: String,
    /// Seconds that are left, from those that the replies so far took.
    pub seconds_left: Option<f64>,
    /// Seconds of work so far, pauses left out.
    pub seconds: f64,
    pub pace: Pace,
    /// Starts its engine anew; none until that is there.
    pub restarter: Option<Restarter>,
    /// The model that was loaded before, which comes back afterwards; empty when there was none.
    pub model: PathBuf,
}

/// Whether it goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    #[default]
    Going,
    /// It pauses behind the reply that is being written.
    Pausing,
    Paused,
    /// It ends as soon as the engine has let go of the reply.
    Stopping,
}
