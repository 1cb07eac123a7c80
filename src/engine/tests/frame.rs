//! What a damaged or foreign stream is told to be.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::frame::{
    FrameError, Heard, Hello, PROTOCOL, Sign, read_event, read_frame, read_greeting, write_event,
    write_frame, write_greeting, write_sign,
};
use super::super::pieces::make_tokens;
use super::super::{Command, Event, RunId, TokenEvent};
use super::{cancel, load, preview, run};

#[track_caller]
fn check_round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(message: &T) {
    let mut bytes = Vec::new();
    write_frame(&mut bytes, "a message", message).unwrap();
    let mut input = bytes.as_slice();
    let back = read_frame::<T>(&mut input, "a message").unwrap();
    assert_eq!(back.as_ref(), Some(message));
    assert!(input.is_empty());
}

#[track_caller]
fn check_damage(bytes: &[u8], expected: &str) {
    let mut input = bytes;
    let got = read_frame::<Event>(&mut input, "an event").unwrap_err();
    assert!(got.to_string().starts_with(expected), "{got}");
}

#[track_caller]
fn check_greeting(bytes: &[u8], expected: &str, is_protocol: bool) {
    let mut input = bytes;
    let got = read_greeting(&mut input).unwrap_err();
    assert!(got.to_string().contains(expected), "{got}");
    assert_eq!(got.is_protocol(), is_protocol);
}

fn greeting(protocol: u32, app: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let app = app.to_owned();
    write_greeting(&mut bytes, &Hello { protocol, app }).unwrap();
    bytes
}

#[test]
fn commands_come_through_as_they_were() {
    for command in [load(1), run(2), preview(3), cancel(4), Command::Unload] {
        check_round_trip(&command);
    }
}

#[test]
fn events_come_through_as_they_were() {
    check_round_trip(&Event::EngineRestarted);
    check_round_trip(&Event::LoadProgress {
        id: RunId(u64::MAX),
        fraction: 0.1,
    });
    check_round_trip(&Event::RunFailed {
        id: RunId(1),
        message: "牛奶 \u{0} \"".to_owned(),
    });
}

#[test]
fn messages_follow_one_another() {
    let mut bytes = Vec::new();
    write_frame(&mut bytes, "a command", &cancel(1)).unwrap();
    write_frame(&mut bytes, "a command", &cancel(2)).unwrap();
    let mut input = bytes.as_slice();
    assert_eq!(read_frame(&mut input, "").unwrap(), Some(cancel(1)));
    assert_eq!(read_frame(&mut input, "").unwrap(), Some(cancel(2)));
    assert_eq!(read_frame::<Command>(&mut input, "").unwrap(), None);
}

#[test]
fn a_cut_length_is_named() {
    check_damage(
        &[5, 0],
        "the pipe ended within a message's length: 2 of 4 bytes came",
    );
}

#[test]
fn a_cut_message_is_named() {
    check_damage(
        b"\x09\0\0\0{\"ev",
        "the pipe ended within an event: 4 of 9 bytes came",
    );
}

#[test]
fn a_length_of_zero_is_refused() {
    check_damage(
        &[0, 0, 0, 0],
        "expected a message of 1 to 67108864 bytes, got a length of 0",
    );
}

#[test]
fn an_absurd_length_is_refused() {
    check_damage(
        b"garbage!",
        "expected a message of 1 to 67108864 bytes, got a length of 1651663207",
    );
}

#[test]
fn garbage_in_a_message_is_named() {
    check_damage(
        b"\x03\0\0\0abc",
        "expected an event as JSON: expected value",
    );
}

#[test]
fn an_event_nobody_knows_is_named() {
    check_damage(
        b"\x0d\0\0\0{\"event\":\"x\"}",
        "expected an event as JSON: unknown variant `x`",
    );
}

#[test]
fn a_message_that_is_too_long_is_not_written() {
    let mut bytes = Vec::new();
    let message = "x".repeat(64 << 20);
    let got = write_frame(&mut bytes, "a text", &message);
    assert!(matches!(got, Err(FrameError::Length(67_108_866))));
    assert!(bytes.is_empty());
}

