//! The part of a schema that speaks of one place of a value.

use serde_json::Value;

/// References that are followed in a row.
const MAX_REFERENCES: usize = 16;

/// Alternatives that are tried at one place.
const MAX_BRANCHES: usize = 32;

/// A schema with its references followed; itself where they lead nowhere.
pub(super) fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut here = schema;
    for _ in 0..MAX_REFERENCES {
        let reference = here.get("$ref").and_then(Value::as_str);
        let target = reference
            .and_then(|it| it.strip_prefix('#'))
            .and_then(|it| root.pointer(it));
        match target {
            Some(target) => here = target,
            None => break,
        }
    }
    here
}

/// The schema of what stands at a JSON pointer of the value; none where the schema says nothing of the place.
pub(super) fn at<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    let keys: Vec<String> = pointer
        .split('/')
        .skip(1)
        .map(|it| it.replace("~1", "/").replace("~0", "~"))
        .collect();
    walk(root, root, &keys)
}

fn walk<'a>(root: &'a Value, schema: &'a Value, keys: &[String]) -> Option<&'a Value> {
    let here = resolved(root, schema);
    let Some((key, rest)) = keys.split_first() else {
        return Some(here);
    };
    if let Some(child) = child(here, key) {
        return walk(root, child, rest);
    }
    let branches = ["anyOf", "oneOf", "allOf"]
        .iter()
        .filter_map(|it| here.get(*it)?.as_array())
        .flatten()
        .take(MAX_BRANCHES);
    // An alternative must know the key itself: walking into each of them again would not end.
    branches
        .map(|it| resolved(root, it))
        .find_map(|it| walk(root, child(it, key)?, rest))
}

fn child<'a>(schema: &'a Value, key: &str) -> Option<&'a Value> {
    if let Some(found) = schema.get("properties").and_then(|it| it.get(key)) {
        return Some(found);
    }
    let index: Option<usize> = key.parse().ok();
    if let Some(index) = index {
        let first = schema.get("prefixItems").and_then(|it| it.get(index));
        let items = schema.get("items").filter(|it| it.is_object());
        if let Some(found) = first.or(items) {
            return Some(found);
        }
    }
    schema
        .get("additionalProperties")
        .filter(|it| it.is_object())
}
