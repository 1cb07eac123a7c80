//! The whole window over an engine's process that is stopped, killed, or asked for too much.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use egui_system_font_provider::SystemFontProvider;
use rustix::process::{Pid, Signal, kill_process};
use stepladder::app::RunPhase;
#[cfg(feature = "llama")]
use stepladder::app::{Draft, EnginePhase};
use stepladder::engine::Source;
use stepladder::store::Folders;
#[cfg(feature = "llama")]
use stepladder::store::{self, read_trials};
use stepladder::ui::{Opening, Window};

use super::{PATIENCE, processes};

const REPLY: &str = r#"{"v":1,"recording":"Silence"}
{"for":"run","reply":"{\"items\": [{\"name\": \"tea\", \"qty\": 2}, {\"name\": \"milk\", \"qty\": 1}]}","tokens_per_second":20}
"#;

/// A window over an engine's process with these arguments.
fn window(data: &Path, args: &[&str], model: &Path) -> Harness<'static, Window> {
    let opening = Opening {
        folders: Folders::at(data),
        source: Source::Isolated {
            program: env!("CARGO_BIN_EXE_stepladder").into(),
            args: args.iter().map(|it| (*it).to_owned()).collect(),
            envs: Vec::new(),
        },
        model: Some(model.to_owned()),
        preset: None,
    };
    Harness::builder()
        .with_size(vec2(1440.0, 900.0))
        .with_max_steps(40)
        .with_context_setup(|ctx| ctx.add_font_provider(Arc::new(SystemFontProvider::new())))
        .build_eframe(move |it| Window::new(&it.egui_ctx, opening))
}

/// A window in the middle of a recorded reply, and its engine.
fn writing(data: &Path) -> (Harness<'static, Window>, Pid) {
    let recording = data.join("silence.jsonl");
    std::fs::write(&recording, REPLY).unwrap();
    let name = recording.to_str().unwrap();
    let mut harness = window(data, &["engine", "--scripted", name], &recording);
    wait(&mut harness, "the model", |it| {
        it.model().obstacle().is_none()
    });
    harness.get_by_label("Run").click();
    harness.step();
    wait(&mut harness, "the first token", |it| {
        it.model()
            .reply()
            .is_some_and(|it| !it.assembly.tokens.is_empty())
    });
    let process = processes::find(|it| it.line.contains(name)).unwrap();
    (harness, process)
}

/// Steps until it holds. The engine's thread cannot wake the harness, so it looks again by itself.
#[track_caller]
fn wait(harness: &mut Harness<'_, Window>, what: &str, holds: impl Fn(&Window) -> bool) {
    let begun = Instant::now();
    while !holds(harness.state()) {
        assert!(begun.elapsed() < PATIENCE, "{what} did not come");
        std::thread::sleep(Duration::from_millis(10));
        harness.step();
    }
    harness.step();
}

fn is_done(window: &Window) -> bool {
    matches!(window.model().run, RunPhase::Done { .. })
}

#[test]
fn a_stopped_engine_is_named_in_the_window_and_the_notice_goes_when_it_goes_on() {
    let data = tempfile::tempdir().unwrap();
    let (mut harness, process) = writing(data.path());
    kill_process(process, Signal::STOP).unwrap();
    wait(&mut harness, "the silence", |it| {
        it.model().silence.is_some()
    });
    harness.get_by_label("Engine not responding");
    let named = format!("does not respond (process {process})");
    assert!(harness.query_all_by_label_contains(&named).count() > 0);
    kill_process(process, Signal::CONT).unwrap();
    wait(&mut harness, "the reply", is_done);
    assert_eq!(harness.query_all_by_label("Restart engine").count(), 0);
    assert_eq!(harness.state().model().notices, []);
}

