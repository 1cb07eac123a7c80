//! How deep and wide a schema may be, so that its compiler cannot run out of stack.

use std::collections::HashSet;

use serde_json::Value;

use super::ConstraintError;
use super::keywords::{Kind, kind_of};

/// Levels of nesting, as in everything that the project reads.
const MAX_DEPTH: usize = 128;
/// Keys of one object: 1,000 optional properties take the compiler half a second.
const MAX_KEYS: usize = 1_000;
/// Levels that references inside references come to; 440 fill a stack of 2 MB.
const MAX_REFERENCE_DEPTH: usize = 200;

/// # Errors
/// The bound that the schema exceeds, with the JSON pointer.
pub(super) fn check_bounds(schema: &Value) -> Result<(), ConstraintError> {
    let mut todo = vec![(schema, String::new(), 0)];
    while let Some((value, pointer, depth)) = todo.pop() {
        if depth > MAX_DEPTH {
            return Err(too_much(
                pointer,
                format!("the schema is nested more than {MAX_DEPTH} deep"),
            ));
        }
        match value {
            Value::Object(object) => {
                if object.len() > MAX_KEYS {
                    let message =
                        format!("more than {MAX_KEYS} keys in one object ({})", object.len());
                    return Err(too_much(pointer, message));
                }
                for (key, value) in object {
                    todo.push((value, below(&pointer, key), depth + 1));
                }
            }
            Value::Array(items) => {
                for (value, idx) in items.iter().zip(0..) {
                    if value.is_object() || value.is_array() {
                        todo.push((value, format!("{pointer}/{idx}"), depth + 1));
                    }
                }
            }
            _ => {}
        }
    }
    check_references(schema)
}

/// A pointer to a key of the object at `pointer`.
pub(super) fn below(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Follows each reference once and in the compiler's order, and counts the levels open at once.
fn check_references(schema: &Value) -> Result<(), ConstraintError> {
    let mut seen = HashSet::new();
    let mut todo = vec![(schema, 0)];
    while let Some((value, depth)) = todo.pop() {
        if depth > MAX_REFERENCE_DEPTH {
            let message = format!("references lead more than {MAX_REFERENCE_DEPTH} levels deep");
            return Err(too_much(String::new(), message));
        }
        let mut inner: Vec<&Value> = Vec::new();
        for (keyword, value) in value.as_object().into_iter().flatten() {
            match (kind_of(keyword), value) {
                // What is defined is compiled where it is referred to.
                _ if matches!(keyword.as_str(), "$defs" | "definitions") => {}
                (Kind::Schema, Value::Array(schemas)) => inner.extend(schemas),
                (Kind::Schema, _) => inner.push(value),
                (Kind::SchemaMap, Value::Object(schemas)) => inner.extend(schemas.values()),
                _ if keyword == "$ref" => {
                    let target = value.as_str().filter(|it| seen.insert(*it));
                    let pointer = target.and_then(|it| it.strip_prefix('#'));
                    inner.extend(pointer.and_then(|it| schema.pointer(it)));
                }
                _ => {}
            }
        }
        todo.extend(inner.into_iter().rev().map(|it| (it, depth + 1)));
    }
    Ok(())
}

fn too_much(pointer: String, message: String) -> ConstraintError {
    ConstraintError {
        message,
        place: None,
        within: Some(pointer),
    }
}
