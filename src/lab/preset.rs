//! A preset: prompt style, knobs and constraint under one name.

use crate::prompt::PromptStyle;
use crate::sampling::Knobs;

/// A preset, valid by its type. `lab::preset` reads it from and writes it to its file form.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// The name on the command line and in records.
    pub name: String,
    pub title: String,
    /// What it is for, in a sentence.
    pub about: String,
    pub style: PromptStyle,
    pub knobs: Knobs,
    pub constraint: ConstraintChoice,
    /// Fields this version does not know, kept as they were.
    pub other: serde_json::Map<String, serde_json::Value>,
}

/// The constraint as a preset names it; the task supplies the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ConstraintChoice {
    #[default]
    None,
    /// The shipped grammar written for the task, or the JSON grammar for a task without one.
    TaskGrammar,
    /// A grammar's own text.
    Grammar(String),
    /// The task's schema.
    TaskSchema,
    /// A schema's own text.
    Schema(String),
}
