//! Replies that are evaluated together, and those that are evaluated alone behind them.

use std::collections::HashMap;

use stepladder::constraint::{Constraint, SchemaSwitches, WhiteSpace};
use stepladder::engine::{Event, GroupRun, RunId, RunRequest, StopReason, TokenEvent};
use stepladder::prompt::TemplateChoice;
use stepladder::sampling::{Knob, TokenId, TokenTrace};

use super::setup::{Asked, Told, base_path, greedy, instruct_path, settings, told};

const SCHEMA: &str = r#"{"type": "object", "properties": {"name": {"type": "string", "maxLength": 20},
    "qty": {"type": "integer"}}, "required": ["name", "qty"], "additionalProperties": false}"#;

fn asked(question: &str) -> RunRequest {
    let rules = "Write the shopping list as JSON with the keys name and qty. Two milk, one bread. ";
    let mut request = greedy(&format!("{}{question}", rules.repeat(8)), 20);
    request.prompt.template = TemplateChoice::Raw;
    request
}

/// Seven, of different lengths and settings.
fn requests() -> Vec<RunRequest> {
    let questions = [
        "Three eggs.",
        "Tea.",
        "Nothing.",
        "Four plums.",
        "Salt.",
        "Ink.",
    ];
    let mut res: Vec<RunRequest> = questions.map(asked).into();
    for (nth, request) in res.iter_mut().enumerate() {
        request
            .knobs
            .set(Knob::MaxTokens, 8.0 + 3.0 * nth as f64)
            .unwrap();
        if nth % 2 == 1 {
            request.knobs.set(Knob::Temperature, 0.9).unwrap();
            request.knobs.set(Knob::Seed, nth as f64).unwrap();
        }
    }
    let mut held = asked("Six apples.");
    held.constraint = Constraint::Schema {
        text: SCHEMA.to_owned(),
        white_space: WhiteSpace::None,
        switches: SchemaSwitches::default(),
    };
    held.knobs.set(Knob::MaxTokens, 60.0).unwrap();
    res.push(held);
    res
}

fn runs(requests: &[RunRequest]) -> Vec<GroupRun> {
    let ids = (100..).map(RunId);
    let run = |(id, request): (RunId, &RunRequest)| GroupRun {
        id,
        request: request.clone(),
    };
    ids.zip(requests).map(run).collect()
}

/// What came of each reply, in the order in which they were asked for.
fn together(model: &mut Asked, requests: &[RunRequest], width: u32) -> Vec<Result<Told, String>> {
    let events = model.group_events(width, runs(requests), |_, _, _| {});
    let Some((Event::GroupFinished { .. }, events)) = events.split_last() else {
        panic!("the group has no end");
    };
    let mut by_id: HashMap<RunId, Vec<Event>> = HashMap::new();
    for event in events {
        by_id
            .entry(event.id().unwrap())
            .or_default()
            .push(event.clone());
    }
    runs(requests)
        .iter()
        .map(|it| told(by_id.remove(&it.id).unwrap()))
        .collect()
}

fn texts(told: &[Result<Told, String>]) -> Vec<String> {
    told.iter()
        .map(|it| it.as_ref().unwrap().text().to_owned())
        .collect()
}

/// The tokens with all their scores; the time that a mask took is left out.
fn scores(told: &Told) -> Vec<(TokenId, TokenTrace)> {
    let score = |it: &TokenEvent| {
        let trace = TokenTrace {
            mask_us: None,
            ..it.trace.clone()
        };
        (it.token, trace)
    };
    told.tokens.iter().map(score).collect()
}

