//! Values that a reply copied from a few-shot example instead of reading them from the input.

use serde_json::Value;

use super::trace::origins;
use super::{Leak, Origins, Source};
use crate::prompt::{Example, Rules};

/// What the values of a reply are traced by.
#[derive(Clone, Copy, Debug, Default)]
pub struct LeakSources<'a> {
    /// The few-shot examples that stood in the prompt.
    pub examples: &'a [Example],
    pub input: &'a str,
    /// System message and instruction.
    pub instruction: &'a str,
    /// The right answer: what it holds is no leak.
    pub answer: Option<&'a Value>,
    /// The schema's own values (`enum`, `const`) are no leaks.
    pub schema: Option<&'a Value>,
    /// A field that the rules ignore may hold what it likes.
    pub rules: Option<&'a Rules>,
}

/// All leaks of a value, in its order. How a value is written does not count: case, white space, digits or words
/// for a number, the order of a date.
pub fn leaks(value: &Value, sources: &LeakSources<'_>) -> Vec<Leak> {
    if sources.examples.is_empty() {
        return Vec::new();
    }
    leaks_of(&origins(value, sources))
}

/// The leaves that come from an example.
pub(super) fn leaks_of(origins: &Origins) -> Vec<Leak> {
    origins
        .leaves
        .iter()
        .filter(|it| it.source == Source::Example)
        .map(|leaf| {
            let place = leaf.places.first();
            Leak {
                path: leaf.path.clone(),
                value: leaf.value.clone(),
                example: place.and_then(|it| it.example).unwrap_or(1),
                place: place.cloned(),
            }
        })
        .collect()
}
