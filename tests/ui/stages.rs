//! What is written before the reply: asked for, shown with its verdict; and the prefill in its place.

use egui_kittest::kittest::Queryable as _;
use stepladder::app::{Model, RunPhase};
use stepladder::engine::{Finish, PromptView, RunTimings, StageDone, StopReason};
use stepladder::judge::Lamps;
use stepladder::lab::StageRecord;
use stepladder::ladder::Rung;
use stepladder::prompt::{FirstStage, StageKind};

use crate::{check_hidden, check_shown, click, fixture, opened};

const THOUGHTS: &str = "Two cartons of milk, one loaf.";

/// Before the reply the model reasoned, which gave no JSON.
fn reasoned() -> Model {
    let mut model = fixture::done_valid();
    let RunPhase::Done { reply, trial } = &mut model.run else {
        panic!("nothing is done")
    };
    reply.assembly.staged = Some(Box::new(StageDone {
        kind: StageKind::Reason,
        messages: Vec::new(),
        view: PromptView::default(),
        tokens: vec![7, 8, 9],
        finish: Finish {
            stop: StopReason::TokenLimit,
            text: THOUGHTS.to_owned(),
            timings: RunTimings::default(),
            knobs: Vec::new(),
            held: stepladder::constraint::Held::default(),
        },
    }));
    trial.stages = vec![StageRecord {
        kind: StageKind::Reason,
        messages: Vec::new(),
        prompt: String::new(),
        prompt_tokens: Vec::new(),
        reply: THOUGHTS.to_owned(),
        reply_tokens: vec![7, 8, 9],
        stop: "token_limit".to_owned(),
        stop_detail: None,
        timings: trial.timings,
        rung: None::<Rung>,
        verdict: None,
        lamps: Lamps::default(),
        cause: None,
    }];
    model
}

#[test]
fn what_was_written_first_stands_over_the_reply_with_its_own_verdict() {
    let mut window = opened(reasoned());
    click(&mut window, "Reasoning before the reply, 3 tokens");
    window.get_by_label(THOUGHTS);
    window.get_by_label("token limit");
    window.get_by_label("no rung");
}

#[test]
fn a_reply_of_one_stage_says_nothing_of_another() {
    check_hidden(
        fixture::done_valid(),
        "Reasoning before the reply, 3 tokens",
    );
}

#[test]
fn a_first_stage_is_asked_for_on_the_left() {
    let mut window = opened(fixture::ready());
    click(&mut window, "When it begins and ends");
    click(&mut window, "Written freely before the reply: A draft");
    let first = FirstStage {
        kind: StageKind::Draft,
        max_tokens: 120,
    };
    assert_eq!(window.state().model.draft.first, Some(first));
    window.get_by_label("Tokens before the reply");
    click(&mut window, "Written freely before the reply: Nothing");
    assert_eq!(window.state().model.draft.first, None);
}

fn prefilled(rendered: &str) -> Model {
    let mut model = fixture::done_valid();
    if let RunPhase::Done { reply, .. } = &mut model.run {
        rendered.clone_into(&mut reply.assembly.view.rendered);
        "{\"items\": [".clone_into(&mut reply.assembly.job.request.prompt.prefill);
    }
    model
}

#[test]
fn the_prefill_stands_before_the_reply() {
    check_shown(prefilled("Answer: {\"items\": ["), "{\"items\": [");
}

#[test]
fn a_prefill_that_came_behind_thoughts_is_among_the_tokens() {
    check_hidden(prefilled("Answer: <think>"), "{\"items\": [");
}

#[test]
fn the_rendered_prompt_marks_the_prefill() {
    let mut model = fixture::ready();
    "{\"items\": [".clone_into(&mut model.draft.prompt.prefill);
    model.preview = fixture::shown(Ok(PromptView {
        rendered: "Answer: {\"items\": [".to_owned(),
        ..PromptView::default()
    }));
    let mut window = opened(model);
    click(&mut window, "Rendered prompt");
    window.get_by_label("Marked: the prefill, behind which the reply goes on.");
}
