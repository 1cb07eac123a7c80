//! Which model is loaded, through loads, losses and late events.

use std::path::PathBuf;

use super::{model, ready};
use crate::app::{
    Action, Effect, EnginePhase, Finding, FoundModel, Model, Searching, on_action, on_crash_kept,
    on_event, on_found, on_searching,
};
use crate::engine::{Command, CrashNote, Event, ModelInfo, RunId, Silence};
use crate::gguf::Footprint;
use crate::store::Card;

/// Opens a model and lets the load succeed.
fn open(model: &mut Model, path: &str) {
    on_action(model, Action::LoadModel(PathBuf::from(path)));
    let EnginePhase::Loading { id, .. } = model.engine else {
        panic!("not loading")
    };
    let info = Box::new(ModelInfo {
        path: PathBuf::from(path),
        ..ModelInfo::default()
    });
    on_event(model, Event::Loaded { id, info });
}

#[test]
fn a_load_that_fails_names_the_file_and_the_reason() {
    let mut model = model();
    let effects = on_action(&mut model, Action::LoadModel(PathBuf::from("x.gguf")));
    let Some(Effect::Send(Command::Load { id, .. })) = effects.last() else {
        panic!("{effects:?}")
    };
    let message = "not a GGUF file".to_owned();
    on_event(&mut model, Event::LoadFailed { id: *id, message });
    assert!(
        matches!(&model.engine, EnginePhase::Failed { path, message } if path.ends_with("x.gguf") && message.contains("GGUF"))
    );
}

#[test]
fn a_second_load_is_not_ended_by_the_first_ones_cancel() {
    let mut model = model();
    on_action(&mut model, Action::LoadModel(PathBuf::from("a.gguf")));
    let EnginePhase::Loading { id: first, .. } = model.engine else {
        panic!()
    };
    on_action(&mut model, Action::LoadModel(PathBuf::from("b.gguf")));
    on_event(&mut model, Event::LoadCancelled { id: first });
    assert!(matches!(&model.engine, EnginePhase::Loading { path, .. } if path.ends_with("b.gguf")));
    let EnginePhase::Loading { id, .. } = model.engine else {
        panic!()
    };
    on_event(
        &mut model,
        Event::Loaded {
            id,
            info: Box::new(ModelInfo::default()),
        },
    );
    assert!(matches!(model.engine, EnginePhase::Ready(_)));
}

#[test]
fn models_that_were_loaded_are_remembered_latest_first_and_once() {
    let mut model = model();
    for name in ["a", "b", "a"] {
        open(&mut model, name);
    }
    on_action(&mut model, Action::LoadModel(PathBuf::from("never loaded")));
    let names = [PathBuf::from("a"), PathBuf::from("b")];
    assert_eq!(model.settings.recent, names);
    assert_eq!(model.models.len(), 2);
}

#[test]
fn an_unload_that_is_late_does_not_end_the_next_load() {
    let mut model = ready();
    on_action(&mut model, Action::UnloadModel);
    on_action(&mut model, Action::LoadModel(PathBuf::from("b.gguf")));
    on_event(&mut model, Event::Unloaded);
    assert!(matches!(model.engine, EnginePhase::Loading { .. }));
}

#[test]
fn a_quiet_reload_that_fails_is_not_quiet() {
    let mut model = model();
    open(&mut model, "a.gguf");
    let message = "out of memory".to_owned();
    on_event(
        &mut model,
        Event::LoadFailed {
            id: RunId(1),
            message,
        },
    );
    assert!(matches!(&model.engine, EnginePhase::Failed { path, .. } if path.ends_with("a.gguf")));
}

#[test]
fn the_first_model_found_is_loaded_only_when_none_was_asked_for() {
    let found = |name: &str| FoundModel {
        path: PathBuf::from(name),
        name: name.to_owned(),
        ..FoundModel::default()
    };
    let finding = || Finding {
        models: vec![found("a")],
        ..Finding::default()
    };
    let mut asked = model();
    assert!(on_found(&mut asked, finding(), false).is_empty());
    let effects = on_found(&mut asked, finding(), true);
    assert!(
        matches!(effects.as_slice(), [Effect::Send(Command::Load { .. })]),
        "{effects:?}"
    );
}

