//! Two schemas that both hold, as one.

use serde_json::{Map, Value};

/// The object without one keyword.
pub(super) fn without(object: &Map<String, Value>, keyword: &str) -> Map<String, Value> {
    let rest = object.iter().filter(|it| it.0 != keyword);
    rest.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Both together, and the keywords of which only one could be kept.
pub(super) fn merge(base: &Map<String, Value>, other: &Value) -> (Value, Vec<String>) {
    let other = match other {
        Value::Object(other) => other,
        Value::Bool(false) => return (Value::Bool(false), Vec::new()),
        _ => return (Value::Object(base.clone()), Vec::new()),
    };
    let mut merged = base.clone();
    let mut conflicts = Vec::new();
    for (keyword, value) in other {
        let Some(known) = merged.get(keyword).cloned() else {
            merged.insert(keyword.clone(), value.clone());
            continue;
        };
        if known == *value {
            continue;
        }
        match both(keyword, &known, value) {
            Some(it) => {
                merged.insert(keyword.clone(), it);
            }
            None => conflicts.push(keyword.clone()),
        }
    }
    (Value::Object(merged), conflicts)
}

/// What two values of one keyword come to; none where one of them has to go.
fn both(keyword: &str, a: &Value, b: &Value) -> Option<Value> {
    match keyword {
        "title" | "description" | "default" | "examples" | "$comment" | "$id" | "$schema" => {
            Some(b.clone())
        }
        "$defs" | "definitions" => Some(a.clone()),
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            Some(if a.as_f64()? >= b.as_f64()? { a } else { b }.clone())
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            Some(if a.as_f64()? <= b.as_f64()? { a } else { b }.clone())
        }
        "required" => {
            let mut all = a.as_array()?.clone();
            let more = b.as_array()?.iter().filter(|it| !all.contains(it));
            let more: Vec<Value> = more.cloned().collect();
            all.extend(more);
            Some(Value::Array(all))
        }
        "type" => types(a, b),
        "enum" => {
            let b = b.as_array()?;
            let both = a.as_array()?.iter().filter(|it| b.contains(it));
            Some(Value::Array(both.cloned().collect()))
        }
        "properties" => Some(properties(a.as_object()?, b.as_object()?)),
        "additionalProperties" => match (a, b) {
            (Value::Bool(false), _) | (_, Value::Bool(false)) => Some(Value::Bool(false)),
            (Value::Bool(true), it) | (it, Value::Bool(true)) => Some(it.clone()),
            _ => None,
        },
        "allOf" => {
            let mut all = a.as_array()?.clone();
            all.extend(b.as_array()?.iter().cloned());
            Some(Value::Array(all))
        }
        _ => None,
    }
}

fn types(a: &Value, b: &Value) -> Option<Value> {
    let list = |it: &Value| match it {
        Value::Array(it) => it.clone(),
        it => vec![it.clone()],
    };
    let (a, b) = (list(a), list(b));
    let mut both: Vec<Value> = Vec::new();
    for it in &a {
        if b.contains(it) || (it == "integer" && b.contains(&Value::from("number"))) {
            both.push(it.clone());
        } else if it == "number" && b.contains(&Value::from("integer")) {
            both.push(Value::from("integer"));
        }
    }
    if both.len() == 1 {
        return both.pop();
    }
    Some(Value::Array(both))
}

/// Properties of both; those that both name must fit both.
fn properties(a: &Map<String, Value>, b: &Map<String, Value>) -> Value {
    let mut all = a.clone();
    for (name, schema) in b {
        match all.get(name).cloned() {
            Some(known) if known != *schema => {
                let pair = serde_json::json!({"allOf": [known, schema]});
                all.insert(name.clone(), pair);
            }
            Some(_) => {}
            None => {
                all.insert(name.clone(), schema.clone());
            }
        }
    }
    Value::Object(all)
}
