//! Applying the log of edits to the reply gives a text that holds the value as strict JSON.

use serde_json::Value;

use super::seeds::seeds;
use crate::ladder::{Climb, Hint, Repair, RepairKind, Rung, climb};

/// The reply with every edit carried out.
fn mended(reply: &str, repairs: &[Repair]) -> String {
    let mut text = String::new();
    let mut at = 0;
    for repair in repairs {
        text.push_str(&reply[at..repair.offset]);
        text.push_str(&repair.after);
        at = repair.offset + repair.before.len();
    }
    text.push_str(&reply[at..]);
    text
}

/// Whether the value stands somewhere in a text as strict JSON.
fn holds(text: &str, value: &Value) -> bool {
    text.char_indices().any(|(start, _)| {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        values
            .next()
            .is_some_and(|it| it.is_ok_and(|it| it == *value))
    })
}

fn is_rebuilt(reply: &str, found: &Climb) -> bool {
    let Some(value) = found.value() else {
        return true;
    };
    // A layer of escapes that came off lies over all other edits.
    let is_layered = |it: &Repair| it.kind == RepairKind::Unescaped;
    found.rung != Some(Rung::Repair)
        || found.repairs().iter().any(is_layered)
        || holds(&mended(reply, found.repairs()), value)
}

#[test]
fn carrying_out_the_edits_gives_the_value() {
    let lost: Vec<String> = seeds()
        .into_iter()
        .filter(|reply| !is_rebuilt(reply, &climb(reply, &Hint::default())))
        .collect();
    assert!(lost.is_empty(), "{lost:#?}");
}
