//! A plan: presets, tasks, inputs, prompt styles and seeds, and the replies that they ask for.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::ablation::Ablation;
use super::preset::{Preset, style_key, style_of};
use super::retry::Retry;
use crate::prompt::{ExampleValues, Fields, FileError, PromptStyle, Task};

/// The most replies that a plan may have evaluated together.
pub const MAX_PARALLEL: u32 = 64;

/// A plan as its file holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub name: String,
    pub title: String,
    pub about: String,
    /// Model files, by name or path; empty for those that are named when it is run.
    pub models: Vec<String>,
    /// Tasks by their ids.
    pub tasks: Vec<String>,
    pub inputs: Inputs,
    /// In place of the presets' own; empty for those.
    pub styles: Vec<PromptStyle>,
    pub presets: Vec<PresetChoice>,
    /// Adds a preset for each knob in which two presets differ.
    pub ablation: Option<Ablation>,
    /// The preset that the others are compared with; the first one, if none is named.
    pub reference: Option<String>,
    /// In place of the presets' own; empty for those.
    pub seeds: Vec<u32>,
    /// Which values stand in the examples; empty for the tasks' own.
    pub examples: Vec<ExampleValues>,
    pub retry: Retry,
    /// Replies that are evaluated together, 1 to [`MAX_PARALLEL`]. With 1 each is written as it would be alone, to
    /// the bit; with more near-ties may turn out otherwise.
    pub parallel: u32,
    /// Fields this version does not know, kept as they were.
    pub other: Map<String, Value>,
}

/// Which of a task's inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Inputs {
    #[default]
    All,
    First(usize),
    /// Numbers from 1.
    These(Vec<usize>),
}

/// A preset by its name, or whole.
#[derive(Clone, Debug, PartialEq)]
pub enum PresetChoice {
    Named(String),
    Own(Box<Preset>),
}

/// Why a plan cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; plan {plan}; {advice}")]
pub struct PlanError {
    pub what: String,
    pub plan: String,
    pub advice: String,
}

