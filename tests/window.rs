//! The whole window with a recording in place of a model: the same protocol, the same files, no GPU.

use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use eframe::egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use egui_system_font_provider::SystemFontProvider;
use stepladder::app::{Pace, RunPhase, Tab};
use stepladder::engine::{Recording, Source};
use stepladder::lab::Trial;
use stepladder::store::{Folders, read_trials};
use stepladder::ui::{Opening, Window};

/// The first input of the shopping task, answered right.
const RIGHT: &str = r#"{"items": [{"name": "apples", "qty": 2}, {"name": "bananas", "qty": 3}]}"#;

/// A window over a data folder, with these replies to come.
fn window(data: &Path, replies: &[&str]) -> Harness<'static, Window> {
    let recording = Recording::from_replies(replies).without_delays();
    playing(data, recording)
}

fn playing(data: &Path, recording: Recording) -> Harness<'static, Window> {
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

fn click(harness: &mut Harness<'_, Window>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(3);
}

/// Puts a plan of two replies together and runs it; each takes five seconds.
fn begun(data: &Path) -> Harness<'static, Window> {
    let long = format!("{RIGHT}\n{}", "This is the whole list. ".repeat(33));
    let mut harness = playing(data, Recording::from_replies(&[&long]));
    wait(&mut harness, "the model", |it| {
        it.model().obstacle().is_none()
    });
    for label in [
        "Bench",
        "New plan",
        "Shopping list  (8 inputs)",
        "Greedy",
        "Inputs: Chosen",
        "Input 1",
        "Input 3",
    ] {
        click(&mut harness, label);
    }
    harness.get_by_label_contains("2 replies, at most");
    click(&mut harness, "Save plan");
    let plan = data.join("presets/plans/my-plan.json");
    wait(&mut harness, "the plan's file", |_| plan.exists());
    click(&mut harness, "Run this plan");
    harness
}

fn n_trials(window: &Window) -> usize {
    let shown = window.model().bench.shown.as_ref();
    shown.map_or(0, |it| it.trials.len())
}

fn pace(window: &Window) -> Option<Pace> {
    let running = window.model().bench.running.as_ref();
    running.map(|it| it.pace)
}

fn is_writing(window: &Window) -> bool {
    let running = window.model().bench.running.as_ref();
    running.is_some_and(|it| it.text.contains("tokens written"))
}

#[test]
fn a_plan_is_put_together_run_paused_ended_gone_on_with_and_its_reply_played() {
    let data = tempfile::tempdir().unwrap();
    let mut harness = begun(data.path());
    wait(&mut harness, "the first reply", is_writing);
    click(&mut harness, "Pause");
    wait(&mut harness, "the pause", |it| {
        pace(it) == Some(Pace::Paused)
    });
    click(&mut harness, "Continue");
    wait(&mut harness, "the next reply", is_writing);
    click(&mut harness, "Stop");
    wait(&mut harness, "the end", |it| pace(it).is_none());
    // What was being written is no reply.
    assert_eq!(n_trials(harness.state()), 1);
    wait(&mut harness, "the model again", |it| {
        it.model().obstacle().is_none()
    });
    click(&mut harness, "Go on");
    wait(&mut harness, "all replies", |it| {
        n_trials(it) == 2 && pace(it).is_none()
    });
    let folder = harness
        .state()
        .model()
        .bench
        .shown
        .as_ref()
        .unwrap()
        .folder
        .clone();
    let (written, problems) = read_trials(&folder.join("trials.jsonl")).unwrap();
    let inputs: Vec<_> = written.iter().map(|it| it.input).collect();
    assert_eq!((inputs, problems), ([0, 2].map(Some).to_vec(), vec![]));
    wait(&mut harness, "the model once more", |it| {
        it.model().obstacle().is_none()
    });
    // The recording answers both inputs with the first one's answer, which fits the schema.
    click(&mut harness, "Replies of greedy to shopping: 2/2");
    click(&mut harness, "Read the reply to shopping 3");
    click(&mut harness, "Open in Play");
    let model = harness.state().model();
    assert_eq!((model.tab, model.draft.input), (Tab::Play, Some(2)));
    let RunPhase::Done { trial, .. } = &model.run else {
        panic!("no reply is shown")
    };
    assert_eq!(trial.id, written[1].id);
    click(&mut harness, "Bench");
    click(&mut harness, "Save chart as PNG");
    let chart = folder.join("chart-schema.png");
    wait(&mut harness, "the chart", |_| chart.exists());
}
