//! The work grows with the length of the reply and no faster, and depth is refused at once.

use crate::ladder::choose::pool;
use crate::ladder::tags::split;
use crate::ladder::{Flag, Hint, climb};

#[track_caller]
fn check_linear(unit: &str) {
    let steps = |n_units: usize| {
        let reply = unit.repeat(n_units);
        n_steps(&reply)
    };
    let (once, twice) = (steps(2_000), steps(4_000));
    assert!(
        twice as f64 <= once as f64 * 2.2 + 1000.0,
        "{unit:?}: {once} steps, then {twice}"
    );
}

#[track_caller]
fn check_linear_after(start: &str, unit: &str) {
    let steps = |n_units: usize| n_steps(&format!("{start}{}", unit.repeat(n_units)));
    let (once, twice) = (steps(2_000), steps(4_000));
    assert!(
        twice as f64 <= once as f64 * 2.2 + 1000.0,
        "{start:?} {unit:?}: {once} steps, then {twice}"
    );
}

fn n_steps(reply: &str) -> usize {
    climb(reply, &Hint::default());
    pool(reply, &split(reply), None).n_steps
}

#[test]
fn repairs_are_linear() {
    for unit in [
        "{'a': 1,} ",
        "'a': \"x\"y\", ",
        "\"a",
        "{\"a\": \"b ",
        "'",
        "\\",
        "/*",
        "//",
        "(",
        "a b: ",
    ] {
        check_linear(unit);
        for start in ["{", "[", "{\"a\": \"", "{'a': '", "[1, ", "{\"a\": "] {
            check_linear_after(start, unit);
        }
    }
}

#[test]
fn openers_without_end_are_linear() {
    for unit in [
        "{",
        "[",
        "{\"a\":",
        "[1,",
        "{a",
        "[\"",
        "{'",
        "```json\n{",
        "x [a] ",
        "{ ",
        "{\"a\":1 x",
    ] {
        check_linear(unit);
    }
}

#[test]
fn white_space_is_linear() {
    for start in ["{\"a\": x", "[1", "{\"a\": \"x\"", "{a", "[x"] {
        for unit in [" ", "\n", "\u{a0}", "\t "] {
            check_linear_after(start, unit);
        }
    }
}

#[test]
fn depth_is_refused_with_its_flag() {
    for reply in [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        "[{'a':".repeat(50_000),
        "(".repeat(100_000) + "{",
    ] {
        let found = climb(&reply, &Hint::default());
        assert_eq!(found.value(), None);
        if !reply.starts_with('(') {
            assert!(found.flags.contains(&Flag::Depth));
        }
    }
}

#[test]
fn the_deepest_nesting_that_is_taken_is_128() {
    let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert!(climb(&nested(127), &Hint::default()).whole_reply_valid);
    assert!(climb(&nested(128), &Hint::default()).whole_reply_valid);
    assert_eq!(climb(&nested(129), &Hint::default()).value(), None);
}
