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
fn replies_that_are_asked_for_together_are_recorded_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let alone = stepladder(folder.path(), &with(&["--json"]));
    let mut args = with(&["--json", "--parallel", "4"]);
    let out = args.iter().rposition(|it| *it == "out").unwrap();
    args[out] = "together";
    let done = stepladder(folder.path(), &args);
    assert_eq!(done.code, 0, "{}", done.err);
    let keys = |name: &str| {
        let text = fs::read_to_string(folder.path().join(name).join("trials.jsonl")).unwrap();
        let keys = text.lines().map(|it| {
            let trial: Value = serde_json::from_str(it).unwrap();
            let reply = trial["reply"].as_str().unwrap().to_owned();
            (trial["cell"]["key"].as_str().unwrap().to_owned(), reply)
        });
        let mut keys: Vec<_> = keys.collect();
        keys.sort();
        keys
    };
    assert_eq!(keys("together"), keys("out"));
    assert_eq!(alone.code, 0);
    let again = stepladder(folder.path(), &[&args[..], &["--resume"]].concat());
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(keys("together").len(), 6, "nothing is asked twice");
    let wide = stepladder(folder.path(), &with(&["--parallel", "65"]));
    assert!(wide.err.contains("65"), "{}", wide.err);
}

#[test]
fn another_width_is_another_plan() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        stepladder(folder.path(), &with(&["--parallel", "2"])).code,
        0
    );
    let other = stepladder(folder.path(), &with(&["--resume", "--parallel", "3"]));
    assert_ne!(other.code, 0);
    assert!(other.err.contains("parallel"), "{}", other.err);
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
fn two_runs_are_held_against_each_other_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stepladder(folder.path(), SMALL).code, 0);
    let (own, other) = (folder.path().join("out"), folder.path().join("old"));
    fs::create_dir(&other).unwrap();
    fs::copy(own.join("plan.json"), other.join("plan.json")).unwrap();
    let text = fs::read_to_string(own.join("trials.jsonl")).unwrap();
    let mut lines = text.lines().map(|it| serde_json::from_str(it).unwrap());
    let mut first: Value = lines.next().unwrap();
    let fits = first["lamps"]["schema"].as_bool().unwrap();
    first["lamps"]["schema"] = Value::Bool(!fits);
    first["model"]["n_threads"] = Value::from(99);
    let rest: Vec<String> = lines.map(|it: Value| it.to_string()).collect();
    fs::write(
        other.join("trials.jsonl"),
        format!("{first}\n{}\n", rest[1..].join("\n")),
    )
    .unwrap();
    let told = |format: &str| {
        let done = stepladder(
            folder.path(),
            &["report", "out", "--against", "old", "--format", format],
        );
        assert_eq!(done.code, 0, "{}", done.err);
        done.out
    };
    let json: Value = serde_json::from_str(&told("json")).unwrap();
    assert_eq!(
        (&json["pairs"], &json["same_text"]),
        (&Value::from(5), &Value::from(5))
    );
    let schema = &json["flips"]["schema"];
    let counts = [&schema["lost"], &schema["won"], &schema["same"]].map(Value::as_u64);
    assert_eq!(
        counts,
        if fits {
            [Some(0), Some(1), Some(4)]
        } else {
            [Some(1), Some(0), Some(4)]
        }
    );
    assert_eq!(json["differences"][0]["setting"], "threads");
    assert_eq!(json["only_in_other"].as_array().unwrap().len(), 1);
    assert_eq!(json["flipped"].as_array().unwrap().len(), 1);
    assert!(told("md").starts_with("# out against old\n"));
    assert!(told("csv").starts_with("flips,preset,"));
    assert!(told("html").starts_with("<!doctype html>"));
    let missing = stepladder(folder.path(), &["report", "out", "--against", "nowhere"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("nowhere"), "{}", missing.err);
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
fn a_chart_is_written_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stepladder(folder.path(), SMALL).code, 0);
    for chart in ["correct", "rungs"] {
        let args = [
            "report",
            "out",
            "--format",
            "png",
            "--chart",
            chart,
            "--out",
            "chart.png",
        ];
        let done = stepladder(folder.path(), &args);
        assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
        let png = fs::read(folder.path().join("chart.png")).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n"));
        assert!(png.len() > 10_000, "{} bytes", png.len());
    }
}

/// A task that was made of some inputs of another in the window, and a plan that names its model.
#[test]
fn own_tasks_and_the_models_of_a_plan_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("data/presets/tasks/lost.json");
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    let text = include_str!("../presets/tasks/shopping.json");
    let mut task: Value = serde_json::from_str(text).unwrap();
    task["id"] = "lost".into();
    task["inputs_of"] = "shopping".into();
    task["inputs"].as_array_mut().unwrap().truncate(2);
    fs::write(place, task.to_string()).unwrap();
    let args = [
        "bench",
        "--scripted",
        RECORDING,
        "--task",
        "lost",
        "--preset",
        "greedy-grammar",
        "--out",
        "out",
    ];
    let done = stepladder(folder.path(), &args);
    assert_eq!(done.code, 0, "{}", done.err);
    let text = fs::read_to_string(folder.path().join("out/trials.jsonl")).unwrap();
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(first["task"], "lost");
    // The grammar is the one of the task that the inputs come from.
    let grammar = include_str!("../grammars/shopping.gbnf");
    assert_eq!(first["constraint"]["text"], grammar);
    let plan = r#"{"v": 1, "name": "p", "tasks": ["lost"], "presets": ["greedy"], "models": ["no-such.gguf"]}"#;
    fs::write(folder.path().join("p.json"), plan).unwrap();
    let done = stepladder(folder.path(), &["bench", "p.json", "--out", "other"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("no-such.gguf"), "{}", done.err);
}

#[test]
fn the_machine_is_measured_as_a_table_and_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let machine = ["bench", "--machine", "--scripted", RECORDING];
    let table = stepladder(folder.path(), &machine);
    assert_eq!(table.code, 0, "{}", table.err);
    assert!(table.out.contains("writing, tokens/s"), "{}", table.out);
    assert!(
        table.out.contains("--threads 2 --batch 64"),
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
