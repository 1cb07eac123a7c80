//! A reply as a line of the regression set, which `climb --lines` runs and compares.

use serde_json::{Map, Value, json};

use super::{Outcome, RepairDraft};

/// The line without its id: the reply, its schema, and what came of them.
pub fn case(draft: &RepairDraft, outcome: &Outcome) -> Map<String, Value> {
    let mut line = Map::new();
    line.insert("input".to_owned(), json!(draft.reply));
    if let Ok(schema) = serde_json::from_str::<Value>(&draft.schema) {
        line.insert("schema".to_owned(), schema);
    }
    if !draft.prefill.is_empty() {
        line.insert("prefill".to_owned(), json!(draft.prefill));
    }
    if !draft.task.is_empty() {
        line.insert("task".to_owned(), json!(draft.task));
    }
    let climb = &outcome.climb;
    let verdict = outcome.judgement.verdict.as_ref();
    line.insert(
        "expected".to_owned(),
        json!({
            "value": climb.value(),
            "rung": climb.rung,
            "flags": climb.flags,
            "valid": verdict.map(|it| it.valid),
        }),
    );
    line
}

/// A name for the line: the reply's task or first words, and the moment, which makes it the only one.
pub(super) fn case_id(draft: &RepairDraft, moment: &str) -> String {
    const N_CHARS: usize = 24;
    let words = if draft.task.is_empty() {
        &draft.reply
    } else {
        &draft.task
    };
    let is_word = |it: &char| it.is_alphanumeric();
    let mut name = String::new();
    for word in words.split(|it| !is_word(&it)).filter(|it| !it.is_empty()) {
        if name.chars().count() + word.chars().count() > N_CHARS {
            break;
        }
        name.push_str(&word.to_lowercase());
        name.push('-');
    }
    format!("{name}{moment}")
}
