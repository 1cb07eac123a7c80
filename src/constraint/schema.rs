//! JSON Schema: unwrapped, bounded, and handed to llguidance with a policy for white space.

use std::sync::OnceLock;

use llguidance::ParserFactory;
use llguidance::api::{StopReason, TopLevelGrammar};
use serde_json::{Map, Value, json};
use toktrie::{ApproximateTokEnv, InferenceCapabilities};

use super::schema_bounds::check_bounds;
use super::{ConstraintError, TokenTrie, WhiteSpace, report};
use crate::sampling::TokenId;

/// Bytes of schema text.
const MAX_TEXT: usize = 1_000_000;

/// A reply under a schema.
#[derive(Clone)]
pub(super) struct SchemaWalk {
    matcher: llguidance::Matcher,
}

/// Checks a schema as it is typed; gives a warning for each keyword that the mask does not enforce.
pub(super) fn check(text: &str, white_space: WhiteSpace) -> Result<Vec<String>, ConstraintError> {
    let schema = read(text)?;
    let factory = byte_factory().ok_or_else(|| fault("the schema compiler is not available"))?;
    matcher(&schema, white_space, factory)?;
    Ok(report::sentences(&schema))
}

pub(super) fn compile(
    text: &str,
    white_space: WhiteSpace,
    trie: &TokenTrie,
) -> Result<SchemaWalk, ConstraintError> {
    let schema = read(text)?;
    let matcher = matcher(&schema, white_space, trie.factory())?;
    Ok(SchemaWalk { matcher })
}

/// Reads a schema, bare or inside the shapes that servers take as `response_format`.
pub(super) fn read(text: &str) -> Result<Value, ConstraintError> {
    if text.trim().is_empty() {
        return Err(at(1, 1, "the schema is empty; expected `{`"));
    }
    if text.len() > MAX_TEXT {
        let message = format!(
            "the schema has {} bytes, at most {MAX_TEXT} are read",
            text.len()
        );
        return Err(at(1, 1, &message));
    }
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let end = message.rfind(" at line ").unwrap_or(message.len());
        let message = message.get(..end).unwrap_or(&message);
        at(
            error.line(),
            error.column().max(1),
            &format!("the schema is not JSON: {message}"),
        )
    })?;
    let schema = unwrap(value);
    if !schema.is_object() && !schema.is_boolean() {
        return Err(at(
            1,
            1,
            "a schema is an object in braces, `true` or `false`",
        ));
    }
    check_bounds(&schema)?;
    Ok(schema)
}

impl SchemaWalk {
    /// The tokens that may come next, a bit each; none when the schema is fulfilled to the end.
    pub(super) fn text_mask(&mut self) -> Result<Vec<u32>, ConstraintError> {
        if self.matcher.is_stopped() && !self.matcher.is_error() {
            return Ok(Vec::new());
        }
        match self.matcher.compute_mask() {
            Ok(set) => Ok(set.into()),
            Err(_) if self.matcher.stop_reason() == StopReason::NoExtensionBias => Ok(Vec::new()),
            Err(error) => Err(describe(&error.to_string())),
        }
    }

    /// Takes a token; changes nothing when it is not allowed.
    pub(super) fn accept(&mut self, token: TokenId) -> Result<bool, ConstraintError> {
        if self.matcher.is_stopped() && !self.matcher.is_error() {
            return Ok(false);
        }
        self.matcher
            .try_consume_tokens(&[token])
            .map(|n_taken| n_taken == 1)
            .map_err(|error| describe(&error.to_string()))
    }

    pub(super) fn is_accepting(&mut self) -> bool {
        self.matcher.is_accepting().unwrap_or(false)
    }
}

fn matcher(
    schema: &Value,
    white_space: WhiteSpace,
    factory: &ParserFactory,
) -> Result<llguidance::Matcher, ConstraintError> {
    let mut object = match schema {
        Value::Object(object) => object.clone(),
        Value::Bool(false) => return Err(fault("the schema `false` allows no reply")),
        _ => Map::new(),
    };
    // Whatever the schema says itself, it may not loosen its own mask.
    object.insert("x-guidance".to_owned(), options(white_space));
    let grammar = TopLevelGrammar::from_json_schema(Value::Object(object));
    let parser = factory
        .create_parser(grammar)
        .map_err(|error| locate(schema, describe(&error.to_string())))?;
    Ok(llguidance::Matcher::new(Ok(parser)))
}

fn options(white_space: WhiteSpace) -> Value {
    match white_space {
        WhiteSpace::None => json!({"whitespace_flexible": false}),
        WhiteSpace::One => json!({"whitespace_pattern": r"[\x20\x0A\x0D\x09]"}),
        WhiteSpace::Eight => json!({"whitespace_pattern": r"[\x20\x0A\x0D\x09]{1,8}"}),
        WhiteSpace::Free => json!({"whitespace_flexible": true}),
    }
}

/// A factory over single bytes, for schemas that are checked without a model.
fn byte_factory() -> Option<&'static ParserFactory> {
    static FACTORY: OnceLock<Option<ParserFactory>> = OnceLock::new();
    FACTORY
        .get_or_init(|| {
            let env = ApproximateTokEnv::single_byte_env();
            let mut factory =
                ParserFactory::new(&env, InferenceCapabilities::default(), &[]).ok()?;
            factory.quiet();
            Some(factory)
        })
        .as_ref()
}

/// Takes a schema out of `{"type":"json_schema","json_schema":{"schema":…}}` and the like.
fn unwrap(value: Value) -> Value {
    let inner = |path: &str| value.pointer(path).filter(|it| it.is_object()).cloned();
    let kind = value.get("type").and_then(Value::as_str);
    let schema = match kind {
        Some("json_schema") => inner("/json_schema/schema")
            .or_else(|| inner("/schema"))
            .or_else(|| inner("/json_schema")),
        Some("json_object") => Some(inner("/schema").unwrap_or_else(|| json!({"type": "object"}))),
        None if value.get("response_format").is_some() => inner("/response_format").map(unwrap),
        _ => None,
    };
    schema.unwrap_or(value)
}

/// The library's message in one sentence, without traces and source excerpts.
fn describe(message: &str) -> ConstraintError {
    let first = message.lines().next().unwrap_or_default().trim();
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
    fault(plain.unwrap_or_else(|| format!("the schema cannot be enforced: {first}")))
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

fn fault(message: impl Into<String>) -> ConstraintError {
    ConstraintError {
        message: message.into(),
        place: None,
        within: None,
    }
}

fn at(line: usize, column: usize, message: &str) -> ConstraintError {
    ConstraintError {
        place: Some((line, column)),
        ..fault(message)
    }
}
