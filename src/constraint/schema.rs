//! JSON Schema: read, bounded, and handed to llguidance with its switches.

use llguidance::ParserFactory;
use llguidance::api::TopLevelGrammar;
use serde_json::{Map, Value};

use super::envelope::read_schema;
use super::guided::{GuidedWalk, byte_factory, first_line};
use super::{ConstraintError, SchemaSwitches, TokenTrie, WhiteSpace, report};

/// How a schema is held to.
pub(super) type Terms<'t> = (WhiteSpace, &'t SchemaSwitches);

pub(super) fn compile(
    text: &str,
    terms: Terms<'_>,
    trie: &TokenTrie,
) -> Result<GuidedWalk, ConstraintError> {
    walk(&read_schema(text)?.schema, terms, trie.factory())
}

/// Compiles without a model.
pub(super) fn try_compile(schema: &Value, terms: Terms<'_>) -> Result<GuidedWalk, ConstraintError> {
    walk(schema, terms, byte_factory()?)
}

fn walk(
    schema: &Value,
    (white_space, switches): Terms<'_>,
    factory: &ParserFactory,
) -> Result<GuidedWalk, ConstraintError> {
    let mut object = match schema {
        Value::Object(object) => object.clone(),
        Value::Bool(false) => {
            return Err(ConstraintError::new("the schema `false` allows no reply"));
        }
        _ => Map::new(),
    };
    // Whatever the schema says itself, it may not loosen its own mask.
    let mut options = switches.options(white_space)?;
    if has_open_names(schema) {
        options.insert("json_allowed_escapes".to_owned(), PLAIN_ESCAPES.into());
    }
    object.insert("x-guidance".to_owned(), Value::Object(options));
    let grammar = TopLevelGrammar::from_json_schema(Value::Object(object));
    GuidedWalk::new(grammar, factory).map_err(|it| locate(schema, describe(&it)))
}

/// Escapes of JSON but for `\u`.
const PLAIN_ESCAPES: &str = "nrbtf\\\"";

/// Whether an object lists some of its names and lets others in.
///
/// A listed name spelled with `\u` would pass for another name, and its value would be held to nothing. So such
/// schemas are held to without that escape; what it stands for can be written as it is, but for control characters.
fn has_open_names(schema: &Value) -> bool {
    let mut left = vec![schema];
    while let Some(value) = left.pop() {
        match value {
            Value::Object(object) => {
                let lists = ["properties", "patternProperties"]
                    .iter()
                    .any(|it| object.get(*it).is_some_and(Value::is_object));
                let is_closed = object.get("additionalProperties") == Some(&Value::Bool(false))
                    && !object.contains_key("patternProperties");
                if lists && !is_closed {
                    return true;
                }
                left.extend(object.values());
            }
            Value::Array(items) => left.extend(items),
            _ => {}
        }
    }
    false
}

/// The library's message in one sentence, without traces and source excerpts.
fn describe(message: &str) -> ConstraintError {
    let first = first_line(message);
    let plain = first
        .strip_prefix("Unimplemented keys: ")
        .map(|keys| {
            let keys = keys.trim_matches(['[', ']']).replace('"', "");
            format!("the keyword {keys} cannot be enforced while a reply is written")
        })
        .or_else(|| {
            first.strip_prefix("Unknown format: ").map(|format| {
                format!("the format {format} cannot be enforced while a reply is written")
            })
        })
        .or_else(|| {
            first.starts_with("oneOf constraints").then(|| {
                "oneOf cannot be enforced here: its branches overlap; \
                 expected branches that differ in type or in a required constant"
                    .to_owned()
            })
        });
    ConstraintError::new(plain.unwrap_or_else(|| format!("the schema cannot be enforced: {first}")))
}

/// Adds the JSON pointer of the keyword that the message names, if it stands at one place only.
fn locate(schema: &Value, error: ConstraintError) -> ConstraintError {
    let places: Vec<String> = report::report(schema)
        .into_iter()
        .filter(|it| names(&error.message, &it.keyword, it.value(schema)))
        .map(|it| it.pointer)
        .collect();
    ConstraintError {
        within: places.into_iter().next(),
        ..error
    }
}

fn names(message: &str, keyword: &str, value: Option<&Value>) -> bool {
    if keyword == "format" {
        let format = value.and_then(Value::as_str).unwrap_or_default();
        return message.starts_with(&format!("the format {format} "));
    }
    message
        .strip_prefix("the keyword ")
        .and_then(|it| it.split(" cannot").next())
        .is_some_and(|it| it.split(", ").any(|it| it == keyword))
        || (keyword == "oneOf" && message.starts_with("oneOf "))
        || (matches!(keyword, "minProperties" | "maxProperties")
            && message.contains("min/maxProperties"))
}
