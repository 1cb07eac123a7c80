//! What is written, and why it ends.

use stepladder::constraint::Constraint;
use stepladder::engine::{Event, Finish, RunRequest, StopReason};
use stepladder::prompt::TemplateChoice;
use stepladder::sampling::Knob;

use super::setup::{Asked, Told, base, greedy, instruct, instruct_path, knobs, settings, told};

/// Short enough to be finished by a model that likes to go on.
const LIST_GRAMMAR: &str = r#"root ::= "{" ws "\"items\":" ws "[" string ("," ws string){0,3} "]" ws "}"
string ::= "\"" [^"\\\x00-\x1F]{1,24} "\""
ws ::= " "? "\n"? " "? " "?
"#;

#[track_caller]
fn check_stop(told: &Told, expected: &StopReason) {
    assert_eq!(&told.finish.stop, expected, "after {:?}", told.text());
}

#[test]
fn the_same_seed_writes_the_same_reply_and_another_seed_another() {
    let mut model = instruct();
    let mut request = greedy("Tell me a story about a lighthouse.", 40);
    let mut with_seed = |seed: f64| {
        request.knobs = knobs(&[
            (Knob::Temperature, 1.0),
            (Knob::Seed, seed),
            (Knob::MaxTokens, 40.0),
        ]);
        model.run(&request).unwrap().ids()
    };
    let first = with_seed(7.0);
    assert_ne!(with_seed(8.0), first);
    assert_eq!(with_seed(7.0), first, "whatever ran in between");
}

#[test]
fn a_greedy_reply_takes_what_the_model_wanted_and_says_so() {
    let told = instruct().run(&greedy("Name three colours.", 24)).unwrap();
    assert!(!told.tokens.is_empty());
    for token in &told.tokens {
        assert_eq!(token.trace.wanted, token.token);
        assert_eq!(token.trace.rank, 1);
        assert!(token.trace.probability > 0.0 && token.trace.probability <= 1.0);
        let named = |id| token.names.iter().any(|(it, _)| *it == id);
        assert!(named(token.token));
        assert!(token.trace.before.iter().all(|it| named(it.token)));
        assert!(token.trace.after.iter().all(|it| named(it.token)));
    }
}

#[test]
fn an_answered_question_ends_by_itself() {
    let told = instruct()
        .run(&greedy("Answer with one word: what colour is snow?", 200))
        .unwrap();
    check_stop(&told, &StopReason::EndOfGeneration);
    assert!(!told.text().is_empty());
}

#[test]
fn the_token_limit_is_exact() {
    let told = instruct()
        .run(&greedy("Count from one to a hundred.", 5))
        .unwrap();
    check_stop(&told, &StopReason::TokenLimit);
    assert_eq!(told.tokens.len(), 5);
    assert_eq!(told.finish.timings.n_reply, 5);
    assert_eq!(
        told.finish.timings.n_prompt as usize,
        told.view.tokens.len()
    );
    assert!(told.finish.timings.first_token_ms > 0.0);
}

#[test]
fn a_grammar_is_obeyed_to_its_end() {
    let mut request = greedy("Give me a shopping list as JSON with the key items.", 300);
    request.constraint = Constraint::Grammar {
        text: LIST_GRAMMAR.to_owned(),
    };
    let told = instruct().run(&request).unwrap();
    let value: serde_json::Value = serde_json::from_str(told.text())
        .unwrap_or_else(|it| panic!("{it}: {:?} after {:?}", told.text(), told.finish.stop));
    assert!(value["items"].is_array());
    for token in &told.tokens {
        assert!(token.trace.n_legal.is_some_and(|it| it > 0));
        assert!(token.trace.mask_us.is_some());
    }
    assert!(told.finish.timings.mask_ms > 0.0);
}

#[test]
fn a_constraint_with_nothing_left_to_say_is_complete() {
    let mut request = greedy("Say yes or no.", 20);
    request.constraint = Constraint::Grammar {
        text: r#"root ::= "yes" | "no""#.to_owned(),
    };
    let told = instruct().run(&request).unwrap();
    check_stop(&told, &StopReason::ConstraintComplete);
    assert!(["yes", "no"].contains(&told.text()));
}

#[test]
fn a_schema_is_obeyed_by_the_model_with_the_large_vocabulary() {
    let mut request = greedy("A person as JSON:\n", 120);
    request.prompt.template = TemplateChoice::Raw;
    request.constraint = Constraint::Schema {
        text: r#"{"type":"object","properties":{"name":{"type":"string","maxLength":20},
            "age":{"type":"integer","minimum":0,"maximum":150}},"required":["name","age"],"additionalProperties":false}"#
            .to_owned(),
        white_space: stepladder::constraint::WhiteSpace::EIGHT,
        switches: stepladder::constraint::SchemaSwitches::default(),
    };
    let told = base().run(&request).unwrap();
    let value: serde_json::Value = serde_json::from_str(told.text())
        .unwrap_or_else(|it| panic!("{it}: {:?} after {:?}", told.text(), told.finish.stop));
    assert!(value["name"].is_string() && value["age"].is_number());
}

