//! Where the values of a reply come from.

use serde::{Deserialize, Serialize};

/// A value that was copied from a few-shot example instead of read from the input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leak {
    /// JSON pointer into the value; empty for the root.
    pub path: String,
    pub value: String,
    /// Which example it stands in, counted from 1.
    pub example: usize,
    /// Where it stands in the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// Every leaf of a value with its source, and the records that mix sources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origins {
    /// In the order of the value.
    pub leaves: Vec<Leaf>,
    pub mixed: Vec<MixedRecord>,
}

impl Origins {
    /// Whether nothing was traced.
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty() && self.mixed.is_empty()
    }
}

/// One scalar of a value, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leaf {
    /// JSON pointer into the value; empty for the root.
    pub path: String,
    /// The scalar as text: a string without its quotes.
    pub value: String,
    pub source: Source,
    /// Where it stands in the prompt; the place that decided the source comes first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// It stands in the input, whatever else holds it too.
    Input,
    /// It stands in a few-shot example and not in the input: a leak.
    Example,
    /// The schema names it.
    Schema,
    /// It stands in the instruction or the system message.
    Instruction,
    /// It stands nowhere and is right by the known answer: translated, counted or concluded.
    Derived,
    /// Too common to have a source: true, null, small numbers, the empty text.
    Common,
    /// It is not in the input, nor anywhere else in the prompt.
    Invented,
}

/// A passage of the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub text: PromptText,
    /// Which example, counted from 1; none for the other texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<usize>,
    /// Bytes of that text from 0. An example's answer is counted as [`spaced`](crate::prompt::spaced) writes it,
    /// the schema as its indented text, both as the prompt shows them.
    pub start: usize,
    pub end: usize,
}

/// Which text of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptText {
    Input,
    ExampleInput,
    ExampleAnswer,
    Schema,
    Instruction,
}

/// An object with values of an example beside values of the input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MixedRecord {
    /// JSON pointer to the object; empty for the root.
    pub path: String,
    /// JSON pointers of its leaves that were copied from an example.
    pub from_example: Vec<String>,
    /// JSON pointers of its leaves that stand in the input.
    pub from_input: Vec<String>,
}
