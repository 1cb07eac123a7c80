//! Which replies of two runs answer the same question.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use crate::lab::attempts::last_places;
use crate::lab::summary::preset_name;
use crate::lab::trial::Trial;
use crate::prompt::{ExampleValues, PromptStyle};

/// Indices of the replies that have a counterpart, and of those that have none.
pub(super) struct Matched {
    pub(super) pairs: Vec<[usize; 2]>,
    pub(super) alone: [Vec<usize>; 2],
}

/// What two replies must share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Question<'a> {
    model: &'a str,
    preset: &'a str,
    task: &'a str,
    text: &'a str,
    style: PromptStyle,
    examples: ExampleValues,
    seed: Option<u64>,
}

/// Pairs in the order of the second run. Where a question was asked more than once, the first answers belong
/// together, then the second ones.
pub(super) fn matched(reference: &[&Trial], other: &[&Trial]) -> Matched {
    let counted = [last_places(reference), last_places(other)];
    let models = Renamed::of([reference, other], |it| &it.model.fingerprint);
    let presets = Renamed::of([reference, other], preset_name);
    let mut open: HashMap<Question<'_>, Vec<usize>> = HashMap::new();
    // Backwards, so that the first one is taken first.
    for &idx in counted[0].iter().rev() {
        let own = Question::of(reference[idx]);
        let asked = Question {
            model: models.name(own.model),
            preset: presets.name(own.preset),
            ..own
        };
        open.entry(asked).or_default().push(idx);
    }
    let mut taken = vec![false; reference.len()];
    let (mut pairs, mut alone) = (Vec::new(), Vec::new());
    for &idx in &counted[1] {
        let known = open.get_mut(&Question::of(other[idx]));
        match known.and_then(Vec::pop) {
            Some(counterpart) => {
                taken[counterpart] = true;
                pairs.push([counterpart, idx]);
            }
            None => alone.push(idx),
        }
    }
    let left = counted[0].iter().copied().filter(|it| !taken[*it]);
    Matched {
        pairs,
        alone: [left.collect(), alone],
    }
}

impl<'a> Question<'a> {
    fn of(trial: &'a Trial) -> Self {
        let cell = trial.cell.as_ref();
        Self {
            model: &trial.model.fingerprint,
            preset: preset_name(trial),
            task: &trial.task,
            text: &trial.input_text,
            style: trial.style,
            examples: cell.map_or_else(Default::default, |it| it.examples),
            seed: trial.preset.pointer("/knobs/seed").and_then(Value::as_u64),
        }
    }
}

/// The one name of the reference that stands for the one name of the other run.
struct Renamed<'a>(Option<(&'a str, &'a str)>);

impl<'a> Renamed<'a> {
    fn of(runs: [&[&'a Trial]; 2], name: impl Fn(&'a Trial) -> &'a str) -> Self {
        let [one, other] = runs.map(|it| it.iter().map(|it| name(it)).collect::<BTreeSet<&str>>());
        let both = (one.first(), other.first());
        Self(match both {
            (Some(from), Some(to)) if one.len() == 1 && other.len() == 1 && from != to => {
                Some((from, to))
            }
            _ => None,
        })
    }

    fn name(&self, own: &'a str) -> &'a str {
        match self.0 {
            Some((from, to)) if from == own => to,
            _ => own,
        }
    }
}
