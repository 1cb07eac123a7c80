//! A preset: prompt style, knobs and constraint under one name.

use serde_json::{Map, Value, json};

use super::Terms;
use crate::judge::Defaults;
use crate::prompt::{Fields, FileError, PromptStyle};
use crate::sampling::{KnobError, Knobs};

/// The key under which knobs are written.
const KNOBS: &str = "knobs";

/// The key under which the constraint is written.
const CONSTRAINT: &str = "constraint";

/// The keys under which the defaults are written.
const DEFAULTS: &str = "defaults";
const IGNORE_UNKNOWN: &str = "ignore_unknown_fields";

/// What a constraint's `kind` may be; for messages.
const CONSTRAINT_KINDS: &str =
    r#""none", "task_grammar", "grammar", "task_schema", "schema" or "regex""#;

/// Prompt styles as files name them.
const STYLES: [(PromptStyle, &str); 3] = [
    (PromptStyle::Plain, "plain"),
    (PromptStyle::Example, "example"),
    (PromptStyle::Schema, "schema"),
];

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
    pub terms: Terms,
    /// What is put in for missing fields, and whether unknown ones are dropped, before the value is judged again.
    pub defaults: Defaults,
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
    /// A regular expression's own text.
    Regex(String),
}

impl Preset {
    /// Reads a preset file. `file_name` is for the error, which names the field, its value and its range.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, FileError> {
        let mut fields = Fields::parse(text, file_name)?;
        let name = fields.name("name")?;
        let title = fields.optional_text("title")?;
        let about = fields.optional_text("about")?;
        let style = read_style(&mut fields)?;
        let mut knob_fields = fields.object(KNOBS)?;
        let knobs = Knobs::from_map(knob_fields.map_mut())
            .map_err(|error| knob_error(&knob_fields, &error))?;
        let mut constraint_fields = fields.object(CONSTRAINT)?;
        let terms = Terms::take(&mut fields, &mut constraint_fields)?;
        let constraint = read_constraint(&mut constraint_fields)?;
        let defaults = read_defaults(&mut fields)?;
        let mut other = fields.rest();
        // A text that the kind has no use for is no unknown field.
        constraint_fields.take("text");
        let inner = [
            (KNOBS, knob_fields.rest()),
            (CONSTRAINT, constraint_fields.rest()),
        ];
        for (key, unknown) in inner.into_iter().filter(|it| !it.1.is_empty()) {
            other.insert(key.to_owned(), Value::Object(unknown));
        }
        Ok(Self {
            title: if title.is_empty() {
                name.clone()
            } else {
                title
            },
            name,
            about,
            style,
            knobs,
            constraint,
            terms,
            defaults,
            other,
        })
    }

    /// The preset as its file holds it; `parse` reads it back to the same preset.
    pub fn to_json(&self) -> Value {
        let mut knobs = self.knobs.to_map();
        knobs.extend(self.unknown_within(KNOBS));
        let mut json = Map::new();
        json.insert("v".to_owned(), json!(1));
        json.insert("name".to_owned(), json!(self.name));
        json.insert("title".to_owned(), json!(self.title));
        json.insert("about".to_owned(), json!(self.about));
        json.insert("style".to_owned(), json!(style_key(self.style)));
        json.insert(KNOBS.to_owned(), Value::Object(knobs));
        let mut constraint = self.constraint.to_json();
        self.terms.put(&mut json, &mut constraint);
        if let Some(fields) = constraint.as_object_mut() {
            fields.extend(self.unknown_within(CONSTRAINT));
        }
        json.insert(CONSTRAINT.to_owned(), constraint);
        if !self.defaults.fields().is_empty() {
            json.insert(DEFAULTS.to_owned(), Value::Object(self.defaults.fields()));
        }
        if self.defaults.ignores_unknown_fields() {
            json.insert(IGNORE_UNKNOWN.to_owned(), json!(true));
        }
        let unknown = self.other.iter();
        let unknown = unknown.filter(|(key, _)| ![KNOBS, CONSTRAINT].contains(&key.as_str()));
        json.extend(unknown.map(|(key, value)| (key.clone(), value.clone())));
        Value::Object(json)
    }

    /// Knobs of the file that this version does not know: they are kept and do nothing.
    pub fn unknown_knobs(&self) -> Vec<&str> {
        self.unknown_names(KNOBS)
    }

    /// Fields of the file's constraint that this version does not know: they are kept and do nothing.
    pub fn unknown_terms(&self) -> Vec<&str> {
        self.unknown_names(CONSTRAINT)
    }

    fn unknown_names(&self, key: &str) -> Vec<&str> {
        let fields = self.other.get(key).and_then(Value::as_object);
        let fields = fields.into_iter().flatten();
        fields.map(|(key, _)| key.as_str()).collect()
    }

    fn unknown_within(&self, key: &str) -> Map<String, Value> {
        let fields = self.other.get(key).and_then(Value::as_object);
        fields.cloned().unwrap_or_default()
    }
}

