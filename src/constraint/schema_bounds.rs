//! How deep and wide a schema may be, so that its compiler cannot run out of stack.

use serde_json::Value;

use super::ConstraintError;

/// Levels of nesting, as in everything that the project reads.
const MAX_DEPTH: usize = 128;
/// Properties of one object; the compiler goes one level down for each.
const MAX_PROPERTIES: usize = 500;
/// Levels that references inside references come to.
const MAX_REFERENCE_DEPTH: usize = 500;

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
                if object.len() > MAX_PROPERTIES {
                    let message = format!(
                        "more than {MAX_PROPERTIES} properties in one object ({})",
                        object.len()
                    );
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

/// Follows each reference once, as the compiler does, and counts the levels that are open at once.
fn check_references(schema: &Value) -> Result<(), ConstraintError> {
    let mut seen = std::collections::HashSet::new();
    let mut todo = vec![(schema, 0)];
    while let Some((value, depth)) = todo.pop() {
        if depth > MAX_REFERENCE_DEPTH {
            let message = format!("references lead more than {MAX_REFERENCE_DEPTH} levels deep");
            return Err(too_much(String::new(), message));
        }
        match value {
            Value::Object(object) => {
                todo.extend(object.values().map(|it| (it, depth + 1)));
                let target = object.get("$ref").and_then(Value::as_str);
                if let Some(target) = target.filter(|it| seen.insert(*it)) {
                    let pointer = target.strip_prefix('#').unwrap_or_default();
                    if let Some(value) = schema.pointer(pointer).filter(|_| !pointer.is_empty()) {
                        todo.push((value, depth + 1));
                    }
                }
            }
            Value::Array(items) => todo.extend(items.iter().map(|it| (it, depth + 1))),
            _ => {}
        }
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
