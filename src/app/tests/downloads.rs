//! Downloads as the window knows them: begun, told of, ended in every way.

use std::path::PathBuf;

use super::model;
use crate::app::{
    Action, DownloadAction, DownloadEffect, DownloadNews, Effect, GetPhase, Model, NoticeKind,
    on_action, on_download_news,
};
use crate::download::{FetchError, Fetched, Kept, Progress, Stage, Trouble, Wanted, offer};

fn wanted() -> Wanted {
    Wanted::parse("owner/name:x.gguf").unwrap()
}

fn act(model: &mut Model, action: DownloadAction) -> Vec<Effect> {
    on_action(model, Action::Download(action))
}

/// Begins a download and gives its number.
fn begun(model: &mut Model) -> u64 {
    let effects = act(model, DownloadAction::Get(Box::new(wanted())));
    match effects.as_slice() {
        [
            Effect::Download(DownloadEffect::Fetch {
                id,
                wanted: it,
                sha256: None,
            }),
        ] => {
            assert_eq!(**it, wanted());
            *id
        }
        other => panic!("{other:?}"),
    }
}

fn at(done: u64) -> Progress {
    Progress {
        stage: Stage::Transferring,
        done,
        total: Some(1_000),
        ..Progress::default()
    }
}

fn error(trouble: Trouble) -> FetchError {
    FetchError {
        trouble,
        what: "it failed".to_owned(),
        place: "hub.example".to_owned(),
        advice: "try again".to_owned(),
    }
}

#[track_caller]
fn check_phase(model: &Model, expected: &GetPhase) {
    assert_eq!(&model.download.of(&wanted()).unwrap().phase, expected);
}

#[test]
fn a_download_is_begun_once_and_told_of() {
    let mut model = model();
    let id = begun(&mut model);
    assert_eq!(act(&mut model, DownloadAction::Get(Box::new(wanted()))), []);
    on_download_news(&mut model, DownloadNews::Progress(id, at(400)));
    let running = GetPhase::Running {
        progress: at(400),
        stopping: false,
    };
    check_phase(&model, &running);
    on_download_news(&mut model, DownloadNews::Progress(id + 1, at(900)));
    check_phase(&model, &running);
}

