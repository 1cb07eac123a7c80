//! Choosing a model, and what is told of it.

use std::path::PathBuf;

use eframe::egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use stepladder::app::{
    Action, Crash, EnginePhase, FoundModel, Model, Notice, NoticeKind, Problem, Searching,
    Settings, ThemeChoice,
};
use stepladder::engine::{FlashAttention, LoadSettings, Silence};
use stepladder::gguf::{AttentionShape, Footprint};
use stepladder::store::Card;

use crate::{check_click, check_hidden, check_shown, click, fixture, opened};

#[test]
fn a_found_model_can_be_loaded() {
    let mut window = opened(fixture::without_model());
    click(&mut window, "Model: Choose a model");
    click(&mut window, "Gemma 3 270M, Q4_K_M · 253 MB");
    let path = PathBuf::from("/models/gemma-3-270m.Q4_K_M.gguf");
    assert_eq!(window.state().actions, [Action::LoadModel(path)]);
}

/// A seven billion model of LM Studio's, by its header.
fn large() -> FoundModel {
    let card = Card {
        n_params: 7_615_616_512,
        has_chat_template: true,
        n_parts: 1,
        footprint: Footprint {
            weight_bytes: 4_677_000_000,
            n_vocab: 152_064,
            shape: AttentionShape {
                n_ctx_train: 32_768,
                block_count: 28,
                embedding_length: 3_584,
                n_head: 28,
                n_head_kv: 4,
                n_head_kv_sum: 112,
                key_length: 128,
                value_length: 128,
            },
        },
        ..Card::default()
    };
    FoundModel {
        path: PathBuf::from("/models/qwen2.5-7b.Q4_K_M.gguf"),
        name: "qwen2.5-7b.Q4_K_M".to_owned(),
        architecture: "qwen2".to_owned(),
        quantization: "Q4_K_M".to_owned(),
        bytes: 4_683_000_000,
        found_in: "LM Studio".to_owned(),
        card: Some(Box::new(card)),
        ..FoundModel::default()
    }
}

#[test]
fn a_card_says_what_a_model_is_and_whether_it_fits() {
    for (free, verdict) in [(16, "fits"), (6, "tight"), (4, "does not fit")] {
        let mut model = Model {
            models: vec![large()],
            ..fixture::without_model()
        };
        model.search.free_memory = Some(free * 1_000_000_000);
        let mut window = opened(model);
        click(&mut window, "Model: Choose a model");
        let facts = "Q4_K_M · 4.7 GB · qwen2 · 7.62B parameters · context 32768";
        window.get_by_label(&format!("qwen2.5-7b.Q4_K_M, {facts}, {verdict}"));
    }
}

#[test]
fn a_card_counts_the_memory_of_the_device_that_layers_go_to() {
    let mut model = Model {
        models: vec![large()],
        ..fixture::without_model()
    };
    model.search.free_memory = Some(2_000_000_000);
    let mut model = crate::machine::with_devices(model);
    let facts = "Q4_K_M · 4.7 GB · qwen2 · 7.62B parameters · context 32768";
    for (layers, verdict) in [(None, "fits"), (Some(5), "does not fit")] {
        model.settings.load.n_gpu_layers = layers;
        let mut window = opened(Model {
            models: model.models.clone(),
            settings: model.settings.clone(),
            search: model.search.clone(),
            machine: model.machine.clone(),
            ..fixture::without_model()
        });
        click(&mut window, "Model: Choose a model");
        window.get_by_label(&format!("qwen2.5-7b.Q4_K_M, {facts}, {verdict}"));
    }
}

#[test]
fn a_search_says_how_far_it_is() {
    let mut model = fixture::without_model();
    model.search.running = Some(Searching {
        n_looked: 120,
        n_files: 340,
        n_models: 12,
        ..Searching::default()
    });
    let mut window = opened(model);
    click(&mut window, "Model: Choose a model");
    window.get_by_label("Searching: 12 models in 120 of 340 files");
}

#[test]
fn what_could_not_be_used_is_said_and_the_search_can_be_repeated() {
    let mut model = fixture::without_model();
    model.search.problems.push(Problem {
        path: PathBuf::from("/disk/models"),
        found_in: "LM Studio".to_owned(),
        what: "no permission to read it".to_owned(),
    });
    let mut window = opened(model);
    click(&mut window, "Model: Choose a model");
    window.get_by_label("Left out: no permission to read it; /disk/models (LM Studio)");
    click(&mut window, "Search for models again");
    assert_eq!(window.state().actions, [Action::FindModels]);
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
fn an_engine_that_does_not_respond_is_named_and_can_be_restarted() {
    let silent = |process| Model {
        silence: Some(Silence {
            process,
            lives: false,
        }),
        ..fixture::writing("Sure")
    };
    check_shown(
        silent(Some(4_711)),
        "does not respond (process 4711): it is stopped",
    );
    check_shown(silent(None), "A restart begins the reply again");
    check_shown(silent(None), "Engine not responding");
    check_click(silent(None), "Restart engine", &Action::RestartEngine);
}

fn with_crash(is_open: bool) -> Model {
    let mut model = fixture::ready();
    model.crash = Some(Box::new(Crash {
        text: "The engine stopped: aborted (signal 6)\nIt was busy with: reply 3".to_owned(),
        kept: Some(Ok(PathBuf::from("/data/crashes/engine-1.txt"))),
        is_open,
    }));
    model
}

#[test]
fn a_crash_note_is_named_copied_and_put_away() {
    check_shown(with_crash(false), "is kept in /data/crashes/engine-1.txt");
    check_hidden(with_crash(false), "It was busy with: reply 3");
    check_shown(with_crash(true), "It was busy with: reply 3");
    check_click(
        with_crash(false),
        "Show crash note",
        &Action::ShowCrash(true),
    );
    check_click(
        with_crash(true),
        "Hide crash note",
        &Action::ShowCrash(false),
    );
    let text = with_crash(true).crash.unwrap().text;
    check_click(with_crash(true), "Copy crash note", &Action::CopyText(text));
    check_click(
        with_crash(false),
        "Dismiss the crash note",
        &Action::DismissCrash,
    );
}

#[test]
fn a_reply_that_stands_still_is_named() {
    let silence = Some(Silence {
        process: Some(4_711),
        lives: true,
    });
    let standing = || Model {
        silence,
        ..fixture::writing("Sure")
    };
    check_shown(standing(), "makes no progress (process 4711)");
    check_shown(standing(), "No progress");
    check_click(standing(), "Restart engine", &Action::RestartEngine);
}

#[test]
fn what_a_restart_of_an_idle_engine_costs_is_said() {
    let silence = Some(Silence {
        process: None,
        lives: false,
    });
    let idle = Model {
        silence,
        ..fixture::ready()
    };
    check_shown(idle, "A restart loads the model again; nothing is lost.");
    let loading = Model {
        silence,
        ..fixture::loading()
    };
    check_shown(loading, "A restart ends the load.");
}

#[test]
fn a_limit_of_memory_can_be_taken_away() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Model: SmolLM2 135M Instruct");
    click(&mut window, "Load settings");
    click(&mut window, "Memory limit: None");
    let wish = Action::SetLoadSettings(LoadSettings {
        memory_limit_mb: Some(0),
        ..Settings::default().load
    });
    assert_eq!(window.state().actions.first(), Some(&wish));
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
fn the_tokens_read_at_once_can_be_set() {
    check_dial("Tokens read at once", 512, |it| it.n_batch);
}

#[test]
fn the_layers_on_the_gpu_can_be_set() {
    check_dial("Layers on the GPU", 12, |it| it.n_gpu_layers.unwrap());
}
