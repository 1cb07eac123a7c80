//! Compare: one prompt, two to six columns, their replies in lock step, and what parted them.

mod actions;
mod column;
mod draft;
mod found;
mod markdown;
mod plan;
mod playback;
mod queue;
mod words;

pub(super) use actions::on_compare;
pub use actions::{ColumnChange, CompareAction};
pub use column::{ColumnDraft, ColumnId};
pub use draft::CompareDraft;
pub use found::{Comparison, Parted};
pub use playback::{Playback, PlaybackWish};
pub(super) use queue::{give_up, go_on};

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use super::{Model, RunPhase};
use crate::lab::Trial;

/// Fewer columns compare nothing, more cannot be read.
pub const COLUMNS: std::ops::RangeInclusive<usize> = 2..=6;

/// The state behind the view.
#[derive(Debug, Default)]
pub struct CompareDesk {
    pub draft: CompareDraft,
    /// What came of each column's last run.
    pub(super) runs: BTreeMap<ColumnId, RunPhase>,
    /// Columns that wait for their run, the next first.
    queue: VecDeque<queue::Waiting>,
    /// The model that was loaded when the run began; it comes back behind the last column.
    home: Option<PathBuf>,
    /// What the replies say together; none before they are all there.
    pub comparison: Option<Box<Comparison>>,
    pub playback: Playback,
}

/// What a column is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnState {
    /// It was not run yet.
    Empty,
    Waiting,
    /// Its model is being loaded.
    Loading,
    Running,
    Done,
    Failed,
}

impl CompareDesk {
    /// Opens with the columns of the last time.
    pub fn new(draft: CompareDraft) -> Self {
        Self {
            draft,
            ..Self::default()
        }
    }

    /// The user has chosen another model: the one of before does not come back.
    pub(super) fn leave_home(&mut self) {
        self.home = None;
    }

    /// The column's run; none before it has begun.
    pub fn run(&self, id: ColumnId) -> Option<&RunPhase> {
        self.runs.get(&id)
    }

    /// The record of the column's reply, once it is there.
    pub fn trial(&self, id: ColumnId) -> Option<&Trial> {
        match self.runs.get(&id)? {
            RunPhase::Done { trial, .. } => Some(trial),
            _ => None,
        }
    }

    /// Whether a column is running or waits for its run.
    pub fn is_running(&self) -> bool {
        let mut runs = self.runs.values();
        !self.queue.is_empty() || runs.any(|it| matches!(it, RunPhase::Running { .. }))
    }

    /// Whether the column's reply answers what stands in the view now.
    pub fn is_current(&self, id: ColumnId) -> bool {
        let reply = self.run(id).and_then(RunPhase::reply);
        let (Some(reply), Some(column)) = (reply, self.draft.column(id)) else {
            return true;
        };
        let job = &reply.assembly.job;
        let is_same_text = job.task == self.draft.task && job.given.input_text == self.draft.text;
        is_same_text && job.preset == column.preset.to_json()
    }
}

impl Model {
    /// What a column of Compare is doing.
    pub fn column_state(&self, id: ColumnId) -> ColumnState {
        let desk = &self.compare;
        let is_next = desk.queue.front().is_some_and(|it| it.id == id);
        let is_loading = matches!(
            self.engine,
            super::EnginePhase::Loading { .. } | super::EnginePhase::Restarting { .. }
        );
        match desk.runs.get(&id) {
            Some(RunPhase::Running { .. }) => ColumnState::Running,
            _ if is_next && is_loading => ColumnState::Loading,
            _ if desk.queue.iter().any(|it| it.id == id) => ColumnState::Waiting,
            Some(RunPhase::Done { .. }) => ColumnState::Done,
            Some(RunPhase::Failed { .. }) => ColumnState::Failed,
            Some(RunPhase::Idle) | None => ColumnState::Empty,
        }
    }

    /// Why Compare cannot run; none when it can.
    pub fn compare_obstacle(&self) -> Option<String> {
        if let Some(engine) = self.engine_obstacle() {
            return Some(engine);
        }
        if self.compare.draft.columns.len() < *COLUMNS.start() {
            return Some("Add a second column first".to_owned());
        }
        let draft = &self.compare.draft;
        let is_known = self.library.task(&draft.task).is_some();
        (!is_known).then(|| "Pick a task first".to_owned())
    }
}
