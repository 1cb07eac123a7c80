//! A task: instruction, schema, few-shot examples, and inputs with their right answers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Fields, FileError, RuleError, Rules};

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

/// The field of a task file that names the task from which its inputs come.
const INPUTS_OF: &str = "inputs_of";

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

impl PromptStyle {
    /// The name in files and on the command line.
    pub fn label(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Example => "example",
            Self::Schema => "schema",
        }
    }
}

impl Task {
    /// Reads a task file. `file_name` is for the error, which names the field, its value and what it must be.
    /// Whether the schema compiles and the answers fit it is for `judge::Schema` to say.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, FileError> {
        let mut fields = Fields::parse(text, file_name)?;
        let id = fields.name("id")?;
        let title = fields.text("title")?;
        let system = fields.optional_text("system")?;
        let instruction = fields.text("instruction")?;
        let schema = read_schema(&mut fields)?;
        let examples = fields.objects("examples")?;
        let examples = examples
            .into_iter()
            .map(read_example)
            .collect::<Result<_, _>>()?;
        let inputs = fields.objects("inputs")?;
        let inputs = inputs
            .into_iter()
            .map(read_input)
            .collect::<Result<_, _>>()?;
        let rules_fields = fields.object("rules")?;
        let rules = read_rules(rules_fields)?;
        Ok(Self {
            v: 1,
            id,
            title,
            system,
            instruction,
            schema,
            examples,
            inputs,
            rules,
            other: fields.rest(),
        })
    }

    /// The task from which the inputs come: this one, unless it was made of some replies to another.
    pub fn origin(&self) -> &str {
        let origin = self.other.get(INPUTS_OF).and_then(Value::as_str);
        origin.unwrap_or(&self.id)
    }

    /// The same task under another name with only these inputs.
    #[must_use]
    pub fn with_inputs(&self, id: String, title: String, inputs: Vec<TaskInput>) -> Self {
        let mut task = Self {
            id,
            title,
            inputs,
            ..self.clone()
        };
        let origin = self.origin().to_owned();
        task.other.insert(INPUTS_OF.to_owned(), origin.into());
        task
    }

    /// The task's rules of comparison, made ready. Never an error for a task that came through `parse`.
    pub fn comparison(&self) -> Result<Rules, RuleError> {
        Rules::parse(&self.rules)
    }
}

fn read_schema(fields: &mut Fields) -> Result<Value, FileError> {
    match fields.take("schema") {
        Some(schema) if schema.is_object() => Ok(schema),
        other => Err(fields.error("schema", other.as_ref(), "a JSON Schema (an object)")),
    }
}

fn read_example(mut fields: Fields) -> Result<Example, FileError> {
    let input = fields.text("input")?;
    match fields.take("answer") {
        Some(answer) => Ok(Example { input, answer }),
        None => Err(fields.error("answer", None, "the right answer to the example's input")),
    }
}

fn read_input(mut fields: Fields) -> Result<TaskInput, FileError> {
    Ok(TaskInput {
        text: fields.text("text")?,
        answer: fields.take("answer"),
    })
}

fn read_rules(fields: Fields) -> Result<Map<String, Value>, FileError> {
    if let Err(error) = Rules::parse(fields.as_map()) {
        return Err(fields.error_text(&error.pointer, &error.value, &error.must));
    }
    Ok(fields.rest())
}
