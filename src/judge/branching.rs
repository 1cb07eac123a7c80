//! How much work it is to name every fault of a value that does not fit a schema which refers to itself.
//!
//! The validator tries each alternative to its end to tell what is wrong with it. Where two of them lead
//! back to where they stand, the work doubles with every level of the value. Whether a value fits at all
//! is answered without that.

use std::collections::HashSet;

use serde_json::Value;

use super::bounds::{child_path, depth};

/// Most tries of alternatives that are spent on naming faults.
const MAX_TRIES: f64 = 20_000.0;

/// Values up to this depth are never too much work.
const SMALL_DEPTH: usize = 4;

/// Whether naming all faults of the value would take too many tries.
pub(super) fn is_too_much(schema: &Value, value: &Value) -> bool {
    let depth = depth(value);
    depth > SMALL_DEPTH && (n_recursive(schema) as f64).powf(depth as f64) > MAX_TRIES
}

/// The largest number of alternatives in one list that lead back to that list; at least 1.
fn n_recursive(root: &Value) -> usize {
    let mut most = 1;
    let mut left = vec![(String::new(), root)];
    while let Some((path, schema)) = left.pop() {
        for keyword in ["anyOf", "oneOf", "allOf"] {
            let branches = schema.get(keyword).and_then(Value::as_array);
            let n = branches
                .into_iter()
                .flatten()
                .filter(|it| leads_to(root, it, &path))
                .count();
            most = most.max(n);
        }
        match schema {
            Value::Array(items) => left.extend(
                items
                    .iter()
                    .enumerate()
                    .map(|(idx, it)| (child_path(&path, &idx.to_string()), it)),
            ),
            Value::Object(fields) => {
                left.extend(fields.iter().map(|(key, it)| (child_path(&path, key), it)));
            }
            _ => {}
        }
    }
    most
}

/// Whether the references in `branch`, followed, reach a schema that holds the one at `path`.
fn leads_to(root: &Value, branch: &Value, path: &str) -> bool {
    let mut seen = HashSet::new();
    let mut left = vec![branch];
    while let Some(schema) = left.pop() {
        match schema {
            Value::Array(items) => left.extend(items),
            Value::Object(fields) => {
                left.extend(fields.values());
                for reference in ["$ref", "$dynamicRef", "$recursiveRef"] {
                    let Some(reference) = fields.get(reference).and_then(Value::as_str) else {
                        continue;
                    };
                    // A name that is no pointer may mean any place: taken for the root.
                    let target = reference
                        .strip_prefix('#')
                        .filter(|it| root.pointer(it).is_some())
                        .unwrap_or_default();
                    let rest = path.strip_prefix(target);
                    if rest.is_some_and(|it| it.is_empty() || it.starts_with('/')) {
                        return true;
                    }
                    if seen.insert(target) {
                        left.extend(root.pointer(target));
                    }
                }
            }
            _ => {}
        }
    }
    false
}
