//! Replies that go on from the first tokens of another.

use stepladder::constraint::Constraint;
use stepladder::engine::{RunRequest, StopReason};
use stepladder::sampling::Knob;

use super::setup::{greedy, instruct, knobs, prompt};

fn drawn(max_tokens: f64) -> RunRequest {
    RunRequest {
        knobs: knobs(&[
            (Knob::Temperature, 1.0),
            (Knob::Seed, 11.0),
            (Knob::MaxTokens, max_tokens),
            (Knob::NoRepeatNgramSize, 3.0),
            (Knob::RepetitionPenalty, 1.1),
        ]),
        ..greedy("Tell me a story about a lighthouse.", 1)
    }
}

#[test]
fn a_fork_without_a_change_goes_on_to_the_same_end() {
    let mut model = instruct();
    let whole = model.run(&drawn(32.0)).unwrap();
    let mut fork = drawn(32.0);
    fork.given_tokens = whole.ids()[..12].to_vec();
    let told = model.run(&fork).unwrap();
    assert_eq!(told.ids(), whole.ids());
    assert_eq!(told.text(), whole.text());
    let given = told.tokens.iter().filter(|it| it.given).count();
    assert_eq!(given, 12);
    for (ours, theirs) in told.tokens.iter().zip(&whole.tokens).take(12) {
        assert_eq!(ours.trace.rank, theirs.trace.rank);
        assert!((ours.trace.probability - theirs.trace.probability).abs() < 1e-4);
    }
    assert_eq!(told.tokens[12..].len(), whole.tokens[12..].len());
    assert_eq!(told.tokens[12].trace.before, whole.tokens[12].trace.before);
}

#[test]
fn a_fork_without_the_ban_writes_what_the_ban_took_away() {
    let mut model = instruct();
    let mut request = greedy("Say yes. Say yes. Say yes. Now say yes three times.", 40);
    request.knobs.set(Knob::NoRepeatNgramSize, 2.0).unwrap();
    let banned = model.run(&request).unwrap();
    let at = banned
        .tokens
        .iter()
        .position(|it| it.token != it.trace.wanted)
        .unwrap();
    let mut fork = request.clone();
    fork.given_tokens = banned.ids()[..at].to_vec();
    fork.knobs.set(Knob::NoRepeatNgramSize, 0.0).unwrap();
    let told = model.run(&fork).unwrap();
    assert_eq!(told.tokens[at].token, banned.tokens[at].trace.wanted);
}

fn json_grammar() -> Constraint {
    Constraint::Grammar {
        text: "root ::= \"{\" [a-z\": 0-9]* \"}\"".to_owned(),
    }
}

#[test]
fn a_given_token_that_the_constraint_forbids_is_refused_with_its_place() {
    let mut model = instruct();
    let plain = model.run(&greedy("Name three colours.", 8)).unwrap();
    let fork = RunRequest {
        prompt: prompt("Name three colours."),
        constraint: json_grammar(),
        given_tokens: plain.ids()[..4].to_vec(),
        ..greedy("", 20)
    };
    let refusal = model.run(&fork).unwrap_err();
    assert!(refusal.contains("token 1 of the reply"), "{refusal}");
    assert!(refusal.contains("before the fork"), "{refusal}");
}

#[test]
fn a_constraint_holds_from_behind_the_given_tokens() {
    let mut model = instruct();
    let mut request = greedy("Answer in JSON: how old is Ana, who is 7?", 60);
    request.constraint = json_grammar();
    let whole = model.run(&request).unwrap();
    let mut fork = request.clone();
    fork.given_tokens = whole.ids()[..2].to_vec();
    let told = model.run(&fork).unwrap();
    assert_eq!(told.ids(), whole.ids());
    assert!(told.tokens[..2].iter().all(|it| it.trace.n_legal.is_none()));
    assert!(told.tokens[2..].iter().all(|it| it.trace.n_legal.is_some()));
}

#[test]
fn given_tokens_count_towards_the_limit() {
    let mut model = instruct();
    let whole = model.run(&greedy("Name three colours.", 8)).unwrap();
    let mut fork = greedy("Name three colours.", 6);
    fork.given_tokens = whole.ids()[..4].to_vec();
    let told = model.run(&fork).unwrap();
    assert_eq!(told.tokens.len(), 6);
    assert_eq!(told.finish.stop, StopReason::TokenLimit);
}

#[test]
fn a_prompts_tokens_end_where_their_text_does() {
    let mut model = instruct();
    let view = model.preview(prompt("Buy 3 apples and 2 买.")).unwrap();
    assert_eq!(view.ends.len(), view.tokens.len());
    assert_eq!(view.ends.last().copied(), Some(view.rendered.len() as u32));
}
