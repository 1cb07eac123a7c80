//! The experiment that is shown: its replies, and what they say.

use std::path::PathBuf;
use std::sync::Arc;

use super::counted::{Counted, ToCount};
use super::runs::Second;
use crate::lab::{Copied, Measure, Plan, Results, Share, Trial};
use crate::prompt::Task;

/// So many replies are counted within a frame; more of them are counted beside the window's thread.
const AT_ONCE: usize = 400;

/// An experiment's plan and replies.
#[derive(Clone, Debug)]
pub struct Shown {
    pub folder: PathBuf,
    pub plan: Plan,
    pub reference: String,
    /// The tasks as the experiment was begun with them.
    pub tasks: Arc<Vec<Task>>,
    /// Replies that the plan asks for on one model.
    pub n_cells: usize,
    pub trials: Vec<Arc<Trial>>,
    /// Replies that no retry follows.
    pub n_answered: usize,
    /// One a model, in the order in which they first occur.
    pub parts: Vec<Part>,
    /// What is counted as success.
    pub measure: Measure,
    /// Whose replies are listed.
    pub cell: Option<CellChoice>,
    /// Index of the reply that is read.
    pub reply: Option<usize>,
    /// Another run that it is held against.
    pub second: Option<Box<Second>>,
    /// How often the replies were counted: once for all that were opened, never for a frame.
    pub n_counts: usize,
    pub(super) is_counting: bool,
    places: Vec<Option<(usize, usize)>>,
    listed: Vec<usize>,
}

/// The results of one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub title: String,
    pub fingerprint: String,
    pub results: Results,
    /// Tasks against rows, for each of [`Measure::ALL`].
    pub matrices: [Matrix; 5],
    pub copied: Copied,
}

/// A task, and its share under each row of the results.
pub type Matrix = Vec<(String, Vec<Share>)>;

/// A cell of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellChoice {
    /// Index of the model.
    pub part: usize,
    /// The row's label.
    pub label: String,
    /// None for all tasks.
    pub task: Option<String>,
}

impl Part {
    pub fn matrix(&self, measure: Measure) -> &Matrix {
        let place = Measure::ALL.iter().position(|it| *it == measure);
        &self.matrices[place.unwrap_or_default()]
    }
}

impl Shown {
    pub fn new(folder: PathBuf, (plan, reference): (Plan, String), n_cells: usize) -> Self {
        Self {
            folder,
            plan,
            reference,
            tasks: Arc::default(),
            n_cells,
            trials: Vec::new(),
            n_answered: 0,
            parts: Vec::new(),
            measure: Measure::Schema,
            cell: None,
            reply: None,
            second: None,
            n_counts: 0,
            is_counting: false,
            places: Vec::new(),
            listed: Vec::new(),
        }
    }

    /// The same with the tasks that the experiment was begun with.
    #[must_use]
    pub fn with_tasks(mut self, tasks: Vec<Task>) -> Self {
        self.tasks = Arc::new(tasks);
        self
    }

    /// Adds replies and counts anew, however long that takes.
    pub fn add(&mut self, trials: impl IntoIterator<Item = Trial>) {
        for trial in trials {
            self.push(trial);
        }
        let counted = self.to_count().count();
        self.take_counted(counted);
    }

    /// Adds a reply within a frame. True where all must be counted anew beside the window's thread.
    pub(super) fn add_one(&mut self, trial: Trial) -> bool {
        let second = self.second.as_ref().map_or(0, |it| it.trials.len());
        if self.trials.len().max(second) < AT_ONCE {
            self.add([trial]);
            return false;
        }
        self.push(trial);
        !std::mem::replace(&mut self.is_counting, true)
    }

    fn push(&mut self, trial: Trial) {
        let is_last = trial.cell.as_ref().is_none_or(|it| it.is_last);
        self.n_answered += usize::from(is_last);
        self.trials.push(Arc::new(trial));
    }

    pub fn to_count(&self) -> ToCount {
        ToCount {
            plan: self.plan.clone(),
            reference: self.reference.clone(),
            tasks: Arc::clone(&self.tasks),
            trials: self.trials.clone(),
        }
    }

    pub(super) fn take_counted(&mut self, counted: Counted) {
        self.n_counts += 1;
        self.parts = counted.parts;
        self.places = counted.places;
        self.list();
    }

    /// The replies of both runs, where they are so many that a frame would feel their end.
    pub(super) fn into_many(self) -> Option<Vec<Arc<Trial>>> {
        let mut trials = self.trials;
        trials.extend(self.second.into_iter().flat_map(|it| it.trials));
        (trials.len() >= AT_ONCE).then_some(trials)
    }

    /// All replies.
    pub fn all(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().map(AsRef::as_ref)
    }

    /// Indices of the replies in the chosen cell, those that failed first.
    pub fn replies(&self) -> &[usize] {
        &self.listed
    }

    /// Lists the replies of the chosen cell anew.
    pub(super) fn list(&mut self) {
        self.listed.clear();
        let Some(cell) = &self.cell else { return };
        let Some(part) = self.parts.get(cell.part) else {
            return;
        };
        let row = part
            .results
            .rows
            .iter()
            .position(|it| it.label == cell.label);
        let place = row.map(|it| (cell.part, it));
        let is_of_cell = |idx: &usize| {
            let task = cell.task.as_ref();
            place.is_some()
                && self.places[*idx] == place
                && task.is_none_or(|task| *task == self.trials[*idx].task)
        };
        self.listed
            .extend((0..self.places.len()).filter(is_of_cell));
        let (measure, trials) = (self.measure, &self.trials);
        self.listed
            .sort_by_key(|it| measure.of(&trials[*it]) == Some(true));
    }

    /// The reply that is read.
    pub fn read(&self) -> Option<&Trial> {
        self.reply
            .and_then(|it| self.trials.get(it))
            .map(AsRef::as_ref)
    }
}