impl Plan {
    /// Reads a plan file. `file_name` is for the error, which names the field, its value and its range.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, FileError> {
        let mut fields = Fields::parse(text, file_name)?;
        let name = fields.name("name")?;
        let title = fields.optional_text("title")?;
        Ok(Self {
            title: if title.is_empty() {
                name.clone()
            } else {
                title
            },
            name,
            about: fields.optional_text("about")?,
            models: models(&mut fields)?,
            tasks: texts(&mut fields, "tasks")?,
            inputs: Inputs::read(&mut fields)?,
            styles: styles(&mut fields)?,
            presets: presets(&mut fields, file_name)?,
            ablation: Ablation::read(&mut fields)?,
            reference: Some(fields.optional_text("reference")?).filter(|it| !it.is_empty()),
            seeds: seeds(&mut fields)?,
            examples: examples(&mut fields)?,
            retry: Retry::read(&mut fields)?,
            parallel: parallel(&mut fields)?,
            other: fields.rest(),
        })
    }

    /// The plan as its file holds it; `parse` reads it back to the same plan.
    pub fn to_json(&self) -> Value {
        let presets: Vec<Value> = self
            .presets
            .iter()
            .map(|it| match it {
                PresetChoice::Named(name) => json!(name),
                PresetChoice::Own(preset) => preset.to_json(),
            })
            .collect();
        let styles: Vec<&str> = self.styles.iter().map(|it| style_key(*it)).collect();
        let mut json = Map::new();
        let mut put = |key: &str, value: Value| drop(json.insert(key.to_owned(), value));
        put("v", json!(1));
        put("name", json!(self.name));
        put("title", json!(self.title));
        put("about", json!(self.about));
        if !self.models.is_empty() {
            put("models", json!(self.models));
        }
        put("tasks", json!(self.tasks));
        put("inputs", self.inputs.to_json());
        put("styles", json!(styles));
        put("presets", json!(presets));
        if let Some(ablation) = &self.ablation {
            put("ablate", ablation.to_json());
        }
        if let Some(reference) = &self.reference {
            put("reference", json!(reference));
        }
        put("seeds", json!(self.seeds));
        if !self.examples.is_empty() {
            put("examples", json!(self.examples));
        }
        if self.retry != Retry::default() {
            put("retry", self.retry.to_json());
        }
        if self.parallel > 1 {
            put("parallel", json!(self.parallel));
        }
        json.extend(self.other.clone());
        Value::Object(json)
    }

    /// All presets that the plan runs, those of the ablation behind the others, each name once.
    pub fn presets(&self, known: &[Preset]) -> Result<Vec<Preset>, PlanError> {
        let mut res = Vec::new();
        for choice in &self.presets {
            res.push(match choice {
                PresetChoice::Named(name) => self.named(name, known)?,
                PresetChoice::Own(preset) => (**preset).clone(),
            });
        }
        if let Some(ablation) = &self.ablation {
            let base = self.named(&ablation.base, known)?;
            let target = self.named(&ablation.target, known)?;
            res.extend(ablation.presets(&base, &target));
        }
        let mut names = BTreeSet::new();
        res.retain(|it| names.insert(it.name.clone()));
        if res.is_empty() {
            return Err(self.error("it names no preset", "add one to \"presets\""));
        }
        Ok(res)
    }

    /// The preset that the others are compared with.
    pub fn reference(&self, presets: &[Preset]) -> Result<String, PlanError> {
        let wish = self.reference.as_ref();
        let base = self.ablation.as_ref().map(|it| &it.base);
        let first = presets.first().map(|it| &it.name);
        let name = wish.or(base).or(first).cloned().unwrap_or_default();
        if presets.iter().any(|it| it.name == name) {
            return Ok(name);
        }
        let what = format!("its reference {name} is none of its presets");
        Err(self.error(&what, "name one of them"))
    }

    /// Reads back what `resolved` wrote: the plan and its presets.
    pub fn parse_resolved(begun: &Value, place: &str) -> Result<(Self, Vec<Preset>), FileError> {
        let plan = Self::parse(&begun["plan"].to_string(), place)?;
        let presets = begun["presets"].as_array().into_iter().flatten();
        let presets = presets.map(|it| Preset::parse(&it.to_string(), place));
        Ok((plan, presets.collect::<Result<_, _>>()?))
    }

    /// The tasks that `resolved` wrote; one that cannot be read is left out.
    pub fn resolved_tasks(begun: &Value) -> Vec<Task> {
        let tasks = begun["tasks"].as_array().into_iter().flatten();
        tasks
            .filter_map(|it| serde_json::from_value(it.clone()).ok())
            .collect()
    }

    /// The plan with all that it names, so that a change of any of it is seen when it is taken up again.
    pub fn resolved(&self, presets: &[Preset], tasks: &[Task]) -> Value {
        let presets: Vec<Value> = presets.iter().map(Preset::to_json).collect();
        let used: Vec<&Task> = tasks
            .iter()
            .filter(|it| self.tasks.contains(&it.id))
            .collect();
        json!({"plan": self.to_json(), "presets": presets, "tasks": used})
    }

    fn named(&self, name: &str, known: &[Preset]) -> Result<Preset, PlanError> {
        let found = known.iter().find(|it| it.name == name);
        found.cloned().ok_or_else(|| {
            let names: Vec<_> = known.iter().map(|it| it.name.as_str()).collect();
            let advice = format!("choose from {}", names.join(", "));
            self.error(&format!("there is no preset {name}"), &advice)
        })
    }

    pub(super) fn input_error(&self, task: &Task, number: usize) -> PlanError {
        let what = format!("task {} has no input {number}", task.id);
        self.error(&what, &format!("it has 1 to {}", task.inputs.len()))
    }

    pub(super) fn error(&self, what: &str, advice: &str) -> PlanError {
        PlanError {
            what: what.to_owned(),
            plan: self.name.clone(),
            advice: advice.to_owned(),
        }
    }
}

impl Inputs {
    /// Indices from 0; the error is the number of an input that is not there.
    pub(super) fn of(&self, task: &Task) -> Result<Vec<usize>, usize> {
        let n = task.inputs.len();
        match self {
            Self::All => Ok((0..n).collect()),
            Self::First(most) => Ok((0..n.min(*most)).collect()),
            Self::These(numbers) => numbers
                .iter()
                .map(|it| it.checked_sub(1).filter(|it| *it < n).ok_or(*it))
                .collect(),
        }
    }

