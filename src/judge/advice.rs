//! What would make a schema easier for a small model, and portable to hosted strict modes. Advice, no faults.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that a schema could do better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advice {
    /// JSON pointer into the schema; empty for the root.
    pub pointer: String,
    /// One of [`ADVICE_KINDS`].
    pub kind: String,
    pub message: String,
}

/// All kinds of advice, with what each means.
pub const ADVICE_KINDS: &[(&str, &str)] = &[
    (
        "prefer_enum",
        "a text that has few values is better an enum",
    ),
    ("too_deep", "a model loses its way over three levels deep"),
    (
        "joined_list",
        "a list is better an array than a joined text",
    ),
    ("no_description", "a field says nothing of what it means"),
    (
        "optional_key",
        "hosted strict modes want every key required",
    ),
    (
        "open_object",
        "hosted strict modes want additionalProperties: false",
    ),
    (
        "unsupported_keyword",
        "hosted strict modes refuse or ignore the keyword",
    ),
];

/// Everything there is to say of a schema, in its order.
pub fn advice(_schema: &Value) -> Vec<Advice> {
    Vec::new()
}
