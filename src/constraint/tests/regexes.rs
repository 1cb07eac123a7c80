//! Regular expressions as constraints.

use super::accepts;
use crate::constraint::{Badge, Constraint, badge, check};

fn regex(text: &str) -> Constraint {
    Constraint::Regex {
        text: text.to_owned(),
    }
}

#[track_caller]
fn check_accepts(text: &str, reply: &str, expected: bool) {
    assert_eq!(
        accepts(&regex(text), reply.as_bytes()),
        expected,
        "{reply:?} under {text}"
    );
}

#[track_caller]
fn check_fault(text: &str, place: Option<(usize, usize)>, words: &str) {
    let error = check(&regex(text)).unwrap_err();
    assert_eq!(error.place, place, "{error}");
    assert!(error.message.contains(words), "{words:?} is not in {error}");
    assert_eq!(badge(&regex(text)), Badge::None);
}

#[test]
fn the_whole_reply_must_match() {
    check_accepts("[0-9]+", "120", true);
    check_accepts("[0-9]+", "120 ", false);
    check_accepts("[0-9]+", "", false);
    check_accepts("^[0-9]{1,3}$", "120", true);
    check_accepts("^[0-9]{1,3}$", "1200", false);
    check_accepts("milk|eggs", "eggs", true);
    check_accepts("a/b\\.c", "a/b.c", true);
    assert_eq!(badge(&regex("[0-9]+")), Badge::Enforced);
}

#[test]
fn digits_are_ascii_and_text_may_be_any() {
    check_accepts("\\d+", "12", true);
    check_accepts("\\d+", "１２", false);
    check_accepts("\\d+", "②", false);
    check_accepts("[가-힣]+ 😀", "한국어 😀", true);
    check_accepts("a.c", "aéc", true);
}

#[test]
fn what_cannot_be_enforced_is_named_with_its_place() {
    check_fault("", Some((1, 1)), "empty");
    check_fault("a(?=b)", Some((1, 2)), "look-around");
    check_fault("a\n(b)\\1", Some((2, 4)), "references back");
    check_fault("\\bword", Some((1, 1)), "word boundaries");
    check_fault("a^b", Some((1, 2)), "anchor");
    check_fault("^a|b$", Some((1, 1)), "brackets");
    check_fault("a{2,5000}", Some((1, 2)), "more than 1000");
    check_fault("(", None, "cannot be enforced");
    check_fault("[z-a]", None, "cannot be enforced");
    check_fault(&"(".repeat(10_000), Some((1, 65)), "nested");
    check_fault(&"a".repeat(10_001), Some((1, 1)), "bytes");
}

#[test]
fn hostile_expressions_are_answered() {
    for text in [
        "((a{1000}){1000}){1000}",
        "(a*)*b",
        "(.*a){1000}",
        "(x+x+)+y",
        "[^a]{1000}[^b]{1000}",
    ] {
        // An error or a constraint: both are answers.
        drop(check(&regex(text)));
    }
    check_accepts("(a*)*b", "aaaab", true);
    check_accepts("(x+x+)+y", "xxxy", true);
}
