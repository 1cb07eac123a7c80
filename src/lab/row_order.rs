//! The order of rows in results: that of the plan, whichever reply came first.

use super::Plan;
use super::plan::PresetChoice;
use super::summary::preset_name;
use super::trial::Trial;
use crate::sampling::Knob;

/// The trials in the order in which the plan has their presets, by style and by the examples' values; in their own
/// order where these are the same. Replies that are decided together end in any order.
pub(super) fn in_order<'a>(plan: &Plan, trials: &[&'a Trial]) -> Vec<&'a Trial> {
    let mut res = trials.to_vec();
    res.sort_by_cached_key(|trial| {
        let examples = trial.cell.as_ref().map(|it| it.examples);
        let values = plan.examples.iter().position(|it| Some(*it) == examples);
        (trial.style as u8, values, place(plan, preset_name(trial)))
    });
    res
}

/// The presets that are named come first, then those of an ablation: its base, a knob each, its target.
fn place(plan: &Plan, name: &str) -> (usize, usize) {
    let is_it = |it: &PresetChoice| match it {
        PresetChoice::Named(named) => named == name,
        PresetChoice::Own(preset) => preset.name == name,
    };
    let n_named = plan.presets.len();
    if let Some(idx) = plan.presets.iter().position(is_it) {
        return (idx, 0);
    }
    let Some(ablation) = &plan.ablation else {
        return (n_named, 0);
    };
    let changed = name.strip_prefix(&ablation.base);
    match changed.and_then(|it| it.strip_prefix('+')) {
        _ if name == ablation.base => (n_named, 0),
        _ if name == ablation.target => (n_named + 2, 0),
        Some(key) => {
            let knob = Knob::ALL.iter().position(|it| it.spec().key == key);
            (n_named + 1, knob.unwrap_or(Knob::ALL.len()))
        }
        None => (n_named + 3, 0),
    }
}
