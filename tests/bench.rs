//! `bench` and `report` as they are typed, on a recording: no model is needed.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const RECORDING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/ngram_fork.jsonl");

struct Done {
    code: i32,
    out: String,
    err: String,
}

fn stepladder(folder: &Path, args: &[&str]) -> Done {
    let done = Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(args)
        .current_dir(folder)
        .env("STEPLADDER_DATA", folder.join("data"))
        .env("STEPLADDER_MODEL", folder.join("no-such-model.gguf"))
        .output()
        .unwrap();
    Done {
        code: done.status.code().unwrap(),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

/// A plan of six replies: three inputs under two presets.
const SMALL: &[&str] = &[
    "bench",
    "--scripted",
    RECORDING,
    "--task",
    "shopping",
    "--preset",
    "greedy,greedy-ngram3",
    "--inputs",
    "3",
    "--out",
    "out",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [SMALL, more].concat()
}

fn n_trials(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("out/trials.jsonl")).unwrap();
    text.lines().count()
}

#[test]
fn a_plan_is_run_recorded_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let done = stepladder(folder.path(), SMALL);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("6 replies on 1 model"), "{}", done.err);
    assert!(done.out.starts_with("# Own plan\n"), "{}", done.out);
    assert!(done.out.contains("| greedy-ngram3 | 3 |"), "{}", done.out);
    assert_eq!(n_trials(folder.path()), 6);
}

#[test]
fn a_plan_that_was_broken_off_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stepladder(folder.path(), SMALL).code, 0);
    let whole = report(folder.path(), "json");
    let place = folder.path().join("out/trials.jsonl");
    let text = fs::read_to_string(&place).unwrap();
    // As after a crash: two trials, and half of a third one.
    let ends: Vec<usize> = text.match_indices('\n').map(|it| it.0 + 1).collect();
    fs::write(&place, &text[..ends[1] + 100]).unwrap();
    let again = stepladder(folder.path(), SMALL);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("resume it"), "{}", again.err);
    let resumed = stepladder(folder.path(), &with(&["--resume"]));
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(resumed.err.contains("line 3 skipped"), "{}", resumed.err);
    let figures = |report: &Value| {
        report["models"][0]["presets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| {
                [&it["replies"], &it["schema"], &it["correct"], &it["rungs"]].map(Value::to_string)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(figures(&report(folder.path(), "json")), figures(&whole));
}

#[test]
fn a_changed_plan_is_not_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stepladder(folder.path(), SMALL).code, 0);
    let done = stepladder(folder.path(), &with(&["--resume", "--seeds", "2"]));
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("/plan/seeds has 2 entries in place of 0"),
        "{}",
        done.err
    );
    assert_eq!(n_trials(folder.path()), 6);
}

fn report(folder: &Path, format: &str) -> Value {
    let done = stepladder(folder, &["report", "out", "--format", format]);
    assert_eq!(done.code, 0, "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn the_report_comes_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stepladder(folder.path(), SMALL).code, 0);
    let json = report(folder.path(), "json");
    let rows = json["models"][0]["presets"].as_array().unwrap();
    let names: Vec<&str> = rows
        .iter()
        .map(|it| it["preset"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["greedy", "greedy-ngram3"]);
    for (format, beginning) in [
        ("md", "# Own plan"),
        ("csv", "id,time,model"),
        ("html", "<!doctype html>"),
    ] {
        let done = stepladder(folder.path(), &["report", "out", "--format", format]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.starts_with(beginning), "{}", done.out);
    }
}

#[test]
fn what_is_required_decides_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let done = stepladder(folder.path(), &with(&["--require", "parses>=0"]));
    assert_eq!(done.code, 0, "{}", done.err);
    let done = stepladder(
        folder.path(),
        &with(&["--resume", "--require", "greedy:schema>1"]),
    );
    assert_eq!(done.code, 1);
    assert!(
        done.err.contains("missed: schema of greedy on "),
        "{}",
        done.err
    );
    assert_eq!(n_trials(folder.path()), 6, "nothing was run again");
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let done = stepladder(
        folder.path(),
        &["bench", "finding", "--scripted", RECORDING, "--dry-run"],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("96 replies"), "{}", done.err);
    assert!(!folder.path().join("finding").exists());
}

#[test]
fn a_plan_that_does_not_exist_is_named_with_those_that_do() {
    let folder = tempfile::tempdir().unwrap();
    let done = stepladder(
        folder.path(),
        &["bench", "no-such", "--scripted", RECORDING],
    );
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("no-such") && done.err.contains("ablation"),
        "{}",
        done.err
    );
    let done = stepladder(folder.path(), &["bench", "--scripted", RECORDING]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("no plan is given"), "{}", done.err);
}

#[test]
fn a_folder_without_an_experiment_has_no_report() {
    let folder = tempfile::tempdir().unwrap();
    let done = stepladder(folder.path(), &["report", "nowhere"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("nowhere"), "{}", done.err);
}

#[test]
fn the_machine_is_measured_as_a_table_and_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let machine = ["bench", "--machine", "--scripted", RECORDING];
    let table = stepladder(folder.path(), &machine);
    assert_eq!(table.code, 0, "{}", table.err);
    assert!(table.out.contains("writing, tokens/s"), "{}", table.out);
    assert!(
        table.out.contains("--threads 2 --batch 256"),
        "{}",
        table.out
    );
    let done = stepladder(folder.path(), &[&machine[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(object["n_threads"], 2);
    assert_eq!(object["threads"].as_array().unwrap().len(), 2);
}

#[test]
fn a_plan_and_a_measurement_are_not_asked_for_together() {
    let folder = tempfile::tempdir().unwrap();
    let done = stepladder(folder.path(), &["bench", "finding", "--machine"]);
    assert_eq!(done.code, 2);
}
