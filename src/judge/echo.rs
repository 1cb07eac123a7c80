//! Replies that say again what they were told: the schema, an example, the input.

use serde_json::Value;

use super::bounds::{child_path, children, dotted, quoted};
use super::cause::Scene;
use super::compare::correctness;
use super::fold::{fold, is_ideograph};
use super::nothing::answer_start;
use super::shape::fits_inside;
use super::{Cause, Source};
use crate::prompt::Rules;

/// Fewest letters of an input whose repetition is an echo rather than chance; a Han or Hangul letter says as much
/// as three others.
const MIN_LETTERS: usize = 12;

/// The types of JSON Schema by name.
const TYPES: [&str; 7] = [
    "object", "array", "string", "number", "integer", "boolean", "null",
];

pub(super) fn schema(scene: &Scene<'_>) -> Vec<Cause> {
    let found = match scene.value() {
        Some(value) => schema_in_value(scene, value),
        None => schema_in_text(scene),
    };
    found.into_iter().collect()
}

/// The value is an example's answer, or nothing in it is anything else.
pub(super) fn example(scene: &Scene<'_>) -> Vec<Cause> {
    let Some(value) = scene.value().filter(|_| !scene.leaks.is_empty()) else {
        return Vec::new();
    };
    let is_read =
        |source: Source| matches!(source, Source::Input | Source::Derived | Source::Invented);
    let is_all_copied = !scene.origins.leaves.iter().any(|it| is_read(it.source));
    let examples = scene.judged.examples.iter();
    let same = examples.enumerate().find(|(_, it)| {
        is_same(value, &it.answer) || (is_all_copied && has_same_shape(value, &it.answer))
    });
    same.map(|(idx, _)| {
        let message = format!("the reply repeats the answer of example {}", idx + 1);
        Cause::new("echo_example", message).at("")
    })
    .into_iter()
    .collect()
}

pub(super) fn input(scene: &Scene<'_>) -> Vec<Cause> {
    let input = letters(scene.judged.input);
    if weight(&input) < MIN_LETTERS {
        return Vec::new();
    }
    let message = "the reply repeats the input";
    let Some(value) = scene.value() else {
        let reply = letters(scene.judged.reply);
        let is_whole = reply.contains(&input) && reply.len() * 2 <= input.len() * 5;
        let is_part = reply.len() * 2 >= input.len() && input.contains(&reply);
        let text = scene.judged.reply;
        let cause = || Cause::new("echo_input", message.to_owned()).over(0, text.len());
        return (is_whole || is_part).then(cause).into_iter().collect();
    };
    let is_echo = |_: &str, leaf: &Value| leaf.as_str().is_some_and(|it| letters(it) == input);
    let found = scene
        .is_wrong()
        .then(|| find_leaf(value, &is_echo))
        .flatten();
    found
        .filter(|path| is_not_right(scene, path))
        .map(|path| Cause::new("echo_input", format!("{message} at {}", dotted(&path))).at(&path))
        .into_iter()
        .collect()
}

/// Whether the known answer has something else at a place.
fn is_not_right(scene: &Scene<'_>, path: &str) -> bool {
    let right = scene.judged.answer.and_then(|it| it.pointer(path));
    right.is_none() || right != scene.value().and_then(|it| it.pointer(path))
}

fn schema_in_value(scene: &Scene<'_>, value: &Value) -> Option<Cause> {
    let schema = scene.judged.schema?;
    let cause = |path: &str, message: String| Some(Cause::new("echo_schema", message).at(path));
    if !scene.findings.is_empty() {
        let inside = value.get("properties");
        let is_answer = inside.is_some_and(|it| fits_inside(schema, it));
        if (value == schema.source() || is_schema(value)) && !is_answer {
            return cause("", "the reply repeats the schema".to_owned());
        }
        let places = scene
            .findings
            .iter()
            .map(|it| it.fault.instance_path.as_str());
        let found = places
            .into_iter()
            .find(|it| value.pointer(it).is_some_and(is_schema_or_type));
        if let Some(path) = found {
            let message = format!("the reply repeats the schema at {}", dotted(path));
            return cause(path, message);
        }
    }
    let is_echo = |path: &str, leaf: &Value| is_told(scene, path, leaf);
    let path = find_leaf(value, &is_echo)?;
    let what = value.pointer(&path).map(quoted).unwrap_or_default();
    let message = format!("{} repeats the schema's own word {what}", dotted(&path));
    cause(&path, message)
}

