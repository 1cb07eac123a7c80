//! Replies that go on from given tokens, played from a recording.

use super::super::pieces::{split, token_id};
use super::super::{
    Backend as _, Cancel, Command, Event, Piece, Recording, ScriptedBackend, TokenEvent,
};
use super::{preview, run};
use crate::sampling::TokenId;

const ORIGINAL: &str = "{\"items\".map(item)}";
const FORK: &str = "{\"items\": []}";

/// What is told when these tokens are given.
fn told(given: &[TokenId]) -> Vec<Event> {
    let Command::Run { id, mut request } = run(3) else {
        panic!("not a run")
    };
    request.given_tokens = given.to_vec();
    let recording = Recording::from_replies(&[ORIGINAL, FORK]).without_delays();
    let mut backend = ScriptedBackend::new(recording, || ());
    let mut events = Vec::new();
    for command in [run(2), Command::Run { id, request }] {
        backend.execute(command, &Cancel::default(), &mut |it| events.push(it));
    }
    let start = events
        .iter()
        .rposition(|it| matches!(it, Event::Started { .. } | Event::RunFailed { .. }));
    events.split_off(start.unwrap())
}

fn tokens(events: &[Event]) -> Vec<TokenEvent> {
    let tokens = events.iter().filter_map(|it| match it {
        Event::Tokens { tokens, .. } => Some(tokens.clone()),
        _ => None,
    });
    tokens.flatten().collect()
}

fn ids(text: &str, n: usize) -> Vec<TokenId> {
    split(text).into_iter().take(n).map(token_id).collect()
}

#[test]
fn a_fork_begins_with_the_given_tokens_and_marks_them() {
    let given = ids(ORIGINAL, 3);
    let tokens = tokens(&told(&given));
    let text: String = tokens.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(text, FORK);
    let marks: Vec<bool> = tokens.iter().map(|it| it.given).collect();
    assert_eq!(marks.iter().filter(|it| **it).count(), 3);
    assert!(marks[..3].iter().all(|it| *it));
}

#[test]
fn without_given_tokens_none_is_marked() {
    assert!(tokens(&told(&[])).iter().all(|it| !it.given));
}

#[test]
fn tokens_that_no_reply_begins_with_are_refused_with_their_number() {
    let events = told(&[1, 2]);
    let [Event::RunFailed { message, .. }] = &events[..] else {
        panic!("{events:?}")
    };
    assert!(message.contains("these 2 tokens"), "{message}");
}

#[test]
fn a_preview_cuts_the_texts_it_is_given() {
    let Command::Preview { id, mut request } = preview(4) else {
        panic!("not a preview")
    };
    request.texts = vec!["{\"qty\": 2}".to_owned()];
    let mut backend = ScriptedBackend::new(Recording::default(), || ());
    let mut views = Vec::new();
    let command = Command::Preview { id, request };
    backend.execute(command, &Cancel::default(), &mut |it| {
        if let Event::Previewed { view, .. } = it {
            views.push(view);
        }
    });
    let bytes = views[0].texts[0]
        .iter()
        .flat_map(|it: &Piece| it.bytes.clone());
    let bytes: Vec<u8> = bytes.collect();
    assert_eq!(bytes, b"{\"qty\": 2}");
    assert_eq!(
        views[0].ends.last().copied(),
        Some(views[0].rendered.len() as u32)
    );
}
