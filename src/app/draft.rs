//! What the user is typing and turning: any text is allowed here, nothing is lost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Drawer, Kept, Place};
use crate::constraint::{Constraint, Hold, SchemaSwitches, WhiteSpace};
use crate::engine::{PromptRequest, RunRequest};
use crate::lab::Preset;
use crate::prompt::{
    self, Example, FirstStage, Layout, PromptStyle, Task, TemplateChoice, Thinking,
};
use crate::runner::{self, Given, Job};
use crate::sampling::Knobs;
use crate::store::Library;

/// Everything that a run in Play is made from. Saved as it changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    pub v: u32,
    /// The task's id.
    pub task: String,
    /// Which of the task's inputs was chosen, from 0.
    pub input: Option<usize>,
    pub prompt: PromptDraft,
    /// The preset that was picked last; the knobs may have moved on since.
    pub preset: String,
    pub knobs: Knobs,
    pub constraint: ConstraintDraft,
    #[serde(skip_serializing_if = "Hold::is_neutral")]
    pub hold: Hold,
    /// What the model writes freely before the reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstStage>,
    /// The schema that replies are judged by; it stays when the constraint's own schema is edited.
    pub judge_schema: String,
    /// The user's own texts that something else took the place of, the latest first.
    pub kept: Vec<Kept>,
    /// What the user made of other tasks' prompts, by task id; it comes back with the task.
    pub drawers: BTreeMap<String, Drawer>,
    /// Fields this version does not know, kept as they were.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The texts of the prompt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PromptDraft {
    pub style: PromptStyle,
    pub template: TemplateChoice,
    pub thinking: Thinking,
    pub system: String,
    pub instruction: String,
    pub input: String,
    pub prefill: String,
    pub examples: Vec<ExampleDraft>,
}

/// A few-shot example in the making.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExampleDraft {
    pub input: String,
    pub answer: String,
    pub on: bool,
}

/// All constraint texts are kept while another kind is chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConstraintDraft {
    pub kind: ConstraintKind,
    pub grammar: String,
    pub schema: String,
    pub white_space: WhiteSpace,
    #[serde(skip_serializing_if = "SchemaSwitches::is_neutral")]
    pub switches: SchemaSwitches,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub regex: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintKind {
    #[default]
    None,
    Grammar,
    Schema,
    Regex,
}

impl Draft {
    /// The draft of a first start: the shopping task and the plainest preset.
    pub fn new(library: &Library) -> Self {
        let mut draft = Self {
            v: 1,
            ..Self::default()
        };
        if let Some(task) = library.task("shopping").or(library.tasks.first()) {
            draft.take_task(task, library);
        }
        if let Some(preset) = library.preset("greedy").or(library.presets.first()) {
            draft.take_preset(preset, library);
        }
        draft
    }

    /// Sets knobs, style and constraint. A text of the user's own that it takes the place of is kept.
    pub fn take_preset(&mut self, preset: &Preset, library: &Library) {
        self.preset.clone_from(&preset.name);
        self.knobs = preset.knobs.clone();
        self.prompt.style = preset.style;
        self.hold = preset.terms.hold.clone();
        self.first = preset.terms.first;
        if !preset.terms.prefill.is_empty() {
            self.prompt.prefill.clone_from(&preset.terms.prefill);
        }
        let Some(task) = library.task(&self.task) else {
            return;
        };
        match runner::constraint(preset, task, &library.grammars) {
            Constraint::None => self.constraint.kind = ConstraintKind::None,
            Constraint::Grammar { text } => {
                self.constraint.kind = ConstraintKind::Grammar;
                self.put(Place::Grammar, text, library);
            }
            Constraint::Schema {
                text,
                white_space,
                switches,
            } => {
                self.constraint.kind = ConstraintKind::Schema;
                self.put(Place::Schema, text, library);
                self.constraint.white_space = white_space;
                self.constraint.switches = switches;
            }
            Constraint::Regex { text } => {
                self.constraint.kind = ConstraintKind::Regex;
                self.constraint.regex = text;
            }
        }
    }

    /// Why this draft cannot be run; none when it can.
    pub fn fault(&self) -> Option<String> {
        let mut on = self.prompt.examples.iter().enumerate().filter(|it| it.1.on);
        let broken =
            on.find_map(|(idx, it)| Some((idx, serde_json::from_str::<Value>(&it.answer).err()?)));
        match broken {
            Some((idx, error)) if self.prompt.style == PromptStyle::Example => Some(format!(
                "The answer of example {} is not JSON: {error}",
                idx + 1
            )),
            _ => None,
        }
    }

