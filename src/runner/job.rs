//! One reply to be asked for, and what it will be judged by.

use serde_json::{Map, Value};

use crate::constraint::Constraint;
use crate::engine::{PromptRequest, RunRequest};
use crate::judge::Defaults;
use crate::lab::{ConstraintChoice, Preset};
use crate::prompt::{self, Example, Layout, PromptStyle, Task, TemplateChoice};

/// A run and its judges.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The preset's name.
    pub name: String,
    /// The whole preset, as its file holds it.
    pub preset: Value,
    pub style: PromptStyle,
    pub task: String,
    /// Index into the task's inputs; none for free text.
    pub input: Option<usize>,
    pub given: Given,
    pub request: RunRequest,
}

/// What the judges need beside the reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    pub input_text: String,
    pub schema: Option<Value>,
    pub answer: Option<Value>,
    pub rules: Map<String, Value>,
    /// The few-shot examples that were in the prompt.
    pub examples: Vec<Example>,
    /// System message and instruction, a blank line between them.
    pub instruction: String,
    /// What the preset puts in for missing fields.
    pub defaults: Defaults,
}

/// Why a preset cannot be run on a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    #[error("task {task} has no input {input}; it has inputs 1 to {n}")]
    NoSuchInput {
        task: String,
        input: usize,
        n: usize,
    },
}

/// Which text a task is run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// Index into the task's inputs, from 0.
    Input(usize),
    Free(String),
}

impl Job {
    /// A preset on a task. `grammars` names the shipped and own grammars for presets that take the task's.
    pub fn new(
        preset: &Preset,
        task: &Task,
        text: &Text,
        grammars: &[(String, String)],
    ) -> Result<Self, JobError> {
        let (input, input_text, answer) = text.of(task)?;
        let examples = match preset.style {
            PromptStyle::Example => task.examples.clone(),
            PromptStyle::Plain | PromptStyle::Schema => Vec::new(),
        };
        let messages = prompt::messages(&Layout {
            system: &task.system,
            instruction: &task.instruction,
            schema: Some(&task.schema),
            style: preset.style,
            examples: &examples,
            input: &input_text,
            template: TemplateChoice::Model,
        });
        Ok(Self {
            name: preset.name.clone(),
            preset: preset.to_json(),
            style: preset.style,
            task: task.id.clone(),
            input,
            given: Given {
                input_text,
                schema: Some(task.schema.clone()),
                answer,
                rules: task.rules.clone(),
                examples,
                instruction: format!("{}\n\n{}", task.system, task.instruction),
                defaults: preset.defaults.clone(),
            },
            request: RunRequest {
                prompt: PromptRequest {
                    messages,
                    prefill: preset.terms.prefill.clone(),
                    ..PromptRequest::default()
                },
                knobs: preset.knobs.clone(),
                constraint: constraint(preset, task, grammars),
                hold: preset.terms.hold.clone(),
                first: preset.terms.first,
                ..RunRequest::default()
            },
        })
    }
}

impl Text {
    /// The input's index, its text and the right answer, as far as they are known.
    fn of(&self, task: &Task) -> Result<(Option<usize>, String, Option<Value>), JobError> {
        match self {
            Self::Free(it) => Ok((None, it.clone(), None)),
            Self::Input(idx) => {
                let found = task.inputs.get(*idx).ok_or_else(|| JobError::NoSuchInput {
                    task: task.id.clone(),
                    input: idx + 1,
                    n: task.inputs.len(),
                })?;
                Ok((Some(*idx), found.text.clone(), found.answer.clone()))
            }
        }
    }
}

/// The constraint that a preset means for a task.
pub fn constraint(preset: &Preset, task: &Task, grammars: &[(String, String)]) -> Constraint {
    let named = |name: &str| {
        grammars
            .iter()
            .find(|it| it.0 == name)
            .map(|it| it.1.clone())
    };
    let schema = |text: String| Constraint::Schema {
        text,
        white_space: preset.terms.white_space,
        switches: preset.terms.switches.clone(),
    };
    match &preset.constraint {
        ConstraintChoice::None => Constraint::None,
        ConstraintChoice::Grammar(text) => Constraint::Grammar { text: text.clone() },
        ConstraintChoice::TaskGrammar => Constraint::Grammar {
            text: named(task.origin())
                .or_else(|| named("json"))
                .unwrap_or_default(),
        },
        ConstraintChoice::Schema(text) => schema(text.clone()),
        ConstraintChoice::Regex(text) => Constraint::Regex { text: text.clone() },
        ConstraintChoice::TaskSchema => schema(format!("{:#}", task.schema)),
    }
}
