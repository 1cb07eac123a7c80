//! What the inspector says of a token, by what the trace holds.

use super::story::Story;
use crate::app::Reply;
use crate::constraint::Constraint;
use crate::engine::{ModelInfo, PromptRequest, PromptView, RunId, RunRequest, TokenEvent};
use crate::ladder::Stream;
use crate::prompt::PromptStyle;
use crate::runner::{Assembly, Given, Job};
use crate::sampling::{Candidate, Knob, Knobs, Order, Span, Stage, StageEffect, TokenTrace, Touch};

const WANTED: u32 = 3;
const CAME: u32 = 4;
const OTHER: u32 = 9;

/// `"name":` stands in the prompt; the reply is `"name".`, whose last token is asked about.
fn reply(change: impl FnOnce(&mut TokenTrace, &mut Knobs)) -> Reply {
    let mut knobs = Knobs::neutral();
    knobs.set(Knob::NoRepeatNgramSize, 3.0).unwrap();
    let mut last = token(CAME, "\".");
    last.trace.wanted = WANTED;
    last.names.push((WANTED, "\":".to_owned()));
    last.names.push((OTHER, "other".to_owned()));
    last.trace.before = vec![candidate(WANTED, 0.9), candidate(CAME, 0.05)];
    last.trace.after = vec![candidate(CAME, 0.5), candidate(OTHER, 0.2)];
    last.trace.rank = 2;
    change(&mut last.trace, &mut knobs);
    let request = RunRequest {
        prompt: PromptRequest::default(),
        knobs,
        constraint: Constraint::None,
        ..RunRequest::default()
    };
    let job = Job {
        name: "test".to_owned(),
        preset: serde_json::Value::Null,
        style: PromptStyle::Example,
        task: String::new(),
        input: None,
        given: Given::default(),
        request,
    };
    Reply {
        assembly: Assembly {
            view: PromptView {
                rendered: "{\"name\": 1}".to_owned(),
                tokens: vec![8, 1, 2, WANTED, 7],
                ends: vec![1, 2, 6, 8, 11],
                ..PromptView::default()
            },
            tokens: vec![token(1, "\""), token(2, "name"), last],
            ..Assembly::new(RunId(1), job, ModelInfo::default())
        },
        stream: Stream::default(),
        prefill: None,
        cancelling: false,
    }
}

fn token(id: u32, text: &str) -> TokenEvent {
    TokenEvent {
        token: id,
        bytes: text.as_bytes().to_vec(),
        text: text.to_owned(),
        trace: TokenTrace {
            wanted: id,
            probability: 0.05,
            rank: 1,
            before: vec![candidate(id, 0.05)],
            after: vec![candidate(id, 1.0)],
            effects: Vec::new(),
            n_legal: None,
            mask_us: None,
            ..TokenTrace::default()
        },
        given: false,
        names: vec![(id, text.to_owned())],
    }
}

fn candidate(token: u32, probability: f32) -> Candidate {
    Candidate { token, probability }
}

fn effect(stage: Stage, n_removed: u32) -> StageEffect {
    StageEffect {
        stage,
        n_removed,
        removed_mass: if n_removed > 0 { 0.9 } else { 0.0 },
        kept_mass: if n_removed > 0 { 0.1 } else { 1.0 },
        changed_top: true,
        new_top: None,
    }
}

fn touch(stage: Stage, shift: Option<f32>, earlier: std::ops::Range<u32>) -> Touch {
    Touch {
        stage,
        token: WANTED,
        shift,
        earlier: Some(Span {
            start: earlier.start,
            end: earlier.end,
        }),
    }
}

#[track_caller]
fn check(change: impl FnOnce(&mut TokenTrace, &mut Knobs), sentence: &str) {
    assert_eq!(Story::new(&reply(change), 2).unwrap().sentence, sentence);
}

#[test]
fn a_ban_is_blamed_with_the_text_that_stood_before() {
    check(
        |trace, _| {
            trace.effects.push(effect(Stage::NoRepeatNgram, 1));
            trace.touches.push(touch(Stage::NoRepeatNgram, None, 1..4));
        },
        "The n-gram ban took `\":` away: `\"name\":` stands in the prompt already.",
    );
}

