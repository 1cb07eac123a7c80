//! The user's own texts: nothing that was typed is lost when a task, an input, a preset or a grammar takes its place.

use serde::{Deserialize, Serialize};

use super::draft::{grammar_text, schema_text};
use super::{Draft, ExampleDraft, PromptDraft};
use crate::prompt::Task;
use crate::store::Library;

/// How many texts are kept.
const MAX_KEPT: usize = 40;

/// A task's prompt as the user left it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Drawer {
    pub input: Option<usize>,
    pub prompt: PromptDraft,
    pub judge_schema: String,
}

/// A text of the user's own that is not in use now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub place: Place,
    pub text: String,
}

/// Where a text stands in the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Input,
    Grammar,
    Schema,
}

impl Draft {
    /// Fills the prompt from a task, or brings back what the user had made of it. The prompt of the task that
    /// is left goes into its drawer; picking a task again changes between the shipped prompt and the user's.
    pub fn take_task(&mut self, task: &Task, library: &Library) {
        let left = library.task(&self.task);
        let opened = self.drawers.remove(&task.id);
        if let Some(left) = left {
            self.fill_drawer(left);
        }
        self.task.clone_from(&task.id);
        match opened {
            Some(drawer) => {
                self.input = drawer.input;
                self.prompt = drawer.prompt;
                self.judge_schema = drawer.judge_schema;
            }
            None => self.take_shipped(task),
        }
        for (place, text) in [
            (Place::Grammar, grammar_text(task, library)),
            (Place::Schema, schema_text(task)),
        ] {
            if !is_own(place, self.text(place), library) {
                self.put(place, text, library);
            }
        }
    }

    /// Fills the prompt from a task as the library has it. What the user had made of it stays in its drawer; a drawer
    /// that is full already gets another beside it.
    pub fn take_unchanged(&mut self, task: &Task, library: &Library) {
        let earlier = self.drawers.get(&task.id).cloned();
        self.take_task(task, library);
        let Some(earlier) = earlier else { return };
        let numbered = (2_usize..).map(|it| format!("{} {it}", task.id));
        let mut names = std::iter::once(task.id.clone()).chain(numbered);
        if let Some(free) = names.find(|it| !self.drawers.contains_key(it)) {
            self.drawers.insert(free, earlier);
        }
        self.take_shipped(task);
    }

    pub fn take_input(&mut self, task: &Task, idx: usize, library: &Library) {
        if let Some(input) = task.inputs.get(idx) {
            self.input = Some(idx);
            self.put(Place::Input, input.text.clone(), library);
        }
    }

    /// Puts a kept text back; the text that stood in its place is kept if it is the user's own.
    pub fn restore(&mut self, idx: usize, library: &Library) {
        if idx < self.kept.len() {
            let kept = self.kept.remove(idx);
            if kept.place == Place::Input {
                self.input = None;
            }
            self.put(kept.place, kept.text, library);
        }
    }

    /// Replaces a text, and keeps the old one if it is the user's own.
    pub fn put(&mut self, place: Place, text: String, library: &Library) {
        let old = std::mem::replace(self.slot(place), text);
        if old != *self.slot(place) && is_own(place, &old, library) {
            let kept = Kept { place, text: old };
            self.kept.retain(|it| *it != kept);
            self.kept.insert(0, kept);
            self.kept.truncate(MAX_KEPT);
        }
    }

    fn text(&self, place: Place) -> &str {
        match place {
            Place::Input => &self.prompt.input,
            Place::Grammar => &self.constraint.grammar,
            Place::Schema => &self.constraint.schema,
        }
    }

    fn slot(&mut self, place: Place) -> &mut String {
        match place {
            Place::Input => &mut self.prompt.input,
            Place::Grammar => &mut self.constraint.grammar,
            Place::Schema => &mut self.constraint.schema,
        }
    }

    fn fill_drawer(&mut self, left: &Task) {
        let drawer = Drawer {
            input: self.input,
            prompt: std::mem::take(&mut self.prompt),
            judge_schema: std::mem::take(&mut self.judge_schema),
        };
        let mut shipped = Self::default();
        shipped.prompt.style = drawer.prompt.style;
        shipped.prompt.template = drawer.prompt.template;
        shipped.prompt.thinking = drawer.prompt.thinking;
        shipped.take_shipped(left);
        self.prompt.style = drawer.prompt.style;
        self.prompt.template = drawer.prompt.template;
        self.prompt.thinking = drawer.prompt.thinking;
        let untouched = Drawer {
            input: drawer.input,
            prompt: PromptDraft {
                input: drawer.prompt.input.clone(),
                ..shipped.prompt
            },
            judge_schema: shipped.judge_schema,
        };
        let is_shipped_input = left.inputs.iter().any(|it| it.text == drawer.prompt.input);
        if drawer != untouched || !is_shipped_input {
            self.drawers.insert(left.id.clone(), drawer);
        }
    }

    fn take_shipped(&mut self, task: &Task) {
        self.prompt.system.clone_from(&task.system);
        self.prompt.instruction.clone_from(&task.instruction);
        self.prompt.examples = task.examples.iter().map(ExampleDraft::of).collect();
        self.prompt.prefill.clear();
        self.judge_schema = schema_text(task);
        self.input = (!task.inputs.is_empty()).then_some(0);
        self.prompt.input = task
            .inputs
            .first()
            .map(|it| it.text.clone())
            .unwrap_or_default();
    }
}

/// Whether a text cannot be had again from the library.
fn is_own(place: Place, text: &str, library: &Library) -> bool {
    let mut tasks = library.tasks.iter();
    let is_shipped = match place {
        Place::Input => tasks.any(|it| it.inputs.iter().any(|it| it.text == text)),
        Place::Grammar => library.grammars.iter().any(|it| it.1 == text),
        Place::Schema => tasks.any(|it| schema_text(it) == text),
    };
    !is_shipped && !text.trim().is_empty()
}
