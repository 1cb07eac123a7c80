//! One knob at a time: from a base preset to a target, a preset for each thing in which they differ.

use serde_json::{Map, Value, json};

use super::preset::Preset;
use crate::prompt::{Fields, FileError};
use crate::sampling::Knobs;

/// From where to where, by the presets' names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ablation {
    pub base: String,
    pub target: String,
}

impl Ablation {
    /// The base, then one preset a changed knob with the target's value, then the target.
    pub fn presets(&self, base: &Preset, target: &Preset) -> Vec<Preset> {
        let mut res = vec![base.clone()];
        res.extend(changed(base, target));
        res.push(target.clone());
        res
    }

    pub(super) fn read(fields: &mut Fields) -> Result<Option<Self>, FileError> {
        let mut inner = fields.object("ablate")?;
        if inner.as_map().is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            base: inner.text("base")?,
            target: inner.text("target")?,
        }))
    }

    pub(super) fn to_json(&self) -> Value {
        json!({"base": self.base, "target": self.target})
    }
}

/// One preset for each key in which the knobs differ, and one for the constraint.
fn changed(base: &Preset, target: &Preset) -> Vec<Preset> {
    let (from, to) = (base.knobs.to_map(), target.knobs.to_map());
    let mut keys: Vec<&String> = from.keys().collect();
    keys.extend(to.keys().filter(|it| !from.contains_key(*it)));
    let mut res = Vec::new();
    for key in keys.into_iter().filter(|it| from.get(*it) != to.get(*it)) {
        let mut map = from.clone();
        match to.get(key) {
            Some(value) => drop(map.insert(key.clone(), value.clone())),
            // The target's is neutral, which files do not name.
            None => drop(map.shift_remove(key)),
        }
        if let Some(preset) = with_knobs(base, map, (key, to.get(key))) {
            res.push(preset);
        }
    }
    if base.constraint != target.constraint {
        res.push(Preset {
            name: format!("{}+constraint", base.name),
            title: format!("{} + constraint", base.title),
            about: format!("{} with the constraint of {}.", base.title, target.title),
            constraint: target.constraint.clone(),
            ..base.clone()
        });
    }
    res
}

/// None when the changed knob does nothing beside the others: the preset is the base again.
fn with_knobs(
    base: &Preset,
    mut map: Map<String, Value>,
    (key, value): (&str, Option<&Value>),
) -> Option<Preset> {
    let knobs = Knobs::from_map(&mut map).ok()?;
    if knobs == base.knobs {
        return None;
    }
    let shown = value.map_or("neutral".to_owned(), Value::to_string);
    Some(Preset {
        name: format!("{}+{key}", base.name),
        title: format!("{} + {key}", base.title),
        about: format!("{} with {key} {shown}.", base.title),
        knobs,
        ..base.clone()
    })
}
