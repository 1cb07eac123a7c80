//! `bench` and `report` as they are typed, on a recording: no model is needed.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

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

/// The same with another standard output; what it says is its error.
fn stepladder_into(out: impl Into<Stdio>, folder: &Path, args: &[&str]) -> (i32, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(args)
        .current_dir(folder)
        .env("STEPLADDER_DATA", folder.join("data"))
        .stdout(out)
        .output()
        .unwrap();
    (
        done.status.code().unwrap(),
        String::from_utf8(done.stderr).unwrap(),
    )
}

/// A pipe whose reader has gone away.
fn unread() -> std::io::PipeWriter {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer
}

#[test]
fn a_reader_that_is_gone_changes_no_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let required = with(&["--require", "greedy:schema>1"]);
    let (code, err) = stepladder_into(unread(), folder.path(), &required);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("missed: schema of greedy on "), "{err}");
    assert!(!err.contains("standard output"), "{err}");
    let (code, err) = stepladder_into(unread(), folder.path(), &["report", "out"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, err) = stepladder_into(unread(), folder.path(), &["bench", "--help"]);
    assert_eq!((code, err.as_str()), (0, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_said() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stepladder(folder.path(), SMALL).code, 0);
    let full = || fs::File::create("/dev/full").unwrap();
    for args in [
        &["report", "out"][..],
        &["report", "out", "--format", "csv"],
        &["bench", "--help"],
        &with(&["--resume"]),
    ] {
        let (code, err) = stepladder_into(full(), folder.path(), args);
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains("error: cannot write: "), "{args:?}: {err}");
        assert!(err.contains("; standard output; "), "{args:?}: {err}");
    }
}

#[test]
fn a_folder_does_not_stand_in_the_way_of_a_plan() {
    let folder = tempfile::tempdir().unwrap();
    let plans = folder.path().join("data/presets/plans");
    fs::create_dir_all(&plans).unwrap();
    let plan = r#"{"v": 1, "name": "mine", "tasks": ["mood"], "presets": ["greedy"]}"#;
    fs::write(plans.join("mine.json"), plan).unwrap();
    for name in ["finding", "mine"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        let args = ["bench", name, "--scripted", RECORDING, "--dry-run"];
        let done = stepladder(folder.path(), &args);
        assert_eq!(done.code, 0, "{}", done.err);
    }
}

#[test]
fn where_the_replies_are_kept_is_said_before_the_first_one() {
    let folder = tempfile::tempdir().unwrap();
    let done = stepladder(folder.path(), SMALL);
    let lines: Vec<&str> = done.err.lines().collect();
    assert!(
        lines[0].contains("6 replies on 1 model (ngram_fork.jsonl), at most "),
        "{lines:?}"
    );
    assert_eq!(
        lines[1],
        "Every reply is kept in out; --resume goes on there."
    );
}

/// Refused before anything is begun.
#[track_caller]
fn check_refused(args: &[&str], words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let done = stepladder(folder.path(), args);
    assert_eq!(done.code, 2, "{}", done.err);
    for word in words {
        assert!(done.err.contains(word), "{word} in {}", done.err);
    }
    assert!(!folder.path().join("out").exists(), "{}", done.err);
}

#[test]
fn a_row_or_measure_that_is_none_is_refused_before_anything_runs() {
    let rows = ["no row gredy", "greedy; greedy-ngram3"];
    check_refused(&with(&["--require", "gredy:schema>=0.9"]), &rows);
    let measures = [
        "no measure schemas",
        "as-is, parses, schema, correct, leak-free",
    ];
    check_refused(&with(&["--require", "schemas>=0.9"]), &measures);
    let styled = with(&["--style", "plain,example", "--require", "greedy:schema>=1"]);
    check_refused(
        &styled,
        &["greedy, plain; greedy-ngram3, plain; greedy, example"],
    );
}

#[test]
fn more_than_a_rate_is_said_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let required = with(&["--require", "greedy:schema>1"]);
    let done = stepladder(folder.path(), &required);
    assert!(
        done.err.contains("where more than 1 is required"),
        "{}",
        done.err
    );
}

#[test]
fn a_model_that_is_set_and_missing_is_refused() {
    let args: Vec<&str> = SMALL
        .iter()
        .copied()
        .filter(|it| *it != "--scripted" && *it != RECORDING)
        .collect();
    check_refused(&args, &["no-such-model.gguf"]);
    let missing = [&args[..], &["--model", "other.gguf"]].concat();
    let folder = tempfile::tempdir().unwrap();
    let done = stepladder(folder.path(), &missing);
    let error = done.err.lines().find(|it| it.starts_with("error: "));
    let expected = "error: the model cannot be loaded: there is no such file; other.gguf; choose another GGUF file";
    assert_eq!(error, Some(expected), "{}", done.err);
    let broken: Vec<&str> = SMALL
        .iter()
        .map(|it| {
            if *it == RECORDING {
                "nowhere.jsonl"
            } else {
                it
            }
        })
        .collect();
    check_refused(&broken, &["nowhere.jsonl"]);
}

