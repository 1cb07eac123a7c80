//! The leakage test: what became of a copied value when other values stood in the example.

use std::collections::BTreeMap;

use serde_json::Value;

use super::attempts::last_attempts;
use super::results::Results;
use super::trial::Trial;
use crate::judge::Leak;
use crate::prompt::ExampleValues;

/// Copied values of one example under one preset, over all inputs, against the same replies with other values in the
/// examples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// The row's label with the example's own values.
    pub label: String,
    pub task: String,
    /// From 1.
    pub example: usize,
    /// Replies in pairs.
    pub n_pairs: usize,
    /// Values that stand in the example and not in the input.
    pub n_copied: usize,
    /// Of them, those whose place holds a copy of the other value too: they follow the example, so they are leaks.
    pub n_follow: usize,
    /// Of them, those whose place holds the same value all the same: the model would have written it anyway.
    pub n_stay: usize,
}

/// One entry for each preset, task and example, where replies have their counterparts.
pub fn counterfactual(trials: &[&Trial], other: ExampleValues) -> Vec<Copies> {
    let label = Results::labels(trials);
    let last = last_attempts(trials);
    let others: BTreeMap<String, &Trial> = of(&last, other).collect();
    let mut groups: Vec<(String, &str, Vec<[&Trial; 2]>)> = Vec::new();
    for (key, own) in of(&last, ExampleValues::Own) {
        let Some(other) = others.get(&key) else {
            continue;
        };
        let label = label(own);
        let known = groups
            .iter_mut()
            .find(|it| it.0 == label && it.1 == own.task);
        match known {
            Some(group) => group.2.push([own, other]),
            None => groups.push((label, &own.task, vec![[own, other]])),
        }
    }
    let rows = groups.iter().flat_map(|(label, task, pairs)| {
        let leaks = pairs.iter().flat_map(|it| &it[0].leaks);
        let n_examples = leaks.map(|it| it.example).max().unwrap_or(1);
        (1..=n_examples).map(|example| Copies::of((label, task, example), pairs))
    });
    rows.collect()
}

/// Trials with these values in their examples, by all that a pair shares.
fn of<'a>(
    trials: &'a [&'a Trial],
    values: ExampleValues,
) -> impl Iterator<Item = (String, &'a Trial)> {
    trials.iter().filter_map(move |trial| {
        let cell = trial.cell.as_ref().filter(|it| it.examples == values)?;
        let suffix = format!("/{}", values.key());
        let key = cell.key.strip_suffix(&suffix).unwrap_or(&cell.key);
        Some((key.to_owned(), *trial))
    })
}

impl Copies {
    /// Copied values that the model neither kept nor took from the other example.
    pub fn n_gone(&self) -> usize {
        self.n_copied - self.n_follow - self.n_stay
    }

    fn of((label, task, example): (&str, &str, usize), pairs: &[[&Trial; 2]]) -> Self {
        let mut copies = Self {
            label: label.to_owned(),
            task: task.to_owned(),
            example,
            n_pairs: pairs.len(),
            ..Self::default()
        };
        for [own, other] in pairs {
            for leak in own.leaks.iter().filter(|it| it.example == example) {
                copies.n_copied += 1;
                if other.leaks.iter().any(|it| it.path == leak.path) {
                    copies.n_follow += 1;
                } else if at(own, leak).is_some_and(|it| at(other, leak) == Some(it)) {
                    copies.n_stay += 1;
                }
            }
        }
        copies
    }
}

fn at<'a>(trial: &'a Trial, leak: &Leak) -> Option<&'a Value> {
    trial.climb.value()?.pointer(&leak.path)
}
