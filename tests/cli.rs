//! The command line as a user meets it: exit codes, what goes where, and the JSON contract.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

struct Done {
    code: i32,
    out: String,
    err: String,
}

fn stepladder(args: &[&str], input: &str) -> Done {
    let data = tempfile::tempdir().unwrap();
    stepladder_in(data.path(), args, input)
}

/// A model is named that is not there: what names its own or needs none must not care.
fn stepladder_in(data: &Path, args: &[&str], input: &str) -> Done {
    let mut child = Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(args)
        .env("STEPLADDER_DATA", data)
        .env("STEPLADDER_MODEL", data.join("no-such-model.gguf"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let done = child.wait_with_output().unwrap();
    Done {
        code: done.status.code().unwrap(),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

#[track_caller]
fn check_climb(reply: &str, code: i32, expected: &Value) {
    let done = stepladder(&["climb", "--json"], reply);
    assert_eq!(done.code, code, "{}{}", done.out, done.err);
    let object: Value = serde_json::from_str(&done.out).unwrap();
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&object[key], value, "{key} in {object}");
    }
}

#[test]
fn valid_json_stands_on_the_first_rung() {
    check_climb(
        "{\"a\": 1}",
        0,
        &json!({"rung": 1, "value": {"a": 1}, "whole_reply_valid": true, "cause": null, "verdict": null}),
    );
}

#[test]
fn prose_has_no_rung_and_exit_code_1() {
    check_climb(
        "I cannot do that.",
        1,
        &json!({"rung": null, "value": null, "whole_reply_valid": false}),
    );
}

#[test]
fn a_repair_is_listed_with_its_place() {
    let done = stepladder(&["climb", "--json"], "{\"a\": True}");
    let object: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(object["rung"], 4);
    let repair = &object["repairs"][0];
    assert_eq!(
        (&repair["offset"], &repair["line"], &repair["column"]),
        (&json!(6), &json!(1), &json!(7))
    );
    assert_eq!(
        (&repair["before"], &repair["after"]),
        (&json!("True"), &json!("true"))
    );
}

#[test]
fn every_rung_below_the_one_that_held_says_why_it_did_not() {
    let done = stepladder(&["climb", "--json"], "Here: {\"a\": 1}");
    let object: Value = serde_json::from_str(&done.out).unwrap();
    let rungs: Vec<_> = object["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["rung"].clone())
        .collect();
    assert_eq!(rungs, [1, 2]);
    assert!(object["attempts"][0]["error"]["message"].is_string());
}

#[test]
fn a_schema_fault_is_exit_code_1_with_path_and_keyword() {
    let data = tempfile::tempdir().unwrap();
    let schema = data.path().join("schema.json");
    std::fs::write(
        &schema,
        r#"{"type": "object", "properties": {"qty": {"type": "integer"}}}"#,
    )
    .unwrap();
    let args = ["climb", "--json", "--schema", schema.to_str().unwrap()];
    let done = stepladder_in(data.path(), &args, r#"{"qty": "2"}"#);
    assert_eq!(done.code, 1);
    let object: Value = serde_json::from_str(&done.out).unwrap();
    let fault = &object["verdict"]["faults"][0];
    assert_eq!(
        (&fault["instance_path"], &fault["keyword"]),
        (&json!("/qty"), &json!("type"))
    );
}

#[test]
fn lines_in_are_lines_out_and_a_broken_line_is_answered() {
    let lines = "{\"id\": 7, \"input\": \"{}\"}\nnonsense\n{\"id\": \"b\", \"input\": \"no\"}\n";
    let done = stepladder(&["climb", "--lines"], lines);
    let objects: Vec<Value> = done
        .out
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    assert_eq!(objects.len(), 3);
    assert_eq!(
        (&objects[0]["id"], &objects[0]["rung"]),
        (&json!(7), &json!(1))
    );
    assert_eq!(objects[1]["id"], Value::Null);
    assert!(objects[1]["error"].is_string());
    assert_eq!(
        (&objects[2]["id"], &objects[2]["rung"]),
        (&json!("b"), &Value::Null)
    );
}

/// The results of lines that need not be UTF-8.
fn climb_bytes(lines: &[u8]) -> (i32, Vec<Value>, String) {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("lines.jsonl");
    std::fs::write(&file, lines).unwrap();
    let done = stepladder_in(
        data.path(),
        &["climb", "--lines", file.to_str().unwrap()],
        "",
    );
    let objects = done.out.lines().map(|it| serde_json::from_str(it).unwrap());
    (done.code, objects.collect(), done.err)
}

/// Between two good lines stands one that cannot be used.
#[track_caller]
fn check_survives(line: &[u8], error: &str) {
    let lines = [
        br#"{"id": 1, "input": "{}"}"#.as_slice(),
        line,
        br#"{"id": 3, "input": "[]"}"#,
    ];
    let (code, objects, _) = climb_bytes(&lines.join(&b'\n'));
    assert_eq!(code, 1);
    assert_eq!(objects.len(), 3, "{objects:?}");
    assert_eq!(
        (&objects[0]["id"], &objects[2]["id"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(objects[1]["id"], Value::Null);
    let said = objects[1]["error"].as_str().unwrap();
    assert!(said.contains(error), "{said}");
    assert_eq!(objects[2]["rung"], 1);
}

#[test]
fn a_line_that_is_not_utf_8_is_answered() {
    check_survives(b"{\"id\": 2, \"input\": \"\xff\xfe\"}", "unicode");
}

#[test]
fn a_line_that_is_not_json_is_answered() {
    check_survives(b"nonsense", "expected");
}

#[test]
fn a_line_without_input_is_answered() {
    check_survives(b"{\"id\": 2}", "input");
    check_survives(b"[1, \"{}\"]", "must be an object");
    check_survives(b"{\"id\": 2, \"input\": 7}", "string");
}

#[test]
fn a_line_nested_without_end_is_answered() {
    let deep = "[".repeat(200_000);
    check_survives(deep.as_bytes(), "must be an object");
    let deep = format!("{{\"id\": {}", "[".repeat(200_000));
    check_survives(deep.as_bytes(), "recursion");
}

#[test]
fn a_line_of_a_hundred_megabytes_is_answered() {
    let mut line = br#"{"id": 2, "input": ""#.to_vec();
    line.resize(100 << 20, b'a');
    line.extend(br#""}"#);
    check_survives(&line, "longer than 32 MiB");
}

#[test]
fn a_reply_nested_without_end_is_refused_and_the_next_line_is_read() {
    let deep = json!({"id": 1, "input": "[".repeat(100_000)}).to_string();
    let lines = format!("{deep}\n{{\"id\": 2, \"input\": \"{{}}\"}}");
    let (code, objects, _) = climb_bytes(lines.as_bytes());
    assert_eq!(code, 0);
    assert_eq!(
        (&objects[0]["rung"], &objects[0]["value"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(objects[0]["flags"], json!(["depth"]));
    assert_eq!(objects[1]["rung"], 1);
}

#[test]
fn empty_lines_and_a_missing_last_line_break_do_no_harm() {
    let lines =
        "\u{feff}\n\r\n  \n{\"id\": 1, \"input\": \"{}\"}\r\n\n{\"id\": 2, \"input\": \"\"}";
    let (code, objects, _) = climb_bytes(lines.as_bytes());
    assert_eq!(code, 0);
    assert_eq!(objects.len(), 2, "{objects:?}");
    assert_eq!(
        (&objects[0]["id"], &objects[1]["id"]),
        (&json!(1), &json!(2))
    );
}

/// The program, climbing line by line what is written to it.
fn climbing_lines() -> Child {
    Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(["climb", "--lines"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn an_answer_comes_before_the_next_line_is_there() {
    let mut child = climbing_lines();
    let mut lines = child.stdin.take().unwrap();
    let mut results = std::io::BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        writeln!(lines, "{}", json!({"id": id, "input": "{}"})).unwrap();
        let mut result = String::new();
        // Waits for ever if the result is held back.
        results.read_line(&mut result).unwrap();
        let object: Value = serde_json::from_str(&result).unwrap();
        assert_eq!(object["id"], id);
    }
    drop(lines);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_result_has_every_field_of_the_contract() {
    let done = stepladder(&["climb", "--json"], "Here: {'a': 1} and {\"b\": 2");
    let object: Value = serde_json::from_str(&done.out).unwrap();
    let keys: Vec<&str> = object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    for key in [
        "rung",
        "value",
        "flags",
        "notes",
        "repairs",
        "attempts",
        "candidates",
        "whole_reply_valid",
        "first_object_recoverable",
        "cause",
        "verdict",
    ] {
        assert!(keys.contains(&key), "{key} is missing in {object}");
    }
    let keys_of = |it: &Value| -> Vec<String> { it.as_object().unwrap().keys().cloned().collect() };
    let repair = ["kind", "offset", "line", "column", "before", "after"];
    assert_eq!(keys_of(&object["repairs"][0]), repair);
    assert_eq!(keys_of(&object["attempts"][0]), ["rung", "error"]);
    assert_eq!(
        keys_of(&object["attempts"][0]["error"]),
        ["message", "line", "column"]
    );
}

/// One line with an expectation, and whether it is met.
#[track_caller]
fn check_expected(expected: &Value, difference: Option<&str>) {
    let line = json!({"id": "x", "input": "{'a': 1}", "expected": expected}).to_string();
    let (code, objects, err) = climb_bytes(line.as_bytes());
    assert_eq!(
        objects[0]["expected_met"],
        difference.is_none(),
        "{objects:?}"
    );
    let (n, verb) = if difference.is_some() {
        (1, "differs")
    } else {
        (0, "differ")
    };
    assert!(err.contains(&format!("{n} of 1 {verb}")), "{err}");
    assert_eq!(code, n);
    if let Some(difference) = difference {
        assert_eq!(objects[0]["differences"], json!([difference]));
    }
}

#[test]
fn an_expectation_is_compared_field_by_field() {
    check_expected(
        &json!({"value": {"a": 1}, "rung": 4, "flags": [], "valid": null}),
        None,
    );
    check_expected(&json!({}), None);
    let difference = "value is {\"a\":1}, expected {\"a\":2}";
    check_expected(&json!({"value": {"a": 2}}), Some(difference));
    check_expected(
        &json!({"value": null}),
        Some("value is {\"a\":1}, expected null"),
    );
    check_expected(&json!({"rung": 1}), Some("rung is 4, expected 1"));
    check_expected(&json!({"rung": null}), Some("rung is 4, expected null"));
    let difference = "flags is [], expected [\"truncated\"]";
    check_expected(&json!({"flags": ["truncated"]}), Some(difference));
    check_expected(
        &json!({"valid": true}),
        Some("valid is null, expected true"),
    );
}

#[test]
fn an_expectation_with_an_unknown_name_is_no_expectation() {
    let lines = r#"{"id": 1, "input": "{}", "expected": {"rung": 1}}

{"id": "b", "input": "{}", "expected": {"rugn": 1}}"#;
    let (code, objects, _) = climb_bytes(lines.as_bytes());
    assert_eq!(code, 1);
    assert_eq!(objects[0]["expected_met"], true);
    assert_eq!(objects[1]["id"], "b");
    let error = objects[1]["error"].as_str().unwrap();
    assert!(
        error.starts_with("line 3: expected: unknown field `rugn`"),
        "{error}"
    );
    assert!(error.contains("`flags`"), "{error}");
}

#[test]
fn a_line_that_cannot_be_read_has_its_own_number() {
    let lines = b"{\"id\": 1, \"input\": \"{}\"}\n\nnonsense\n[]\n{\"input\": 7}";
    let (_, objects, _) = climb_bytes(lines);
    let errors: Vec<&str> = objects
        .iter()
        .filter_map(|it| it["error"].as_str())
        .collect();
    assert_eq!(errors.len(), 3);
    assert!(errors[0].starts_with("line 3, column 2: "), "{errors:?}");
    assert!(errors[1].starts_with("line 4 is a list"), "{errors:?}");
    assert!(errors[2].starts_with("line 5, column 11: "), "{errors:?}");
    assert!(!errors.concat().contains("at line 1"), "{errors:?}");
}

#[test]
fn endless_lines_end_when_nobody_reads_the_results() {
    let mut child = climbing_lines();
    drop(child.stdout.take());
    let mut lines = child.stdin.take().unwrap();
    // Goes on until the program closes its input.
    while writeln!(lines, "{}", json!({"input": "no"})).is_ok() {}
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_schema_that_cannot_be_used_is_said_once() {
    let data = tempfile::tempdir().unwrap();
    let schema = data.path().join("bad.json");
    std::fs::write(&schema, r#"{"type": "objekt"}"#).unwrap();
    let done = stepladder_in(
        data.path(),
        &["climb", "--schema", schema.to_str().unwrap()],
        "{}",
    );
    assert_eq!(done.code, 2);
    let words = "the schema cannot be used";
    assert_eq!(done.err.matches(words).count(), 1, "{}", done.err);
    assert_eq!(done.err.matches("bad.json").count(), 1, "{}", done.err);
}

#[test]
fn lines_that_expect_nothing_are_not_counted() {
    let (code, objects, err) = climb_bytes(br#"{"id": 1, "input": "no"}"#);
    assert_eq!(code, 0);
    assert_eq!(objects[0].get("expected_met"), None);
    assert!(!err.contains("differ"), "{err}");
}

#[test]
fn the_regression_set_is_met() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/regression.jsonl");
    let done = stepladder(&["climb", "--lines", file], "");
    let differing: Vec<&str> = done
        .out
        .lines()
        .filter(|it| !it.contains("\"expected_met\":true"))
        .collect();
    assert_eq!(done.code, 0, "{differing:#?}\n{}", done.err);
    assert_eq!(
        done.out.lines().count(),
        include_str!("data/regression.jsonl").lines().count()
    );
    assert!(done.err.contains("0 of"), "{}", done.err);
}

#[track_caller]
fn check_error(args: &[&str], words: &[&str]) {
    let done = stepladder(args, "");
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert_eq!(done.out, "");
    for word in words {
        assert!(done.err.contains(word), "{word} in {}", done.err);
    }
}

#[test]
fn a_file_that_is_missing_is_exit_code_2() {
    check_error(
        &["climb", "no-such-reply.txt"],
        &["error: ", "no-such-reply.txt"],
    );
}

#[test]
fn an_unknown_task_lists_the_known_ones() {
    check_error(
        &["run", "--model", "x.gguf", "--task", "cooking"],
        &["cooking", "shopping", "contact"],
    );
}

#[test]
fn an_unknown_preset_lists_the_known_ones() {
    check_error(
        &["run", "--model", "x.gguf", "--preset", "warm"],
        &["warm", "greedy-ngram3"],
    );
}

#[test]
fn an_input_that_is_not_there_says_how_many_there_are() {
    check_error(
        &["run", "--model", "x.gguf", "--input", "99"],
        &["99", "1 to 8"],
    );
}

#[test]
fn an_unknown_flag_is_exit_code_2() {
    check_error(&["run", "--warm"], &["--warm"]);
}

#[test]
fn the_version_names_llama_cpp() {
    let done = stepladder(&["--version"], "");
    assert_eq!(done.code, 0);
    assert!(done.out.starts_with("stepladder 0."), "{}", done.out);
    assert!(done.out.contains("llama.cpp"), "{}", done.out);
}

/// The window without any display.
#[cfg(target_os = "linux")]
#[track_caller]
fn check_no_window(args: &[&str], error: &str) {
    let data = tempfile::tempdir().unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(args)
        .env("STEPLADDER_DATA", data.path())
        .env("WAYLAND_DISPLAY", "")
        .env_remove("WAYLAND_SOCKET")
        .env_remove("DISPLAY")
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(2));
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.starts_with(error), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_first_words_say_so() {
    let error = "error: no window can be opened: neither DISPLAY nor WAYLAND_DISPLAY is set; this computer; use the command line: stepladder run --help";
    check_no_window(&[], error);
    check_no_window(&["--renderer", "wgpu"], error);
}

#[cfg(target_os = "linux")]
#[test]
fn a_recording_that_is_not_there_is_no_fault_of_the_display() {
    let error = "error: cannot read the recording: ";
    check_no_window(&["--scripted", "nosuch.jsonl"], error);
}

#[cfg(target_os = "linux")]
#[test]
fn a_display_that_is_not_there_is_told_without_places_in_source_files() {
    let data = tempfile::tempdir().unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .env("STEPLADDER_DATA", data.path())
        .env("DISPLAY", ":4711")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(2));
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(
        said.starts_with("error: no window can be opened: "),
        "{said}"
    );
    assert!(said.ends_with("stepladder run --help\n"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        !said.contains(".rs") && !said.contains("recreated"),
        "{said}"
    );
}

#[test]
fn the_window_refuses_an_unknown_preset_before_it_opens() {
    check_error(&["--preset", "nope"], &["nope", "greedy-ngram3"]);
}

/// A schema that asks for a key.
const WITH_B: &str = r#"{"type": "object", "required": ["b"]}"#;

#[track_caller]
fn check_climb_by(schema: &str, reply: &str, check: impl FnOnce(&Value)) {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("schema.json");
    std::fs::write(&file, schema).unwrap();
    let args = ["climb", "--json", "--schema", file.to_str().unwrap()];
    let done = stepladder_in(data.path(), &args, reply);
    check(&serde_json::from_str(&done.out).unwrap());
}

#[test]
fn without_a_value_the_schema_says_invalid_and_names_no_fault() {
    check_climb_by(WITH_B, "I cannot do that.", |object| {
        let verdict = json!({"valid": false, "on_repaired": false, "faults": []});
        assert_eq!(object["verdict"], verdict);
    });
}

#[test]
fn the_value_that_was_taken_of_several_is_said_with_the_reason() {
    check_climb_by(WITH_B, "{\"a\":1} {\"b\":2}", |object| {
        assert_eq!(object["value"], json!({"b": 2}));
        let notes = object["notes"].to_string();
        let note = "Took the second of 2 values: the first does not fit the schema.";
        assert!(notes.contains(note), "{notes}");
    });
}

#[track_caller]
fn check_cause(reply: &str, kind: &str) {
    let done = stepladder(&["climb", "--json"], reply);
    let object: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(object["cause"]["kind"], kind, "{object}");
}

#[test]
fn every_rung_above_the_first_has_a_cause() {
    check_cause("```json\n{\"a\": 1}\n```", "wrapping");
    check_cause("Here: {\"a\": 1}", "wrapping");
    check_cause("{\"a\": True}", "syntax");
    check_cause("\u{feff}{\"a\": 1}", "wrapping");
    check_cause("no", "no_json");
}

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo.jsonl");

fn names(done: &Done) -> Vec<Value> {
    done.out
        .lines()
        .map(|it| serde_json::from_str::<Value>(it).unwrap()["name"].clone())
        .collect()
}

#[test]
fn a_recording_runs_like_a_model_and_keeps_its_trials_apart() {
    let data = tempfile::tempdir().unwrap();
    let done = stepladder_in(data.path(), &["run", "--scripted", DEMO, "--json"], "");
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(names(&done), ["greedy", "greedy-ngram3", "greedy-schema"]);
    let written = std::fs::read_to_string(data.path().join("scripted-trials.jsonl")).unwrap();
    assert_eq!(written.lines().count(), 3);
    assert!(!data.path().join("trials.jsonl").exists());
}

#[test]
fn a_trial_that_cannot_be_recorded_is_printed_all_the_same() {
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("scripted-trials.jsonl")).unwrap();
    let done = stepladder_in(data.path(), &["run", "--scripted", DEMO, "--json"], "");
    assert_eq!(done.code, 2, "{}", done.err);
    assert_eq!(names(&done).len(), 3);
    assert_eq!(done.err.matches("cannot record the trial").count(), 3);
}

/// A run on a recording of the test's own making, whose first line is added here.
fn play(lines: &[&str], args: &[&str]) -> Done {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("recording.jsonl");
    let header = r#"{"v":1,"recording":"test"}"#;
    std::fs::write(&file, format!("{header}\n{}\n", lines.join("\n"))).unwrap();
    let scripted = ["run", "--scripted", file.to_str().unwrap()];
    stepladder_in(data.path(), &[&scripted[..], args].concat(), "")
}

#[test]
fn a_preset_that_cannot_run_is_named_and_the_others_go_on() {
    let lines = [
        r#"{"for":"run"}"#,
        r#"{"event":{"event":"run_failed","id":0,"message":"the prompt is too long"}}"#,
        r#"{"for":"run","reply":"{}","tokens_per_second":1000}"#,
    ];
    let presets = ["--preset", "greedy,chat"];
    let done = play(&lines, &presets);
    assert_eq!(done.code, 2, "{}", done.err);
    let error = "preset greedy cannot be run: the prompt is too long";
    assert!(done.err.contains(error), "{}", done.err);
    assert!(done.out.contains("chat"), "{}", done.out);
    assert!(!done.out.contains("greedy"), "{}", done.out);
}

#[test]
fn the_table_tells_a_dead_end_and_how_far_the_constraint_held() {
    let stop = r#"{"kind":"dead_end","stages":["no-repeat n-gram","constraint mask"]}"#;
    let reply = format!(r#"{{"for":"run","reply":"{{\"items\"","stop":{stop}}}"#);
    let done = play(&[&reply], &["--preset", "greedy-schema"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let text = done.out.replace('\n', " ");
    let words = "dead end: no-repeat n-gram against constraint mask";
    assert!(text.contains(words), "{text}");
    assert!(text.contains("constraint enforced"), "{text}");
}

#[test]
fn columns_are_broken_between_words_and_say_once_that_no_rung_held() {
    let reply = r#"{"for":"run","reply":"{\"a\": [1 2 {"}"#;
    let done = play(
        &[reply],
        &["--preset", "greedy,chat,greedy-ngram3,low-temperature"],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    // Of which the widths of the columns leave no room for four side by side.
    assert_eq!(done.out.matches("generation").count(), 4, "{}", done.out);
    assert_eq!(done.out.matches("no rung").count(), 4, "{}", done.out);
    assert!(done.out.contains(", 1 thread ·"), "{}", done.out);
}

#[test]
fn a_model_that_cannot_be_loaded_is_named_once_with_advice_that_fits() {
    let failed = |message: &str| {
        let event = json!({"event": {"event": "load_failed", "id": 0, "message": message}});
        play(&[r#"{"for":"load"}"#, &event.to_string()], &[]).err
    };
    let err = failed("the memory limit is 1 GB; raise it, or choose a smaller model");
    assert!(
        err.ends_with("raise it, or choose a smaller model\n"),
        "{err}"
    );
    let err = failed("a context of 9 tokens is more than the 8 it was trained for");
    assert!(err.ends_with("choose a smaller --ctx\n"), "{err}");
    let err = failed("it has no vocabulary");
    assert!(err.ends_with("choose another GGUF file\n"), "{err}");
}

#[track_caller]
fn check_template(args: &[&str]) {
    let reply = r#"{"for":"run","reply":"{}"}"#;
    let done = play(&[reply], args);
    assert_eq!(done.code, 0, "{}", done.err);
}

#[test]
fn the_template_can_be_chosen_by_its_name() {
    check_template(&["--template", "model"]);
    check_template(&["--template", "chatml"]);
    check_template(&["--template", "raw"]);
    check_template(&["--raw"]);
    check_error(&["run", "--template", "none"], &["model", "chatml", "raw"]);
    check_error(&["run", "--raw", "--template", "chatml"], &["--template"]);
}

#[test]
fn a_case_that_the_window_saves_is_met() {
    use stepladder::app::{Action, Draft, Effect, Model, RepairAction, Settings, on_action};
    use stepladder::store::{self, Folders};
    let data = tempfile::tempdir().unwrap();
    let folders = Folders::at(data.path());
    let library = store::library(&folders);
    let draft = Draft::new(&library);
    let mut model = Model::new(library, draft, Settings::default());
    for sample in stepladder::app::samples() {
        let wish = RepairAction::LoadSample(sample.id.clone());
        on_action(&mut model, Action::Repair(wish));
        let effects = on_action(&mut model, Action::Repair(RepairAction::SaveCase));
        let [Effect::AppendCase(case)] = effects.as_slice() else {
            panic!("{effects:?}")
        };
        store::append_case(&folders.cases(), case).unwrap();
    }
    let file = folders.cases();
    let done = stepladder(&["climb", "--lines", file.to_str().unwrap()], "");
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.err.contains("0 of 4"), "{}", done.err);
}
