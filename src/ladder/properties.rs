//! What holds for every reply, whatever it is: checked by the fuzzer and, on a fixed seed, by the tests.

use serde_json::Value;

use super::choose::pool;
use super::place::Cursor;
use super::scan::is_blank;
use super::tags::split;
use super::tree::MAX_DEPTH;
use super::{Climb, Flag, Hint, Repair, Rung, Stream, StreamState, climb};

/// Climbs a reply.
///
/// # Panics
/// When the climb says something of itself that is not true.
pub fn of_climb(reply: &str) {
    let found = climb(reply, &Hint::default());
    assert_eq!(found.rung.is_some(), found.value().is_some());
    let rungs: Vec<Rung> = found.attempts().iter().map(|it| it.rung).collect();
    let below = Rung::ALL
        .iter()
        .filter(|it| found.rung.is_none_or(|rung| **it < rung));
    assert!(
        rungs.iter().eq(below),
        "attempts {rungs:?} below {:?}",
        found.rung
    );
    for attempt in found.attempts() {
        check_place(reply, attempt.error.line, attempt.error.column);
    }
    for (n, flag) in found.flags.iter().enumerate() {
        assert!(!found.flags[..n].contains(flag), "{flag:?} is there twice");
    }
    match found.value() {
        Some(value) => check_value(reply, &found, value),
        None => assert!(found.repairs().is_empty() && found.candidates().len() == 0),
    }
    let strict = serde_json::from_str::<Value>(reply).ok();
    if let Some(strict) = strict {
        assert_eq!(
            (found.rung, found.value()),
            (Some(Rung::AsIs), Some(&strict))
        );
    }
    let n_steps = pool(reply, &split(reply), None).n_steps;
    assert!(n_steps <= 200 * reply.len() + 50_000, "{n_steps} steps");
}

/// Reads a reply at once and in pieces of the given lengths.
///
/// # Panics
/// When the two differ in anything.
pub fn of_stream(reply: &str, cuts: &[u8]) {
    let mut whole = Stream::default();
    whole.push(reply);
    let mut pieces = Stream::default();
    let mut rest = reply;
    for &cut in cuts
        .iter()
        .cycle()
        .take(if cuts.is_empty() { 0 } else { reply.len() })
    {
        let end = rest
            .char_indices()
            .nth(usize::from(cut % 16))
            .map_or(rest.len(), |it| it.0);
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces.push(rest);
    assert_eq!(format!("{whole:?}"), format!("{pieces:?}"));
    assert!(whole.value().is_none_or(|it| depth(it) <= MAX_DEPTH));
    assert_eq!(whole.tree().is_some(), whole.value().is_some());
    if let Ok(value) = serde_json::from_str::<Value>(reply)
        && (value.is_object() || value.is_array())
    {
        assert_eq!(
            (whole.state(), whole.value()),
            (StreamState::Closed, Some(&value))
        );
    }
}

fn check_value(reply: &str, found: &Climb, value: &Value) {
    assert!(
        found.candidates().any(|it| it == value),
        "the value is no candidate"
    );
    assert!(depth(value) <= MAX_DEPTH);
    let is_repaired = found.rung == Some(Rung::Repair);
    assert_eq!(
        is_repaired,
        !found.repairs().is_empty(),
        "rung {:?}",
        found.rung
    );
    assert!(!found.whole_reply_valid || found.rung == Some(Rung::AsIs));
    assert!(!reply.trim_matches(is_blank).is_empty());
    if !is_repaired {
        let of_repair = [Flag::Truncated, Flag::AmbiguousQuotes, Flag::UnquotedValue];
        let wrong = found.flags.iter().find(|it| of_repair.contains(it));
        assert_eq!(wrong, None, "a flag of repair on a value that needed none");
    }
    let mut places = Cursor::new(reply);
    let mut end = 0;
    for repair in found.repairs() {
        check_repair(reply, repair, &mut places);
        assert!(
            repair.offset >= end || repair.before.is_empty() || is_outer(repair),
            "{repair:?}"
        );
        end = end.max(repair.offset);
    }
}

/// Whether an edit tells of all the text around the others.
fn is_outer(repair: &Repair) -> bool {
    repair.kind == super::RepairKind::Unescaped
}

fn check_repair(reply: &str, repair: &Repair, places: &mut Cursor<'_>) {
    assert!(repair.offset <= reply.len() && reply.is_char_boundary(repair.offset));
    assert!(
        reply[repair.offset..].starts_with(&*repair.before),
        "{repair:?}"
    );
    assert_ne!(repair.before, repair.after, "{repair:?}");
    assert_eq!((repair.line, repair.column), places.of(repair.offset));
}

/// Line and column count from 1 and lie in the text.
fn check_place(reply: &str, line: usize, column: usize) {
    let text = reply.split('\n').nth(line.wrapping_sub(1));
    let n_chars = text.map(|it| it.chars().count());
    assert!(
        column >= 1 && n_chars.is_some_and(|it| column <= it + 1),
        "line {line}, column {column}"
    );
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