#[test]
fn our_own_greeting_is_accepted() {
    let bytes = greeting(PROTOCOL, env!("CARGO_PKG_VERSION"));
    assert!(read_greeting(&mut bytes.as_slice()).is_ok());
}

#[test]
fn another_protocol_is_refused() {
    let expected = format!(
        "expected protocol {PROTOCOL} of Stepladder {app}, got protocol 99 of Stepladder {app}; start Stepladder again",
        app = env!("CARGO_PKG_VERSION"),
    );
    check_greeting(&greeting(99, env!("CARGO_PKG_VERSION")), &expected, true);
}

#[test]
fn another_app_version_is_refused() {
    let bytes = greeting(PROTOCOL, "99.0.0");
    check_greeting(&bytes, "of Stepladder 99.0.0", true);
}

#[test]
fn a_stranger_is_refused() {
    let expected = r#"expected the greeting "STL1", got "Usag""#;
    check_greeting(b"Usage: stepladder", expected, true);
}

#[test]
fn silence_instead_of_a_greeting_is_left_to_the_exit_status() {
    check_greeting(b"", r#"got """#, false);
    check_greeting(b"STL", r#"got "STL""#, false);
    check_greeting(b"STL1", "the pipe ended within the greeting", false);
}

/// Tokens with made-up traces, one of them given, one that is part of a character.
fn tokens() -> Vec<TokenEvent> {
    let mut tokens = make_tokens("{\"items\": [{\"name\": \"Brötchen\", \"price\": 2.40}]}");
    tokens[0].given = true;
    let part = &mut tokens[3];
    (part.bytes, part.text) = (vec![0xf0, 0x9f], String::new());
    tokens
}

fn written(event: &Event) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_event(&mut bytes, event).unwrap();
    bytes
}

#[test]
fn events_come_back_as_they_were() {
    let id = RunId(u64::MAX);
    let finished = Event::RunFailed {
        id,
        message: "no".to_owned(),
    };
    let tokens = Event::Tokens {
        id,
        tokens: tokens(),
    };
    let many = Event::Tokens {
        id,
        tokens: make_tokens(&"word ".repeat(3000)),
    };
    for event in [finished, tokens, many] {
        let bytes = written(&event);
        let back = read_event(&mut bytes.as_slice()).unwrap();
        assert_eq!(back, Some(Heard::Event(event)));
    }
}

#[test]
fn signs_of_life_come_back_between_events() {
    let mut bytes = Vec::new();
    for sign in [Sign::Alive, Sign::Working] {
        write_sign(&mut bytes, sign).unwrap();
        write_event(&mut bytes, &Event::Unloaded).unwrap();
    }
    let mut input = bytes.as_slice();
    for sign in [Sign::Alive, Sign::Working] {
        assert_eq!(read_event(&mut input).unwrap(), Some(Heard::Sign(sign)));
        let event = read_event(&mut input).unwrap();
        assert_eq!(event, Some(Heard::Event(Event::Unloaded)));
    }
    assert_eq!(read_event(&mut input).unwrap(), None);
}

#[test]
fn packed_tokens_take_a_third_of_their_json() {
    let id = RunId(7);
    let tokens = tokens();
    let json = serde_json::to_vec(&tokens).unwrap().len();
    let n = tokens.len();
    let packed = written(&Event::Tokens { id, tokens }).len();
    println!("{} bytes a token, {} as JSON", packed / n, json / n);
    assert!(packed * 3 < json, "{packed} of {json}");
}

#[test]
fn damaged_packed_tokens_are_refused() {
    let tokens = tokens();
    let id = RunId(7);
    let whole = written(&Event::Tokens { id, tokens });
    for n in 1..whole.len() - 4 {
        let body = &whole[4..4 + n];
        let frame = [&(n as u32).to_le_bytes(), body].concat();
        let error = read_event(&mut frame.as_slice()).unwrap_err();
        assert!(error.is_protocol() && error.to_string().starts_with("byte "));
    }
    let mut frame = whole.clone();
    frame.push(0);
    let n = frame.len() as u32 - 4;
    frame[..4].copy_from_slice(&n.to_le_bytes());
    let error = read_event(&mut frame.as_slice()).unwrap_err().to_string();
    let at = n - 1;
    assert_eq!(
        error,
        format!("byte {at} of packed tokens: expected the end")
    );
}
