//! Which replies are attempts at the same cell of a plan, and which of them counts.

use std::collections::HashMap;

use super::trial::Trial;

/// The reply that counts of each cell: its last attempt. Replies of no plan all count.
pub fn last_attempts<'a>(trials: &[&'a Trial]) -> Vec<&'a Trial> {
    last_places(trials)
        .into_iter()
        .map(|it| trials[it])
        .collect()
}

/// The same as indices.
pub fn last_places(trials: &[&Trial]) -> Vec<usize> {
    let cells = CellNumbers::of(trials);
    let mut last = vec![0; cells.n_cells];
    let attempts = |it: usize| trials[it].cell.as_ref().zip(cells.of_trials[it]);
    for (cell, number) in (0..trials.len()).filter_map(attempts) {
        last[number] = cell.attempt.max(last[number]);
    }
    let counts =
        |it: &usize| attempts(*it).is_none_or(|(cell, number)| last[number] == cell.attempt);
    (0..trials.len()).filter(counts).collect()
}

/// The cells of trials by numbers, so that a long key is looked up once a trial.
struct CellNumbers {
    /// None for a reply of no plan.
    of_trials: Vec<Option<usize>>,
    n_cells: usize,
}

impl CellNumbers {
    fn of(trials: &[&Trial]) -> Self {
        // There are few models, and most trials are of the one before.
        let mut models: Vec<&str> = Vec::new();
        let mut numbers: HashMap<(usize, &str), usize> = HashMap::new();
        let mut of_trials = Vec::with_capacity(trials.len());
        for &trial in trials {
            let model = trial.model.fingerprint.as_str();
            let known = models.iter().rposition(|it| *it == model);
            let model = known.unwrap_or_else(|| {
                models.push(model);
                models.len() - 1
            });
            let next = numbers.len();
            let cell = trial.cell.as_ref();
            of_trials.push(cell.map(|it| *numbers.entry((model, it.key.as_str())).or_insert(next)));
        }
        Self {
            of_trials,
            n_cells: numbers.len(),
        }
    }
}

/// The attempts of those cells that were tried more than once.
pub(super) struct Attempts<'a>(HashMap<(&'a str, &'a str), Vec<&'a Trial>>);

impl<'a> Attempts<'a> {
    pub(super) fn of(trials: &[&'a Trial]) -> Self {
        let cells = CellNumbers::of(trials);
        let mut n_attempts = vec![0; cells.n_cells];
        for number in cells.of_trials.iter().flatten() {
            n_attempts[*number] += 1;
        }
        let mut res: HashMap<_, Vec<&Trial>> = HashMap::new();
        for (trial, number) in trials.iter().zip(&cells.of_trials) {
            if number.is_some_and(|it| n_attempts[it] > 1)
                && let Some(key) = cell_key(trial)
            {
                res.entry(key).or_default().push(trial);
            }
        }
        Self(res)
    }

    /// The attempts of this trial's cell; none where it was tried once.
    pub(super) fn several(&self, trial: &'a Trial) -> &[&'a Trial] {
        if self.0.is_empty() {
            return &[];
        }
        let known = cell_key(trial).and_then(|it| self.0.get(&it));
        known.map_or(&[], Vec::as_slice)
    }
}

fn cell_key(trial: &Trial) -> Option<(&str, &str)> {
    let cell = trial.cell.as_ref()?;
    Some((trial.model.fingerprint.as_str(), cell.key.as_str()))
}
