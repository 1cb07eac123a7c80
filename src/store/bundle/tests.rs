//! What goes out comes in again; what is broken, hostile or already there changes nothing.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use super::*;
use crate::store::Folders;

const GRAMMAR: &str = "root ::= \"ja\" | \"<script>\"\n";

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn preset(name: &str, temperature: f64) -> String {
    json!({"v": 1, "name": name, "knobs": {"temperature": temperature}}).to_string()
}

/// A data folder with a file of every kind.
fn full() -> TempDir {
    let dir = tempdir().unwrap();
    for (name, text) in [
        ("settings.json", r#"{"theme": "light"}"#),
        ("draft.json", r#"{"v": 1, "task": "shopping"}"#),
        ("repair.json", r#"{"v": 1, "reply": "{\"a\": 1"}"#),
        ("grammars.json", r#"{"v": 1, "name": "json"}"#),
        ("compare.json", r#"{"v": 1, "text": "two eggs"}"#),
        ("presets/mine.json", &preset("mine", 0.5)),
        ("presets/tasks/t.json", r#"{"v": 1, "id": "t"}"#),
        ("presets/plans/p.json", r#"{"v": 1, "name": "p"}"#),
        ("grammars/yes ja 是.gbnf", GRAMMAR),
        ("schemas/s.schema.json", r#"{"type": "object"}"#),
        ("regression.jsonl", "{\"id\": \"c1\"}\n"),
        ("trials.jsonl", "{\"id\":\"a\"}\n{\"id\":\"b\"}\n"),
        ("scripted-trials.jsonl", "{\"id\":\"s\"}\n"),
        ("experiments/one/plan.json", r#"{"plan": {"name": "p"}}"#),
        ("experiments/one/trials.jsonl", "{\"id\":\"e\"}\n"),
        // Not in a bundle: models, what was set aside, what is no file of ours.
        ("models/big.gguf", "GGUF"),
        ("draft.json.broken-1", "{"),
        ("notes.txt", "mine"),
    ] {
        put(dir.path(), name, text);
    }
    dir
}

/// Every file below the folder with its content.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy();
                found.push((name.replace('\\', "/"), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// A bundle of a full data folder.
fn bundle() -> (TempDir, PathBuf) {
    let (source, out) = (full(), tempdir().unwrap());
    let path = out.path().join("all.jsonl");
    export(&Folders::at(source.path()), &path, true).unwrap();
    (out, path)
}

fn take(into: &Path, bundle: &Path) -> Imported {
    import(&Folders::at(into), bundle, Differing::Beside).unwrap()
}

#[track_caller]
fn check_refused(into: &Path, bundle: &Path, words: &str) {
    let before = files(into);
    let error = import(&Folders::at(into), bundle, Differing::Replace);
    let error = error.unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    assert!(error.contains("nothing was changed"), "{error}");
    assert_eq!(files(into), before);
    let left = fs::read_dir(into).unwrap().flatten();
    let left: Vec<_> = left.filter(|it| it.path().is_dir()).collect();
    assert!(
        !left
            .iter()
            .any(|it| it.file_name().to_string_lossy().starts_with(".import")),
        "{left:?}"
    );
}

#[test]
fn everything_comes_to_an_empty_folder_as_it_was() {
    let (source, target, out) = (full(), tempdir().unwrap(), tempdir().unwrap());
    let path = out.path().join("all.jsonl");
    let exported = export(&Folders::at(source.path()), &path, true).unwrap();
    assert_eq!(
        (
            exported.n_documents,
            exported.n_lines,
            exported.n_experiments
        ),
        (11, 5, 1)
    );
    assert_eq!(exported.problems, Vec::<String>::new());
    let imported = take(target.path(), &path);
    assert_eq!((imported.added.len(), imported.n_lines), (11, 5));
    let mut expected = files(source.path());
    let left = ["models/big.gguf", "draft.json.broken-1", "notes.txt"];
    expected.retain(|it| !left.contains(&it.0.as_str()));
    assert_eq!(files(target.path()), expected);
}

#[test]
fn without_trials_neither_trials_nor_experiments_go_out() {
    let (source, out) = (full(), tempdir().unwrap());
    let path = out.path().join("all.jsonl");
    let exported = export(&Folders::at(source.path()), &path, false).unwrap();
    assert_eq!((exported.n_documents, exported.n_lines), (10, 1));
    assert!(!fs::read_to_string(&path).unwrap().contains("experiments"));
}

#[test]
fn the_same_a_second_time_changes_nothing() {
    let (_out, path) = bundle();
    let target = tempdir().unwrap();
    take(target.path(), &path);
    let before = files(target.path());
    let again = take(target.path(), &path);
    assert_eq!((again.added.len(), again.n_lines), (0, 0));
    assert_eq!((again.n_same, again.n_same_lines), (11, 5));
    assert_eq!(files(target.path()), before);
}

#[test]
fn what_differs_comes_in_beside_and_only_once() {
    let (_out, path) = bundle();
    let target = tempdir().unwrap();
    put(
        target.path(),
        "presets/other file.json",
        &preset("mine", 1.5),
    );
    put(target.path(), "grammars/yes ja 是.gbnf", "root ::= \"no\"");
    put(target.path(), "draft.json", r#"{"v": 1, "task": "mood"}"#);
    put(
        target.path(),
        "trials.jsonl",
        "{\"id\":\"b\"}\n{\"id\":\"z\"}\n",
    );
    let before = files(target.path());
    for round in 0..2 {
        let imported = take(target.path(), &path);
        let now = files(target.path());
        for (name, text) in before.iter().filter(|it| it.0 != "trials.jsonl") {
            assert!(now.contains(&(name.clone(), text.clone())), "{name}");
        }
        let n_beside = if round == 0 { 3 } else { 0 };
        assert_eq!(imported.beside.len(), n_beside, "{:?}", imported.beside);
    }
    let text = |name: &str| fs::read_to_string(target.path().join(name)).unwrap();
    let renamed: Value = serde_json::from_str(&text("presets/mine-2.json")).unwrap();
    assert_eq!(renamed["name"], "mine-2");
    assert_eq!(renamed["knobs"]["temperature"], 0.5);
    assert_eq!(text("grammars/yes ja 是-2.gbnf"), GRAMMAR);
    assert!(text("draft.imported-2.json").contains("shopping"));
    assert_eq!(
        text("trials.jsonl"),
        "{\"id\":\"b\"}\n{\"id\":\"z\"}\n{\"id\":\"a\"}\n"
    );
}

#[test]
fn what_is_replaced_is_kept_under_another_name() {
    let (_out, path) = bundle();
    let target = tempdir().unwrap();
    put(target.path(), "draft.json", r#"{"v": 1, "task": "mood"}"#);
    let imported = import(&Folders::at(target.path()), &path, Differing::Replace).unwrap();
    assert_eq!(
        imported.replaced,
        [("draft.json".to_owned(), "draft.json.before-1".to_owned())]
    );
    let kept = fs::read_to_string(target.path().join("draft.json.before-1")).unwrap();
    assert!(kept.contains("mood"));
    let now = fs::read_to_string(target.path().join("draft.json")).unwrap();
    assert!(now.contains("shopping"));
}

#[test]
fn an_experiment_of_the_same_name_with_another_plan_gets_a_folder_of_its_own() {
    let (_out, path) = bundle();
    let target = tempdir().unwrap();
    put(
        target.path(),
        "experiments/one/plan.json",
        r#"{"plan": {"name": "other"}}"#,
    );
    put(
        target.path(),
        "experiments/one/trials.jsonl",
        "{\"id\":\"mine\"}\n",
    );
    take(target.path(), &path);
    let text = |name: &str| fs::read_to_string(target.path().join(name)).unwrap();
    assert_eq!(text("experiments/one/trials.jsonl"), "{\"id\":\"mine\"}\n");
    assert_eq!(text("experiments/one (2)/trials.jsonl"), "{\"id\":\"e\"}\n");
}

#[test]
fn a_bundle_cut_anywhere_changes_nothing() {
    let (_out, path) = bundle();
    let whole = fs::read(&path).unwrap();
    let target = full();
    for end in (0..whole.len()).step_by(37).chain([whole.len() - 1]) {
        fs::write(&path, &whole[..end]).unwrap();
        check_refused(target.path(), &path, "cannot import");
    }
}

#[test]
fn a_bundle_with_a_byte_changed_anywhere_changes_nothing() {
    let (_out, path) = bundle();
    let whole = fs::read(&path).unwrap();
    let target = full();
    for at in (0..whole.len()).step_by(41) {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).unwrap();
        let result = import(&Folders::at(target.path()), &path, Differing::Replace);
        assert!(result.is_err(), "byte {at}");
    }
    assert_eq!(files(target.path()), files(full().path()));
}

/// A bundle of these rows with a right head and end.
fn made(rows: &[Value]) -> (TempDir, PathBuf) {
    use sha2::{Digest as _, Sha256};
    let mut text = format!("{}\n", json!({"bundle": TITLE, "v": 1}));
    for row in rows {
        let line = format!("{row}\n");
        text.push_str(&line);
    }
    let sha256 = hex(&Sha256::digest(&text));
    let end = format!("{}\n", json!({"end": rows.len() + 1, "sha256": sha256}));
    text.push_str(&end);
    let dir = tempdir().unwrap();
    let path = dir.path().join("made.jsonl");
    fs::write(&path, text).unwrap();
    (dir, path)
}

#[test]
fn names_that_lead_elsewhere_are_left_out_and_said() {
    for name in [
        "../evil.json",
        "/etc/evil",
        "presets/../../evil.json",
        "presets/..",
        "presets/a/b.json",
        "C:\\evil.json",
        "presets/..\\evil.json",
        "grammars/.hidden.gbnf",
        "grammars/con.gbnf",
        "presets/a\u{0}.json",
        "grammars/x.exe",
        "experiments/../plan.json",
        "models/m.gguf",
        "",
        "presets/a:b.json",
        "grammars/new\nline.gbnf",
    ] {
        let (_dir, path) = made(&[json!({"file": name, "text": "{}"})]);
        let around = tempdir().unwrap();
        let target = around.path().join("deep/data");
        let imported = take(&target, &path);
        assert_eq!(imported.problems.len(), 1, "{name:?}");
        assert!(files(around.path()).is_empty(), "{name:?}");
    }
}

#[test]
fn hostile_rows_are_refused() {
    for (rows, words) in [
        (
            vec![json!({"file": "trials.jsonl", "line": "{\"a\":1}\n{\"b\":2}"})],
            "is not JSON",
        ),
        (
            vec![json!({"file": "trials.jsonl", "line": "{"})],
            "is not JSON",
        ),
        (
            vec![
                json!({"file": "draft.json", "text": "{}"}),
                json!({"file": "draft.json", "text": "1"}),
            ],
            "twice",
        ),
        (vec![json!({"file": 7})], "no row"),
        (vec![json!({"end": 99, "sha256": "00"})], "changed"),
    ] {
        let (_dir, path) = made(&rows);
        let target = full();
        check_refused(target.path(), &path, words);
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let (_dir, path) = made(&[json!({"file": "trials.jsonl", "line": deep})]);
    check_refused(full().path(), &path, "is not JSON");
}

#[test]
fn too_many_files_are_refused() {
    let names = 0..=MAX_DOCUMENTS;
    let rows: Vec<Value> = names
        .map(|it| json!({"file": format!("grammars/{it}.gbnf"), "text": ""}))
        .collect();
    let (_dir, path) = made(&rows);
    check_refused(full().path(), &path, "more than 20000 files");
}

#[test]
fn a_file_that_is_no_bundle_and_one_of_a_newer_version_are_refused() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("x.jsonl");
    let target = full();
    for (text, words) in [
        ("", "no export of Stepladder"),
        ("hello", "no export of Stepladder"),
        ("{}\n", "no export of Stepladder"),
        ("\u{0}\u{1}\n", "no row"),
        (
            "{\"bundle\": \"everything of Stepladder\", \"v\": 2}\n",
            "update Stepladder",
        ),
        ("{\"bundle\": \"everything of Stepladder\"}\n", "no version"),
    ] {
        fs::write(&path, text).unwrap();
        check_refused(target.path(), &path, words);
    }
    fs::remove_file(&path).unwrap();
    let missing = import(&Folders::at(target.path()), &path, Differing::Beside);
    assert!(missing.unwrap_err().to_string().contains("does not exist"));
}

#[test]
fn an_export_overwrites_nothing_and_leaves_no_half() {
    let source = full();
    let path = source.path().join("notes.txt");
    let error = export(&Folders::at(source.path()), &path, true).unwrap_err();
    assert!(error.to_string().contains("choose another name"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    let nowhere = source.path().join("no/folder/all.jsonl");
    let error = export(&Folders::at(source.path()), &nowhere, true).unwrap_err();
    assert!(error.to_string().contains("does not exist"), "{error}");
}

#[test]
fn torn_lines_and_files_that_are_no_text_are_named_and_the_rest_goes_out() {
    let (source, out) = (full(), tempdir().unwrap());
    put(
        source.path(),
        "trials.jsonl",
        "{\"id\":\"a\"}\n{\"id\": \n{\"id\":\"b\"}\n{\"to",
    );
    fs::write(source.path().join("presets/bytes.json"), [0xff, 0xfe]).unwrap();
    let path = out.path().join("all.jsonl");
    let exported = export(&Folders::at(source.path()), &path, true).unwrap();
    assert_eq!(exported.problems.len(), 3, "{:?}", exported.problems);
    for words in ["line 2", "line 4", "bytes.json"] {
        assert!(
            exported.problems.iter().any(|it| it.contains(words)),
            "{words}"
        );
    }
    assert_eq!(exported.n_lines, 5);
}
