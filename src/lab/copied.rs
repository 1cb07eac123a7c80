//! Values that replies copied out of the examples: how many of each example under each preset, what other values in the
//! examples do about it, and the examples with stand-ins.

use std::collections::BTreeMap;

use super::attempts::last_attempts;
use super::counterfactual::{Copies, counterfactual};
use super::results::Results;
use super::trial::Trial;
use crate::prompt::{Example, ExampleValues, PromptStyle, Task, placeholders};

/// All that is told of copied values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Copied {
    /// Presets, tasks and examples that leak.
    pub leaks: Vec<LeakRow>,
    /// Which values were put in place of the examples' own, and what that changed.
    pub swaps: Vec<(ExampleValues, Copies)>,
    /// The examples of each task that leaks, as they are and with stand-ins.
    pub stand_ins: Vec<StandIns>,
}

/// Copies out of one example under one preset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeakRow {
    /// The preset's row, as in the results.
    pub label: String,
    pub task: String,
    /// From 1.
    pub example: usize,
    /// Replies under this preset to this task with examples in the prompt.
    pub n_replies: usize,
    /// Of them, those that copied something out of this example.
    pub n_leaking: usize,
    /// Values that were copied, over all these replies.
    pub n_values: usize,
    /// Places of the copies in the replies with their numbers, the most frequent first.
    pub places: Vec<(String, usize)>,
}

/// An example with stand-ins for its values: what stands in it can still be copied, but shows as a copy.
#[derive(Clone, Debug, PartialEq)]
pub struct StandIns {
    pub task: String,
    /// From 1.
    pub example: usize,
    /// Values that were copied out of it with its own values in it, under all presets.
    pub n_values: usize,
    pub own: Example,
    pub proposed: Example,
}

impl Copied {
    /// From the trials of one model. Tasks that are not known get no stand-ins.
    pub fn of(trials: &[&Trial], tasks: &[Task]) -> Self {
        let swaps = [ExampleValues::Swapped, ExampleValues::Placeholders];
        let swaps = swaps.into_iter().flat_map(|values| {
            let copies = counterfactual(trials, values).into_iter();
            copies.map(move |it| (values, it))
        });
        let last = last_attempts(trials);
        let label = Results::labels(trials);
        Self {
            leaks: leaks(&last, label),
            swaps: swaps.collect(),
            stand_ins: stand_ins(&last, tasks),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.leaks.is_empty() && self.swaps.is_empty()
    }
}

fn leaks(trials: &[&Trial], label: impl Fn(&Trial) -> String) -> Vec<LeakRow> {
    let shows_examples = |it: &&&Trial| it.style == PromptStyle::Example;
    let mut groups: Vec<(String, &str, Vec<&Trial>)> = Vec::new();
    for trial in trials.iter().filter(shows_examples) {
        let label = label(trial);
        let known = groups
            .iter_mut()
            .find(|it| it.0 == label && it.1 == trial.task);
        match known {
            Some(group) => group.2.push(trial),
            None => groups.push((label, &trial.task, vec![trial])),
        }
    }
    let rows = groups.iter().flat_map(|(label, task, group)| {
        let all = group.iter().flat_map(|it| &it.leaks);
        let most = all.map(|it| it.example).max().unwrap_or(0);
        (1..=most).filter_map(move |example| LeakRow::of((label, task, example), group))
    });
    rows.collect()
}

impl LeakRow {
    /// None where nothing was copied out of the example.
    fn of((label, task, example): (&str, &str, usize), group: &[&Trial]) -> Option<Self> {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut n_leaking = 0;
        for trial in group {
            let mut of_example = trial.leaks.iter().filter(|it| it.example == example);
            n_leaking += usize::from(of_example.clone().next().is_some());
            of_example.by_ref().for_each(|it| {
                *places.entry(&it.path).or_default() += 1;
            });
        }
        let mut places: Vec<(String, usize)> = places
            .into_iter()
            .map(|(path, n)| (path.to_owned(), n))
            .collect();
        places.sort_by_key(|it| std::cmp::Reverse(it.1));
        (n_leaking > 0).then(|| Self {
            label: label.to_owned(),
            task: task.to_owned(),
            example,
            n_replies: group.len(),
            n_leaking,
            n_values: places.iter().map(|it| it.1).sum(),
            places,
        })
    }

    /// Such as `/name 3, /items/0 1`.
    pub fn places_text(&self) -> String {
        let places = self.places.iter().map(|(path, n)| {
            let path = if path.is_empty() {
                "(whole value)"
            } else {
                path
            };
            format!("{path} {n}")
        });
        places.collect::<Vec<_>>().join(", ")
    }
}

fn stand_ins(trials: &[&Trial], tasks: &[Task]) -> Vec<StandIns> {
    let mut counts: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    let has_own = |it: &&&Trial| it.cell.as_ref().is_none_or(|it| it.examples.is_own());
    for trial in trials.iter().filter(has_own) {
        for leak in &trial.leaks {
            *counts.entry((&trial.task, leak.example)).or_default() += 1;
        }
    }
    let leaks = |task: &&Task| counts.keys().any(|it| it.0 == task.id);
    let of_task = |task: &Task| {
        let pairs = task.examples.iter().zip(placeholders(task)).enumerate();
        let made = pairs.map(|(idx, (own, proposed))| StandIns {
            task: task.id.clone(),
            example: idx + 1,
            n_values: counts
                .get(&(task.id.as_str(), idx + 1))
                .copied()
                .unwrap_or(0),
            own: own.clone(),
            proposed,
        });
        made.collect::<Vec<_>>()
    };
    tasks.iter().filter(leaks).flat_map(of_task).collect()
}
