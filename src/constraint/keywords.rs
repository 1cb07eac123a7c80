//! The table of JSON Schema's keywords as llguidance 1.9.1 treats them.

use serde_json::{Map, Value};

use super::Enforcement;

/// What stands in a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No schema.
    Plain,
    /// A schema, or a list of schemas.
    Schema,
    /// Schemas by name.
    SchemaMap,
}

/// Keyword, kind of its value, and what becomes of it; none for notes to people.
///
/// Taken from `IMPLEMENTED` and `META_AND_ANNOTATIONS` in llguidance's `json/schema.rs`.
const TABLE: &[(&str, Kind, Option<Enforcement>)] = {
    use Enforcement::{CheckedAfterwards, Enforced, NotChecked};
    use Kind::{Plain, Schema, SchemaMap};
    &[
        ("$anchor", Plain, None),
        ("$comment", Plain, None),
        ("$defs", SchemaMap, None),
        ("$dynamicAnchor", Plain, Some(CheckedAfterwards)),
        ("$dynamicRef", Plain, Some(CheckedAfterwards)),
        ("$id", Plain, None),
        ("$recursiveAnchor", Plain, Some(CheckedAfterwards)),
        ("$recursiveRef", Plain, Some(CheckedAfterwards)),
        ("$ref", Plain, Some(Enforced)),
        ("$schema", Plain, None),
        ("additionalItems", Schema, Some(Enforced)),
        ("additionalProperties", Schema, Some(Enforced)),
        ("allOf", Schema, Some(Enforced)),
        ("anyOf", Schema, Some(Enforced)),
        ("const", Plain, Some(Enforced)),
        ("contains", Schema, Some(CheckedAfterwards)),
        ("default", Plain, None),
        ("definitions", SchemaMap, None),
        ("dependencies", SchemaMap, Some(CheckedAfterwards)),
        ("dependentRequired", Plain, Some(CheckedAfterwards)),
        ("dependentSchemas", SchemaMap, Some(CheckedAfterwards)),
        ("contentEncoding", Plain, Some(NotChecked)),
        ("contentMediaType", Plain, Some(NotChecked)),
        ("deprecated", Plain, None),
        ("description", Plain, None),
        ("else", Schema, Some(CheckedAfterwards)),
        ("enum", Plain, Some(Enforced)),
        ("example", Plain, None),
        ("examples", Plain, None),
        ("exclusiveMaximum", Plain, Some(Enforced)),
        ("exclusiveMinimum", Plain, Some(Enforced)),
        ("format", Plain, Some(Enforced)),
        ("id", Plain, None),
        ("if", Schema, Some(CheckedAfterwards)),
        ("items", Schema, Some(Enforced)),
        ("maxContains", Plain, Some(CheckedAfterwards)),
        ("maxItems", Plain, Some(Enforced)),
        ("maxLength", Plain, Some(Enforced)),
        ("maxProperties", Plain, Some(Enforced)),
        ("maximum", Plain, Some(Enforced)),
        ("minContains", Plain, Some(CheckedAfterwards)),
        ("minItems", Plain, Some(Enforced)),
        ("minLength", Plain, Some(Enforced)),
        ("minProperties", Plain, Some(Enforced)),
        ("minimum", Plain, Some(Enforced)),
        ("multipleOf", Plain, Some(Enforced)),
        ("not", Schema, Some(CheckedAfterwards)),
        ("oneOf", Schema, Some(Enforced)),
        ("pattern", Plain, Some(Enforced)),
        ("patternProperties", SchemaMap, Some(Enforced)),
        ("prefixItems", Schema, Some(Enforced)),
        ("properties", SchemaMap, Some(Enforced)),
        ("propertyNames", Schema, Some(CheckedAfterwards)),
        ("readOnly", Plain, None),
        ("required", Plain, Some(Enforced)),
        ("then", Schema, Some(CheckedAfterwards)),
        ("title", Plain, None),
        ("type", Plain, Some(Enforced)),
        ("unevaluatedItems", Schema, Some(CheckedAfterwards)),
        ("unevaluatedProperties", Schema, Some(CheckedAfterwards)),
        ("uniqueItems", Plain, Some(CheckedAfterwards)),
        ("writeOnly", Plain, None),
    ]
};

/// Formats whose pattern is exactly what the format means.
const EXACT_FORMATS: &[&str] = &["ipv4", "uuid"];
/// Formats of which the shape is enforced, and what is left to the validator.
const SHAPED_FORMATS: &[(&str, &str)] = &[
    (
        "date",
        "the shape is enforced; 29 February is let through in any year",
    ),
    (
        "date-time",
        "the shape is enforced; 29 February is let through in any year",
    ),
    ("duration", "the shape is enforced"),
    ("email", "the shape is enforced, not the lengths"),
    ("hostname", "the shape is enforced, not the whole length"),
    ("ipv6", "the shape is enforced"),
    (
        "time",
        "the shape is enforced; a leap second is let through at any time",
    ),
    ("uri", "the shape is enforced"),
];

pub(super) fn kind_of(keyword: &str) -> Kind {
    row(keyword).map_or(Kind::Plain, |it| it.1)
}

/// What becomes of a keyword with this value, and why; none for notes to people.
pub(super) fn note_of(
    keyword: &str,
    value: &Value,
    siblings: &Map<String, Value>,
) -> Option<(Enforcement, &'static str)> {
    if keyword.starts_with("x-") {
        return None;
    }
    let Some((_, _, enforcement)) = row(keyword) else {
        return Some((Enforcement::NotChecked, "not a keyword of JSON Schema"));
    };
    let enforcement = (*enforcement)?;
    Some(match keyword {
        "format" => format_note(value.as_str().unwrap_or_default()),
        "minProperties" if counts_free_names(value, siblings) => (
            Enforcement::CheckedAfterwards,
            "a free name written twice is counted twice",
        ),
        "oneOf" => (
            Enforcement::Enforced,
            "only branches that cannot overlap are let in",
        ),
        _ => (enforcement, ""),
    })
}

fn row(keyword: &str) -> Option<&'static (&'static str, Kind, Option<Enforcement>)> {
    TABLE.iter().find(|it| it.0 == keyword)
}

fn format_note(format: &str) -> (Enforcement, &'static str) {
    if EXACT_FORMATS.contains(&format) {
        return (Enforcement::Enforced, "");
    }
    SHAPED_FORMATS.iter().find(|it| it.0 == format).map_or(
        (Enforcement::CheckedAfterwards, "an unknown format"),
        |it| (Enforcement::CheckedAfterwards, it.1),
    )
}

/// Whether names that the schema does not list must make up the number of properties.
fn counts_free_names(value: &Value, siblings: &Map<String, Value>) -> bool {
    let n_required = siblings
        .get("required")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    let closed = siblings.get("additionalProperties") == Some(&Value::Bool(false))
        && !siblings.contains_key("patternProperties");
    !closed && value.as_u64().unwrap_or(0) > n_required as u64
}

/// All keywords that the table calls enforced.
#[cfg(test)]
pub(super) fn enforced_keywords() -> Vec<&'static str> {
    let rows = TABLE
        .iter()
        .filter(|it| it.2 == Some(Enforcement::Enforced));
    rows.map(|it| it.0).collect()
}
