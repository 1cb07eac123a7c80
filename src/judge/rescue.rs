//! Causes in what the ladder had to do before the JSON could be read.

use serde_json::Value;

use super::Cause;
use super::bounds::quoted;
use super::cause::Scene;
use crate::ladder::{Flag, Rung};

/// What stands around the JSON, by the flag that says so.
const AROUND: &[(Flag, &str)] = &[
    (Flag::Thinking, "the reply thinks before the JSON"),
    (Flag::ToolCallTag, "the JSON stands in a tool-call tag"),
    (Flag::MultipleValues, "the reply holds several JSON values"),
    (Flag::Bom, "a byte order mark stands before the JSON"),
];

pub(super) fn wrapping(scene: &Scene<'_>) -> Vec<Cause> {
    let climb = scene.judged.climb;
    let has = |flag: Flag| climb.flags.contains(&flag);
    let message = match climb.rung {
        Some(Rung::AsIs) if has(Flag::Bom) => "a byte order mark stands before the JSON",
        Some(Rung::Fences) => "the JSON stands in a code fence",
        Some(Rung::Cut) => AROUND
            .iter()
            .find(|(flag, _)| has(*flag))
            .map_or("text stands around the JSON", |(_, message)| message),
        _ => return Vec::new(),
    };
    vec![Cause::new("wrapping", message.to_owned())]
}

/// The first repair, or why no rung held.
pub(super) fn syntax(scene: &Scene<'_>) -> Vec<Cause> {
    let climb = scene.judged.climb;
    if climb.value().is_none() {
        let message = match climb.attempts().last().map(|it| &it.error) {
            Some(error) => format!(
                "no rung held; line {}, column {}: {}",
                error.line, error.column, error.message
            ),
            None => "no rung held".to_owned(),
        };
        return vec![Cause::new("syntax", message)];
    }
    if climb.rung != Some(Rung::Repair) {
        return Vec::new();
    }
    let Some(repair) = climb.repairs().first() else {
        let error = climb.attempts().first().map(|it| it.error.message.clone());
        let message = error.unwrap_or_else(|| "the JSON had to be repaired".to_owned());
        return vec![Cause::new("syntax", message)];
    };
    let rest = match climb.repairs().len() {
        1 => String::new(),
        n => format!("; and {} more", n - 1),
    };
    let message = format!(
        "line {}, column {}: {} had to become {}{rest}",
        repair.line,
        repair.column,
        quoted(&Value::from(&*repair.before)),
        quoted(&Value::from(&*repair.after)),
    );
    let end = repair.offset + repair.before.len();
    vec![Cause::new("syntax", message).over(repair.offset, end)]
}
