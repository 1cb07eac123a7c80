//! A reply fed piece by piece shows the fields that have closed, and ends with the value of the whole.

use serde_json::{Value, json};

use super::prefixes::{Dice, is_kept};
use crate::ladder::{Branch, Pending, Step, Stream, StreamState};

#[track_caller]
fn check(reply: &str, state: StreamState, value: Option<&Value>) -> Stream {
    let mut stream = Stream::default();
    for c in reply.chars() {
        stream.push(c.encode_utf8(&mut [0; 4]));
    }
    assert_eq!((stream.state(), stream.value()), (state, value), "{reply}");
    stream
}

#[test]
fn only_fields_that_have_closed_are_shown() {
    let stream = check(
        "{\"items\":[{\"name\":\"milk\",\"qty\":2},{\"name\":\"eg",
        StreamState::Open,
        Some(&json!({"items": [{"name": "milk", "qty": 2}, {}]})),
    );
    assert_eq!(stream.path(), "$.items[1].name");
    check("{\"a\": 12", StreamState::Open, Some(&json!({})));
    check("{\"a\": 12}", StreamState::Closed, Some(&json!({"a": 12})));
}

#[test]
fn prose_fences_and_thinking_are_skipped() {
    check(
        "Use {name}:\n```json\n{\"a\": 1}\n```",
        StreamState::Closed,
        Some(&json!({"a": 1})),
    );
    check("<think>{\"a\": 0}", StreamState::Thinking, None);
    check(
        "<think>{\"a\": 0}</think>{\"a\": 1",
        StreamState::Open,
        Some(&json!({})),
    );
    check(
        "{\"a\": 0}</think>{\"a\": 1}",
        StreamState::Closed,
        Some(&json!({"a": 1})),
    );
}

#[test]
fn a_value_that_breaks_off_keeps_what_has_closed() {
    check(
        "{\"a\": 1, \"b\": @",
        StreamState::Broken,
        Some(&json!({"a": 1})),
    );
}

#[test]
fn prose_in_brackets_does_not_stand_for_the_value() {
    for prose in ["See [1]. ", "Use {name}: ", "{{", "[] ", "(see [1, 2]) "] {
        check(
            &format!("{prose}{{\"a\": 1}}"),
            StreamState::Closed,
            Some(&json!({"a": 1})),
        );
    }
}

#[test]
fn careless_writing_is_read_as_well() {
    check(
        "{“姓名”：“张三，李四”，'b': None, // \"c\": 1\n /* } */ d: .5,}",
        StreamState::Closed,
        Some(&json!({"姓名": "张三，李四", "b": null, "d": 0.5})),
    );
}

/// Writes the tree with open containers and what is being written in round brackets.
fn drawn(branch: Branch<'_>) -> String {
    let mut parts: Vec<String> = branch
        .children()
        .map(|(step, child)| match step {
            Step::Key(key) => format!("{key}:{}", drawn(child)),
            Step::Index(_) => drawn(child),
        })
        .collect();
    if let Some(Pending { key, text }) = branch.pending() {
        parts.push(format!("({key}:{text})"));
    }
    match (branch.value, branch.closed()) {
        (Value::Object(_) | Value::Array(_), true) => format!("<{}>", parts.join(" ")),
        (Value::Object(_) | Value::Array(_), false) => format!("({})", parts.join(" ")),
        (scalar, _) => scalar.to_string(),
    }
}

#[track_caller]
fn check_tree(reply: &str, expected: &str) {
    let mut stream = Stream::default();
    stream.push(reply);
    assert_eq!(
        stream.tree().map(drawn).as_deref(),
        Some(expected),
        "{reply}"
    );
}

#[test]
fn the_tree_tells_closed_from_open() {
    check_tree(
        "{\"a\": 1, \"b\": [2, {\"c\": 3}], \"d\": [4, {\"e\": \"fi",
        "(a:1 b:<2 <c:3>> d:(4 ((e:fi))))",
    );
    check_tree("{\"a\": [1, 2", "(a:(1 (:2)))");
    check_tree("{\"a\": [1, 2]", "(a:<1 2>)");
    check_tree("{\"a\": tr", "((a:tr))");
    check_tree("{\"na", "((na:))");
    check_tree(
        "{\"a\": {\"x\": 1}, \"b\": 2, \"a\": {\"y\": 2",
        "(a:((y:2)) b:2)",
    );
    check_tree("{\"a\": 1}", "<a:1>");
}

#[test]
fn the_path_counts_items() {
    for (reply, path) in [
        ("[", "$[0]"),
        ("[1", "$[0]"),
        ("[1,", "$[1]"),
        ("[1, {\"a", "$[1]"),
        ("[1, {\"a\"", "$[1].a"),
        ("[1, {\"a\":", "$[1].a"),
        ("{\"a\": [[1], [2", "$.a[1][0]"),
    ] {
        let mut stream = Stream::default();
        stream.push(reply);
        assert_eq!(stream.path(), path, "{reply}");
    }
}

#[test]
fn any_pieces_give_the_same_value_and_never_an_invented_one() {
    let mut dice = Dice(0x5eed_0006);
    for _ in 0..300 {
        let object = Value::Object(dice.object(4));
        let text = object.to_string();
        let mut stream = Stream::default();
        let mut rest = text.as_str();
        while let Some((end, _)) = rest.char_indices().nth(dice.roll(6) + 1) {
            stream.push(&rest[..end]);
            rest = &rest[end..];
            assert!(
                stream.value().is_none_or(|it| is_kept(it, &object)),
                "{text}"
            );
        }
        stream.push(rest);
        assert_eq!(
            (stream.state(), stream.value()),
            (StreamState::Closed, Some(&object)),
            "{text}"
        );
    }
}
