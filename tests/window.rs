//! The whole window with a recording in place of a model: the same protocol, the same files, no GPU.

use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use eframe::egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use egui_system_font_provider::SystemFontProvider;
use stepladder::app::RunPhase;
use stepladder::engine::{Recording, Source};
use stepladder::lab::Trial;
use stepladder::store::{Folders, read_trials};
use stepladder::ui::{Opening, Window};

/// The first input of the shopping task, answered right.
const RIGHT: &str = r#"{"items": [{"name": "apples", "qty": 2}, {"name": "bananas", "qty": 3}]}"#;

/// A window over a data folder, with these replies to come.
fn window(data: &Path, replies: &[&str]) -> Harness<'static, Window> {
    let recording = Recording::from_replies(replies).without_delays();
    let opening = Opening {
        folders: Folders::at(data),
        source: Source::Scripted(recording),
        model: Some("recording".into()),
        preset: None,
    };
    Harness::builder()
        .with_size(vec2(1440.0, 900.0))
        .with_max_steps(40)
        .with_context_setup(|ctx| ctx.add_font_provider(Arc::new(SystemFontProvider::new())))
        .build_eframe(move |it| Window::new(&it.egui_ctx, opening))
}

/// Steps until it holds. The engine's thread cannot wake the harness, so it looks again by itself.
#[track_caller]
fn wait(harness: &mut Harness<'_, Window>, what: &str, holds: impl Fn(&Window) -> bool) {
    let begun = Instant::now();
    while !holds(harness.state()) {
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "{what} did not come"
        );
        sleep(Duration::from_millis(10));
        harness.step();
    }
    harness.step();
}

/// Runs once by the button and gives the trial that is shown.
fn run(harness: &mut Harness<'_, Window>) -> Trial {
    wait(harness, "the model", |it| it.model().obstacle().is_none());
    harness.get_by_label("Run").click();
    harness.step();
    wait(harness, "the reply", |it| {
        matches!(it.model().run, RunPhase::Done { .. })
    });
    match &harness.state().model().run {
        RunPhase::Done { trial, .. } => (**trial).clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_click_leads_to_a_reply_its_lamps_and_its_record() {
    let data = tempfile::tempdir().unwrap();
    let mut harness = window(data.path(), &[RIGHT]);
    let trial = run(&mut harness);
    assert_eq!(trial.reply, RIGHT);
    assert_eq!(trial.climb.rung.map(u8::from), Some(1));
    assert_eq!(trial.lamps.schema, Some(true));
    let (written, _) = read_trials(&data.path().join("scripted-trials.jsonl")).unwrap();
    assert_eq!(written, [trial]);
}

#[test]
fn a_reply_in_fences_with_prose_is_rescued_and_a_wrong_one_stays_wrong() {
    let data = tempfile::tempdir().unwrap();
    let fenced =
        "Here you go:\n```json\n{\"items\": [{\"name\": \"apples\", \"quantity\": 2}]}\n```";
    let mut harness = window(data.path(), &[fenced]);
    let trial = run(&mut harness);
    assert_eq!(trial.climb.rung.map(u8::from), Some(2));
    assert_eq!(trial.lamps.schema, Some(false));
    assert!(trial.cause.is_some());
}

#[test]
fn what_was_typed_is_there_after_the_window_was_killed() {
    let data = tempfile::tempdir().unwrap();
    let mut harness = window(data.path(), &[RIGHT]);
    wait(&mut harness, "the model", |it| {
        it.model().obstacle().is_none()
    });
    harness.get_by_label("Input").focus();
    harness.run_steps(2);
    harness.get_by_label("Input").type_text(" 牛奶两盒");
    harness.run_steps(3);
    let file = data.path().join("draft.json");
    wait(&mut harness, "the draft", |_| {
        std::fs::read_to_string(&file).is_ok_and(|it| it.contains("牛奶两盒"))
    });
    // A killed window runs no destructors.
    std::mem::forget(harness);
    let again = window(data.path(), &[RIGHT]);
    assert!(
        again
            .state()
            .model()
            .draft
            .prompt
            .input
            .contains("牛奶两盒")
    );
}

#[test]
fn a_broken_draft_is_set_aside_and_said() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(data.path().join("draft.json"), "{\"task\": ").unwrap();
    let mut harness = window(data.path(), &[RIGHT]);
    harness.step();
    assert!(
        harness
            .state()
            .model()
            .notices
            .iter()
            .any(|it| it.text.contains("draft.json.broken-1"))
    );
    assert_eq!(
        std::fs::read_to_string(data.path().join("draft.json.broken-1")).unwrap(),
        "{\"task\": "
    );
    run(&mut harness);
}

#[test]
fn a_grammar_with_a_fault_is_refused_in_the_window() {
    let data = tempfile::tempdir().unwrap();
    let mut harness = window(data.path(), &[RIGHT]);
    wait(&mut harness, "the model", |it| {
        it.model().obstacle().is_none()
    });
    harness.get_by_label("Constraint: Grammar").click();
    harness.run_steps(3);
    harness.get_by_label("Grammar text").focus();
    harness.run_steps(2);
    harness
        .get_by_label("Grammar text")
        .type_text("\nbroken ::= \"a");
    harness.run_steps(3);
    let error = harness.state().model().constraint_error.clone().unwrap();
    assert!(error.place.is_some(), "{error}");
    assert!(
        harness
            .state()
            .model()
            .obstacle()
            .unwrap()
            .contains("fault")
    );
}

#[test]
fn a_plan_runs_in_the_window_and_every_reply_is_on_the_disk() {
    let data = tempfile::tempdir().unwrap();
    let plans = data.path().join("presets/plans");
    std::fs::create_dir_all(&plans).unwrap();
    let plan = r#"{"v": 1, "name": "finding", "title": "Small", "tasks": ["shopping"], "inputs": 2, "presets": ["greedy", "chat"]}"#;
    std::fs::write(plans.join("small.json"), plan).unwrap();
    let mut harness = window(data.path(), &[RIGHT]);
    wait(&mut harness, "the model", |it| {
        it.model().obstacle().is_none()
    });
    harness.get_by_label("Bench").click();
    harness.run_steps(3);
    harness.get_by_label("Plan finding").click();
    harness.run_steps(3);
    harness.get_by_label("Run plan").click();
    harness.step();
    wait(&mut harness, "the end of the plan", |it| {
        let bench = &it.model().bench;
        bench.running.is_none() && bench.shown.as_ref().is_some_and(|it| it.trials.len() == 4)
    });
    let shown = harness.state().model().bench.shown.clone().unwrap();
    let (written, _) = read_trials(&shown.folder.join("trials.jsonl")).unwrap();
    assert_eq!(written, shown.all().cloned().collect::<Vec<_>>());
    harness.get_by_label("Save report").click();
    harness.step();
    let report = shown.folder.join("report.html");
    wait(&mut harness, "the report", |_| report.exists());
    wait(&mut harness, "the model again", |it| {
        it.model().obstacle().is_none()
    });
}