#[test]
fn an_offer_is_checked_by_the_catalogue_s_hash() {
    let mut model = model();
    let effects = act(
        &mut model,
        DownloadAction::GetTyped(" Llama-3.2-1B ".to_owned()),
    );
    let llama = offer("llama-3.2-1b").unwrap();
    match effects.as_slice() {
        [Effect::Download(DownloadEffect::Fetch { wanted, sha256, .. })] => {
            assert_eq!((&**wanted, sha256), (&llama.wanted(), &llama.sha256));
            assert!(sha256.is_some());
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_typed_name_that_is_none_is_said_until_another_is_right() {
    let mut model = model();
    assert_eq!(
        act(&mut model, DownloadAction::GetTyped("what".to_owned())),
        []
    );
    assert!(
        model
            .download
            .fault
            .as_ref()
            .unwrap()
            .contains("names no model")
    );
    act(
        &mut model,
        DownloadAction::GetTyped("owner/name".to_owned()),
    );
    assert_eq!(model.download.fault, None);
}

#[test]
fn a_finished_download_is_said_and_looked_for() {
    let mut model = model();
    let id = begun(&mut model);
    let fetched = Fetched {
        path: PathBuf::from("/data/models/owner/name/x.gguf"),
        bytes: 1_000_000,
        ..Fetched::default()
    };
    let effects = on_download_news(&mut model, DownloadNews::Ended(id, Ok(fetched.clone())));
    assert_eq!(effects, [Effect::FindModels]);
    check_phase(&model, &GetPhase::Here(fetched.path));
    let notice = model.notices.last().unwrap();
    assert_eq!(notice.kind, NoticeKind::Info);
    assert!(
        notice.text.contains("owner/name:x.gguf is here (1.0 MB)"),
        "{}",
        notice.text
    );
    assert!(notice.text.contains("names no hash"), "{}", notice.text);
}

#[test]
fn a_stop_is_asked_for_once_and_keeps_the_part() {
    let mut model = model();
    let id = begun(&mut model);
    on_download_news(&mut model, DownloadNews::Progress(id, at(400)));
    let effects = act(&mut model, DownloadAction::Stop(id));
    assert_eq!(effects, [Effect::Download(DownloadEffect::Stop(id))]);
    assert_eq!(act(&mut model, DownloadAction::Stop(id)), []);
    let ended = DownloadNews::Ended(id, Err(error(Trouble::Cancelled)));
    on_download_news(&mut model, ended);
    check_phase(
        &model,
        &GetPhase::Kept {
            bytes: 400,
            total: Some(1_000),
        },
    );
    let again = begun(&mut model);
    assert_ne!(again, id);
    assert_eq!(model.download.items.len(), 1);
}

#[test]
fn what_has_come_can_be_deleted_once_it_is_over() {
    let mut model = model();
    let id = begun(&mut model);
    on_download_news(&mut model, DownloadNews::Progress(id, at(400)));
    assert_eq!(act(&mut model, DownloadAction::Discard(id)), []);
    let ended = DownloadNews::Ended(id, Err(error(Trouble::Cancelled)));
    on_download_news(&mut model, ended);
    let wanted = Box::new(model.download.items[0].wanted.clone());
    let effects = act(&mut model, DownloadAction::Discard(id));
    let discard = DownloadEffect::Discard(wanted.clone());
    assert_eq!(effects, [Effect::Download(discard)]);
    assert_eq!(model.download.items, []);
    let kept = vec![Kept {
        wanted: *wanted,
        bytes: 400,
        total: Some(1_000),
    }];
    let error = error(Trouble::Busy);
    on_download_news(&mut model, DownloadNews::NotDiscarded { error, kept });
    assert_eq!(model.download.items.len(), 1, "it still lies there");
    assert_eq!(model.notices.last().unwrap().kind, NoticeKind::Warning);
}

/// A repository may hold many files: what is deleted or gone on with is the one that was fetched.
#[test]
fn a_download_that_ends_early_names_its_file() {
    let mut model = model();
    let any = Box::new(Wanted::parse("owner/name").unwrap());
    act(&mut model, DownloadAction::Get(any));
    let id = model.download.items[0].id;
    let progress = Progress {
        model: "q/x-00001-of-00002.gguf".to_owned(),
        part: Some((2, 2)),
        ..at(0)
    };
    on_download_news(&mut model, DownloadNews::Progress(id, progress));
    let ended = DownloadNews::Ended(id, Err(error(Trouble::Cancelled)));
    on_download_news(&mut model, ended);
    let wanted = model.download.items[0].wanted.to_string();
    assert_eq!(wanted, "owner/name:q/x-00001-of-00002.gguf");
}

#[test]
fn a_stop_before_the_first_byte_leaves_nothing() {
    let mut model = model();
    let id = begun(&mut model);
    act(&mut model, DownloadAction::Stop(id));
    let ended = DownloadNews::Ended(id, Err(error(Trouble::Cancelled)));
    on_download_news(&mut model, ended);
    assert_eq!(model.download.items, []);
}

#[test]
fn a_failure_keeps_its_reason_and_what_came_unless_that_is_bad() {
    for (trouble, kept) in [
        (Trouble::Server, 400),
        (Trouble::WrongHash, 0),
        (Trouble::NotAModel, 0),
    ] {
        let mut model = model();
        let id = begun(&mut model);
        on_download_news(&mut model, DownloadNews::Progress(id, at(400)));
        on_download_news(&mut model, DownloadNews::Ended(id, Err(error(trouble))));
        let message = "it failed; hub.example; try again".to_owned();
        check_phase(
            &model,
            &GetPhase::Failed {
                message,
                bytes: kept,
            },
        );
        assert_eq!(model.download.obstacle, None);
        act(&mut model, DownloadAction::Forget(id));
        assert_eq!(model.download.items, []);
    }
}

#[test]
fn no_network_is_said_until_something_comes() {
    let mut model = model();
    let id = begun(&mut model);
    let ended = DownloadNews::Ended(id, Err(error(Trouble::Unreachable)));
    on_download_news(&mut model, ended);
    assert!(
        model
            .download
            .obstacle
            .as_ref()
            .unwrap()
            .starts_with("No way to hub.example")
    );
    let id = begun(&mut model);
    on_download_news(&mut model, DownloadNews::Progress(id, Progress::default()));
    assert!(model.download.obstacle.is_some());
    on_download_news(&mut model, DownloadNews::Progress(id, at(1)));
    assert_eq!(model.download.obstacle, None);
}

#[test]
fn a_running_download_cannot_be_forgotten() {
    let mut model = model();
    let id = begun(&mut model);
    act(&mut model, DownloadAction::Forget(id));
    assert_eq!(model.download.items.len(), 1);
    assert!(model.download.is_running());
}

#[test]
fn parts_on_the_disk_are_offered_to_go_on_with() {
    let mut model = model();
    let kept = Kept {
        wanted: wanted(),
        bytes: 400,
        total: None,
    };
    let known = || DownloadNews::Known {
        kept: vec![kept.clone()],
        obstacle: None,
    };
    on_download_news(&mut model, known());
    on_download_news(&mut model, known());
    assert_eq!(model.download.items.len(), 1);
    check_phase(
        &model,
        &GetPhase::Kept {
            bytes: 400,
            total: None,
        },
    );
    begun(&mut model);
    on_download_news(&mut model, known());
    assert!(model.download.is_running(), "what runs is not put back");
}
