//! What is typed in Repair: the reply and all that it is judged by. Nothing typed is lost.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::app::ExampleDraft;
use crate::app::draft::schema_text;
use crate::judge::Defaults;
use crate::prompt::{Example, Task, spaced};
use crate::runner::Given;
use crate::store::Library;

/// How many earlier replies are kept, and how many bytes they may have together.
const MAX_KEPT: usize = 30;
const MAX_KEPT_BYTES: usize = 2_000_000;

/// A reply and what it is judged by. Saved as it changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RepairDraft {
    pub v: u32,
    pub reply: String,
    /// Text of the schema; empty for none.
    pub schema: String,
    /// The task's id; empty for none.
    pub task: String,
    /// Which of the task's inputs, from 0; none for a text of the user's own.
    pub input: Option<usize>,
    pub input_text: String,
    /// The right answer as JSON; empty where it is not known.
    pub answer: String,
    pub examples: Vec<ExampleDraft>,
    /// The text that was put into the model's mouth.
    pub prefill: String,
    /// Replies that something else took the place of, the latest first.
    pub kept: Vec<KeptReply>,
    /// Fields this version does not know, kept as they were.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// An earlier reply with what it was judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptReply {
    pub reply: String,
    pub schema: String,
    pub task: String,
    pub input: Option<usize>,
}

impl RepairDraft {
    /// Puts another reply in place. The one that stood there is kept, unless it ships with the program.
    pub fn put_reply(&mut self, reply: String) {
        let is_sample = super::samples().iter().any(|it| it.reply == self.reply);
        if self.reply != reply && !is_sample && !self.reply.trim().is_empty() {
            let kept = KeptReply {
                reply: std::mem::take(&mut self.reply),
                schema: self.schema.clone(),
                task: self.task.clone(),
                input: self.input,
            };
            self.kept.retain(|it| it.reply != kept.reply);
            self.kept.insert(0, kept);
            self.kept.truncate(MAX_KEPT);
            self.bound_kept();
        }
        self.reply = reply;
        self.prefill.clear();
    }

    /// Brings an earlier reply back, with its task and schema; the one that stands there is kept in its turn.
    pub fn restore(&mut self, idx: usize, library: &Library) {
        if idx >= self.kept.len() {
            return;
        }
        let kept = self.kept.remove(idx);
        self.put_reply(kept.reply);
        self.take_task(library.task(&kept.task));
        self.take_input(library.task(&kept.task), kept.input);
        self.schema = kept.schema;
    }

    /// Takes schema, examples, input and known answer from a task; from none, takes them away.
    pub fn take_task(&mut self, task: Option<&Task>) {
        self.task = task.map(|it| it.id.clone()).unwrap_or_default();
        self.schema = task.map(schema_text).unwrap_or_default();
        self.examples = task
            .map(|it| it.examples.iter().map(ExampleDraft::of).collect())
            .unwrap_or_default();
        self.take_input(task, task.filter(|it| !it.inputs.is_empty()).map(|_| 0));
    }

    /// Takes one of the task's inputs, with its answer.
    pub fn take_input(&mut self, task: Option<&Task>, idx: Option<usize>) {
        let input = task.zip(idx).and_then(|(it, idx)| it.inputs.get(idx));
        self.input = input.and(idx);
        self.input_text = input.map(|it| it.text.clone()).unwrap_or_default();
        let answer = input.and_then(|it| it.answer.as_ref());
        self.answer = answer.map(spaced).unwrap_or_default();
    }

    /// What the judges are given. A schema or an answer that is no JSON judges nothing; the view says so.
    pub fn given(&self, library: &Library) -> Given {
        let task = library.task(&self.task);
        let on = self.examples.iter().filter(|it| it.on);
        Given {
            input_text: self.input_text.clone(),
            schema: serde_json::from_str(&self.schema).ok(),
            answer: serde_json::from_str(&self.answer).ok(),
            rules: task.map(|it| it.rules.clone()).unwrap_or_default(),
            examples: on.filter_map(example).collect(),
            instruction: task
                .map(|it| format!("{}\n\n{}", it.system, it.instruction))
                .unwrap_or_default(),
            defaults: Defaults::default(),
        }
    }

    /// Why the right answer compares with nothing; none when there is none or it is JSON.
    pub fn answer_fault(&self) -> Option<String> {
        let text = self.answer.trim();
        let error = serde_json::from_str::<Value>(text).err()?;
        (!text.is_empty()).then(|| format!("The right answer is not JSON: {error}"))
    }

    fn bound_kept(&mut self) {
        let mut n_bytes = 0;
        // The latest is kept whatever its length.
        let fits = |it: &KeptReply| {
            n_bytes += it.reply.len() + it.schema.len();
            n_bytes <= MAX_KEPT_BYTES
        };
        let n_fitting = self.kept.iter().map(fits).take_while(|it| *it).count();
        self.kept.truncate(n_fitting.max(1));
    }
}

fn example(draft: &ExampleDraft) -> Option<Example> {
    Some(Example {
        input: draft.input.clone(),
        answer: serde_json::from_str(&draft.answer).ok()?,
    })
}
