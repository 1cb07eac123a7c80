//! A reply fed piece by piece shows the fields that have closed, and ends with the value of the whole.

use serde_json::{Value, json};

use super::prefixes::{Dice, is_kept};
use crate::ladder::{Stream, StreamState};

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