#[test]
fn a_stopped_engine_is_restarted_by_its_button_and_the_reply_comes_at_the_second_attempt() {
    let data = tempfile::tempdir().unwrap();
    let (mut harness, process) = writing(data.path());
    let input = harness.state().model().draft.prompt.input.clone();
    kill_process(process, Signal::STOP).unwrap();
    wait(&mut harness, "the silence", |it| {
        it.model().silence.is_some()
    });
    harness.get_by_label("Restart engine").click();
    harness.step();
    wait(&mut harness, "the reply", is_done);
    let model = harness.state().model();
    assert_eq!(model.silence, None);
    assert_eq!(model.draft.prompt.input, input);
    let RunPhase::Done { trial, .. } = &model.run else {
        panic!("{:?}", model.run)
    };
    assert_eq!(trial.attempt, 2);
    let kept = model.crash.clone().unwrap().kept.unwrap().unwrap();
    let note = std::fs::read_to_string(&kept).unwrap();
    assert!(note.contains("it was restarted by hand"), "{note}");
    assert!(
        kept.starts_with(data.path().join("crashes")),
        "{}",
        kept.display()
    );
}

#[cfg(feature = "llama")]
mod real {
    use super::*;
    use crate::little_model::{saved, writer};

    /// A window over a real engine, with this text as its input.
    fn asking(data: &Path, input: &str) -> Harness<'static, Window> {
        let folders = Folders::at(data);
        let mut draft = Draft::new(&store::library(&folders));
        input.clone_into(&mut draft.prompt.input);
        store::save(&folders.draft(), &draft).unwrap();
        let path = saved(data, "little", &writer().bytes());
        let mut harness = window(data, &["engine"], &path);
        wait(&mut harness, "the model", |it| {
            !matches!(
                it.model().engine,
                EnginePhase::NoModel | EnginePhase::Loading { .. }
            )
        });
        harness
    }

    #[track_caller]
    fn check_kept(harness: Harness<'static, Window>, data: &Path, input: &str) {
        assert_eq!(harness.state().model().draft.prompt.input, input);
        drop(harness);
        let store::Loaded::Found(draft) = store::load::<Draft>(&Folders::at(data).draft()) else {
            panic!("the draft is gone")
        };
        assert_eq!(draft.prompt.input, input);
    }

    #[test]
    fn a_megabyte_of_prompt_is_refused_in_the_window_and_stays_in_the_draft() {
        let data = tempfile::tempdir().unwrap();
        let input = "twelve crates of oranges, ".repeat(40_000);
        let mut harness = asking(data.path(), &input);
        wait(&mut harness, "the refusal", |it| {
            matches!(it.model().preview.shown, Some(Err(_)))
        });
        let Some(Err(message)) = harness.state().model().preview.shown.clone() else {
            panic!("no refusal")
        };
        assert!(
            message.contains("1000000 bytes") || message.contains("shorten"),
            "{message}"
        );
        assert!(
            harness.query_all_by_label_contains(&message).count() > 0,
            "{message}"
        );
        check_kept(harness, data.path(), &input);
    }

    #[test]
    fn control_characters_are_asked_and_recorded_as_they_are() {
        let data = tempfile::tempdir().unwrap();
        let input: String = (0..32)
            .chain([127, 0x202E, 0xFEFF])
            .filter_map(char::from_u32)
            .collect();
        let mut harness = asking(data.path(), &input);
        wait(&mut harness, "the prompt", |it| {
            matches!(it.model().preview.shown, Some(Ok(_)))
        });
        harness.get_by_label("Run").click();
        harness.step();
        wait(&mut harness, "the reply", is_done);
        let (trials, _) = read_trials(&data.path().join("trials.jsonl")).unwrap();
        assert!(trials[0].prompt.contains(&input));
        check_kept(harness, data.path(), &input);
    }

    #[test]
    fn a_context_larger_than_memory_is_refused_in_the_window() {
        let data = tempfile::tempdir().unwrap();
        let settings = r#"{"load": {"n_ctx": 1000000000}}"#;
        std::fs::write(data.path().join("settings.json"), settings).unwrap();
        let file = writer().with_u32("llama.context_length", 1_000_000_000);
        let path = saved(data.path(), "long", &file.bytes());
        let mut harness = window(data.path(), &["engine"], &path);
        wait(&mut harness, "the refusal", |it| {
            matches!(it.model().engine, EnginePhase::Failed { .. })
        });
        let shown = harness.query_all_by_label_contains("choose a context of at most");
        assert!(shown.count() > 0);
        harness.get_by_label("Try again");
    }
}