#[test]
fn a_faulty_grammar_fails_with_its_place() {
    let mut request = greedy("Say yes.", 20);
    request.constraint = Constraint::Grammar {
        text: "root ::= (".to_owned(),
    };
    let message = instruct().run(&request).unwrap_err();
    assert!(message.contains("line 1"), "{message}");
}

#[test]
fn a_ban_that_meets_a_mask_is_a_dead_end_with_both_names() {
    let mut request = greedy("Say a.", 60);
    request.constraint = Constraint::Grammar {
        text: r#"root ::= "a a a a a a a a a a a a a a a a a a a a""#.to_owned(),
    };
    request.knobs = knobs(&[(Knob::NoRepeatNgramSize, 2.0), (Knob::MaxTokens, 60.0)]);
    let told = instruct().run(&request).unwrap();
    match &told.finish.stop {
        StopReason::DeadEnd { stages } => {
            assert_eq!(stages.len(), 2, "{stages:?}");
        }
        other => panic!("{other:?} after {:?}", told.text()),
    }
}

#[test]
fn a_stop_string_across_token_borders_is_cut_off() {
    let mut model = instruct();
    let plain = model
        .run(&greedy("Count from one to ten in digits.", 30))
        .unwrap();
    let texts: Vec<&str> = plain.tokens.iter().map(|it| it.text.as_str()).collect();
    // A stop string of the last letter of one token and the first of the next cannot sit in one token.
    let border = texts[..8].concat().len();
    let stop = &plain.text()[border - 1..=border];
    let mut request = greedy("Count from one to ten in digits.", 30);
    request.knobs.stop = vec![stop.to_owned()];
    let told = model.run(&request).unwrap();
    check_stop(
        &told,
        &StopReason::StopString {
            text: stop.to_owned(),
        },
    );
    let at = plain.text().find(stop).unwrap();
    assert_eq!(told.text(), &plain.text()[..at]);
}

#[test]
fn emoji_and_korean_come_in_whole_characters() {
    for user in [
        "Repeat exactly: 😀🦊🎉 한국어 안녕하세요",
        "Write five emoji.",
    ] {
        let told = instruct().run(&greedy(user, 60)).unwrap();
        let bytes: Vec<u8> = told.tokens.iter().flat_map(|it| it.bytes.clone()).collect();
        assert_eq!(String::from_utf8_lossy(&bytes), told.text());
        let last = told.tokens.len() - 1;
        for token in &told.tokens[..last] {
            let own = String::from_utf8(token.bytes.clone());
            let is_part = own.is_err();
            assert!(is_part || !token.text.contains('\u{FFFD}'), "{token:?}");
        }
    }
}

