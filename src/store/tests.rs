//! What is on disk stays there: broken files, torn lines, full disks.

use std::fs;

use serde_json::json;
use tempfile::tempdir;

use super::*;
use crate::lab::Trial;

fn trial(id: &str) -> Trial {
    let Ok(trial) = serde_json::from_value(json!({
        "v": 1, "id": id, "time": "2026-01-01T00:00:00Z", "versions": {}, "model": crate::lab::ModelStamp::default(),
        "preset": {"name": "greedy"}, "style": "example", "task": "shopping", "input": 0, "input_text": "two eggs",
        "messages": [], "prompt": "p", "prompt_tokens": [1], "constraint": {"kind": "none"}, "reply": "{}",
        "reply_tokens": [2], "stop": "end_of_generation", "attempt": 1,
        "timings": {"load_ms": 0.0, "prefill_ms": 0.0, "first_token_ms": 0.0, "decode_ms": 0.0, "mask_ms": 0.0, "tokens_per_second": 0.0},
        "trace": {"stages": [], "mask": null},
        "climb": crate::ladder::Climb::default(), "verdict": null, "correctness": null, "leaks": [],
        "lamps": {"parses": true, "schema": null, "correct": null, "leak_free": null}, "cause": null,
        "from_the_future": {"kept": true},
    })) else {
        panic!("the trial of the tests does not fit the type");
    };
    trial
}

#[test]
fn a_document_comes_back_as_it_was_saved() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("deep/draft.json");
    save(&path, &json!({"a": [1, "ä"]})).unwrap();
    assert_eq!(load(&path), Loaded::Found(json!({"a": [1, "ä"]})));
}

#[test]
fn a_broken_document_is_set_aside_and_not_lost() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("draft.json");
    fs::write(&path, "{\"a\": 1").unwrap();
    let Loaded::SetAside { now, reason } = load::<serde_json::Value>(&path) else {
        panic!("not set aside")
    };
    assert_eq!(fs::read_to_string(now).unwrap(), "{\"a\": 1");
    assert!(reason.contains("EOF"), "{reason}");
    assert!(!path.exists());
}

#[test]
fn a_second_broken_document_does_not_replace_the_first() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("draft.json");
    let mut names = Vec::new();
    for text in ["one", "two"] {
        fs::write(&path, text).unwrap();
        let Loaded::SetAside { now, .. } = load::<serde_json::Value>(&path) else {
            panic!("not set aside")
        };
        names.push(fs::read_to_string(now).unwrap());
    }
    assert_eq!(names, ["one", "two"]);
    assert_eq!(
        fs::read_to_string(dir.path().join("draft.json.broken-1")).unwrap(),
        "one"
    );
}

#[test]
fn a_missing_document_is_missing() {
    let dir = tempdir().unwrap();
    assert_eq!(
        load::<serde_json::Value>(&dir.path().join("no.json")),
        Loaded::Missing
    );
}

#[test]
fn trials_come_back_with_fields_of_a_later_version() {
    let dir = tempdir().unwrap();
    let trials = Trials::at(dir.path().join("trials.jsonl"));
    trials.append(&trial("a")).unwrap();
    trials.append(&trial("b")).unwrap();
    let (read, skipped) = read_trials(&dir.path().join("trials.jsonl")).unwrap();
    assert_eq!(read, [trial("a"), trial("b")]);
    assert_eq!(read[0].other["from_the_future"], json!({"kept": true}));
    assert!(skipped.is_empty());
}

#[test]
fn a_torn_last_line_is_skipped_and_takes_nothing_with_it() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("trials.jsonl");
    let trials = Trials::at(&path);
    trials.append(&trial("a")).unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, [&whole[..], &whole[..whole.len() / 2]].concat()).unwrap();
    trials.append(&trial("b")).unwrap();
    let (read, skipped) = read_trials(&path).unwrap();
    let ids: Vec<_> = read.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["a", "b"]);
    assert_eq!(skipped.len(), 1);
    assert!(skipped[0].starts_with("line 2"), "{}", skipped[0]);
}

