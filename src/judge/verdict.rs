//! The findings of the judges on shape and meaning.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the schema says of a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    pub valid: bool,
    /// The value came from rung 4 or was truncated, so the verdict is on something the model did not quite write.
    pub on_repaired: bool,
    pub faults: Vec<Fault>,
}

/// One place where the value breaks the schema.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// JSON pointer into the value; empty for the root.
    pub instance_path: String,
    pub keyword: String,
    pub message: String,
    /// For `anyOf` and `oneOf`: what keeps the value from each alternative, the nearest one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Branch>,
}

/// One alternative of `anyOf` or `oneOf`, and what the value lacks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Which alternative of the schema's list, counted from 1.
    pub number: usize,
    /// Its `title`, or the last part of its reference, or its type; empty when it has none of them.
    pub name: String,
    /// Empty for an alternative that the value does fit (`oneOf` may be broken by fitting two).
    pub faults: Vec<Fault>,
}

/// A value with a preset's defaults filled in and its unknown fields dropped, and the schema's word on that.
/// It is never what the model wrote, so it lights no lamp.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AfterDefaults {
    pub value: Value,
    /// JSON pointers of the fields that were missing and were filled in.
    pub filled: Vec<String>,
    /// JSON pointers of the fields that the schema does not allow and that were dropped.
    pub dropped: Vec<String>,
    pub verdict: Verdict,
}

/// How a value compares with the known answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Correctness {
    pub correct: bool,
    pub differences: Vec<Difference>,
}

/// One field that differs from the known answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// JSON pointer; empty for the root.
    pub path: String,
    pub expected: Value,
    /// What the reply has there; none when it has nothing.
    pub found: Option<Value>,
    /// A remark such as "look-alike digit".
    pub remark: Option<String>,
}

/// The four lamps. `None`: there was nothing to judge by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lamps {
    pub parses: bool,
    pub schema: Option<bool>,
    pub correct: Option<bool>,
    pub leak_free: Option<bool>,
}

/// Why a reply failed, in one word and one sentence with its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// One of [`CAUSES`](super::CAUSES), such as `truncated`, `refusal`, `renamed_key`, `wrong_value`.
    pub kind: String,
    pub message: String,
    /// JSON pointer to the place in the value; none when the cause has no place there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The place in the text that was climbed, in bytes from 0; none when the cause is not in one place of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// What else is wrong, most telling first. The further causes have none of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Self>,
}

/// A part of a text, in bytes: `start` belongs to it, `end` does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}
