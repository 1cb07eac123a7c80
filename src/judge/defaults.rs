//! What a preset puts in for missing fields, and the value after that.
//!
//! A default is put in as it is written, whatever the schema says of it: a wrong one shows as a fault afterwards.
//! Nothing that the model wrote is changed: `"2"` stays a text, and null is not missing.

use serde_json::{Map, Value};

use super::bounds::{child_path, is_too_deep};
use super::shape::properties;
use super::{AfterDefaults, Schema, Verdict};

/// Most fields that are put in or dropped.
const MAX_FIELDS: usize = 1_000;

/// How often unknown fields are looked for: dropping one can make another alternative the nearest.
const MAX_ROUNDS: usize = 4;

/// Defaults for missing fields, made ready, and whether fields the schema does not allow are dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// As the preset names them.
    fields: Map<String, Value>,
    ignore_unknown_fields: bool,
}

/// A default that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the default for {pointer} is {value}; it must be {must}")]
pub struct DefaultError {
    pub pointer: String,
    pub value: String,
    pub must: String,
}

impl Defaults {
    /// Reads `defaults` of a preset: JSON pointer (`*` for any index or key; a plain name is a key of the root) to
    /// the value that is put in where the field is missing.
    pub fn parse(
        defaults: &Map<String, Value>,
        ignore_unknown_fields: bool,
    ) -> Result<Self, DefaultError> {
        for (pointer, value) in defaults {
            let error = |value: String, must: &str| DefaultError {
                pointer: pointer.clone(),
                value,
                must: must.to_owned(),
            };
            let last = parts(pointer).pop().unwrap_or_default();
            if last.is_empty() || last == "*" {
                let found = format!("{value} for no single field");
                return Err(error(
                    found,
                    "under a pointer to a key, such as /qty or /items/*/qty",
                ));
            }
            if is_too_deep(value) {
                return Err(error("nested deeper than 128".to_owned(), "less deep"));
            }
        }
        Ok(Self {
            fields: defaults.clone(),
            ignore_unknown_fields,
        })
    }

    /// The defaults as the preset names them.
    pub fn fields(&self) -> Map<String, Value> {
        self.fields.clone()
    }

    /// Whether fields that the schema does not allow are dropped.
    pub fn ignores_unknown_fields(&self) -> bool {
        self.ignore_unknown_fields
    }

    /// Whether they change nothing.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && !self.ignore_unknown_fields
    }
}

/// The value after defaults with its own verdict, apart from the one on what the model wrote. None where there are
/// no defaults, or where they change nothing.
pub fn after_defaults(
    value: &Value,
    defaults: &Defaults,
    schema: &Schema,
) -> Option<AfterDefaults> {
    if defaults.is_empty() || is_too_deep(value) {
        return None;
    }
    let mut res = AfterDefaults {
        value: value.clone(),
        ..AfterDefaults::default()
    };
    if defaults.ignore_unknown_fields {
        drop_unknown(schema, &mut res);
    }
    let mut fields: Vec<(Vec<String>, &Value)> = defaults
        .fields
        .iter()
        .map(|(pointer, value)| (parts(pointer), value))
        .collect();
    // What stands further out comes first, so that an object that is put in has its own fields filled too.
    fields.sort_by_key(|it| it.0.len());
    for (parts, default) in fields {
        fill(&mut res.value, ("", &parts), default, &mut res.filled);
    }
    if res.filled.is_empty() && res.dropped.is_empty() {
        return None;
    }
    res.verdict = schema.verdict(&res.value);
    Some(res)
}

/// Drops what the schema refuses, and where it is open what it does not name.
fn drop_unknown(schema: &Schema, res: &mut AfterDefaults) {
    for _ in 0..MAX_ROUNDS {
        let mut unknown = Vec::new();
        refused(schema.verdict(&res.value), schema, &res.value, &mut unknown);
        if unknown.is_empty() {
            break;
        }
        for (place, key) in unknown {
            let object = res.value.pointer_mut(&place).and_then(Value::as_object_mut);
            if object.is_some_and(|it| it.shift_remove(&key).is_some()) {
                res.dropped.push(child_path(&place, &key));
            }
        }
    }
    unnamed("", schema, &mut res.value, &mut res.dropped);
}

/// The keys that faults of this verdict are about.
fn refused(verdict: Verdict, schema: &Schema, value: &Value, unknown: &mut Vec<(String, String)>) {
    let mut faults = verdict.faults;
    while let Some(fault) = faults.pop() {
        if let Some(nearest) = fault.branches.into_iter().next() {
            faults.extend(nearest.faults);
        }
        let is_about_keys =
            ["additionalProperties", "unevaluatedProperties"].contains(&fault.keyword.as_str());
        if !is_about_keys || unknown.len() >= MAX_FIELDS {
            continue;
        }
        let place = fault.instance_path;
        let known = schema.at(&place).and_then(properties);
        let fields = value.pointer(&place).and_then(Value::as_object);
        for key in fields.into_iter().flatten().map(|it| it.0) {
            let is_unknown = known.is_none_or(|it| !it.contains_key(key));
            let quoted = Value::from(key.as_str()).to_string();
            if is_unknown && fault.message.contains(&quoted) {
                unknown.push((place.clone(), key.clone()));
            }
        }
    }
}

/// An object whose schema names its properties and says nothing of others loses the others.
fn unnamed(path: &str, schema: &Schema, value: &mut Value, dropped: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(here) = schema.at(path)
                && let Some(known) = properties(here)
                && here.get("patternProperties").is_none()
                && here
                    .get("additionalProperties")
                    .is_none_or(Value::is_boolean)
                && !["anyOf", "oneOf", "allOf"]
                    .iter()
                    .any(|it| here.get(*it).is_some())
            {
                let unknown: Vec<String> = fields
                    .keys()
                    .filter(|it| !known.contains_key(*it))
                    .cloned()
                    .collect();
                for key in unknown {
                    fields.shift_remove(&key);
                    dropped.push(child_path(path, &key));
                }
            }
            for (key, field) in fields {
                unnamed(&child_path(path, key), schema, field, dropped);
            }
        }
        Value::Array(items) => {
            for (idx, item) in items.iter_mut().enumerate() {
                unnamed(&child_path(path, &idx.to_string()), schema, item, dropped);
            }
        }
        _ => {}
    }
}

/// Puts the default into every object that the pointer's parents lead to and that lacks the key.
fn fill(
    value: &mut Value,
    (path, parts): (&str, &[String]),
    default: &Value,
    filled: &mut Vec<String>,
) {
    let Some((key, rest)) = parts.split_first() else {
        return;
    };
    if filled.len() >= MAX_FIELDS {
        return;
    }
    match value {
        Value::Object(fields) if rest.is_empty() => {
            if !fields.contains_key(key) {
                fields.insert(key.clone(), default.clone());
                filled.push(child_path(path, key));
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut().filter(|it| key == "*" || it.0 == key) {
                fill(field, (&child_path(path, name), rest), default, filled);
            }
        }
        Value::Array(items) => {
            for (idx, item) in items.iter_mut().enumerate() {
                let name = idx.to_string();
                if key == "*" || *key == name {
                    fill(item, (&child_path(path, &name), rest), default, filled);
                }
            }
        }
        _ => {}
    }
}

fn parts(pointer: &str) -> Vec<String> {
    let key = |it: &str| it.replace("~1", "/").replace("~0", "~");
    match pointer.strip_prefix('/') {
        Some(rest) => rest.split('/').map(key).collect(),
        None => vec![pointer.to_owned()],
    }
}