#[track_caller]
fn check(path: &std::path::Path) {
    let requests = requests();
    let mut model = Asked::new(settings(path));
    let alone: Vec<Told> = requests.iter().map(|it| model.run(it).unwrap()).collect();
    let first = together(&mut model, &requests, 3);
    for (nth, (told, alone)) in first.iter().zip(&alone).enumerate() {
        let told = told.as_ref().unwrap();
        let timings = told.finish.timings;
        assert_eq!(timings.batch_width, 3);
        assert_eq!(told.view.tokens, alone.view.tokens);
        // Another shape of the batch moves a logit a little, and no more than that.
        let [one, other] = [told, alone].map(|it| it.tokens[0].trace.before[0].probability);
        assert!((one - other).abs() < 0.1, "reply {nth}: {one} and {other}");
        if nth > 0 {
            assert!(
                timings.n_kept > 100,
                "the common beginning is shared: {timings:?}"
            );
        }
    }
    let held = first.last().unwrap().as_ref().unwrap();
    assert_eq!(held.finish.stop, StopReason::ConstraintComplete);
    let value: serde_json::Value = serde_json::from_str(held.text()).unwrap();
    assert!(value["qty"].is_i64(), "{value}");
    assert_eq!(
        texts(&together(&mut model, &requests, 3)),
        texts(&first),
        "the same shapes give the same replies"
    );
    for (request, before) in requests.iter().zip(&alone) {
        let again = model.run(request).unwrap();
        assert!(
            scores(&again) == scores(before),
            "a reply alone stays the same to the bit"
        );
        assert_eq!(again.finish.timings.batch_width, 1);
    }
}

#[test]
fn replies_of_the_instruct_model_are_evaluated_together() {
    check(&instruct_path());
}

#[test]
fn replies_of_a_model_with_a_sliding_window_are_evaluated_together() {
    check(&base_path());
}

#[test]
fn a_width_of_one_is_alone_to_the_bit() {
    let requests = requests();
    let mut model = Asked::new(settings(instruct_path()));
    let together = together(&mut model, &requests[..3], 1);
    for (told, request) in together.into_iter().zip(&requests) {
        assert!(told.unwrap().tokens == model.run(request).unwrap().tokens);
    }
}

#[test]
fn what_cannot_begin_fails_alone() {
    let mut requests = requests();
    requests[1] = greedy(&"word ".repeat(3_000), 8);
    requests[3] = greedy("", 8);
    let mut model = Asked::new(settings(instruct_path()));
    let told = together(&mut model, &requests, 3);
    assert!(
        told[1].as_ref().unwrap_err().contains("context"),
        "{:?}",
        told[1]
    );
    assert!(told[3].is_err());
    assert_eq!(
        told.iter().filter(|it| it.is_ok()).count(),
        requests.len() - 2
    );
}

#[test]
fn a_cancel_ends_all_of_a_group() {
    let requests = requests();
    let mut model = Asked::new(settings(instruct_path()));
    let mut n_seen = 0;
    let events = model.group_events(3, runs(&requests), |event, cancel, group| {
        n_seen += usize::from(matches!(event, Event::Tokens { .. }));
        if n_seen == 4 {
            cancel.request(group);
        }
    });
    let stops: Vec<&StopReason> = events
        .iter()
        .filter_map(|it| match it {
            Event::Finished { finish, .. } => Some(&finish.stop),
            _ => None,
        })
        .collect();
    assert_eq!(stops.len(), requests.len());
    assert!(
        stops
            .iter()
            .filter(|it| ***it == StopReason::Cancelled)
            .count()
            > 3
    );
    assert!(matches!(events.last(), Some(Event::GroupFinished { .. })));
    let after = model.run(&requests[0]).unwrap();
    let fresh = Asked::new(settings(instruct_path()))
        .run(&requests[0])
        .unwrap();
    assert!(after.tokens == fresh.tokens);
}

/// A cancel while replies are seated lets none of those behind begin.
#[test]
fn a_cancel_before_the_first_token_lets_no_other_reply_begin() {
    let requests = requests();
    let mut model = Asked::new(settings(instruct_path()));
    let events = model.group_events(3, runs(&requests), |event, cancel, group| {
        if matches!(event, Event::Started { .. }) {
            cancel.request(group);
        }
    });
    let count = |is_it: fn(&Event) -> bool| events.iter().filter(|it| is_it(it)).count();
    assert_eq!(count(|it| matches!(it, Event::Started { .. })), 1);
    let n_ended = count(|it| matches!(it, Event::Finished { .. }));
    assert_eq!(n_ended, requests.len());
    assert_eq!(count(|it| matches!(it, Event::Tokens { .. })), 0);
}
