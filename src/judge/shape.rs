//! Causes behind the faults that the schema finds: the answer under another key, renamed keys, types.

use serde_json::{Map, Value};

use super::bounds::{child_path, cut, dotted};
use super::cause::Scene;
use super::renamed::renamed_keys;
use super::schema::Finding;
use super::{Cause, Schema, digits, names, wording};

/// How deep an answer may stand inside other values.
const MAX_WRAPPERS: usize = 3;

/// Faults that are turned into causes; a value with more is hopeless.
const MAX_FINDINGS: usize = 100;

/// Kinds of causes, most telling first.
const ORDER: &[&str] = &[
    "nested",
    "renamed_key",
    "missing_key",
    "wrong_type",
    "wrong_enum",
    "unknown_key",
    "wrong_shape",
];

/// All causes behind the findings on a value, most telling first.
pub(super) fn causes(schema: &Schema, value: &Value, findings: &[Finding]) -> Vec<Cause> {
    if findings.is_empty() {
        return Vec::new();
    }
    let (path, inner) = innermost(schema, value);
    if path.is_empty() {
        return faults(schema, value, findings);
    }
    let message = format!(
        "the answer stands inside {}{}",
        dotted(&path),
        list_remark(value)
    );
    let mut causes = vec![Cause::new("nested", message).at(&path)];
    let below = faults(schema, inner, &schema.findings(inner));
    causes.extend(below.into_iter().map(|it| Cause {
        path: it.path.map(|below| format!("{path}{below}")),
        ..it
    }));
    causes
}

/// The causes of one kind, for its row in the table.
pub(super) fn of_kind(scene: &Scene<'_>, kind: &str) -> Vec<Cause> {
    scene
        .shape
        .iter()
        .filter(|it| it.kind == kind)
        .cloned()
        .collect()
}

/// Whether what stands under `properties` is an answer, and no description of one.
pub(super) fn fits_inside(schema: &Schema, inner: &Value) -> bool {
    schema.fits(inner) && inner.as_object().is_none_or(|it| !it.is_empty())
}

/// The value inside that fits better than the whole, with its pointer; an empty one for the whole.
fn innermost<'a>(schema: &Schema, value: &'a Value) -> (String, &'a Value) {
    let mut at = (String::new(), value);
    for _ in 0..MAX_WRAPPERS {
        let Some(inner) = children_of(at.1)
            .into_iter()
            .find(|(_, it)| is_better(schema, it))
        else {
            // One wrapper more may stand around it.
            let Some((key, only)) = only_child(at.1) else {
                break;
            };
            let deeper = children_of(only)
                .into_iter()
                .find(|(_, it)| is_better(schema, it));
            let Some((inner_key, inner)) = deeper else {
                break;
            };
            if has_own_key(schema, at.1) {
                break;
            }
            let path = child_path(&child_path(&at.0, &key), &inner_key);
            return (path, inner);
        };
        if has_own_key(schema, at.1) {
            break;
        }
        at = (child_path(&at.0, &inner.0), inner.1);
    }
    at
}

/// Children by key; a list's only item, because one of several is not the answer.
fn children_of(value: &Value) -> Vec<(String, &Value)> {
    match value {
        Value::Object(fields) => fields.iter().map(|(key, it)| (key.clone(), it)).collect(),
        Value::Array(items) if items.len() == 1 => vec![("0".to_owned(), &items[0])],
        _ => Vec::new(),
    }
}

fn only_child(value: &Value) -> Option<(String, &Value)> {
    let mut children = children_of(value);
    children.pop().filter(|_| children.is_empty())
}

/// Whether an inner value is the answer: it fits, or has most of the keys that the schema wants at its root.
fn is_better(schema: &Schema, inner: &Value) -> bool {
    if !inner.is_object() && !inner.is_array() {
        return false;
    }
    if fits_inside(schema, inner) {
        return true;
    }
    let wanted = wanted_keys(schema.root());
    let Some(fields) = inner.as_object().filter(|_| !wanted.is_empty()) else {
        return false;
    };
    let n = wanted.iter().filter(|it| fields.contains_key(**it)).count();
    let describes = |it: &Value| it.get("type").is_some_and(Value::is_string);
    n * 2 > wanted.len() && !fields.values().any(describes)
}

/// Whether a value has a key of the answer itself, so that it is no wrapper.
fn has_own_key(schema: &Schema, value: &Value) -> bool {
    let wanted = wanted_keys(schema.root());
    value
        .as_object()
        .is_some_and(|fields| wanted.iter().any(|it| fields.contains_key(*it)))
}

fn wanted_keys(schema: &Value) -> Vec<&str> {
    let required = schema.get("required").and_then(Value::as_array);
    let named: Vec<&str> = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if !named.is_empty() {
        return named;
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|it| it.0.as_str())
        .collect()
}

