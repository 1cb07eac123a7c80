//! Where each knob's value comes from: the default, the model's file, the preset, or the user.

use serde::{Deserialize, Serialize};

use super::{Knob, Knobs};

/// Whose value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The neutral value, which nobody changed.
    Default,
    /// The model file's own `general.sampling.*`.
    ModelFile,
    Preset,
    /// Another value than preset, model file or default give.
    Changed,
}

/// A knob's value with its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Provenance {
    pub knob: Knob,
    pub value: f64,
    pub origin: Origin,
    /// What one step back leads to: the preset's value, or without a preset the default. None if it is that already.
    pub back: Option<f64>,
    /// What the model's file suggests, if it suggests another value than this one.
    pub suggested: Option<f64>,
}

/// A value that a model's file suggests.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelDefault {
    pub knob: Knob,
    pub value: f64,
}

/// One row a knob, in the order of the table. `preset` is what was picked, before any change.
pub fn provenance(
    knobs: &Knobs,
    preset: Option<&Knobs>,
    model: &[ModelDefault],
) -> Vec<Provenance> {
    Knob::ALL
        .into_iter()
        .map(|knob| {
            let value = knobs.get(knob);
            let neutral = knob.spec().neutral;
            let start = preset.map_or(neutral, |it| it.get(knob));
            let suggested = model.iter().find(|it| it.knob == knob).map(|it| it.value);
            let origin = if same(value, start) && same(value, neutral) {
                Origin::Default
            } else if same(value, start) {
                Origin::Preset
            } else if suggested.is_some_and(|it| same(it, value)) {
                Origin::ModelFile
            } else {
                Origin::Changed
            };
            Provenance {
                knob,
                value,
                origin,
                back: (!same(value, start)).then_some(start),
                suggested: suggested.filter(|it| !same(*it, value)),
            }
        })
        .collect()
}

/// Makes knobs of the `general.sampling.*` of a model's file, as `gguf` reads them, each key without that prefix.
/// Keys of no knob and values that the knob cannot take are left out; mirostat counts in its version 2 alone.
pub fn model_defaults(pairs: &[(&str, f64)]) -> Vec<ModelDefault> {
    let has_mirostat = pairs
        .iter()
        .any(|(key, value)| *key == "mirostat" && same(*value, 2.0));
    pairs
        .iter()
        .filter_map(|(key, value)| {
            let knob = match *key {
                "penalty_repeat" => Knob::RepetitionPenalty,
                "temp" => Knob::Temperature,
                key => Knob::from_key(key)?,
            };
            let is_off = knob == Knob::MirostatTau && !has_mirostat;
            let value = if is_off { 0.0 } else { rounded(*value, knob) };
            knob.spec().checked(value).ok()?;
            Some(ModelDefault { knob, value })
        })
        .collect()
}

/// A number that was stored in single precision, with the digits that the knob shows.
fn rounded(value: f64, knob: Knob) -> f64 {
    let digits = i32::try_from(knob.spec().decimals).unwrap_or(0);
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

/// Sliders round to their step, which moves a value by its last digits.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}
