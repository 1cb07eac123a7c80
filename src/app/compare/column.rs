//! A column: a preset, what was changed of it, and the model it runs on.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::lab::{ConstraintChoice, Preset};
use crate::prompt::Thinking;
use crate::sampling::{Knob, KnobError};

/// Names a column for as long as it stands there.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct ColumnId(pub u64);

/// What a column asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnDraft {
    pub id: ColumnId,
    /// The preset that was picked, from which the title tells what was changed.
    #[serde(serialize_with = "write_preset", deserialize_with = "read_preset")]
    pub base: Preset,
    #[serde(serialize_with = "write_preset", deserialize_with = "read_preset")]
    pub preset: Preset,
    /// None for the model that is loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<PathBuf>,
    /// Whether the model thinks first, where its template has a switch for that.
    #[serde(default, skip_serializing_if = "Thinking::is_template")]
    pub thinking: Thinking,
}

impl ColumnDraft {
    pub fn new(id: ColumnId, preset: Preset) -> Self {
        Self {
            id,
            base: preset.clone(),
            preset,
            model: None,
            thinking: Thinking::default(),
        }
    }

    /// Sets a knob. Fails on a value out of its range, and leaves the old one then.
    pub fn set_knob(&mut self, knob: Knob, value: f64) -> Result<(), KnobError> {
        self.preset.knobs.set(knob, value)?;
        self.rename();
        Ok(())
    }

    /// Gives the preset the name of its base and of what was changed.
    pub(super) fn rename(&mut self) {
        let (base, preset) = (&self.base, &self.preset);
        let (mut name, mut title) = (base.name.clone(), base.title.clone());
        let mut add = |key: &str, words: &str, value: &str| {
            name = format!("{name}-{key}-{value}");
            title = format!("{title}, {words} {value}");
        };
        for knob in Knob::ALL {
            let (old, new) = (base.knobs.get(knob), preset.knobs.get(knob));
            if (old - new).abs() > 1e-12 {
                let spec = knob.spec();
                add(spec.key, spec.name, &format!("{new:.*}", spec.decimals));
            }
        }
        if base.constraint != preset.constraint {
            add(
                "constraint",
                "constraint",
                constraint_word(&preset.constraint),
            );
        }
        if base.style != preset.style {
            add("style", "style", preset.style.label());
        }
        if let Some(word) = self.thinking.word() {
            add("thinking", "thinking", word);
        }
        let is_base = name == base.name;
        let about = if is_base {
            base.about.clone()
        } else {
            format!("{title}.")
        };
        self.preset.name = name;
        self.preset.title = title;
        self.preset.about = about;
    }
}

/// What a constraint is called.
pub(super) fn constraint_word(constraint: &ConstraintChoice) -> &'static str {
    match constraint {
        ConstraintChoice::None => "none",
        ConstraintChoice::TaskGrammar | ConstraintChoice::Grammar(_) => "grammar",
        ConstraintChoice::TaskSchema | ConstraintChoice::Schema(_) => "schema",
        ConstraintChoice::Regex(_) => "regex",
    }
}

fn write_preset<S: Serializer>(preset: &Preset, serializer: S) -> Result<S::Ok, S::Error> {
    preset.to_json().serialize(serializer)
}

fn read_preset<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Preset, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Preset::parse(&value.to_string(), "compare.json").map_err(serde::de::Error::custom)
}
