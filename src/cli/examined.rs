//! What `constrain` prints of a constraint itself: the honesty report, and the grammar made of a schema.

use std::path::Path;

use serde_json::{Value, json};

use super::args::ConstrainArguments;
use super::out;
use crate::constraint::{Badge, Constraint, Examination, examine, read_schema, schema_to_gbnf};

/// Prints the honesty report; whether the constraint can be used.
pub(super) fn print(constraint: &Constraint, as_json: bool) -> bool {
    let examined = examine(constraint);
    let is_usable = examined.error.is_none();
    if as_json {
        out::line(&object(&examined).to_string());
        return is_usable;
    }
    let shape = if examined.shape.is_empty() {
        String::new()
    } else {
        format!(" ({})", examined.shape)
    };
    out::line(&format!("{}{shape}", badge_words(examined.badge)));
    if let Some(error) = &examined.error {
        out::line(&format!("error: {error}"));
    }
    print_keywords(&examined);
    is_usable
}

/// Prints the grammar; what it does not hold to stands at its top.
pub(super) fn print_grammar(text: &str, arguments: &ConstrainArguments) -> Result<bool, String> {
    let made = read_schema(text)
        .and_then(|it| schema_to_gbnf(&it.schema, arguments.white_space))
        .map_err(|it| {
            let schema = arguments.schema.as_deref().unwrap_or(Path::new("--schema"));
            format!("{it}; {}; change the schema", schema.display())
        })?;
    if arguments.json {
        out::line(&json!({"grammar": made.text, "gaps": made.gaps}).to_string());
    } else {
        out::line(made.text.trim_end());
    }
    Ok(true)
}

pub(super) fn badge_words(badge: Badge) -> &'static str {
    match badge {
        Badge::Enforced => "enforced",
        Badge::Partly => "partly enforced",
        Badge::None => "not enforced",
    }
}

/// Warnings, then each keyword with what becomes of it.
pub(super) fn print_keywords(examined: &Examination) {
    for it in examined.sentences() {
        out::line(&format!("warning: {it}"));
    }
    for it in &examined.keywords {
        let fate = it.enforcement.words();
        out::line(&format!("{:<20} {fate}  {}", it.keyword, it.pointer));
    }
}

fn object(examined: &Examination) -> Value {
    let error = examined.error.as_ref().map(ToString::to_string);
    json!({
        "badge": examined.badge,
        "is_missing": examined.is_missing,
        "is_weaker": examined.is_weaker,
        "shape": examined.shape,
        "unread": examined.unread,
        "warnings": examined.sentences(),
        "report": examined.keywords,
        "error": error,
    })
}
