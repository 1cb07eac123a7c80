//! What a case of a regression set expects, field by field; what it does not name may be anything.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::judge::Judgement;
use crate::ladder::{Climb, Flag, Rung};

/// The expectation as it stands in the line. A field that is null is expected to be null; one that is not known is a
/// slip of the pen, and would be an expectation that is always met.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    #[serde(default, deserialize_with = "named")]
    value: Option<Value>,
    #[serde(default, deserialize_with = "named")]
    rung: Option<Nullable<Rung>>,
    #[serde(default)]
    flags: Option<Vec<Flag>>,
    /// The schema's verdict.
    #[serde(default, deserialize_with = "named")]
    valid: Option<Nullable<bool>>,
}

/// What may be expected to be null.
#[derive(Clone, Copy, Deserialize)]
#[serde(transparent)]
struct Nullable<T>(Option<T>);

impl Expected {
    pub(super) fn read(value: Value) -> serde_json::Result<Self> {
        serde_json::from_value(value)
    }

    /// One sentence for each field that came out otherwise.
    pub(super) fn differences(&self, (climb, judgement): &(Climb, Judgement)) -> Vec<String> {
        let mut differences = Vec::new();
        let mut add = |field: &str, found: String, expected: String| {
            differences.push(format!("{field} is {found}, expected {expected}"));
        };
        let found = climb.value().unwrap_or(&Value::Null);
        if let Some(value) = self.value.as_ref().filter(|it| *it != found) {
            add("value", shown(found), shown(value));
        }
        let number =
            |rung: Option<Rung>| rung.map_or("null".to_owned(), |it| u8::from(it).to_string());
        if let Some(rung) = self.rung.map(|it| it.0).filter(|it| *it != climb.rung) {
            add("rung", number(climb.rung), number(rung));
        }
        if let Some(flags) = self.flags.as_ref() {
            let (mut found, mut flags) = (climb.flags.clone(), flags.clone());
            found.sort_unstable();
            flags.sort_unstable();
            if found != flags {
                add("flags", names(&found), names(&flags));
            }
        }
        let valid = judgement.verdict.as_ref().map(|it| it.valid);
        let word = |it: Option<bool>| it.map_or("null".to_owned(), |it| it.to_string());
        if let Some(expected) = self.valid.map(|it| it.0).filter(|it| *it != valid) {
            add("valid", word(valid), word(expected));
        }
        differences
    }
}

/// A field that is there, even if it is null.
fn named<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(from).map(Some)
}

fn shown(value: &Value) -> String {
    const MAX_CHARS: usize = 200;
    let text = value.to_string();
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn names(flags: &[Flag]) -> String {
    serde_json::to_string(flags).unwrap_or_default()
}