fn list_remark(value: &Value) -> &'static str {
    if value.is_array() {
        ", the only item of a list"
    } else {
        ""
    }
}

/// One cause for each finding, but one for a missing and a surplus key that are the same key.
fn faults(schema: &Schema, value: &Value, findings: &[Finding]) -> Vec<Cause> {
    let flat = flattened(findings);
    let (mut causes, used) = renamed_keys(schema, value, &flat);
    let rest = flat
        .iter()
        .enumerate()
        .filter(|(idx, _)| !used.contains(idx));
    causes.extend(rest.map(|(_, it)| fault_cause(schema, value, it)));
    let rank = |it: &Cause| ORDER.iter().position(|kind| *kind == it.kind);
    causes.sort_by_key(rank);
    causes
}

/// Where no alternative fits, the faults of the nearest one stand for it.
fn flattened(findings: &[Finding]) -> Vec<&Finding> {
    let mut flat = Vec::new();
    let mut left: Vec<&Finding> = findings.iter().rev().collect();
    while let Some(finding) = left.pop() {
        if flat.len() >= MAX_FINDINGS {
            break;
        }
        if finding.nearest.is_empty() {
            flat.push(finding);
        } else {
            left.extend(finding.nearest.iter().rev());
        }
    }
    flat
}

fn fault_cause(schema: &Schema, value: &Value, finding: &Finding) -> Cause {
    let fault = &finding.fault;
    let place = &fault.instance_path;
    let found = value.pointer(place).unwrap_or(&Value::Null);
    let message = format!("at {}: {}", dotted(place), fault.message);
    let kind = match fault.keyword.as_str() {
        "required" | "dependentRequired" => "missing_key",
        "additionalProperties" | "unevaluatedProperties" => {
            let path = child_path(place, finding.key.as_deref().unwrap_or_default());
            return Cause::new("unknown_key", message).at(&path);
        }
        "type" => "wrong_type",
        "enum" | "const" => "wrong_enum",
        _ => "wrong_shape",
    };
    let remark = match kind {
        "wrong_type" => type_remark(schema, place, found),
        "wrong_enum" => enum_remark(schema, place, found),
        _ => None,
    };
    let remark = remark
        .or_else(|| digits::remark(found.as_str()?))
        .map(|it| format!(" ({it})"))
        .unwrap_or_default();
    Cause::new(kind, format!("{message}{remark}")).at(place)
}

/// What a value of the wrong type nearly is.
fn type_remark(schema: &Schema, place: &str, found: &Value) -> Option<String> {
    let here = schema.at(place)?;
    let wants = |name: &str| wording::names_type(here, name);
    match found {
        Value::Array(items) if wants("object") => Some(match items.len() {
            1 => "a list around one item where an object was asked".to_owned(),
            n => format!("a list of {n} items where one object was asked"),
        }),
        Value::Object(fields) if wants("array") => Some(format!(
            "an object of {} keys where a list was asked",
            fields.len()
        )),
        Value::String(text) if wants("array") || wants("object") => {
            let inner: Option<Value> = serde_json::from_str(text).ok();
            match inner.filter(|it| it.is_array() || it.is_object()) {
                Some(_) => Some("JSON inside a text".to_owned()),
                None if text.contains([',', ';', '，', '、', '\n']) && wants("array") => {
                    Some("a joined text where a list was asked".to_owned())
                }
                None => None,
            }
        }
        Value::String(text) if wants("number") || wants("integer") => {
            let is_number = text.trim().parse::<f64>().is_ok_and(f64::is_finite);
            is_number.then(|| "a number in quotes".to_owned())
        }
        Value::String(text) if wants("boolean") => {
            let is_boolean = ["true", "false"].contains(&text.trim().to_lowercase().as_str());
            is_boolean.then(|| "true or false in quotes".to_owned())
        }
        _ => None,
    }
}

/// The allowed value that a wrong one is nearest to.
fn enum_remark(schema: &Schema, place: &str, found: &Value) -> Option<String> {
    let here = schema.at(place)?;
    let options = here.get("enum").and_then(Value::as_array)?;
    let found = found.as_str()?;
    let mut texts = options.iter().filter_map(Value::as_str);
    let folded = super::fold::fold(found);
    if let Some(same) = texts.clone().find(|it| super::fold::fold(it) == folded) {
        return Some(format!(
            "differs from {} only in case or white space",
            Value::from(same)
        ));
    }
    let near = texts.find(|it| names::is_renamed(it, found))?;
    Some(format!("nearest is {}", Value::from(cut(near))))
}

/// The properties that an object has by its schema.
pub(super) fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}
