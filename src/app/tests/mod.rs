//! The state machine of the window: wishes and events in, states and effects out.

mod branches;
mod compare;
mod downloads;
mod grammars;
mod loads;
mod machine;
mod repair;
mod texts;

use super::*;
use crate::engine::{
    Command, Event, Finish, PromptView, RunId, RunTimings, StopReason, TokenEvent,
};
use crate::prompt::{PromptStyle, TemplateChoice};
use crate::sampling::{Knob, TokenTrace};
use crate::store::{self, Folders};

fn model() -> Model {
    let library = store::library(&Folders::at("no such folder"));
    let draft = Draft::new(&library);
    Model::new(library, draft, Settings::default())
}

fn ready() -> Model {
    let mut model = model();
    model.engine = EnginePhase::Ready(Box::default());
    model
}

/// A model with a running reply, and the run's id.
fn running() -> (Model, RunId) {
    let mut model = ready();
    let effects = on_action(&mut model, Action::Run);
    let [Effect::Send(Command::Run { id, .. })] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    let id = *id;
    (model, id)
}

fn token(text: &str) -> TokenEvent {
    TokenEvent {
        given: false,
        token: 7,
        bytes: text.as_bytes().to_vec(),
        text: text.to_owned(),
        trace: TokenTrace {
            wanted: 7,
            probability: 0.5,
            rank: 1,
            before: Vec::new(),
            after: Vec::new(),
            effects: Vec::new(),
            n_legal: None,
            mask_us: None,
            ..TokenTrace::default()
        },
        names: Vec::new(),
    }
}

fn finished(id: RunId, text: &str, stop: StopReason) -> Event {
    let finish = Box::new(Finish {
        knobs: Vec::new(),
        held: crate::engine::Held::default(),
        stop,
        text: text.to_owned(),
        timings: RunTimings::default(),
    });
    Event::Finished { id, finish }
}

fn shown_text(model: &Model) -> String {
    model
        .reply()
        .unwrap()
        .assembly
        .tokens
        .iter()
        .map(|it| it.text.as_str())
        .collect()
}

#[test]
fn without_a_model_a_run_says_what_is_missing() {
    let mut model = model();
    assert!(on_action(&mut model, Action::Run).is_empty());
    assert!(matches!(&model.run, RunPhase::Failed { message } if message.contains("model")));
}

#[test]
fn a_run_sends_the_prompt_with_schema_example_and_input() {
    let mut model = ready();
    let effects = on_action(&mut model, Action::Run);
    let [Effect::Send(Command::Run { request, .. })] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    let text: String = request
        .prompt
        .messages
        .iter()
        .map(|it| it.content.as_str())
        .collect();
    let task = model.library.task("shopping").unwrap();
    assert!(text.contains("\"qty\""), "{text}");
    assert!(text.contains(&task.inputs[0].text), "{text}");
    assert!(text.contains(&task.examples[0].input), "{text}");
}

#[test]
fn an_example_that_is_switched_off_is_not_in_the_prompt() {
    let mut model = ready();
    for example in &mut model.draft.prompt.examples {
        example.on = false;
    }
    let first = model.draft.prompt.examples[0].input.clone();
    let text = format!("{:?}", model.draft.prompt_request());
    assert!(!text.contains(&first), "{text}");
}

#[test]
fn a_finished_reply_is_climbed_judged_and_recorded() {
    let (mut model, id) = running();
    on_event(
        &mut model,
        Event::Tokens {
            id,
            tokens: vec![token("{\"items\""), token(": []}")],
        },
    );
    assert_eq!(shown_text(&model), "{\"items\": []}");
    let end = finished(id, "{\"items\": []}", StopReason::EndOfGeneration);
    let effects = on_event(&mut model, end);
    let Effect::AppendTrial(trial) = &effects[0] else {
        panic!("{effects:?}")
    };
    assert!(trial.lamps.parses);
    assert_eq!(trial.lamps.correct, Some(false));
    assert_eq!(trial.reply_tokens, [7, 7]);
    assert!(matches!(model.run, RunPhase::Done { .. }));
}

#[test]
fn a_late_token_of_an_earlier_run_falls_away() {
    let (mut model, id) = running();
    on_event(
        &mut model,
        Event::Tokens {
            id: RunId(id.0 + 100),
            tokens: vec![token("old")],
        },
    );
    assert_eq!(shown_text(&model), "");
}

#[test]
fn a_late_end_of_an_earlier_run_does_not_end_this_one() {
    let (mut model, id) = running();
    let end = finished(RunId(id.0 + 100), "", StopReason::Cancelled);
    let effects = on_event(&mut model, end);
    assert!(effects.is_empty());
    assert!(model.is_running());
}

#[test]
fn cancel_is_sent_once_and_for_this_run() {
    let (mut model, id) = running();
    assert_eq!(
        on_action(&mut model, Action::Cancel),
        [Effect::Send(Command::Cancel { id })]
    );
    assert!(on_action(&mut model, Action::Cancel).is_empty());
}

