//! From the results on: a reply opens in Play, replies become a task, charts are saved, rows are sorted and sought.

use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;
use stepladder::app::{Action, BenchAction, BenchEffect, Effect, Model, RunPhase, Tab, on_action};
use stepladder::lab::{Chart, Measure};
use stepladder::sampling::Knob;

use crate::{Window, bench, click, window};

fn live(model: Model) -> Window {
    let mut window = window(model, (1440.0, 1800.0));
    window.state_mut().is_live = true;
    window.run_steps(3);
    window
}

/// A reply under chat settings with a seed of its own, about to be opened.
pub(crate) fn opened_in_play() -> Model {
    let mut model = bench::cell();
    let preset = model.library.preset("chat").unwrap().clone();
    let mut preset = preset.to_json();
    preset["knobs"]["seed"] = 77.into();
    let text = model.library.task("shopping").unwrap().inputs[3]
        .text
        .clone();
    let shown = model.bench.shown.as_mut().unwrap();
    let read = shown.reply.unwrap();
    let trial = Arc::make_mut(&mut shown.trials[read]);
    trial.preset = preset;
    trial.input = Some(3);
    trial.input_text = text;
    on_action(&mut model, Action::Bench(BenchAction::OpenInPlay));
    model
}

#[test]
fn a_reply_opens_in_play_under_its_own_settings() {
    let model = opened_in_play();
    assert_eq!(model.tab, Tab::Play);
    assert_eq!(model.draft.task, "shopping");
    assert_eq!(model.draft.input, Some(3));
    assert_eq!(model.draft.preset, "chat");
    assert_eq!(model.draft.knobs.count(Knob::Seed), 77);
    let RunPhase::Done { trial, .. } = &model.run else {
        panic!("nothing is shown")
    };
    let reply = trial.reply.clone();
    let window = live(model);
    for text in [reply.as_str(), "not the single tokens"] {
        let found = window.query_all_by_label_contains(text).count();
        assert!(found > 0, "“{text}” is not on the screen");
    }
}

#[test]
fn what_was_typed_in_play_comes_back() {
    let mut model = bench::cell();
    on_action(&mut model, Action::PickTask("shopping".to_owned()));
    model.draft.prompt.instruction = "My own words.".to_owned();
    on_action(&mut model, Action::Bench(BenchAction::OpenInPlay));
    assert_ne!(model.draft.prompt.instruction, "My own words.");
    on_action(&mut model, Action::PickTask("shopping".to_owned()));
    assert_eq!(model.draft.prompt.instruction, "My own words.");
}

#[test]
fn failed_replies_become_a_task_with_their_answers() {
    let mut model = bench::cell();
    let task = model.library.task("shopping").unwrap().clone();
    let shown = model.bench.shown.as_mut().unwrap();
    for idx in shown.replies().to_vec() {
        let trial = Arc::make_mut(&mut shown.trials[idx]);
        let input = trial.input.unwrap();
        trial.input_text = task.inputs[input].text.clone();
    }
    let mut window = live(model);
    click(&mut window, "Choose failed");
    window.get_by_label_contains("8 replies are chosen");
    click(&mut window, "Choose the reply to shopping 1");
    window.get_by_label("Name of the task").click();
    window.run_steps(2);
    window
        .get_by_label("Name of the task")
        .type_text("lost-items");
    window.run_steps(3);
    click(&mut window, "Save as task");
    let state = window.state();
    let [Effect::Bench(BenchEffect::SaveTask(saved))] = state.effects.as_slice() else {
        panic!("{:?}", state.effects)
    };
    assert_eq!(saved.id, "lost-items");
    assert_eq!(saved.schema, task.schema);
    assert_eq!(saved.origin(), "shopping");
    assert_eq!(saved.inputs, task.inputs[1..]);
    assert_eq!(state.model.library.task("lost-items"), Some(&**saved));
}

#[test]
fn a_task_is_not_written_over() {
    let mut model = bench::cell();
    let mark = Action::Bench(BenchAction::MarkFailed);
    on_action(&mut model, mark);
    let save = Action::Bench(BenchAction::SaveMarked("mood".to_owned()));
    assert_eq!(on_action(&mut model, save), []);
    let notice = model.notices.last().unwrap();
    assert!(notice.text.contains("“mood” already"), "{}", notice.text);
    assert!(!model.bench.marked.is_empty());
}

#[test]
fn charts_are_saved_as_pictures() {
    let mut window = live(bench::results());
    click(&mut window, "Save chart as PNG");
    click(&mut window, "Save rungs as PNG");
    let charts = [Chart::Rates(Measure::Schema), Chart::Rungs];
    let effects = charts.map(|it| Effect::Bench(BenchEffect::SaveChart(it)));
    assert_eq!(window.state().effects, effects);
}

#[test]
fn rows_are_sought_by_their_names() {
    let mut window = live(bench::results());
    window.get_by_label("greedy-ngram3: 0/24   0 % worse");
    window.get_by_label("Filter presets").click();
    window.run_steps(2);
    window.get_by_label("Filter presets").type_text("SCHEMA");
    window.run_steps(3);
    assert!(
        window
            .query_by_label("greedy-ngram3: 0/24   0 % worse")
            .is_none()
    );
    window.get_by_label("greedy-schema: 18/24  75 % no difference");
}

#[test]
fn replies_are_sought_by_their_texts() {
    let mut window = live(bench::cell());
    window.get_by_label("Filter replies").click();
    window.run_steps(2);
    window
        .get_by_label("Filter replies")
        .type_text("Buy 3 apples");
    window.run_steps(3);
    let found = window.query_all_by_label_contains("Read the reply to shopping");
    assert_eq!(found.count(), 1);
}

#[test]
fn groups_are_shown_by_what_is_chosen() {
    let mut window = live(bench::results());
    click(&mut window, "Groups by: Task");
    window.get_by_label_contains("mood: 3");
}
