//! Constraints that begin late, close in time, and stand against biases and loops, on real vocabularies.

use std::sync::MutexGuard;

use serde_json::Value;
use stepladder::constraint::{Constraint, SchemaSwitches, Start, WhiteSpace};
use stepladder::engine::{Event, RunRequest, StopReason};
use stepladder::prompt::{FirstStage, StageKind, TemplateChoice};
use stepladder::sampling::{BiasTarget, Knob, LogitBias};

use super::setup::{Asked, base, greedy, instruct, knobs, with_template};

const LIST: &str = r#"{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"qty":{"type":"integer"}},"required":["name","qty"],"additionalProperties":false}}},"required":["items"],"additionalProperties":false}"#;
const QUESTION: &str = "List what to buy as JSON: two milk, three eggs, one bread, five apples.";
/// Leaves to the model whether it thinks.
const FREE: &str = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content.split('</think>')[-1] }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n";
/// Opens the block of thoughts.
const OPEN: &str = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n<think>\n";

fn schema(text: &str) -> Constraint {
    Constraint::Schema {
        text: text.to_owned(),
        white_space: WhiteSpace::One,
        switches: SchemaSwitches::default(),
    }
}

fn grammar(text: &str) -> Constraint {
    Constraint::Grammar {
        text: text.to_owned(),
    }
}

fn held(constraint: Constraint, max_tokens: u32) -> RunRequest {
    let mut request = greedy(QUESTION, max_tokens);
    request.prompt.template = TemplateChoice::Raw;
    request.constraint = constraint;
    request
}

