//! Where a reply was cut off, and what it repeated until then.

use super::causes::{cause_text, climbed};
use crate::judge::{Ending, Judged, judge};

/// The cause of a reply that was cut at the token limit and yields nothing.
#[track_caller]
fn check_cut(reply: &str, expected: &str) {
    let climb = climbed(reply);
    let judgement = judge(&Judged {
        ending: Ending::Cut,
        ..Judged::new(reply, &climb)
    });
    assert_eq!(cause_text(judgement.cause.as_ref()), expected);
}

#[test]
fn truncation_is_told_with_its_path() {
    check_cut(
        r#"{"items":[{"name":"milk","qty":2},{"name":"eg"#,
        "truncated: the reply is cut off at $.items[1].name",
    );
    check_cut(
        "Sure! {'a b': [1, ",
        "truncated: the reply is cut off at $[\"a b\"][1]",
    );
    check_cut(
        r#"{"a": {"b": 1}, "c"#,
        "truncated: the reply is cut off at $",
    );
}

#[test]
fn brackets_and_quotes_in_prose_hide_no_path() {
    check_cut(
        "I'd say, 'fine' [1]: \"well\" {\"a\": [0, ",
        "truncated: the reply is cut off at $.a[1]",
    );
}

#[test]
fn brackets_inside_texts_open_nothing() {
    check_cut(
        r#"{"a": "}]{[\"", "b": "#,
        "truncated: the reply is cut off at $.b",
    );
}

#[test]
fn looping_words_are_named() {
    check_cut(
        r#"{"items": [{"name": "jars jars jars jars ja"#,
        r#"loop: the reply ends in a loop in a string at $.items[0].name: "jars " 4 times"#,
    );
}

#[test]
fn looping_objects_are_named() {
    let reply = format!("[{}", r#"{"name": "tea", "qty": 1}, "#.repeat(5));
    check_cut(
        &reply,
        r#"loop: the reply ends in a loop in a list at $: "{\"name\": \"tea\", \"qty\": 1}, " 5 times"#,
    );
}

#[test]
fn a_white_space_loop_is_named() {
    check_cut(
        &format!("{{{}", "\n".repeat(200)),
        "loop: the reply ends in a loop in white space at $: 200 blank characters in a row",
    );
}

#[test]
fn a_number_without_end_is_named() {
    check_cut(
        &format!("{{\"x\":0.3{}", "0".repeat(60)),
        "loop: the reply ends in a loop in a number at $.x: 61 digits in a row",
    );
    check_cut(
        &format!("{{\"x\":{}", "1234567890".repeat(5)),
        "loop: the reply ends in a loop in a number at $.x: 50 digits in a row",
    );
}

#[test]
fn a_loop_of_prose_needs_no_bracket() {
    check_cut(
        &"I am sorry. ".repeat(12),
        r#"loop: the reply ends in a loop in a text: "I am sorry. " 12 times; and 1 more"#,
    );
}

#[test]
fn two_equal_items_are_no_loop() {
    check_cut(
        r#"[{"name": "tea"}, {"name": "tea"}, {"na"#,
        "truncated: the reply is cut off at $[2]",
    );
}