/// A recording on a computer that has a processor and nothing else.
fn on_a_processor(folder: &Path) -> String {
    let device = r#"{"name":"CPU","description":"","backend":"CPU","kind":"cpu","memory_bytes":0,"free_bytes":0}"#;
    let header = format!(r#"{{"v":1,"recording":"test","devices":[{device}]}}"#);
    let reply = r#"{"for":"run","reply":"{}","tokens_per_second":1000}"#;
    let file = folder.join("cpu.jsonl");
    fs::write(&file, format!("{header}\n{reply}\n")).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_device_that_is_not_there_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = on_a_processor(folder.path());
    let warning = "warning: there is no device nodevice here, only CPU; computing on the processor";
    let bench = [
        "bench", "--task", "mood", "--preset", "greedy", "--inputs", "1",
    ];
    for args in [&["run"][..], &["bench", "--machine"], &bench] {
        let scripted = ["--scripted", &file, "--device", "nodevice"];
        let done = stepladder(folder.path(), &[args, &scripted].concat());
        assert_eq!(done.code, 0, "{args:?}: {}", done.err);
        assert_eq!(done.err.matches(warning).count(), 1, "{}", done.err);
    }
}

#[test]
fn more_threads_than_cores_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let done = stepladder(folder.path(), &with(&["--threads", "9999"]));
    assert!(
        done.err.contains("warning: 9999 threads on "),
        "{}",
        done.err
    );
    let done = stepladder(folder.path(), &with(&["--resume", "--threads", "1"]));
    assert!(!done.err.contains("threads on"), "{}", done.err);
}

#[test]
fn misspelt_knobs_are_warned_of_in_files_and_in_the_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    let presets = folder.path().join("data/presets");
    fs::create_dir_all(&presets).unwrap();
    let preset = r#"{"v": 1, "name": "warm", "knobs": {"temprature": 0.7}}"#;
    fs::write(presets.join("warm.json"), preset).unwrap();
    let plan = format!(
        r#"{{"v": 1, "name": "p", "tasks": ["mood"], "sedes": [1], "presets": [{}]}}"#,
        preset.replace("warm", "own")
    );
    fs::write(folder.path().join("p.json"), plan).unwrap();
    let args = ["bench", "p.json", "--scripted", RECORDING, "--dry-run"];
    let done = stepladder(folder.path(), &args);
    assert_eq!(done.code, 0, "{}", done.err);
    for warning in [
        "presets/warm.json: knobs.temprature is no knob; did you mean temperature?\n",
        "warning: p.json: sedes is no field; did you mean seeds?\n",
        "warning: p.json: presets[0].knobs.temprature is no knob; did you mean temperature?\n",
    ] {
        assert!(done.err.contains(warning), "{warning} in {}", done.err);
    }
}

/// Rewrites the record: each line by the model that is given for it, none to take it away.
fn rewrite(folder: &Path, model: impl Fn(usize) -> Vec<(&'static str, &'static str, u64)>) {
    let place = folder.join("out/trials.jsonl");
    let text = fs::read_to_string(&place).unwrap();
    let mut lines = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        for (file, fingerprint, n_bytes) in model(idx) {
            let mut trial: Value = serde_json::from_str(line).unwrap();
            if !file.is_empty() {
                trial["model"]["file"] = file.into();
                trial["model"]["fingerprint"] = fingerprint.into();
                trial["model"]["bytes"] = n_bytes.into();
            }
            lines.push(format!("{trial}\n"));
        }
    }
    fs::write(place, lines.concat()).unwrap();
}

const SAME: (&str, &str, u64) = ("", "", 0);
const GEMMA: (&str, &str, u64) = ("gemma.gguf", "gemma", 7);

#[test]
fn replies_of_other_models_are_told_and_not_counted_as_open() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stepladder(folder.path(), SMALL).code, 0);
    rewrite(folder.path(), |idx| {
        if idx < 2 {
            vec![SAME, GEMMA]
        } else {
            vec![SAME]
        }
    });
    let done = stepladder(folder.path(), &with(&["--resume"]));
    assert_eq!(done.code, 0, "{}", done.err);
    let told = "the folder also holds 2 replies of gemma.gguf";
    assert!(done.err.contains(told), "{}", done.err);
    assert!(!done.out.contains("not finished"), "{}", done.out);
    assert!(done.out.contains("8 replies. "), "{}", done.out);
    let json = stepladder(folder.path(), &with(&["--resume", "--json"]));
    let object: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(object["replies_asked"], 6);
}