#[test]
fn a_full_context_is_a_stop_reason() {
    let mut small = settings(instruct_path());
    small.n_ctx = 64;
    let mut model = Asked::new(small);
    let told = model
        .run(&greedy("Write a very long story about the sea.", 500))
        .unwrap();
    check_stop(&told, &StopReason::ContextFull);
    let n_all = told.finish.timings.n_prompt + told.finish.timings.n_reply;
    assert_eq!(n_all, 65, "the last token needs no place");
}

#[test]
fn a_prompt_longer_than_the_context_fails_with_both_numbers() {
    let long = "sea ".repeat(3_000);
    let message = instruct().run(&greedy(&long, 5)).unwrap_err();
    assert!(message.contains("2047"), "{message}");
    assert!(message.contains("larger context"), "{message}");
}

#[test]
fn a_prompt_far_too_long_fails_before_it_is_tokenized() {
    let long = "ab1 ,\n".repeat(150_000);
    let message = base().run(&greedy_raw(&long)).unwrap_err();
    assert!(message.contains("the prompt has 900000 bytes"), "{message}");
}

#[test]
fn cancelling_while_the_reply_is_written_ends_it_with_what_there_is() {
    let mut model = instruct();
    let request = greedy("Write a very long story about the sea.", 1_000);
    let events = model.events(&request, |event, cancel, id| {
        if matches!(event, Event::Tokens { .. }) {
            cancel.request(id);
        }
    });
    let told = told(events).unwrap();
    check_stop(&told, &StopReason::Cancelled);
    assert_eq!(told.tokens.len(), 1, "the first token is told at once");
}

#[test]
fn cancelling_between_two_parts_of_the_prompt_ends_it_before_a_token() {
    let mut model = instruct();
    let request = greedy(&"The sea is wide. ".repeat(350), 20);
    let events = model.events(&request, |event, cancel, id| {
        if matches!(event, Event::PrefillProgress { .. }) {
            cancel.request(id);
        }
    });
    let parts = events
        .iter()
        .filter(|it| matches!(it, Event::PrefillProgress { .. }));
    assert_eq!(parts.count(), 1);
    assert_eq!(finish(&events).stop, StopReason::Cancelled);
    assert_eq!(finish(&events).text, "");
    let told = model.run(&greedy("Say hello.", 3)).unwrap();
    assert!(!told.tokens.is_empty(), "the model is as good as new");
}

#[test]
fn cancelling_from_another_thread_ends_the_reading_of_the_prompt() {
    let mut model = instruct();
    let request = greedy(&"The sea is wide. ".repeat(350), 20);
    let events = model.events(&request, |event, cancel, id| {
        if matches!(event, Event::Started { .. }) {
            let cancel = cancel.clone();
            std::thread::Builder::new()
                .name("cancel".to_owned())
                .spawn(move || cancel.request(id))
                .unwrap();
        }
    });
    assert_eq!(finish(&events).stop, StopReason::Cancelled);
    assert_eq!(finish(&events).text, "");
}

#[test]
fn a_cancel_for_another_run_does_nothing() {
    let mut model = instruct();
    let events = model.events(&greedy("Say hello.", 3), |_, cancel, id| {
        cancel.request(stepladder::engine::RunId(id.0 - 1));
    });
    assert!(told(events).unwrap().finish.stop != StopReason::Cancelled);
}

#[test]
fn the_first_token_is_told_at_once_and_later_ones_together() {
    let mut model = instruct();
    let events = model.events(&greedy("Count to fifty.", 60), |_, _, _| {});
    let sizes: Vec<usize> = events
        .iter()
        .filter_map(|it| match it {
            Event::Tokens { tokens, .. } => Some(tokens.len()),
            _ => None,
        })
        .collect();
    assert_eq!(sizes[0], 1);
    assert!(sizes.iter().all(|it| *it <= 8), "{sizes:?}");
}

fn greedy_raw(user: &str) -> RunRequest {
    let mut request = greedy(user, 5);
    request.prompt.template = TemplateChoice::Raw;
    request
}

fn finish(events: &[Event]) -> &Finish {
    match events.last() {
        Some(Event::Finished { finish, .. }) => finish,
        other => panic!("{other:?}"),
    }
}