#[test]
fn a_penalty_is_blamed_with_its_size() {
    check(
        |trace, knobs| {
            knobs.set(Knob::RepetitionPenalty, 1.2).unwrap();
            trace.effects.push(effect(Stage::RepetitionPenalty, 0));
            let touch = touch(Stage::RepetitionPenalty, Some(-1.25), 3..4);
            trace.touches.push(touch);
        },
        "The repetition penalty took 1.2 of its score and put `\":` behind: `\":` stands in the prompt already.",
    );
}

#[test]
fn the_constraint_is_blamed_with_the_legal_tokens() {
    check(
        |trace, _| {
            trace.n_legal = Some(12);
            trace.effects.push(effect(Stage::Mask, 40_000));
        },
        "The constraint did not allow `\":`: of the 12 legal tokens `\".` was taken.",
    );
}

#[test]
fn the_dice_are_blamed_where_the_favourite_was_left() {
    check(
        |trace, _| trace.after = vec![candidate(WANTED, 0.7), candidate(CAME, 0.3)],
        "Nothing took `\":` away: the dice took `\".`, which had 30.0 % after the chain. At temperature 0 `\":` would have come.",
    );
}

#[test]
fn nobody_is_blamed_for_the_favourite() {
    check(
        |trace, _| trace.wanted = CAME,
        "The model's own favourite came; nothing stood in its way.",
    );
}

#[test]
fn a_forced_favourite_says_so() {
    check(
        |trace, _| {
            trace.wanted = CAME;
            trace.n_legal = Some(1);
        },
        "The constraint left `\".` alone: no other token was legal here.",
    );
}

#[test]
fn the_flow_lists_the_stages_at_work_in_their_order() {
    let reply = reply(|trace, knobs| {
        knobs.set(Knob::TopK, 40.0).unwrap();
        trace.effects.push(effect(Stage::NoRepeatNgram, 1));
    });
    let story = Story::new(&reply, 2).unwrap();
    let steps: Vec<_> = story
        .steps
        .iter()
        .map(|it| (it.title.as_str(), it.about.as_str()))
        .collect();
    assert_eq!(
        steps,
        [
            ("No-repeat n-gram 3", "took 1 token, 90.0 %"),
            ("Top-k 40", "had nothing to do"),
        ]
    );
    let lead = ("\":".to_owned(), "\".".to_owned());
    assert_eq!(story.steps[0].lead, Some(lead));
}

/// The favourites from stage to stage; the last of them came.
#[track_caller]
fn check_leads(between: Option<u32>, expected: [(&str, &str); 2]) {
    let reply = reply(|trace, knobs| {
        trace.n_legal = Some(12);
        knobs.order = Order::new(&[Stage::Mask, Stage::NoRepeatNgram]).unwrap();
        let mask = StageEffect {
            new_top: between,
            ..effect(Stage::Mask, 40_000)
        };
        let ban = StageEffect {
            new_top: between.map(|_| CAME),
            ..effect(Stage::NoRepeatNgram, 1)
        };
        trace.effects.extend([mask, ban]);
    });
    let story = Story::new(&reply, 2).unwrap();
    let leads = story.steps.iter().map(|it| it.lead.clone().unwrap());
    let expected = expected.map(|it| (it.0.to_owned(), it.1.to_owned()));
    assert_eq!(leads.collect::<Vec<_>>(), expected);
}

#[test]
fn the_flow_names_the_favourite_behind_each_stage() {
    check_leads(Some(OTHER), [("\":", "other"), ("other", "\".")]);
}

#[test]
fn an_older_recording_names_only_how_it_ended() {
    check_leads(None, [("\":", "another token"), ("another token", "\".")]);
}

#[test]
fn the_first_of_one_has_no_neighbours() {
    let reply = reply(|trace, _| trace.effects.push(effect(Stage::NoRepeatNgram, 1)));
    let same = Story::new(&reply, 2).unwrap().same.unwrap();
    assert_eq!((same.number, same.of), (1, 1));
    assert_eq!((same.previous, same.next), (None, None));
}