#[test]
fn a_dry_run_on_a_folder_says_what_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let dry = with(&["--resume", "--dry-run"]);
    assert_eq!(stepladder(folder.path(), SMALL).code, 0);
    rewrite(folder.path(), |idx| {
        if idx < 5 {
            vec![SAME, GEMMA]
        } else {
            vec![GEMMA]
        }
    });
    let done = stepladder(folder.path(), &dry);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("\n1 reply is left, "), "{}", done.err);
    assert_eq!(n_trials(folder.path()), 11, "nothing was run");
    // A model's file is known by its name and size, and is not loaded.
    fs::write(folder.path().join("gemma.gguf"), "1234567").unwrap();
    let mut args: Vec<&str> = dry
        .iter()
        .map(|it| if *it == "--scripted" { "--model" } else { it })
        .map(|it| if it == RECORDING { "gemma.gguf" } else { it })
        .collect();
    let left = |args: &[&str]| stepladder(folder.path(), args).err;
    assert!(
        left(&args).contains("\n0 replies are left, "),
        "{}",
        left(&args)
    );
    fs::write(folder.path().join("gemma.gguf"), "another one").unwrap();
    assert!(
        left(&args).contains("\n6 replies are left, "),
        "{}",
        left(&args)
    );
    args.extend(["--seeds", "2"]);
    let other = left(&args);
    assert!(other.contains("the plan has changed"), "{other}");
}

#[test]
fn an_experiment_of_the_data_folder_is_found_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stepladder(folder.path(), SMALL).code, 0);
    let experiments = folder.path().join("data/experiments");
    for name in ["2026-01-01 own", "2026-02-01 own", "2026-03-01 other"] {
        let place = experiments.join(name);
        fs::create_dir_all(&place).unwrap();
        for file in ["plan.json", "trials.jsonl"] {
            let text = fs::read_to_string(folder.path().join("out").join(file)).unwrap();
            // The newest is of another plan, the oldest has a reply less.
            let text = match name {
                "2026-03-01 other" => text.replace(r#""name": "own""#, r#""name": "other""#),
                "2026-01-01 own" if file == "trials.jsonl" => {
                    text.split_once('\n').unwrap().1.to_owned()
                }
                _ => text,
            };
            fs::write(place.join(file), text).unwrap();
        }
    }
    let n_lines = |name: &str| {
        let done = stepladder(folder.path(), &["report", name, "--format", "csv"]);
        assert_eq!(done.code, 0, "{}", done.err);
        done.out.lines().count() - 1
    };
    assert_eq!(n_lines("own"), 6);
    assert_eq!(n_lines("2026-01-01 own"), 5);
    let against = ["report", "out", "--against", "2026-01-01 own"];
    assert_eq!(stepladder(folder.path(), &against).code, 0);
    fs::create_dir(folder.path().join("empty")).unwrap();
    for name in ["nowhere", "empty"] {
        let done = stepladder(folder.path(), &["report", name]);
        assert_eq!(done.code, 2);
        let error = format!(
            "error: no experiment here; {name}; name a folder that bench wrote, or one of: 2026-03-01 other, 2026-02-01 own, 2026-01-01 own\n"
        );
        assert_eq!(done.err, error);
    }
}

#[test]
fn what_an_own_plan_lacks_is_named() {
    let scripted = ["bench", "--scripted", RECORDING];
    let check = |args: &[&str], words: &[&str]| {
        check_refused(&[&scripted[..], args].concat(), words);
    };
    check(&["--task", "shopping"], &["give --preset", "greedy-schema"]);
    check(
        &["--task", "nosuch"],
        &["no task nosuch", "mood, contact, shopping"],
    );
    check(
        &["--task", "mood", "--preset", "nosuch"],
        &["no preset nosuch", "greedy-schema"],
    );
    let folder = tempfile::tempdir().unwrap();
    let many = [
        "--task",
        "shopping",
        "--preset",
        "greedy",
        "--inputs",
        "99",
        "--dry-run",
    ];
    let done = stepladder(folder.path(), &[&scripted[..], &many].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let warning = "warning: --inputs 99: task shopping has only 8 inputs";
    assert!(done.err.contains(warning), "{}", done.err);
}