#[test]
fn a_second_attempt_voids_what_came_before_it() {
    let (mut model, id) = running();
    on_event(
        &mut model,
        Event::Tokens {
            id,
            tokens: vec![token("half")],
        },
    );
    on_event(
        &mut model,
        Event::EngineLost {
            reason: "killed (signal 9)".to_owned(),
        },
    );
    assert!(matches!(model.engine, EnginePhase::Restarting { .. }));
    assert!(model.notices.iter().any(|it| it.text.contains("signal 9")));
    on_event(&mut model, Event::EngineRestarted);
    assert!(
        model
            .notices
            .iter()
            .any(|it| it.text.contains("running again"))
    );
    on_event(
        &mut model,
        Event::Started {
            id,
            attempt: 2,
            view: Box::default(),
        },
    );
    on_event(
        &mut model,
        Event::Tokens {
            id,
            tokens: vec![token("{}")],
        },
    );
    assert_eq!(shown_text(&model), "{}");
    let end = finished(id, "{}", StopReason::EndOfGeneration);
    let effects = on_event(&mut model, end);
    let Effect::AppendTrial(trial) = &effects[0] else {
        panic!("{effects:?}")
    };
    assert_eq!(trial.attempt, 2);
    assert!(matches!(model.engine, EnginePhase::Ready(_)));
}

#[test]
fn a_constraint_with_a_fault_is_refused_and_never_dropped() {
    let mut model = ready();
    model.draft.constraint.kind = ConstraintKind::Grammar;
    model.draft.constraint.grammar = "root ::= \"a".to_owned();
    on_action(&mut model, Action::DraftEdited);
    let error = model.constraint_error.clone().unwrap();
    assert_eq!(error.place.map(|it| it.0), Some(1));
    assert!(on_action(&mut model, Action::Run).is_empty());
    assert!(!model.is_running());
}

#[test]
fn a_preset_sets_knobs_style_and_constraint() {
    let mut model = ready();
    on_action(&mut model, Action::PickPreset("chat-schema".to_owned()));
    assert!((model.draft.knobs.get(Knob::NoRepeatNgramSize) - 3.0).abs() < f64::EPSILON);
    assert_eq!(model.draft.constraint.kind, ConstraintKind::Schema);
    assert_eq!(model.draft.prompt.style, PromptStyle::Example);
    assert!(model.draft.is_preset(&model.library));
    model.draft.knobs.set(Knob::TopK, 7.0).unwrap();
    assert!(!model.draft.is_preset(&model.library));
}

#[test]
fn however_fast_the_user_types_one_preview_is_out() {
    let mut model = ready();
    let is_preview = |it: &Effect| matches!(it, Effect::Send(Command::Preview { .. }));
    let first = on_action(&mut model, Action::DraftEdited);
    assert_eq!(first.iter().filter(|it| is_preview(it)).count(), 1);
    let second = on_action(&mut model, Action::DraftEdited);
    assert!(!second.iter().any(is_preview));
    let id = model.preview.asked.unwrap();
    let third = on_event(
        &mut model,
        Event::Previewed {
            id,
            view: Box::default(),
        },
    );
    assert_eq!(
        third.iter().filter(|it| is_preview(it)).count(),
        1,
        "the stale one is asked again"
    );
    assert_eq!(model.preview.shown, Some(Ok(PromptView::default())));
}

#[test]
fn a_template_that_fails_is_shown_and_chatml_is_only_chosen_by_the_user() {
    let mut model = ready();
    on_action(&mut model, Action::DraftEdited);
    let id = model.preview.asked.unwrap();
    on_event(
        &mut model,
        Event::PreviewFailed {
            id,
            message: "line 3: no".to_owned(),
        },
    );
    assert_eq!(model.preview.shown, Some(Err("line 3: no".to_owned())));
    assert_eq!(model.draft.prompt.template, TemplateChoice::Model);
    on_action(&mut model, Action::UseChatMl);
    assert_eq!(model.draft.prompt.template, TemplateChoice::ChatMl);
}

#[test]
fn an_answer_of_an_example_that_is_no_json_is_named() {
    let mut model = ready();
    model.draft.prompt.examples[0].answer = "{".to_owned();
    assert!(model.obstacle().unwrap().contains("example 1"));
}

#[test]
fn an_edited_input_has_no_right_answer() {
    let mut model = ready();
    assert!(model.draft.job(&model.library).given.answer.is_some());
    model.draft.prompt.input.push('!');
    let job = model.draft.job(&model.library);
    assert_eq!((job.given.answer, job.input), (None, None));
}

#[test]
fn the_value_so_far_grows_with_each_token() {
    let (mut model, id) = running();
    for text in ["Sure: {\"a\"", ": [1, ", "2", "], \"b\": tr"] {
        let tokens = vec![token(text)];
        on_event(&mut model, Event::Tokens { id, tokens });
    }
    let stream = &model.reply().unwrap().stream;
    assert_eq!(stream.value(), Some(&serde_json::json!({"a": [1, 2]})));
    assert_eq!(stream.path(), "$.b");
}

#[test]
fn a_second_attempt_begins_the_value_anew_behind_its_prefill() {
    let mut model = ready();
    "{\"a\": ".clone_into(&mut model.draft.prompt.prefill);
    let effects = on_action(&mut model, Action::Run);
    let [Effect::Send(Command::Run { id, .. })] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    for attempt in 1..=2 {
        let view = Box::default();
        let id = *id;
        on_event(&mut model, Event::Started { id, attempt, view });
        let tokens = vec![token("1}")];
        on_event(&mut model, Event::Tokens { id, tokens });
    }
    let stream = &model.reply().unwrap().stream;
    assert_eq!(stream.value(), Some(&serde_json::json!({"a": 1})));
}
