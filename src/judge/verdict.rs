//! The findings of all judges.

use serde::{Deserialize, Serialize};

/// What the schema says of a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    pub valid: bool,
    /// The value came from rung 4 or was truncated, so the verdict is on something the model did not quite write.
    pub on_repaired: bool,
    pub faults: Vec<Fault>,
}

/// One place where the value breaks the schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// JSON pointer into the value; empty for the root.
    pub instance_path: String,
    pub keyword: String,
    pub message: String,
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
    pub expected: serde_json::Value,
    /// What the reply has there; none when it has nothing.
    pub found: Option<serde_json::Value>,
    /// A remark such as "look-alike digit".
    pub remark: Option<String>,
}

/// A value that was copied from a few-shot example instead of read from the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leak {
    pub path: String,
    pub value: String,
    /// Which example it stands in, counted from 1.
    pub example: usize,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// Such as `truncated`, `no_json`, `wrong_shape`, `wrong_value`, `loop`.
    pub kind: String,
    pub message: String,
}
