//! The `tojson` filter as Hugging Face Transformers has it: Python's `json.dumps` with `ensure_ascii=False`.

use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Error, ErrorKind, Value};
use serde_json::Value as Json;

use super::json::{indented, spaced};

/// Deepest value that is written.
const MAX_DEPTH: usize = 100;

/// Widest indentation.
const MAX_INDENT: usize = 16;

/// Writes a template's value as JSON. `indent` and `sort_keys` work; `ensure_ascii` and `separators` are taken and ignored.
#[expect(
    clippy::needless_pass_by_value,
    reason = "minijinja hands the options over"
)]
pub(super) fn tojson(
    value: &Value,
    indent: Option<usize>,
    options: Kwargs,
) -> Result<String, Error> {
    let indent = match indent {
        Some(indent) => Some(indent),
        None => options.get::<Option<usize>>("indent")?,
    };
    let sort_keys = options.get::<Option<bool>>("sort_keys")?.unwrap_or(false);
    for ignored in ["ensure_ascii", "separators"] {
        options.get::<Option<Value>>(ignored)?;
    }
    options.assert_all_used()?;
    let mut json = to_json(value, 0)?;
    if sort_keys {
        json.sort_all_objects();
    }
    Ok(match indent {
        Some(indent) => indented(&json, indent.min(MAX_INDENT)),
        None => spaced(&json),
    })
}

fn to_json(value: &Value, depth: usize) -> Result<Json, Error> {
    if depth > MAX_DEPTH {
        let message = format!("the value is nested deeper than {MAX_DEPTH}");
        return Err(Error::new(ErrorKind::BadSerialization, message));
    }
    Ok(match value.kind() {
        ValueKind::Undefined | ValueKind::None => Json::Null,
        ValueKind::Bool => Json::Bool(value.is_true()),
        ValueKind::Number => number(value)?,
        ValueKind::Seq | ValueKind::Iterable => {
            let items = value.try_iter()?;
            Json::Array(
                items
                    .map(|it| to_json(&it, depth + 1))
                    .collect::<Result<_, _>>()?,
            )
        }
        ValueKind::Map => {
            let mut fields = serde_json::Map::new();
            for key in value.try_iter()? {
                let field = to_json(&value.get_item(&key)?, depth + 1)?;
                fields.insert(key.to_string(), field);
            }
            Json::Object(fields)
        }
        _ => Json::String(value.to_string()),
    })
}

fn number(value: &Value) -> Result<Json, Error> {
    if let Some(whole) = value.as_i64().filter(|_| value.is_integer()) {
        return Ok(Json::from(whole));
    }
    Ok(Json::from(f64::try_from(value.clone())?))
}