#[test]
fn lines_are_parsed_once_each_whatever_the_number_of_threads() {
    let mut text = Vec::new();
    for n in 0..100 {
        let line = serde_json::to_vec(&trial(&n.to_string())).unwrap();
        // Line 41 is torn.
        let end = if n == 40 { line.len() / 2 } else { line.len() };
        text.extend_from_slice(&line[..end]);
        text.push(b'\n');
    }
    let alone = parse_lines(&text, 1);
    assert_eq!(alone.trials.len(), 99);
    assert_eq!(alone.n_bytes, text.len() - 100);
    for n_threads in [0, 2, 3, 7, 100, 1000] {
        let read = parse_lines(&text, n_threads);
        assert_eq!(read.n_bytes, alone.n_bytes, "{n_threads} threads");
        assert_eq!(read.trials, alone.trials, "{n_threads} threads");
        assert_eq!(read.problems, alone.problems, "{n_threads} threads");
        assert!(read.problems[0].starts_with("line 41 skipped"));
    }
    assert_eq!(parse_lines(b"", 4).n_bytes, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let error = Trials::at("/dev/full")
        .append(&trial("a"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("the disk is full"), "{error}");
    assert!(error.contains("/dev/full"), "{error}");
    assert!(error.contains("free some space"), "{error}");
}

#[test]
fn a_preset_of_the_users_takes_the_place_of_a_shipped_one() {
    let dir = tempdir().unwrap();
    let folders = Folders::at(dir.path());
    let shipped = library(&folders);
    let mut greedy = shipped.preset("greedy").unwrap().to_json();
    greedy["title"] = json!("Mine");
    save(&folders.presets().join("mine.json"), &greedy).unwrap();
    let changed = library(&folders);
    assert_eq!(changed.preset("greedy").unwrap().title, "Mine");
    assert_eq!(changed.presets.len(), shipped.presets.len());
}

#[test]
fn a_broken_preset_is_named_and_the_rest_stays() {
    let dir = tempdir().unwrap();
    let folders = Folders::at(dir.path());
    fs::create_dir_all(folders.presets()).unwrap();
    fs::write(
        folders.presets().join("bad.json"),
        r#"{"v": 1, "name": "bad", "knobs": {"top_p": 7}}"#,
    )
    .unwrap();
    let library = library(&folders);
    assert_eq!(library.problems.len(), 1);
    let problem = &library.problems[0];
    for word in ["bad.json", "top_p", "7"] {
        assert!(problem.contains(word), "{problem}");
    }
    assert!(library.preset("greedy").is_some());
}

#[test]
fn the_keeper_saves_the_latest_state_even_when_it_is_dropped_at_once() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("draft.json");
    let keeper = Keeper::start(Seen::new(), || {}).unwrap();
    for n in 0..100 {
        keeper.save(&path, &json!({"n": n})).unwrap();
    }
    drop(keeper);
    assert_eq!(load(&path), Loaded::Found(json!({"n": 99})));
}

#[test]
fn the_keeper_tells_of_a_save_that_failed() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let (woken, wakes) = crossbeam_channel::unbounded();
    let keeper = Keeper::start(Seen::new(), move || woken.send(()).unwrap()).unwrap();
    keeper
        .save(&dir.path().join("file/draft.json"), &json!(1))
        .unwrap();
    wakes
        .recv_timeout(std::time::Duration::from_secs(20))
        .unwrap();
    let news: Vec<_> = keeper.news().collect();
    let [Saved::Failed(text)] = news.as_slice() else {
        panic!("{news:?}");
    };
    assert!(text.contains("draft.json"), "{text}");
}

#[test]
fn cases_are_added_behind_those_that_were_written_by_hand() {
    let dir = tempdir().unwrap();
    let path = Folders::at(dir.path()).cases();
    fs::write(&path, "{\"id\": \"by hand\"}").unwrap();
    append_case(&path, &json!({"id": "one"})).unwrap();
    append_case(&path, &json!({"id": "two"})).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "{\"id\": \"by hand\"}",
            "{\"id\":\"one\"}",
            "{\"id\":\"two\"}"
        ]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_case_that_cannot_be_saved_says_why() {
    let error = append_case(std::path::Path::new("/dev/full"), &json!({}));
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("cannot save the case: the disk is full"),
        "{error}"
    );
}

/// Dark pixels of a picture, and its size.
fn ink(png: &[u8]) -> (usize, [u32; 2]) {
    let pixmap = resvg::tiny_skia::Pixmap::decode_png(png).unwrap();
    let dark = pixmap.pixels().iter().filter(|it| it.red() < 128).count();
    (dark, [pixmap.width(), pixmap.height()])
}

fn svg(inside: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"40\"><rect width=\"100\" height=\"40\" fill=\"#fff\"/>{inside}</svg>"
    )
}

#[test]
fn a_drawing_becomes_a_picture_with_its_text() {
    let (without, size) = ink(&picture(&svg("")).unwrap());
    assert_eq!((without, size), (0, [200, 80]));
    let (with, _) = ink(&picture(&svg("<text x=\"5\" y=\"20\">greedy</text>")).unwrap());
    assert!(with > 100, "{with} dark pixels");
}

#[test]
fn a_drawing_that_is_none_is_refused() {
    let error = picture("no drawing").unwrap_err();
    assert!(error.contains("save the HTML report"), "{error}");
    let huge = svg("").replace("width=\"100\"", "width=\"1000000\"");
    assert!(picture(&huge).unwrap_err().contains("too large"));
}

#[test]
fn speeds_come_from_all_records() {
    let dir = tempdir().unwrap();
    let folders = Folders::at(dir.path());
    let mut one = trial("1");
    one.model.file = "m.gguf".to_owned();
    one.timings.decode_ms = 50.0;
    Trials::at(folders.trials()).append(&one).unwrap();
    let folder = folders.experiments().join("2026 plan");
    fs::create_dir_all(&folder).unwrap();
    Trials::at(folder.join("trials.jsonl"))
        .append(&one)
        .unwrap();
    fs::write(folders.experiments().join("not a folder"), "x").unwrap();
    let estimate = speeds(&folders).estimate("m.gguf", &[]).unwrap();
    assert_eq!((estimate.n_past, estimate.tokens_per_second), (2, 20.0));
}

#[test]
fn an_experiment_is_gone_on_with_on_other_models() {
    let dir = tempdir().unwrap();
    let folder = BenchFolder::at(dir.path().join("e"));
    let plan = |models: serde_json::Value| json!({"plan": {"name": "p", "models": models}});
    folder.begin(&plan(json!(["a"])), false).unwrap();
    folder.begin(&plan(json!(["a", "b"])), true).unwrap();
    let other = json!({"plan": {"name": "q", "models": ["a"]}});
    assert!(folder.begin(&other, true).is_err());
}
