//! Choosing a model, and what is told of it.

use std::path::PathBuf;

use eframe::egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use stepladder::app::{Action, EnginePhase, Model, Notice, NoticeKind, Settings, ThemeChoice};
use stepladder::engine::{FlashAttention, LoadSettings};

use crate::{check_click, check_shown, click, fixture, opened};

#[test]
fn a_found_model_can_be_loaded() {
    let mut window = opened(fixture::without_model());
    click(&mut window, "Model: Choose a model");
    click(&mut window, "Gemma 3 270M, Q4_K_M · 253 MB");
    let path = PathBuf::from("/models/gemma-3-270m.Q4_K_M.gguf");
    assert_eq!(window.state().actions, [Action::LoadModel(path)]);
}

#[test]
fn a_typed_path_can_be_loaded() {
    let mut window = opened(fixture::without_model());
    click(&mut window, "Model: Choose a model");
    window.get_by_label("Path of a GGUF file").focus();
    window.run_steps(2);
    window
        .get_by_label("Path of a GGUF file")
        .type_text("/x/y.gguf");
    window.run_steps(2);
    click(&mut window, "Load the typed path");
    let path = PathBuf::from("/x/y.gguf");
    assert_eq!(window.state().actions, [Action::LoadModel(path)]);
}

#[test]
fn the_file_dialog_can_be_asked_for() {
    let mut window = opened(fixture::without_model());
    click(&mut window, "Model: Choose a model");
    click(&mut window, "Open a GGUF file…");
    assert_eq!(window.state().actions, [Action::BrowseForModel]);
}

#[test]
fn a_failed_load_is_shown_with_its_reason() {
    let model = Model {
        engine: EnginePhase::Failed {
            path: PathBuf::from("/models/cut.gguf"),
            message: "the file ends in the middle of a tensor".to_owned(),
        },
        ..fixture::without_model()
    };
    check_shown(model, "the file ends in the middle of a tensor");
}

#[test]
fn a_lost_engine_is_shown_with_its_reason() {
    let model = Model {
        engine: EnginePhase::Restarting {
            reason: "segmentation fault".to_owned(),
            info: None,
        },
        ..fixture::without_model()
    };
    check_shown(model, "segmentation fault");
}

#[test]
fn a_notice_can_be_dismissed() {
    let mut model = fixture::ready();
    model.notices.push(Notice {
        kind: NoticeKind::Warning,
        text: "The draft was set aside.".to_owned(),
    });
    check_click(model, "Dismiss", &Action::DismissNotice(0));
}

#[test]
fn the_theme_can_be_switched() {
    let wish = Action::SetTheme(ThemeChoice::Light);
    check_click(fixture::ready(), "Switch to the light theme", &wish);
}

#[test]
fn flash_attention_can_be_switched_off_for_the_next_load() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Model: SmolLM2 135M Instruct");
    click(&mut window, "Load settings");
    click(&mut window, "Flash attention: Off");
    let wish = Action::SetLoadSettings(LoadSettings {
        flash_attention: FlashAttention::Off,
        ..Settings::default().load
    });
    assert_eq!(window.state().actions.first(), Some(&wish));
}

#[test]
fn the_loaded_model_can_be_loaded_again_with_other_settings() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Model: SmolLM2 135M Instruct");
    click(&mut window, "Load settings");
    click(&mut window, "Load the model again");
    let path = PathBuf::from("/models/SmolLM2-135M-Instruct.Q4_1.gguf");
    assert_eq!(window.state().actions, [Action::LoadModel(path)]);
}

#[track_caller]
fn check_dial(name: &str, value: u32, of: impl Fn(&LoadSettings) -> u32) {
    let mut window = opened(fixture::ready());
    click(&mut window, "Model: SmolLM2 135M Instruct");
    click(&mut window, "Load settings");
    let mut found = window.query_all_by_label(name);
    let dial = found.rfind(|it| it.accesskit_node().role() != Role::Label);
    dial.unwrap().set_value_accesskit(f64::from(value));
    drop(found);
    window.run_steps(2);
    match window.state().actions.first() {
        Some(Action::SetLoadSettings(load)) => assert_eq!(of(load), value),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_context_size_can_be_set() {
    check_dial("Context size", 4_096, |it| it.n_ctx);
}

#[test]
fn the_threads_can_be_set() {
    check_dial("Threads", 3, |it| it.n_threads);
}

#[test]
fn the_layers_on_the_gpu_can_be_set() {
    check_dial("Layers on the GPU", 12, |it| it.n_gpu_layers.unwrap());
}