    pub fn prompt_request(&self) -> PromptRequest {
        let schema = serde_json::from_str::<Value>(&self.judge_schema).ok();
        let messages = prompt::messages(&Layout {
            system: &self.prompt.system,
            instruction: &self.prompt.instruction,
            schema: schema.as_ref(),
            style: self.prompt.style,
            examples: &self.examples(),
            input: &self.prompt.input,
            template: self.prompt.template,
        });
        PromptRequest {
            messages,
            template: self.prompt.template,
            prefill: self.prompt.prefill.clone(),
            thinking: self.prompt.thinking,
        }
    }

    /// The run that this draft asks for, and what its reply will be judged by.
    pub fn job(&self, library: &Library) -> Job {
        let task = library.task(&self.task);
        let chosen = task
            .zip(self.input)
            .and_then(|(task, idx)| task.inputs.get(idx));
        let unchanged = chosen.filter(|it| it.text == self.prompt.input);
        Job {
            name: self.preset.clone(),
            preset: self.preset_json(library),
            style: self.prompt.style,
            task: self.task.clone(),
            input: unchanged.and(self.input),
            given: Given {
                input_text: self.prompt.input.clone(),
                schema: serde_json::from_str(&self.judge_schema).ok(),
                answer: unchanged.and_then(|it| it.answer.clone()),
                rules: task.map(|it| it.rules.clone()).unwrap_or_default(),
                examples: self.examples(),
                instruction: format!("{}\n\n{}", self.prompt.system, self.prompt.instruction),
                defaults: library
                    .preset(&self.preset)
                    .map(|it| it.defaults.clone())
                    .unwrap_or_default(),
            },
            request: RunRequest {
                prompt: self.prompt_request(),
                knobs: self.knobs.clone(),
                constraint: self.constraint.chosen(),
                hold: self.hold.clone(),
                first: self.first,
                ..RunRequest::default()
            },
        }
    }

    /// Whether knobs, style and constraint are still those of the preset that was picked.
    pub fn is_preset(&self, library: &Library) -> bool {
        let Some(preset) = library.preset(&self.preset) else {
            return false;
        };
        let mut again = self.clone();
        again.take_preset(preset, library);
        again.kept.clone_from(&self.kept);
        again == *self
    }

    fn preset_json(&self, library: &Library) -> Value {
        match library.preset(&self.preset) {
            Some(preset) if self.is_preset(library) => preset.to_json(),
            _ => json!({
                "v": 1,
                "name": format!("{} (changed)", self.preset),
                "style": self.prompt.style,
                "knobs": self.knobs,
                "constraint": self.constraint.chosen(),
            }),
        }
    }

    /// The examples that are in the prompt: switched on, and of a style that shows them.
    fn examples(&self) -> Vec<Example> {
        if self.prompt.style != PromptStyle::Example {
            return Vec::new();
        }
        let on = self.prompt.examples.iter().filter(|it| it.on);
        on.map(|it| Example {
            input: it.input.clone(),
            answer: serde_json::from_str(&it.answer)
                .unwrap_or_else(|_| Value::String(it.answer.clone())),
        })
        .collect()
    }
}

impl ExampleDraft {
    pub(super) fn of(example: &Example) -> Self {
        Self {
            input: example.input.clone(),
            answer: prompt::spaced(&example.answer),
            on: true,
        }
    }
}

impl ConstraintDraft {
    /// The constraint that is switched on.
    pub fn chosen(&self) -> Constraint {
        match self.kind {
            ConstraintKind::None => Constraint::None,
            ConstraintKind::Grammar => Constraint::Grammar {
                text: self.grammar.clone(),
            },
            ConstraintKind::Schema => Constraint::Schema {
                text: self.schema.clone(),
                white_space: self.white_space,
                switches: self.switches.clone(),
            },
            ConstraintKind::Regex => Constraint::Regex {
                text: self.regex.clone(),
            },
        }
    }
}

pub(super) fn schema_text(task: &Task) -> String {
    format!("{:#}", task.schema)
}

pub(super) fn grammar_text(task: &Task, library: &Library) -> String {
    let named = library
        .grammar(task.origin())
        .or_else(|| library.grammar("json"));
    named.unwrap_or_default().to_owned()
}