/// Whether an object describes a value instead of being one.
fn is_schema(value: &Value) -> bool {
    let Some(properties) = value.get("properties").and_then(Value::as_object) else {
        return is_schema_or_type(value) && value.get("items").is_some_and(is_schema_or_type);
    };
    value.get("type").is_some() || properties.values().all(is_schema_or_type)
}

fn is_schema_or_type(value: &Value) -> bool {
    let named = value.get("type").and_then(Value::as_str);
    named.is_some_and(|it| TYPES.contains(&it))
        || value
            .get("properties")
            .is_some_and(|it| !it.is_null() && it.is_object())
            && value.get("type").is_some()
        || value.get("$ref").is_some()
}

/// Whether a leaf is the name of the type, or the description, that the schema has at its place.
fn is_told(scene: &Scene<'_>, path: &str, leaf: &Value) -> bool {
    let (Some(text), Some(schema)) = (leaf.as_str(), scene.judged.schema) else {
        return false;
    };
    let Some(here) = schema.at(path) else {
        return false;
    };
    let types = match here.get("type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(name)) => vec![name.as_str()],
        _ => Vec::new(),
    };
    let text = fold(text);
    let text = text.trim_matches(['<', '>', '[', ']', '{', '}']);
    let says = |keyword: &str| here.get(keyword).and_then(Value::as_str).map(fold);
    let is_description = ["description", "title"]
        .iter()
        .filter_map(|it| says(it))
        .any(|it| it == text);
    let is_allowed = here.get("enum").is_some() && scene.findings.is_empty();
    !is_allowed && (types.iter().any(|it| *it == text && *it != "null") || is_description)
}

fn schema_in_text(scene: &Scene<'_>) -> Option<Cause> {
    let reply = scene.judged.reply;
    let answer = reply[answer_start(reply)..].trim_start();
    let schema = scene.judged.schema?.source();
    let begins = answer
        .trim_start_matches('`')
        .trim_start_matches("json")
        .trim_start();
    let is_begun = begins.starts_with('{')
        && ["\"type\"", "\"properties\""]
            .iter()
            .all(|it| begins.contains(it))
        && schema.pointer("/properties/properties").is_none();
    let whole = letters(&schema.to_string());
    let said = letters(answer);
    let is_whole = whole.len() >= 20 && said.contains(&whole);
    (is_begun || is_whole)
        .then(|| Cause::new("echo_schema", "the reply repeats the schema".to_owned()).at(""))
}

/// The first leaf, in the value's order, of which something holds.
fn find_leaf(value: &Value, holds: &dyn Fn(&str, &Value) -> bool) -> Option<String> {
    let mut left = vec![(String::new(), value)];
    while let Some((path, value)) = left.pop() {
        match value {
            Value::Array(items) => left.extend(
                items
                    .iter()
                    .enumerate()
                    .rev()
                    .map(|(idx, it)| (child_path(&path, &idx.to_string()), it)),
            ),
            Value::Object(fields) => {
                left.extend(
                    fields
                        .iter()
                        .rev()
                        .map(|(key, it)| (child_path(&path, key), it)),
                );
            }
            leaf if holds(&path, leaf) => return Some(path),
            _ => {}
        }
    }
    None
}

/// The same value but for how its texts are written.
fn is_same(value: &Value, answer: &Value) -> bool {
    let folded = serde_json::json!({"": "folded"});
    let rules = folded.as_object().and_then(|it| Rules::parse(it).ok());
    correctness(value, answer, &rules.unwrap_or_default()).correct
}

/// The same keys, and lists where there are lists.
fn has_same_shape(value: &Value, answer: &Value) -> bool {
    match (value, answer) {
        (Value::Object(fields), Value::Object(wanted)) => {
            fields.len() == wanted.len()
                && fields.iter().all(|(key, it)| {
                    wanted
                        .get(key)
                        .is_some_and(|other| has_same_shape(it, other))
                })
        }
        (Value::Array(items), Value::Array(wanted)) => {
            items.len() <= wanted.len()
                && items.iter().zip(wanted).all(|(a, b)| has_same_shape(a, b))
        }
        _ => children(value).is_empty() && children(answer).is_empty(),
    }
}

/// Letters and digits alone, so that quotes and line breaks hide no echo.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|it| it.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn weight(letters: &str) -> usize {
    letters
        .chars()
        .map(|it| if is_ideograph(it) { 3 } else { 1 })
        .sum()
}
