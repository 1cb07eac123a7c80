//! More than one window on a folder, other programs, newer versions, disks that fail and come back.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::tempdir;

use super::lines::append_line;
use super::*;

fn keeper() -> Keeper {
    Keeper::start(Seen::new(), || {}).unwrap()
}

/// The news that satisfies, within a generous time.
#[track_caller]
fn wait_for(keeper: &Keeper, is_it: impl Fn(&Saved) -> bool) -> Saved {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_mins(1) {
        if let Some(it) = keeper.news().find(&is_it) {
            return it;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("the keeper did not say it");
}

fn value(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn what_two_windows_change_in_the_settings_both_holds() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("settings.json");
    let base = json!({"v": 1, "theme": "dark", "threads": 0, "recent": ["a"]});
    fs::write(&path, base.to_string()).unwrap();
    let (one, two) = (keeper(), keeper());
    let mine = json!({"v": 1, "theme": "light", "threads": 0, "recent": ["b", "a"]});
    one.save_shared(&path, base.clone(), mine).unwrap();
    drop(one);
    let mine = json!({"v": 1, "theme": "dark", "threads": 4, "recent": ["c", "a"]});
    two.save_shared(&path, base, mine).unwrap();
    drop(two);
    assert_eq!(
        value(&path),
        json!({"v": 1, "theme": "light", "threads": 4, "recent": ["c", "a", "b"]})
    );
}

#[test]
fn many_changes_of_settings_at_once_keep_the_first_base() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("settings.json");
    fs::write(&path, r#"{"a": 1, "b": 1, "theirs": 7}"#).unwrap();
    let keeper = keeper();
    let states = [
        json!({"a": 1, "b": 1, "theirs": 1}),
        json!({"a": 2, "b": 1, "theirs": 1}),
        json!({"a": 2, "b": 3, "theirs": 1}),
    ];
    for pair in states.windows(2) {
        keeper
            .save_shared(&path, pair[0].clone(), pair[1].clone())
            .unwrap();
    }
    drop(keeper);
    assert_eq!(value(&path), json!({"a": 2, "b": 3, "theirs": 7}));
}

#[test]
fn a_save_that_failed_is_made_up_for_once_the_disk_lets_it() {
    let dir = tempdir().unwrap();
    let folder = dir.path().join("data");
    fs::write(&folder, "in the way").unwrap();
    let keeper = keeper();
    let path = folder.join("draft.json");
    keeper.save(&path, &json!({"n": 1})).unwrap();
    let failed = wait_for(&keeper, |it| matches!(it, Saved::Failed(_)));
    fs::remove_file(&folder).unwrap();
    let mended = wait_for(&keeper, |it| matches!(it, Saved::Mended(_)));
    let (Saved::Failed(failed), Saved::Mended(mended)) = (failed, mended) else {
        panic!("other news");
    };
    assert_eq!(failed, mended);
    assert_eq!(value(&path), json!({"n": 1}));
}

#[test]
fn a_file_of_the_users_that_somebody_else_changed_is_kept_in_both_versions() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("g.gbnf");
    let keeper = keeper();
    keeper.save_own(&path, Some("mine 1".to_owned())).unwrap();
    drop(keeper);
    let keeper = self::keeper();
    // Nothing was read there: what lies in the file is somebody else's.
    keeper.save_own(&path, Some("mine 2".to_owned())).unwrap();
    wait_for(
        &keeper,
        |it| matches!(it, Saved::Said(text) if text.contains("g.gbnf.other-1")),
    );
    fs::write(&path, "theirs").unwrap();
    keeper.save_own(&path, None).unwrap();
    drop(keeper);
    let text = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(text("g.gbnf.other-1"), "mine 1");
    assert_eq!(text("g.gbnf.other-2"), "theirs");
    assert!(!path.exists());
}

#[test]
fn a_file_that_is_as_it_was_read_is_written_over_without_a_word() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("g.gbnf");
    fs::write(&path, "as read").unwrap();
    let seen = Seen::from([(path.clone(), super::own_files::mark(b"as read"))]);
    let keeper = Keeper::start(seen, || {}).unwrap();
    keeper.save_own(&path, Some("new".to_owned())).unwrap();
    drop(keeper);
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn windows_have_numbers_of_their_own_and_give_them_back() {
    let dir = tempdir().unwrap();
    let folders = Folders::at(dir.path());
    assert!(!WindowNumber::is_taken(&folders));
    let one = WindowNumber::take(&folders);
    let two = WindowNumber::take(&folders);
    assert_eq!((one.number(), two.number()), (1, 2));
    assert!(WindowNumber::is_taken(&folders));
    drop(one);
    assert!(WindowNumber::is_taken(&folders), "the second is still open");
    assert_eq!(WindowNumber::take(&folders).number(), 1);
    drop(two);
    assert!(!WindowNumber::is_taken(&folders));
}

#[test]
fn lines_of_many_writers_at_once_are_all_whole() {
    const N_WRITERS: usize = 4;
    const N_LINES: usize = 50;
    let dir = tempdir().unwrap();
    let path = dir.path().join("trials.jsonl");
    // Longer than what a system writes in one piece.
    let text = "x".repeat(20_000);
    thread::scope(|scope| {
        for writer in 0..N_WRITERS {
            let (path, text) = (&path, &text);
            scope.spawn(move || {
                for n in 0..N_LINES {
                    let line = json!({"id": format!("{writer}-{n}"), "text": text});
                    append_line(path, &line, "cannot record the trial").unwrap();
                }
            });
        }
    });
    let read = fs::read_to_string(&path).unwrap();
    let mut of_writer = [0; N_WRITERS];
    for line in read.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let id = value["id"].as_str().unwrap();
        let (writer, n) = id.split_once('-').unwrap();
        let count: &mut usize = &mut of_writer[writer.parse::<usize>().unwrap()];
        // Each writer's own lines stand in its order.
        assert_eq!(n, count.to_string());
        *count += 1;
    }
    assert_eq!(of_writer, [N_LINES; N_WRITERS]);
}

#[test]
fn a_file_that_another_program_does_not_let_go_of_is_an_error_and_no_hang() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("trials.jsonl");
    append_line(&path, &json!(1), "cannot record the trial").unwrap();
    let held = fs::File::open(&path).unwrap();
    held.lock().unwrap();
    let error = append_line(&path, &json!(2), "cannot record the trial").unwrap_err();
    assert!(error.to_string().contains("another program holds the file"));
    drop(held);
    append_line(&path, &json!(3), "cannot record the trial").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "1\n3\n");
}

#[test]
fn a_document_of_a_newer_version_is_left_alone() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Old {
        task: String,
    }
    let dir = tempdir().unwrap();
    let path = dir.path().join("draft.json");
    fs::write(&path, r#"{"v": 9, "task": {"new": "shape"}}"#).unwrap();
    assert_eq!(load::<Old>(&path), Loaded::Newer { version: 9 });
    assert!(path.exists());
}

#[test]
fn a_document_that_is_no_file_or_too_deep_is_an_error() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("draft.json");
    fs::create_dir(&path).unwrap();
    let Loaded::Locked { reason } = load::<Value>(&path) else {
        panic!("a folder was read");
    };
    assert!(reason.contains("no file"), "{reason}");
    fs::remove_dir(&path).unwrap();
    fs::write(&path, "[".repeat(1_000_000)).unwrap();
    let Loaded::SetAside { reason, .. } = load::<Value>(&path) else {
        panic!("it was read");
    };
    assert!(reason.contains("recursion limit"), "{reason}");
}
