//! Bench: plans that are run, experiments that were, and what their replies say.

mod actions;
mod counted;
mod runs;
mod shown;

pub(super) use actions::on_bench;
pub use actions::{BenchAction, BenchNews, BenchOrder, on_bench_news, on_experiments, on_reported};
pub use counted::{Counted, ToCount};
pub use runs::{RunsAction, RunsEffect, RunsNews, Second, on_runs_news, two_runs};
pub use shown::{CellChoice, Matrix, Part, Shown};

use std::path::PathBuf;

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
    next_id: u64,
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
    pub is_cancelling: bool,
    /// The model that was loaded before, which comes back afterwards.
    pub model: PathBuf,
}
