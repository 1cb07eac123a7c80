//! What a preset says of its constraint beside the text, and of what comes before the reply.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::constraint::{Hold, SchemaSwitches, Start, WhiteSpace};
use crate::prompt::{Fields, FileError, FirstStage};

/// Neutral values are left out of files, so that an older program reads what it can.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    /// Between tokens of JSON, under a schema.
    pub white_space: WhiteSpace,
    pub switches: SchemaSwitches,
    pub hold: Hold,
    /// The reply's beginning, put into the model's mouth.
    pub prefill: String,
    /// What the model writes freely before the reply.
    pub first: Option<FirstStage>,
}

impl Terms {
    /// Takes what belongs here out of a preset's fields and its constraint's.
    pub(super) fn take(preset: &mut Fields, constraint: &mut Fields) -> Result<Self, FileError> {
        let neutral = Self::default();
        let policy = r#""none", "one", "eight", "free" or {"up_to": a number to 1000}"#;
        let start = r#""now", "after_thinking" or {"after": a text}"#;
        let first = r#"{"kind": "reason" or "draft", "max_tokens": a number to 8192}"#;
        let res = Self {
            white_space: read(constraint, "white_space", policy)?.unwrap_or_default(),
            switches: read(constraint, "switches", "an object of switches")?.unwrap_or_default(),
            hold: Hold {
                start: read(constraint, "start", start)?.unwrap_or_default(),
                close_in_time: read(constraint, "close_in_time", "true or false")?
                    .unwrap_or(neutral.hold.close_in_time),
                guards: read(constraint, "guards", "true or false")?.unwrap_or(neutral.hold.guards),
            },
            prefill: preset.optional_text("prefill")?,
            first: read(preset, "first", first)?,
        };
        let is_empty = |it: &Start| matches!(it, Start::After(text) if text.is_empty());
        if is_empty(&res.hold.start) {
            return Err(constraint.error("start", Some(&json!({"after": ""})), start));
        }
        if res
            .first
            .is_some_and(|it| it.max_tokens == 0 || it.max_tokens > FirstStage::MOST_TOKENS)
        {
            return Err(preset.error("first", Some(&json!(res.first)), first));
        }
        Ok(res)
    }

    /// Puts what is not neutral where [`Self::take`] finds it.
    pub(super) fn put(&self, preset: &mut Map<String, Value>, constraint: &mut Value) {
        let neutral = Self::default();
        let mut set = |key: &str, value: Value, is_neutral: bool| {
            if let Some(object) = constraint.as_object_mut().filter(|_| !is_neutral) {
                object.insert(key.to_owned(), value);
            }
        };
        set(
            "white_space",
            json!(self.white_space),
            self.white_space == neutral.white_space,
        );
        set("switches", json!(self.switches), self.switches.is_neutral());
        set("start", json!(self.hold.start), self.hold.start.is_now());
        set(
            "close_in_time",
            json!(self.hold.close_in_time),
            !self.hold.close_in_time,
        );
        set("guards", json!(self.hold.guards), self.hold.guards);
        if !self.prefill.is_empty() {
            preset.insert("prefill".to_owned(), json!(self.prefill));
        }
        if self.first.is_some() {
            preset.insert("first".to_owned(), json!(self.first));
        }
    }
}

fn read<T: DeserializeOwned>(
    fields: &mut Fields,
    key: &str,
    must: &str,
) -> Result<Option<T>, FileError> {
    let Some(value) = fields.take(key) else {
        return Ok(None);
    };
    match serde_json::from_value(value.clone()) {
        Ok(it) => Ok(Some(it)),
        Err(_) => Err(fields.error(key, Some(&value), must)),
    }
}
