//! What came of a reply as plain text, to be pasted into a bug report or a chat.

use std::fmt::Write as _;

use super::{Outcome, flag_words};
use crate::judge::{Judgement, Lamps, Verdict};
use crate::ladder::{Climb, Rung};

/// Edits that are listed.
const MAX_EDITS: usize = 100;

/// The report on a reply, in the order in which the view shows it.
pub fn report(reply: &str, outcome: &Outcome) -> String {
    let mut text = String::from("Stepladder on a reply\n\n");
    let Outcome {
        climb, judgement, ..
    } = outcome;
    lamps(&mut text, judgement.lamps);
    if let Some(cause) = &judgement.cause {
        line(
            &mut text,
            &format!("Cause: {} ({})", cause.message, cause.kind),
        );
    }
    line(&mut text, "\nLadder");
    for rung in Rung::ALL {
        line(&mut text, &rung_line(rung, climb));
    }
    edits(&mut text, climb);
    for flag in &climb.flags {
        let (name, about) = flag_words(*flag);
        line(&mut text, &format!("- {name}: {about}"));
    }
    for note in &climb.notes {
        line(&mut text, &format!("- {note}"));
    }
    if let Some(verdict) = &judgement.verdict {
        faults(&mut text, verdict);
    }
    meaning(&mut text, judgement);
    if let Some(value) = climb.value() {
        line(&mut text, &format!("\nValue\n{value:#}"));
    }
    line(&mut text, &format!("\nReply\n{reply}"));
    text
}

fn meaning(text: &mut String, judgement: &Judgement) {
    if let Some(correctness) = &judgement.correctness {
        for it in &correctness.differences {
            let found = it.found.as_ref().map(ToString::to_string);
            let found = found.unwrap_or_else(|| "nothing".to_owned());
            let place = place(&it.path);
            line(
                text,
                &format!("- {place} is {found}, should be {}", it.expected),
            );
        }
    }
    for it in &judgement.leaks {
        let place = place(&it.path);
        let (value, example) = (&it.value, it.example);
        line(
            text,
            &format!("- {place}: “{value}” stands in example {example}"),
        );
    }
}

fn line(text: &mut String, words: &str) {
    text.push_str(words);
    text.push('\n');
}

fn lamps(text: &mut String, lamps: Lamps) {
    let word = |it: Option<bool>| match it {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not judged",
    };
    // Writing to a string cannot fail.
    if writeln!(
        text,
        "Parses: {} · schema: {} · correct: {} · leak-free: {}",
        word(Some(lamps.parses)),
        word(lamps.schema),
        word(lamps.correct),
        word(lamps.leak_free)
    )
    .is_err()
    {}
}

fn rung_line(rung: Rung, climb: &Climb) -> String {
    let (number, label) = (u8::from(rung), rung.label());
    let failed = climb.attempts().iter().find(|it| it.rung == rung);
    if climb.rung == Some(rung) {
        format!("{number} {label}: held")
    } else if let Some(it) = failed {
        let error = &it.error;
        format!(
            "{number} {label}: gave way at line {}, column {}: {}",
            error.line, error.column, error.message
        )
    } else {
        format!("{number} {label}: not needed")
    }
}

fn edits(text: &mut String, climb: &Climb) {
    if climb.repairs().is_empty() {
        return;
    }
    line(text, "\nEdits");
    for it in climb.repairs().iter().take(MAX_EDITS) {
        let what = it.kind.label();
        line(
            text,
            &format!(
                "{}:{} {what}: {:?} → {:?}",
                it.line, it.column, it.before, it.after
            ),
        );
    }
    if climb.repairs().len() > MAX_EDITS {
        let rest = climb.repairs().len() - MAX_EDITS;
        line(text, &format!("and {rest} more"));
    }
}

fn faults(text: &mut String, verdict: &Verdict) {
    let on = if verdict.on_repaired {
        " (on the repaired value)"
    } else {
        ""
    };
    let word = if verdict.valid { "valid" } else { "not valid" };
    line(text, &format!("\nSchema: {word}{on}"));
    for it in &verdict.faults {
        line(
            text,
            &format!("- {}: {}", place(&it.instance_path), it.message),
        );
    }
}

fn place(pointer: &str) -> &str {
    if pointer.is_empty() {
        "whole value"
    } else {
        pointer
    }
}
