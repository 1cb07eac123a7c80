//! What is recorded of a live engine, and that it can be played again.

use super::super::pieces::make_tokens;
use super::super::{
    Command, Event, Finish, PromptView, Recording, RunId, RunTimings, StageDone, StopReason,
    TokenEvent,
};
use super::recording::{demo, play};
use super::{load, preview, run, run_on};
use crate::constraint::Held;
use crate::prompt::StageKind;

#[test]
fn what_was_recorded_is_played_again() {
    let told = play(
        demo(),
        [load(1), preview(2), run_on(3, "qty"), run_on(4, "phone")],
    );
    let mut recording = Recording {
        title: "Again".to_owned(),
        ..Recording::default()
    };
    for event in &told {
        recording.record(0, event);
    }
    let parsed = Recording::parse(&recording.to_lines()).unwrap();
    assert_eq!(parsed, recording);
    let again = play(
        parsed,
        [load(1), preview(2), run_on(3, "qty"), run_on(4, "phone")],
    );
    assert_eq!(again, told);
}

#[test]
fn a_retried_reply_is_recorded_once() {
    let told = play(demo(), [run(1)]);
    let mut recording = Recording::default();
    for event in told[..3].iter().chain(&told) {
        recording.record(5, event);
    }
    let mut once = Recording::default();
    for event in &told {
        once.record(5, event);
    }
    assert_eq!(recording, once);
}

/// Five tokens freely, then the demo's reply.
fn in_two_stages() -> (Recording, Vec<Event>) {
    let told = play(demo(), [run(1)]);
    let free = make_tokens("Two and two are four.");
    let staged = Event::Staged {
        id: RunId(1),
        stage: Box::new(StageDone {
            kind: StageKind::Reason,
            messages: Vec::new(),
            view: PromptView::default(),
            tokens: free.iter().map(|it| it.token).collect(),
            finish: Finish {
                stop: StopReason::EndOfGeneration,
                text: "Two and two are four.".to_owned(),
                timings: RunTimings::default(),
                knobs: Vec::new(),
                held: Held::default(),
            },
        }),
    };
    let tokens = Event::Tokens {
        id: RunId(1),
        tokens: free,
    };
    let events = [vec![told[0].clone(), tokens, staged], told].concat();
    let mut recording = Recording::default();
    for event in &events {
        recording.record(0, event);
    }
    (recording, events)
}

#[test]
fn both_stages_of_a_reply_are_recorded() {
    let (recording, events) = in_two_stages();
    let parsed = Recording::parse(&recording.to_lines()).unwrap();
    assert_eq!(play(parsed, [run(1)]), events);
}

#[test]
fn given_tokens_are_those_of_the_reply_and_not_of_its_first_stage() {
    let (recording, events) = in_two_stages();
    let tokens = |events: &[Event]| -> Vec<TokenEvent> {
        let all = events.iter().filter_map(|it| match it {
            Event::Tokens { tokens, .. } => Some(tokens.clone()),
            _ => None,
        });
        all.flatten().collect()
    };
    let n_free = make_tokens("Two and two are four.").len();
    let given: Vec<_> = tokens(&events)[n_free..][..2]
        .iter()
        .map(|it| it.token)
        .collect();
    let Command::Run { id, mut request } = run(1) else {
        panic!("a run")
    };
    request.given_tokens = given;
    let told = tokens(&play(recording, [Command::Run { id, request }]));
    let marked: Vec<_> = (0..told.len()).filter(|it| told[*it].given).collect();
    assert_eq!(marked, [n_free, n_free + 1]);
}

#[test]
fn a_reply_that_goes_on_is_not_written() {
    let told = play(demo(), [run(1)]);
    let mut recording = Recording::default();
    for event in &told[..3] {
        recording.record(0, event);
    }
    assert_eq!(recording.to_lines(), "{\"v\":1,\"recording\":\"\"}\n");
}
