//! The experiment that is shown: its replies, and what they say.

use std::path::PathBuf;

use crate::lab::{Measure, Plan, Report, Results, Trial, last_attempts};

/// An experiment's plan and replies.
#[derive(Clone, Debug)]
pub struct Shown {
    pub folder: PathBuf,
    pub plan: Plan,
    pub reference: String,
    /// Replies that the plan asks for on one model.
    pub n_cells: usize,
    pub trials: Vec<Trial>,
    /// One a model, in the order in which they first occur.
    pub parts: Vec<Part>,
    /// What is counted as success.
    pub measure: Measure,
    /// Whose replies are listed.
    pub cell: Option<CellChoice>,
    /// Index of the reply that is read.
    pub reply: Option<usize>,
}

/// The results of one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub title: String,
    pub fingerprint: String,
    pub results: Results,
}

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

impl Shown {
    pub fn new(folder: PathBuf, (plan, reference): (Plan, String), n_cells: usize) -> Self {
        Self {
            folder,
            plan,
            reference,
            n_cells,
            trials: Vec::new(),
            parts: Vec::new(),
            measure: Measure::Schema,
            cell: None,
            reply: None,
        }
    }

    /// Adds replies and counts anew.
    pub fn add(&mut self, trials: impl IntoIterator<Item = Trial>) {
        self.trials.extend(trials);
        let report = Report::new(&self.plan, self.reference.clone(), &self.trials);
        self.parts = report
            .models
            .iter()
            .map(|it| Part {
                title: it.title.clone(),
                fingerprint: it.trials[0].model.fingerprint.clone(),
                results: it.results.clone(),
            })
            .collect();
    }

    /// The replies of one model.
    pub fn of_part(&self, part: usize) -> Vec<&Trial> {
        let print = self.parts.get(part).map(|it| it.fingerprint.as_str());
        let all = self.trials.iter();
        all.filter(|it| Some(it.model.fingerprint.as_str()) == print)
            .collect()
    }

    /// Indices of the replies in the chosen cell, those that failed first.
    pub fn replies(&self) -> Vec<usize> {
        let Some(cell) = &self.cell else {
            return Vec::new();
        };
        let trials = self.of_part(cell.part);
        let counted = last_attempts(&trials);
        let labels = Results::labels(&trials);
        let mut found: Vec<usize> = (0..)
            .zip(&self.trials)
            .filter(|(_, it)| counted.iter().any(|counted| std::ptr::eq(*counted, *it)))
            .filter(|(_, it)| labels(it) == cell.label)
            .filter(|(_, it)| cell.task.as_ref().is_none_or(|task| *task == it.task))
            .map(|it| it.0)
            .collect();
        found.sort_by_key(|it| self.measure.of(&self.trials[*it]) == Some(true));
        found
    }

    /// The reply that is read.
    pub fn read(&self) -> Option<&Trial> {
        self.reply.and_then(|it| self.trials.get(it))
    }
}
