//! From instruction, schema, examples and input to the messages of a chat.

use serde_json::Value;

use super::json::{indented, spaced};
use super::{Example, Message, PromptStyle, Role, TemplateChoice};

/// What a prompt is made of.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// The system message; empty for none.
    pub system: &'a str,
    pub instruction: &'a str,
    pub schema: Option<&'a Value>,
    pub style: PromptStyle,
    /// The examples that are switched on; shown by the style `example` only.
    pub examples: &'a [Example],
    pub input: &'a str,
    /// Without a template and an instruction, the input is the prompt.
    pub template: TemplateChoice,
}

/// Lays the prompt out: a system message, then for each example a question and its answer, then the
/// question itself. The instruction and the schema stand in the first question; each question ends with
/// the format that is wanted, so that it stands near the end of the prompt.
///
/// Without instruction and input there is nothing to ask, so there are no messages at all. Without a template
/// and an instruction, the input stands as it was written and nothing is added.
pub fn messages(layout: &Layout<'_>) -> Vec<Message> {
    let [has_instruction, has_input] =
        [layout.instruction, layout.input].map(|it| !it.trim().is_empty());
    if !has_instruction && !has_input {
        return Vec::new();
    }
    let mut messages = Vec::new();
    if !layout.system.trim().is_empty() {
        messages.push(message(Role::System, layout.system.to_owned()));
    }
    let is_raw = layout.template == TemplateChoice::Raw;
    if is_raw && !has_instruction {
        messages.push(message(Role::User, layout.input.to_owned()));
        return messages;
    }
    let examples = match layout.style {
        PromptStyle::Example => layout.examples,
        PromptStyle::Plain | PromptStyle::Schema => &[],
    };
    let mut head = Some(head(layout));
    let ending = ending(layout);
    for example in examples {
        let question = question(head.take(), &example.input, &ending);
        messages.push(message(Role::User, question));
        messages.push(message(Role::Assistant, spaced(&example.answer)));
    }
    let mut question = question(head, layout.input, &ending);
    if is_raw {
        // No template ends the question, and the reply shall not go on in its line.
        question.push_str("\n\n");
    }
    messages.push(message(Role::User, question));
    messages
}

fn message(role: Role, content: String) -> Message {
    Message { role, content }
}

fn head(layout: &Layout<'_>) -> String {
    let mut parts = Vec::new();
    if !layout.instruction.trim().is_empty() {
        parts.push(layout.instruction.trim().to_owned());
    }
    let shown = layout.schema.filter(|_| layout.style != PromptStyle::Plain);
    if let Some(schema) = shown {
        parts.push(format!(
            "The answer's JSON Schema:\n{}",
            indented(schema, 2)
        ));
    }
    parts.join("\n\n")
}

fn question(head: Option<String>, input: &str, ending: &str) -> String {
    let head = head.filter(|it| !it.is_empty());
    let parts = head
        .into_iter()
        .chain([format!("Input: {}", input.trim()), ending.to_owned()]);
    parts.collect::<Vec<_>>().join("\n\n")
}

/// The plain style shows no schema, so the keys are named.
fn ending(layout: &Layout<'_>) -> String {
    let (first, last) = match layout.schema.and_then(|it| it.get("type")) {
        Some(kind) if kind == "array" => ('[', ']'),
        _ => ('{', '}'),
    };
    let keys = layout
        .schema
        .filter(|_| layout.style == PromptStyle::Plain)
        .map(named_keys)
        .unwrap_or_default();
    format!("Answer with JSON only{keys}, from {first} to {last}.")
}

/// ` with the keys speaker, mood, reply`, or nothing when the schema names none.
fn named_keys(schema: &Value) -> String {
    let properties = schema.get("properties").and_then(Value::as_object);
    let keys: Vec<_> = properties
        .into_iter()
        .flatten()
        .map(|(key, field)| {
            let inner = field.get("items").map(named_keys).unwrap_or_default();
            let list = if inner.is_empty() {
                ""
            } else {
                " (a list of objects"
            };
            let close = if inner.is_empty() { "" } else { ")" };
            format!("{key}{list}{inner}{close}")
        })
        .collect();
    if keys.is_empty() {
        return String::new();
    }
    format!(" with the keys {}", keys.join(", "))
}
