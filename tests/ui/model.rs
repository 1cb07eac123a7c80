//! Choosing a model, and what is told of it.

use std::path::PathBuf;

use egui_kittest::kittest::Queryable as _;
use stepladder::app::{Action, EnginePhase, Model, Notice, NoticeKind, ThemeChoice};

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
