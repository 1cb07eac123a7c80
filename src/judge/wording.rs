//! The validator's errors in plain words.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

use super::bounds::{cut, quoted};

/// What is wrong, in one sentence without its place.
pub(super) fn message(error: &ValidationError<'_>) -> String {
    let found = quoted(error.instance());
    match error.kind() {
        Kind::Required { property } => format!("the key {property} is missing"),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected
                .iter()
                .map(|it| not_allowed(it))
                .collect::<Vec<_>>()
                .join("; ")
        }
        Kind::Type { kind } => type_message(error.instance(), kind),
        Kind::Enum { options } => format!("{found} is not one of {}", options_text(options)),
        Kind::Constant { expected_value } => {
            format!("{found} is not {}", quoted(expected_value))
        }
        Kind::Pattern { pattern } => format!("{found} does not match the pattern {pattern}"),
        Kind::Format { format } => format!("{found} is not a valid {format}"),
        Kind::BacktrackLimitExceeded { .. } => {
            format!("the pattern takes too many steps on {found}, so it counts as not matching")
        }
        Kind::RegexEngineFailure { message } => format!("the pattern failed: {message}"),
        Kind::FalseSchema => format!("nothing is allowed here, but there is {found}"),
        Kind::Not { .. } => format!("{found} fits a schema that it must not fit"),
        Kind::Referencing(reason) => format!("a reference cannot be followed: {reason}"),
        Kind::Custom { message, .. } => message.clone(),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            format!("{found} fits none of the {} alternatives", context.len())
        }
        Kind::OneOfMultipleValid { .. } => {
            format!("{found} fits more than one of the alternatives; it must fit exactly one")
        }
        Kind::PropertyNames { error } => format!("a key is not allowed: {}", message(error)),
        _ => {
            size_message(error.instance(), error.kind()).unwrap_or_else(|| cut(&error.to_string()))
        }
    }
}

/// The type of a value; a whole number is an integer.
pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The type of a value as a sentence names it.
pub(super) fn with_article(value: &Value) -> &'static str {
    article(type_of(value))
}

fn article(type_name: &str) -> &'static str {
    match type_name {
        "boolean" => "true or false",
        "number" => "a number",
        "integer" => "a whole number",
        "string" => "a text",
        "array" => "a list",
        "object" => "an object",
        _ => "null",
    }
}

/// The types that a schema names for its value, `number` for `integer` too; empty when any will do.
pub(super) fn types_of(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(name)) => vec![name.as_str()],
        _ => match schema.get("enum").and_then(Value::as_array) {
            Some(options) => options.iter().map(type_of).collect(),
            None => Vec::new(),
        },
    }
}

/// Whether a schema names this type.
pub(super) fn names_type(schema: &Value, name: &str) -> bool {
    types_of(schema).contains(&name)
}

pub(super) fn not_allowed(key: &str) -> String {
    format!("the key {} is not allowed", Value::from(cut(key)))
}

fn type_message(instance: &Value, kind: &TypeKind) -> String {
    let wanted: Vec<_> = match kind {
        TypeKind::Single(one) => vec![article(one.as_str())],
        TypeKind::Multiple(set) => set.iter().map(|it| article(it.as_str())).collect(),
    };
    let found = quoted(instance);
    let is = with_article(instance);
    if instance.is_null() {
        return format!("it is null; it must be {}", wanted.join(" or "));
    }
    format!("{found} is {is}; it must be {}", wanted.join(" or "))
}

fn options_text(options: &Value) -> String {
    let items = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let shown: Vec<_> = items.iter().take(12).map(quoted).collect();
    let rest = if items.len() > shown.len() {
        ", …"
    } else {
        ""
    };
    format!("{}{rest}", shown.join(", "))
}

fn size_message(instance: &Value, kind: &Kind) -> Option<String> {
    let found = quoted(instance);
    Some(match kind {
        Kind::Minimum { limit } => format!("{found} is less than {limit}"),
        Kind::Maximum { limit } => format!("{found} is more than {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("{found} is not more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("{found} is not less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("{found} is not a multiple of {multiple_of}"),
        Kind::MinLength { limit } => {
            format!("{found} is shorter than {}", counted(*limit, "character"))
        }
        Kind::MaxLength { limit } => {
            format!("{found} is longer than {}", counted(*limit, "character"))
        }
        Kind::MinItems { limit } => format!("it has fewer than {}", counted(*limit, "item")),
        Kind::MaxItems { limit } => format!("it has more than {}", counted(*limit, "item")),
        Kind::AdditionalItems { limit } => {
            format!("it has more than {}", counted(*limit as u64, "item"))
        }
        Kind::UnevaluatedItems { .. } => "it has items that are not allowed".to_owned(),
        Kind::MinProperties { limit } => format!("it has fewer than {}", counted(*limit, "key")),
        Kind::MaxProperties { limit } => format!("it has more than {}", counted(*limit, "key")),
        Kind::UniqueItems => "an item occurs twice".to_owned(),
        Kind::Contains => "no item fits what the list must contain".to_owned(),
        Kind::ContentEncoding { content_encoding } => {
            format!("{found} is not {content_encoding}")
        }
        Kind::ContentMediaType { content_media_type } => {
            format!("{found} is not {content_media_type}")
        }
        _ => return None,
    })
}

fn counted(n: u64, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}