impl ConstraintChoice {
    /// As a preset file and a record hold it: `{"kind": …, "text": …}`.
    pub fn to_json(&self) -> Value {
        match self {
            Self::None => json!({"kind": "none"}),
            Self::TaskGrammar => json!({"kind": "task_grammar"}),
            Self::Grammar(text) => json!({"kind": "grammar", "text": text}),
            Self::TaskSchema => json!({"kind": "task_schema"}),
            Self::Schema(text) => json!({"kind": "schema", "text": text}),
            Self::Regex(text) => json!({"kind": "regex", "text": text}),
        }
    }
}

fn read_style(fields: &mut Fields) -> Result<PromptStyle, FileError> {
    let Some(style) = fields.take("style") else {
        return Ok(PromptStyle::default());
    };
    style.as_str().and_then(style_of).ok_or_else(|| {
        let must = "\"plain\", \"example\" or \"schema\"";
        fields.error("style", Some(&style), must)
    })
}

/// The style that files name so.
pub(super) fn style_of(key: &str) -> Option<PromptStyle> {
    STYLES
        .iter()
        .find(|(_, it)| *it == key)
        .map(|(style, _)| *style)
}

pub(super) fn style_key(style: PromptStyle) -> &'static str {
    STYLES
        .iter()
        .find(|(it, _)| *it == style)
        .map_or("example", |(_, key)| key)
}

fn read_constraint(fields: &mut Fields) -> Result<ConstraintChoice, FileError> {
    let kind = match fields.take("kind") {
        None if fields.as_map().is_empty() => return Ok(ConstraintChoice::None),
        kind => kind,
    };
    match kind.as_ref().and_then(Value::as_str) {
        Some("none") => Ok(ConstraintChoice::None),
        Some("task_grammar") => Ok(ConstraintChoice::TaskGrammar),
        Some("task_schema") => Ok(ConstraintChoice::TaskSchema),
        Some("grammar") => fields.text("text").map(ConstraintChoice::Grammar),
        Some("schema") => fields.text("text").map(ConstraintChoice::Schema),
        Some("regex") => fields.text("text").map(ConstraintChoice::Regex),
        _ => Err(fields.error("kind", kind.as_ref(), CONSTRAINT_KINDS)),
    }
}

fn read_defaults(fields: &mut Fields) -> Result<Defaults, FileError> {
    let ignores = match fields.take(IGNORE_UNKNOWN) {
        None => false,
        Some(Value::Bool(ignores)) => ignores,
        other => return Err(fields.error(IGNORE_UNKNOWN, other.as_ref(), "true or false")),
    };
    let defaults = fields.object(DEFAULTS)?;
    Defaults::parse(defaults.as_map(), ignores)
        .map_err(|error| defaults.error_text(&error.pointer, &error.value, &error.must))
}

fn knob_error(fields: &Fields, error: &KnobError) -> FileError {
    fields.error_text(&error.key, &error.value, &error.range)
}
