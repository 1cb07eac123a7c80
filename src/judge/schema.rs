//! A JSON Schema made ready, and its verdict on a value.

use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

use super::bounds::{MAX_DEPTH, is_too_deep};
use super::branching::is_too_much;
use super::tree::Tree;
use super::{Fault, Verdict};
use super::{subschema, wording};

/// Most faults that are listed; a value with more is hopeless and its list useless.
const MAX_FAULTS: usize = 1_000;

/// Steps a pattern may backtrack before it counts as not matching.
const BACKTRACK_LIMIT: usize = 10_000;

/// Local references that are followed to find the types of the root.
const MAX_REFERENCES: usize = 16;

/// Types of JSON Schema, as its `type` keyword names them.
const TYPES: [&str; 7] = [
    "object", "array", "string", "number", "integer", "boolean", "null",
];

/// A schema that is ready to judge. Never reads a file or the network; formats are checked.
#[derive(Debug)]
pub struct Schema {
    source: Value,
    validator: Validator,
}

/// Why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the schema cannot be used: {message}{}", place.as_ref().map(|it| format!("; at {it}")).unwrap_or_default())]
pub struct SchemaError {
    pub message: String,
    /// JSON pointer into the schema; none when the fault has no place.
    pub place: Option<String>,
}

/// A fault with the key it is about, for the search for causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) fault: Fault,
    /// The key that is missing or not allowed.
    pub(super) key: Option<String>,
    /// Where no alternative fits: what the nearest one lacks.
    pub(super) nearest: Vec<Self>,
}

impl Schema {
    /// Makes a schema ready. Nesting deeper than 128 is refused; references outside the schema are errors.
    pub fn parse(source: &Value) -> Result<Self, SchemaError> {
        if !source.is_object() && !source.is_boolean() {
            return Err(SchemaError {
                message: format!(
                    "it is {}; it must be an object",
                    wording::with_article(source)
                ),
                place: None,
            });
        }
        if is_too_deep(source) {
            return Err(SchemaError {
                message: format!("it is nested deeper than {MAX_DEPTH}"),
                place: None,
            });
        }
        let validator = jsonschema::options()
            .offline()
            .should_validate_formats(true)
            .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
            .build(source)
            .map_err(|error| schema_error(&error))?;
        Ok(Self {
            source: source.clone(),
            validator,
        })
    }

    /// The schema as it was given, order of properties kept.
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// All faults of a value (at most 1,000). Whether the value was repaired is the caller's to say.
    pub fn verdict(&self, value: &Value) -> Verdict {
        let findings = self.findings(value);
        Verdict {
            valid: findings.is_empty(),
            on_repaired: false,
            faults: findings.into_iter().map(|it| it.fault).collect(),
        }
    }

    /// Whether a value has no fault.
    pub fn fits(&self, value: &Value) -> bool {
        !is_too_deep(value) && self.validator.is_valid(value)
    }

    /// The types that the root may have, as the schema's `type` names them; empty when any will do.
    pub fn root_types(&self) -> Vec<&'static str> {
        root_types(&self.source, &self.source, MAX_REFERENCES).unwrap_or_default()
    }

    pub(super) fn findings(&self, value: &Value) -> Vec<Finding> {
        if is_too_deep(value) {
            let message = format!("the value is nested deeper than {MAX_DEPTH}");
            return vec![at_root("depth", message)];
        }
        if self.validator.is_valid(value) {
            return Vec::new();
        }
        if is_too_much(&self.source, value) {
            let message = "the value does not fit; it is nested too deep to name each fault, \
                           as the schema refers to itself in several alternatives";
            return vec![at_root("depth", message.to_owned())];
        }
        let mut tree = Tree::new(&self.source);
        self.validator
            .iter_errors(value)
            .flat_map(|error| tree.findings(&error))
            .take(MAX_FAULTS)
            .collect()
    }

    /// The schema of the root, references followed.
    pub(super) fn root(&self) -> &Value {
        subschema::resolved(&self.source, &self.source)
    }

    /// The schema of what stands at a place of the value (a JSON pointer), as far as it can be told without a value:
    /// through properties, items and references, and the first alternative that knows the place.
    pub(super) fn at(&self, pointer: &str) -> Option<&Value> {
        subschema::at(&self.source, pointer)
    }
}

fn at_root(keyword: &str, message: String) -> Finding {
    Finding {
        fault: Fault {
            instance_path: String::new(),
            keyword: keyword.to_owned(),
            message,
            branches: Vec::new(),
        },
        key: None,
        nearest: Vec::new(),
    }
}

fn schema_error(error: &ValidationError<'_>) -> SchemaError {
    let place = error.instance_path().as_str();
    SchemaError {
        message: wording::message(error),
        place: (!place.is_empty()).then(|| place.to_owned()),
    }
}

/// `None`: any type will do.
fn root_types(root: &Value, schema: &Value, n_left: usize) -> Option<Vec<&'static str>> {
    let n_left = n_left.checked_sub(1)?;
    let schema = schema.as_object()?;
    if let Some(types) = schema.get("type") {
        return named_types(types);
    }
    if let Some(constant) = schema.get("const") {
        return Some(vec![wording::type_of(constant)]);
    }
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        return Some(unique(options.iter().map(wording::type_of)));
    }
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(reference.strip_prefix('#')?)?;
        return root_types(root, target, n_left);
    }
    let branches = ["anyOf", "oneOf"]
        .iter()
        .find_map(|it| schema.get(*it)?.as_array())?;
    let mut types = Vec::new();
    for branch in branches {
        types.extend(root_types(root, branch, n_left)?);
    }
    Some(unique(types.into_iter()))
}

fn named_types(types: &Value) -> Option<Vec<&'static str>> {
    let named = match types {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    Some(TYPES.into_iter().filter(|it| named.contains(it)).collect())
}

fn unique(types: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let found: Vec<_> = types.collect();
    TYPES.into_iter().filter(|it| found.contains(it)).collect()
}