#[test]
fn a_model_that_memory_has_no_room_for_is_not_loaded_unasked() {
    let of_size = |name: &str, weight_bytes| FoundModel {
        path: PathBuf::from(name),
        card: Some(Box::new(Card {
            footprint: Footprint {
                weight_bytes,
                ..Footprint::default()
            },
            ..Card::default()
        })),
        ..FoundModel::default()
    };
    let finding = Finding {
        models: vec![
            of_size("large", 40_000_000_000),
            of_size("small", 90_000_000),
        ],
        free_memory: Some(8_000_000_000),
        ..Finding::default()
    };
    let mut model = model();
    let effects = on_found(&mut model, finding, true);
    let [Effect::Send(Command::Load { settings, .. })] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(settings.path, PathBuf::from("small"));
}

#[test]
fn a_search_tells_how_far_it_is_until_it_ends() {
    let mut model = model();
    assert_eq!(
        on_action(&mut model, Action::FindModels),
        [Effect::FindModels]
    );
    assert_eq!(model.search.running, Some(Searching::default()));
    let further = Searching {
        n_files: 3,
        ..Searching::default()
    };
    on_searching(&mut model, further.clone());
    assert_eq!(model.search.running, Some(further));
    on_found(&mut model, Finding::default(), false);
    assert_eq!(model.search.running, None);
}

#[test]
fn a_crash_note_is_kept_shown_and_dismissed() {
    let mut model = ready();
    let note = Box::new(CrashNote {
        reason: "aborted (signal 6)".to_owned(),
        doing: "reply 3".to_owned(),
        process: Some(4_711),
        log: vec!["GGML_ASSERT failed".to_owned()],
    });
    let effects = on_event(&mut model, Event::CrashNoted { note });
    let [Effect::KeepCrashNote { when, text }] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert!(text.contains("aborted (signal 6)") && text.contains("GGML_ASSERT failed"));
    assert!(text.contains(when.as_str()), "{text}");
    let path = PathBuf::from("/data/crashes/engine.txt");
    on_crash_kept(&mut model, Ok(path.clone()));
    on_action(&mut model, Action::ShowCrash(true));
    let crash = model.crash.clone().unwrap();
    assert_eq!((crash.kept, crash.is_open), (Some(Ok(path)), true));
    on_action(&mut model, Action::DismissCrash);
    assert_eq!(model.crash, None);
}

#[test]
fn a_silence_is_shown_until_it_is_over() {
    let mut model = ready();
    let silence = Silence {
        process: Some(4_711),
        lives: false,
    };
    on_event(&mut model, Event::EngineSilent { silence });
    assert_eq!(model.silence, Some(silence));
    assert_eq!(
        on_action(&mut model, Action::RestartEngine),
        [Effect::RestartEngine(None)]
    );
    on_event(&mut model, Event::EngineSilenceOver);
    assert_eq!(model.silence, None);
    assert!(matches!(model.engine, EnginePhase::Ready(_)));
}

#[test]
fn an_engine_that_is_lost_in_a_load_leaves_the_load_to_its_own_event() {
    let mut model = model();
    on_action(&mut model, Action::LoadModel(PathBuf::from("a.gguf")));
    let EnginePhase::Loading { id, .. } = model.engine else {
        panic!("not loading")
    };
    let reason = "aborted (signal 6)".to_owned();
    on_event(&mut model, Event::EngineLost { reason });
    assert!(matches!(model.engine, EnginePhase::Loading { .. }));
    let message = "the engine was lost".to_owned();
    on_event(&mut model, Event::LoadFailed { id, message });
    assert!(matches!(&model.engine, EnginePhase::Failed { path, .. } if path.ends_with("a.gguf")));
}