/// Both vocabularies, one after the other.
fn both(mut check: impl FnMut(MutexGuard<'static, Asked>)) {
    check(instruct());
    check(base());
}

#[test]
fn a_constraint_begins_behind_a_text() {
    both(|mut model| {
        let mut request = held(grammar("root ::= \"yes\" | \"no\""), 60);
        request.hold.start = Start::After(" ".to_owned());
        // A base model ends its reply at once where it may.
        request.knobs.set(Knob::MinTokens, 12.0).unwrap();
        let told = model.run(&request).unwrap();
        let text = told.text();
        let (before, behind) = text
            .split_once(' ')
            .unwrap_or_else(|| panic!("{text:?} has no space; {:?}", told.finish));
        assert!(["yes", "no"].contains(&behind), "{before:?} {behind:?}");
        assert_eq!(told.finish.stop, StopReason::ConstraintComplete);
        assert!(told.finish.held.began_at.is_some());
        assert!(!told.finish.held.never_began);
    });
}

#[test]
fn a_text_that_never_comes_is_said() {
    let mut request = held(grammar("root ::= \"yes\""), 5);
    request.hold.start = Start::After("~~never~~".to_owned());
    let told = instruct().run(&request).unwrap();
    assert!(told.finish.held.never_began);
    assert!(told.tokens.iter().all(|it| it.trace.n_legal.is_none()));
}

#[test]
fn a_model_thinks_or_answers_and_the_prefill_begins_the_answer() {
    let mut model = with_template(FREE).asked;
    let mut request = greedy(QUESTION, 200);
    request.constraint = schema(LIST);
    request.prompt.prefill = "{ \"items\"".to_owned();
    request.hold.start = Start::AfterThinking;
    let told = model.run(&request).unwrap();
    assert!(told.view.warnings.is_empty(), "{:?}", told.view.warnings);
    let text = told.text();
    assert!(
        text.starts_with("<think>") || text.starts_with("{ \"items\""),
        "{text:?}"
    );
}

#[test]
fn the_answer_begins_behind_closed_thoughts() {
    let mut model = with_template(OPEN).asked;
    let mut request = greedy(QUESTION, 200);
    request.constraint = schema(LIST);
    request.prompt.prefill = "{".to_owned();
    request.hold.start = Start::AfterThinking;
    let thinking = model.run(&request).unwrap();
    assert!(thinking.finish.held.began_at.is_some() || thinking.finish.held.never_began);
    // The model is made to close its thoughts: these tokens are given.
    let mut closing = held(grammar("root ::= \"Milk.</think>\""), 40);
    closing.prompt = request.prompt.clone();
    closing.prompt.prefill = String::new();
    request.given_tokens = model.run(&closing).unwrap().ids();
    let told = model.run(&request).unwrap();
    let answer = told.text().strip_prefix("Milk.</think>").unwrap();
    let value: Value = serde_json::from_str(answer)
        .unwrap_or_else(|it| panic!("{it}: {answer:?} after {:?}", told.finish.stop));
    assert!(value["items"].is_array());
    assert_eq!(
        told.finish.held.began_at,
        Some(request.given_tokens.len() as u32)
    );
    assert!(
        told.tokens[request.given_tokens.len()].given,
        "the prefill is given"
    );
}

#[test]
fn a_reply_closes_before_its_limit() {
    let list = "root ::= \"{\\\"items\\\": [\" item (\", \" item)* \"]}\"\nitem ::= \"{\\\"name\\\": \\\"\" [^\"\\\\\\x00-\\x1F]+ \"\\\", \\\"qty\\\": \" [0-9]+ \"}\"\n";
    both(|mut model| {
        for constraint in [schema(LIST), grammar(list)] {
            for max_tokens in [24, 33, 47] {
                let mut request = held(constraint.clone(), max_tokens);
                request.hold.close_in_time = true;
                let told = model.run(&request).unwrap();
                serde_json::from_str::<Value>(told.text()).unwrap_or_else(|it| {
                    panic!(
                        "{it}: {:?} after {:?} {:?}",
                        told.text(),
                        told.finish.stop,
                        told.finish.held
                    )
                });
                let loose = model.run(&held(constraint.clone(), max_tokens)).unwrap();
                if serde_json::from_str::<Value>(loose.text()).is_err() {
                    assert!(told.finish.held.lost.is_some(), "{:?}", told.text());
                }
            }
        }
    });
}

#[test]
fn a_limit_that_is_too_small_is_said() {
    let mut request = held(schema(LIST), 3);
    request.hold.close_in_time = true;
    let told = instruct().run(&request).unwrap();
    assert_eq!(told.finish.stop, StopReason::TokenLimit);
    let lost = told.finish.held.lost.unwrap();
    assert!(lost.contains("closing takes"), "{lost}");
}

#[test]
fn a_loop_is_named_with_its_path_and_the_guard_can_be_switched_off() {
    let endless = grammar("root ::= \"{\\\"x\\\":0.\" \"0\"{500} \"}\"");
    both(|mut model| {
        let mut request = held(endless.clone(), 300);
        let told = model.run(&request).unwrap();
        match &told.finish.stop {
            StopReason::LoopGuard { what } => {
                assert!(what.contains("loop in a number at $.x"), "{what}");
            }
            other => panic!("{other:?}"),
        }
        request.hold.guards = false;
        let told = model.run(&request).unwrap();
        assert!(
            !matches!(told.finish.stop, StopReason::LoopGuard { .. }),
            "{:?}",
            told.finish.stop
        );
    });
    let blank = grammar("root ::= \"{\" [ \\n]{300} \"}\"");
    let told = instruct().run(&held(blank, 320)).unwrap();
    match &told.finish.stop {
        StopReason::LoopGuard { what } => assert!(
            what.contains("white space") && what.contains(" at $"),
            "{what}"
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn characters_in_parts_come_out_whole() {
    let text = "한국어 😀👨‍👩‍👧 é";
    both(|mut model| {
        for constraint in [
            grammar(&format!("root ::= \"{text}\"")),
            schema(&format!("{{\"const\":\"{text}\"}}")),
        ] {
            let told = model.run(&held(constraint.clone(), 80)).unwrap();
            assert_eq!(told.text().trim_matches('"'), text);
            assert!(
                told.tokens
                    .iter()
                    .any(|it| std::str::from_utf8(&it.bytes).is_err()),
                "no token is a part"
            );
            assert_eq!(told.finish.stop, StopReason::ConstraintComplete);
        }
    });
}

#[test]
fn every_token_that_ends_a_reply_is_legal_only_where_it_may_end() {
    for (ends, mut model) in [(vec![0, 2, 4], instruct()), (vec![1, 106, 212], base())] {
        for end in ends {
            // Digits are tokens of their own in both vocabularies, so that the end is legal behind the first.
            let mut request = held(grammar("root ::= [0-9]+"), 20);
            request.knobs = knobs(&[(Knob::MaxTokens, 20.0)]);
            request.knobs.logit_bias = vec![LogitBias {
                target: BiasTarget::Token(end),
                bias: 100.0,
            }];
            let told = model.run(&request).unwrap();
            assert_eq!(told.text().len(), 1, "{end}: {:?}", told.text());
            assert_eq!(told.finish.stop, StopReason::EndOfGeneration, "{end}");
        }
    }
}

#[test]
fn a_control_token_with_a_bias_is_masked_and_shown_as_removed() {
    // `<|im_start|>` and `<start_of_turn>`.
    for (control, mut model) in [(1, instruct()), (105, base())] {
        let mut request = held(schema(LIST), 30);
        request.knobs.logit_bias = vec![LogitBias {
            target: BiasTarget::Token(control),
            bias: 100.0,
        }];
        let told = model.run(&request).unwrap();
        assert!(told.ids().iter().all(|it| *it != control));
        let removed = told.tokens.iter().flat_map(|it| &it.trace.effects);
        let most = removed.map(|it| it.removed_mass).fold(0.0, f32::max);
        assert!(most > 0.9, "{most}");
    }
}

#[test]
fn two_stages_are_told_and_the_second_is_the_reply() {
    let mut request = held(schema(LIST), 200);
    request.first = Some(FirstStage {
        kind: StageKind::Reason,
        max_tokens: 24,
    });
    request.hold.close_in_time = true;
    let mut model = instruct();
    let events = model.events(&request, |_, _, _| {});
    let n_started = events
        .iter()
        .filter(|it| matches!(it, Event::Started { .. }))
        .count();
    assert_eq!(n_started, 2);
    let stage = events.iter().find_map(|it| match it {
        Event::Staged { stage, .. } => Some(stage),
        _ => None,
    });
    let stage = stage.unwrap();
    assert!(!stage.tokens.is_empty() && stage.tokens.len() <= 24);
    assert!(stage.messages[0].content.contains("think it through"));
    match events.last() {
        Some(Event::Finished { finish, .. }) => {
            serde_json::from_str::<Value>(&finish.text)
                .unwrap_or_else(|it| panic!("{it}: {finish:?}"));
        }
        other => panic!("{other:?}"),
    }
    let second = events.iter().rev().find_map(|it| match it {
        Event::Started { view, .. } => Some(view),
        _ => None,
    });
    assert!(second.unwrap().rendered.contains(stage.finish.text.trim()));
}
