//! Getting a model in the picker: offers, progress, ends, and what is typed.

use std::path::PathBuf;
use std::time::Duration;

use egui_kittest::kittest::Queryable as _;
use stepladder::app::{Action, DownloadAction, GetPhase, Getting, Model};
use stepladder::download::{Progress, Stage, Wanted, offer};

use crate::{Window, click, fixture, opened};

/// The picker with the catalogue unfolded.
fn unfolded(model: Model) -> Window {
    let mut window = opened(model);
    click(&mut window, "Model: Choose a model");
    // It is open already where one is on its way.
    if window.query_by_label("Model to get").is_none() {
        click(&mut window, "Get a model");
    }
    window
}

fn llama() -> Wanted {
    offer("llama-3.2-1b").unwrap().wanted()
}

/// A window in which the Llama of the catalogue has come so far.
pub(crate) fn with(phase: GetPhase) -> Model {
    let mut model = fixture::without_model();
    model.search.free_memory = Some(1_500_000_000);
    model.download.items.push(Getting {
        id: 7,
        wanted: llama(),
        phase,
    });
    model
}

pub(crate) fn half_way() -> GetPhase {
    GetPhase::Running {
        progress: Progress {
            stage: Stage::Transferring,
            file: "Llama-3.2-1B-Instruct-Q4_K_M.gguf".to_owned(),
            done: 403_847_232,
            total: Some(807_694_464),
            per_second: Some(11_200_000.0),
            left: Some(Duration::from_secs(36)),
            ..Progress::default()
        },
        stopping: false,
    }
}

#[track_caller]
fn check_wish(phase: GetPhase, label: &str, wish: DownloadAction) {
    let mut window = unfolded(with(phase));
    click(&mut window, label);
    assert_eq!(window.state().actions, [Action::Download(wish)]);
    window.get_by_label("Get a model");
}

#[test]
fn who_has_no_model_sees_what_can_be_got_and_can_fold_it() {
    let mut model = fixture::without_model();
    model.models.clear();
    let mut window = opened(model);
    click(&mut window, "Model: Choose a model");
    window.get_by_label("None yet. Open a GGUF file, type its path, or get one below.");
    window.get_by_label("Get Llama 3.2 1B Instruct");
    click(&mut window, "Get a model");
    assert!(window.query_by_label("Model to get").is_none());
}

#[test]
fn an_offer_says_what_it_is_and_whether_it_would_fit() {
    let mut model = fixture::without_model();
    model.search.free_memory = Some(1_500_000_000);
    let mut window = unfolded(model);
    window.get_by_label("Q4_K_M · 808 MB · Llama 3.2 community licence");
    assert!(
        window
            .query_all_by_label("needs 1.1 GB of 1.5 GB free")
            .count()
            >= 1
    );
    assert!(window.query_all_by_label("fits").count() >= 2);
    assert!(window.query_all_by_label("does not fit").count() >= 1);
    click(&mut window, "Get Llama 3.2 1B Instruct");
    let wish = DownloadAction::Get(Box::new(llama()));
    assert_eq!(window.state().actions, [Action::Download(wish)]);
}

#[test]
fn a_download_shows_bytes_rate_and_time_left_and_can_be_stopped() {
    let window = unfolded(with(half_way()));
    window.get_by_label("403.8 MB of 807.7 MB · 11.2 MB/s · 36 s left");
    let label = "Stop downloading Llama 3.2 1B Instruct";
    check_wish(half_way(), label, DownloadAction::Stop(7));
}

#[test]
fn a_kept_part_can_be_gone_on_with() {
    let phase = || GetPhase::Kept {
        bytes: 300_000_000,
        total: Some(807_694_464),
    };
    let window = unfolded(with(phase()));
    window.get_by_label("300 MB of 808 MB are here");
    let wish = DownloadAction::Get(Box::new(llama()));
    check_wish(phase(), "Go on Llama 3.2 1B Instruct", wish);
    let label = "Delete the 300 MB of Llama 3.2 1B Instruct";
    check_wish(phase(), label, DownloadAction::Discard(7));
}

#[test]
fn a_failure_says_why_and_what_to_do() {
    let phase = || GetPhase::Failed {
        message: "the hub does not let us have it (status 403); hub.example; set HF_TOKEN"
            .to_owned(),
        bytes: 0,
    };
    let window = unfolded(with(phase()));
    window.get_by_label("the hub does not let us have it (status 403); hub.example; set HF_TOKEN");
    let wish = DownloadAction::Get(Box::new(llama()));
    check_wish(phase(), "Try again Llama 3.2 1B Instruct", wish);
    let label = "Take Llama 3.2 1B Instruct off the list";
    check_wish(phase(), label, DownloadAction::Forget(7));
}

#[test]
fn a_model_that_has_come_can_be_loaded_at_once() {
    let path = PathBuf::from("/data/models/a/b/Llama.gguf");
    let mut window = unfolded(with(GetPhase::Here(path.clone())));
    click(&mut window, "Load Llama 3.2 1B Instruct");
    assert_eq!(window.state().actions, [Action::LoadModel(path)]);
}

#[test]
fn a_model_that_another_tool_has_is_not_offered_again() {
    let mut model = fixture::without_model();
    let path = PathBuf::from("/home/a/.lmstudio/models/x/y/llama-3.2-1b-instruct-q4_k_m.gguf");
    model.models[0].path.clone_from(&path);
    let mut window = unfolded(model);
    click(&mut window, "Load Llama 3.2 1B Instruct");
    assert_eq!(window.state().actions, [Action::LoadModel(path)]);
}

#[test]
fn without_a_network_the_catalogue_says_so_in_a_line() {
    let mut model = fixture::without_model();
    let line = "No way to hub.example: nothing can be downloaded now. Models on this computer work as ever.";
    model.download.obstacle = Some(line.to_owned());
    unfolded(model).get_by_label(line);
}

#[test]
fn any_other_model_can_be_typed() {
    let mut window = unfolded(fixture::without_model());
    window.get_by_label("Model to get").focus();
    window.run_steps(2);
    window
        .get_by_label("Model to get")
        .type_text(" owner/name:Q8_0 ");
    window.run_steps(2);
    click(&mut window, "Get the typed model");
    let wish = DownloadAction::GetTyped("owner/name:Q8_0".to_owned());
    assert_eq!(window.state().actions, [Action::Download(wish)]);
    window.run_steps(2);
    let field = window.get_by_label("Model to get");
    assert_eq!(field.value().unwrap_or_default(), "");
}

#[test]
fn what_is_wrong_with_a_typed_name_is_said() {
    let mut model = fixture::without_model();
    model.download.fault = Some("this names no model; llama; name owner/name".to_owned());
    unfolded(model).get_by_label("this names no model; llama; name owner/name");
}
