//! A task: instruction, schema, few-shot examples, and inputs with their right answers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A task as its file holds it; `"v": 1`, unknown fields are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    pub v: u32,
    /// The name on the command line and in records.
    pub id: String,
    pub title: String,
    /// The system message.
    #[serde(default)]
    pub system: String,
    /// What is to be done with the input.
    pub instruction: String,
    /// JSON Schema of the answer, property order kept.
    pub schema: Value,
    #[serde(default)]
    pub examples: Vec<Example>,
    pub inputs: Vec<TaskInput>,
    /// Per-field rules of comparison with the right answer: JSON pointer (`*` for any index) to the rule's name.
    #[serde(default)]
    pub rules: Map<String, Value>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Example {
    pub input: String,
    pub answer: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskInput {
    pub text: String,
    /// The right answer, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
}

/// A right answer under a name of its own, so that signatures say what they want.
pub type Answer = Value;

/// What the prompt shows of the wanted format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptStyle {
    /// The instruction alone, with the keys named in it.
    Plain,
    /// The schema and the few-shot examples.
    #[default]
    Example,
    /// The schema alone.
    Schema,
}
