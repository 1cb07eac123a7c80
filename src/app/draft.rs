//! What the user is typing and turning: any text is allowed here, nothing is lost.

use serde::{Deserialize, Serialize};

use crate::constraint::WhiteSpace;
use crate::prompt::{PromptStyle, TemplateChoice};
use crate::sampling::Knobs;

/// Everything that a run in Play is made from. Saved as it changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The task's id.
    pub task: String,
    /// Which of the task's inputs was chosen; none once the text was edited.
    pub input: Option<usize>,
    pub prompt: PromptDraft,
    /// The preset that was picked last; the knobs may have moved on since.
    pub preset: String,
    pub knobs: Knobs,
    pub constraint: ConstraintDraft,
}

/// The texts of the prompt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromptDraft {
    pub style: PromptStyle,
    pub template: TemplateChoice,
    pub system: String,
    pub instruction: String,
    pub input: String,
    pub prefill: String,
    pub examples: Vec<ExampleDraft>,
}

/// A few-shot example in the making.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExampleDraft {
    pub input: String,
    pub answer: String,
    pub on: bool,
}

/// All constraint texts are kept while another kind is chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConstraintDraft {
    pub kind: ConstraintKind,
    pub grammar: String,
    pub schema: String,
    pub white_space: WhiteSpace,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintKind {
    #[default]
    None,
    Grammar,
    Schema,
}
