//! What is counted over all replies of an experiment, made beside the window's thread where there are many.

use std::collections::HashSet;
use std::sync::Arc;

use super::shown::Part;
use crate::lab::{Measure, Plan, Report, Results, Trial, last_attempts};
use crate::prompt::Task;

/// The figures of all models, and where each reply is counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// Replies that were there when it was counted.
    pub n_trials: usize,
    /// One a model, in the order in which they first occur.
    pub parts: Vec<Part>,
    /// For each reply the model and the row that it counts in; none for an attempt that another one followed.
    pub(super) places: Vec<Option<(usize, usize)>>,
}

/// What is to be counted.
#[derive(Clone, Debug, PartialEq)]
pub struct ToCount {
    pub plan: Plan,
    pub reference: String,
    pub tasks: Arc<Vec<Task>>,
    pub trials: Vec<Arc<Trial>>,
}

impl ToCount {
    pub fn count(&self) -> Counted {
        let trials = self.trials.iter().map(AsRef::as_ref);
        let mut report = Report::new(&self.plan, self.reference.clone(), trials);
        report.tasks.clone_from(&self.tasks);
        let part = |it: &crate::lab::ModelPart<'_>| Part {
            title: it.title.clone(),
            fingerprint: it.trials[0].model.fingerprint.clone(),
            matrices: it.results.matrices(&it.trials, Measure::ALL),
            copied: report.copied(it),
            results: it.results.clone(),
        };
        let parts = report.models.iter().map(part).collect();
        let mut places = vec![None; self.trials.len()];
        for (idx, it) in report.models.iter().enumerate() {
            let counting: HashSet<*const Trial> = last_attempts(&it.trials)
                .into_iter()
                .map(std::ptr::from_ref)
                .collect();
            let label = Results::labels(&it.trials);
            for (place, trial) in places.iter_mut().zip(&self.trials) {
                if counting.contains(&Arc::as_ptr(trial)) {
                    let label = label(trial);
                    let row = it.results.rows.iter().position(|it| it.label == label);
                    *place = row.map(|it| (idx, it));
                }
            }
        }
        Counted {
            n_trials: self.trials.len(),
            parts,
            places,
        }
    }
}