    fn read(fields: &mut Fields) -> Result<Self, FileError> {
        let value = fields.take("inputs");
        let number = |it: &Value| it.as_u64().and_then(|it| usize::try_from(it).ok());
        match &value {
            None => Ok(Self::All),
            Some(Value::String(text)) if text == "all" => Ok(Self::All),
            Some(it) if number(it).is_some_and(|it| it > 0) => {
                Ok(Self::First(number(it).unwrap_or_default()))
            }
            Some(Value::Array(items)) if items.iter().all(|it| number(it).is_some()) => {
                Ok(Self::These(items.iter().filter_map(number).collect()))
            }
            other => {
                let must = "\"all\", a number from 1, or a list of numbers from 1";
                Err(fields.error("inputs", other.as_ref(), must))
            }
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::All => json!("all"),
            Self::First(n) => json!(n),
            Self::These(numbers) => json!(numbers),
        }
    }
}

fn models(fields: &mut Fields) -> Result<Vec<String>, FileError> {
    let Some(value) = fields.take("models") else {
        return Ok(Vec::new());
    };
    let models = serde_json::from_value(value.clone());
    let must = "a list of model files, by name or path";
    models.map_err(|_other| fields.error("models", Some(&value), must))
}

fn texts(fields: &mut Fields, key: &str) -> Result<Vec<String>, FileError> {
    let value = fields.take(key);
    let texts = value.as_ref().and_then(Value::as_array).and_then(|items| {
        let text = |it: &Value| it.as_str().map(str::to_owned);
        items.iter().map(text).collect::<Option<Vec<_>>>()
    });
    match texts {
        Some(texts) if !texts.is_empty() => Ok(texts),
        _ => Err(fields.error(key, value.as_ref(), "a list of names")),
    }
}

fn styles(fields: &mut Fields) -> Result<Vec<PromptStyle>, FileError> {
    let value = fields.take("styles");
    let Some(value) = value else {
        return Ok(Vec::new());
    };
    let styles = value.as_array().and_then(|items| {
        let style = |it: &Value| it.as_str().and_then(style_of);
        items.iter().map(style).collect::<Option<Vec<_>>>()
    });
    let must = "a list of \"plain\", \"example\" and \"schema\"";
    styles.ok_or_else(|| fields.error("styles", Some(&value), must))
}

fn seeds(fields: &mut Fields) -> Result<Vec<u32>, FileError> {
    let Some(value) = fields.take("seeds") else {
        return Ok(Vec::new());
    };
    let seeds = value.as_array().and_then(|items| {
        let seed = |it: &Value| it.as_u64().and_then(|it| u32::try_from(it).ok());
        items.iter().map(seed).collect::<Option<Vec<_>>>()
    });
    let must = "a list of whole numbers from 0";
    seeds.ok_or_else(|| fields.error("seeds", Some(&value), must))
}

fn examples(fields: &mut Fields) -> Result<Vec<ExampleValues>, FileError> {
    let Some(value) = fields.take("examples") else {
        return Ok(Vec::new());
    };
    let must = "a list of \"own\", \"swapped\" and \"placeholders\"";
    serde_json::from_value(value.clone())
        .map_err(|_unknown| fields.error("examples", Some(&value), must))
}

fn parallel(fields: &mut Fields) -> Result<u32, FileError> {
    let Some(value) = fields.take("parallel") else {
        return Ok(1);
    };
    let width = value.as_u64().and_then(|it| u32::try_from(it).ok());
    let width = width.filter(|it| (1..=MAX_PARALLEL).contains(it));
    let must = format!("a whole number from 1 to {MAX_PARALLEL}");
    width.ok_or_else(|| fields.error("parallel", Some(&value), &must))
}

fn presets(fields: &mut Fields, file_name: &str) -> Result<Vec<PresetChoice>, FileError> {
    let Some(value) = fields.take("presets") else {
        return Ok(Vec::new());
    };
    let Some(items) = value.as_array() else {
        let must = "a list of presets, by name or whole";
        return Err(fields.error("presets", Some(&value), must));
    };
    items
        .iter()
        .map(|it| match it {
            Value::String(name) => Ok(PresetChoice::Named(name.clone())),
            whole => {
                let preset = Preset::parse(&whole.to_string(), file_name)?;
                Ok(PresetChoice::Own(Box::new(preset)))
            }
        })
        .collect()
}
