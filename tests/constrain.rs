//! `stepladder constrain` as a user meets it. Single bytes stand for tokens, so no model is needed.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

struct Done {
    code: i32,
    out: String,
    err: String,
}

fn constrain(args: &[&str], input: &str) -> Done {
    let data = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .arg("constrain")
        .args(args)
        .env("STEPLADDER_DATA", data.path())
        .env("STEPLADDER_MODEL", data.path().join("no-such-model.gguf"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Whoever reads no input may be gone by now.
    let _unread = child.stdin.take().unwrap().write_all(input.as_bytes());
    let done = child.wait_with_output().unwrap();
    Done {
        code: done.status.code().unwrap(),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

/// The answers to lines, one each.
#[track_caller]
fn check_lines(args: &[&str], lines: &[String], code: i32) -> Vec<Value> {
    let args = [&["--lines", "--bytes"], args].concat();
    let done = constrain(&args, &lines.join("\n"));
    assert_eq!(done.code, code, "{}{}", done.out, done.err);
    let answers: Vec<Value> = done
        .out
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    assert_eq!(answers.len(), lines.len(), "{}", done.out);
    answers
}

#[test]
fn an_accepted_text_is_good() {
    let done = constrain(
        &["--bytes", "--grammar", "json", "--text", "{\"a\": 1}"],
        "",
    );
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.starts_with("enforced, compiled in "),
        "{}",
        done.out
    );
    assert!(done.out.trim_end().ends_with("Accepted"), "{}", done.out);
}

#[test]
fn a_text_that_stops_says_where_and_what_could_follow() {
    let done = constrain(
        &["--bytes", "--grammar", "json", "--text", "{\"a\": é}"],
        "",
    );
    assert_eq!(done.code, 1);
    assert!(
        done.out.contains("Stopped at byte 6, before \"é}\""),
        "{}",
        done.out
    );
    assert!(done.out.contains("a digit"), "{}", done.out);
}

#[test]
fn a_text_that_ends_too_early_is_not_accepted() {
    let args = ["--bytes", "--grammar", "json", "--text", "{\"a\"", "--json"];
    let done = constrain(&args, "");
    assert_eq!(done.code, 1);
    let object: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(object["accepted"], false);
    assert_eq!(object["stopped_at"], 4);
    assert_eq!(object["badge"], "enforced");
    assert_eq!(object["steps"].as_array().unwrap().len(), 4);
    assert_eq!(object["steps"][0]["legal_tokens"], 1);
    assert!(object["steps"][0]["mask_us"].is_f64());
}

#[test]
fn a_schema_comes_with_its_honesty_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.json");
    fs::write(
        &path,
        r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#,
    )
    .unwrap();
    let args = [
        "--bytes",
        "--schema",
        path.to_str().unwrap(),
        "--text",
        "{\"a\":1}",
        "--json",
    ];
    let done = constrain(&args, "");
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let object: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(object["report"][0]["keyword"], "type");
    assert_eq!(object["report"][0]["enforcement"], "enforced");
}

#[test]
fn a_grammar_with_a_fault_cannot_be_used_and_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.gbnf");
    fs::write(&path, "root ::= \"a").unwrap();
    let path = path.to_str().unwrap();
    let done = constrain(&["--bytes", "--grammar", path], "");
    assert_eq!(done.code, 2);
    assert!(
        done.err.starts_with("error: line 1, column 10: "),
        "{}",
        done.err
    );
    assert!(done.err.contains(path), "{}", done.err);
    let done = constrain(&["--bytes", "--grammar", path, "--json"], "");
    let object: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((done.code, &object["compiled"]), (2, &json!(false)));
}

#[test]
fn wrong_usage_and_missing_files_are_exit_code_2() {
    for args in [
        &["--bytes"][..],
        &["--bytes", "--grammar", "no-such-file"],
        &["--bytes", "--grammar", "json", "--schema", "s.json"],
        &["--grammar", "json"],
        &["--lines", "--bytes", "no-such-file"],
        &["--lines"],
        &["--lines", "--bytes", "--limit", "-1"],
    ] {
        let done = constrain(args, "{}\n");
        assert_eq!(done.code, 2, "{args:?}: {}{}", done.out, done.err);
        assert!(done.err.contains("error: "), "{args:?}: {}", done.err);
        assert_eq!(done.out, "", "{args:?}");
    }
}

#[test]
fn an_unknown_grammar_lists_the_shipped_ones() {
    let done = constrain(&["--bytes", "--grammar", "nosuch"], "");
    assert_eq!(done.code, 2);
    for word in ["nosuch", "json, json-array", "shopping"] {
        assert!(done.err.contains(word), "{word} in {}", done.err);
    }
}

#[test]
fn a_schema_that_cannot_be_used_names_its_file() {
    let (_folder, path) = schema_file(r#"{"type": "objekt"}"#);
    let done = constrain(&["--bytes", "--schema", &path], "");
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert_eq!(done.err.matches(&path).count(), 1, "{}", done.err);
}

#[test]
fn a_line_that_cannot_be_read_has_its_own_number() {
    let lines = [
        r#"{"grammar": "root ::= \"a\""}"#,
        "nonsense",
        r#"{"id": 3, "grammar": 7}"#,
    ];
    let answers = check_lines(&[], &lines.map(str::to_owned), 1);
    let error = |idx: usize| answers[idx]["error"].as_str().unwrap();
    assert!(error(1).starts_with("line 2, column 2: "), "{}", error(1));
    assert!(error(2).starts_with("line 3: invalid type"), "{}", error(2));
}

#[test]
fn each_line_has_an_answer() {
    let lines = [
        json!({"id": 1, "grammar": "root ::= [a-z]+", "texts": ["abc", "ab1", ""]}),
        json!({"id": "two", "schema": {"type": "integer"}, "texts": ["12", "x"]}),
    ];
    let answers = check_lines(&[], &lines.map(|it| it.to_string()), 0);
    let texts = answers[0]["texts"].as_array().unwrap();
    let accepted: Vec<_> = texts
        .iter()
        .map(|it| it["accepted"].as_bool().unwrap())
        .collect();
    assert_eq!(accepted, [true, false, false]);
    assert_eq!(texts[1]["stopped_at"], 2);
    assert_eq!(texts[0]["stopped_at"], Value::Null);
    assert!(texts[0]["mask_us_p50"].is_f64() && texts[0]["mask_us_p99"].is_f64());
    assert_eq!(answers[1]["id"], "two");
    assert_eq!(answers[1]["badge"], "enforced");
    assert!(answers[1]["compile_ms"].is_f64());
}

#[test]
fn a_line_that_cannot_be_used_does_not_end_the_others() {
    let deep = format!(
        "{{\"id\":9,\"schema\":{}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let lines: Vec<String> = [
        "nonsense",
        "[]",
        "\u{0}\u{1}",
        r#"{"id":3}"#,
        r#"{"id":4,"regex":"a","grammar":"root ::= \"a\""}"#,
        r#"{"id":5,"grammar":"root ::= root"}"#,
        r#"{"id":6,"grammar":7}"#,
        r#"{"id":7,"schema":{"not":{}}}"#,
        r#"{"id":8,"schema":false}"#,
        &deep,
        r#"{"id":10,"grammar":"root ::= \"a\"","texts":[1]}"#,
        r#"{"id":11,"grammar":"root ::= \"a\"","texts":["a"]}"#,
    ]
    .map(str::to_owned)
    .to_vec();
    let answers = check_lines(&[], &lines, 1);
    let (last, bad) = answers.split_last().unwrap();
    for it in bad {
        assert_eq!(it["compiled"], false, "{it}");
        assert!(!it["error"].as_str().unwrap().is_empty(), "{it}");
        assert_eq!((&it["badge"], &it["texts"]), (&json!("none"), &json!([])));
    }
    assert_eq!(bad[3]["id"], 3);
    assert!(bad[5]["error"].as_str().unwrap().contains("root → root"));
    assert_eq!(
        (&last["id"], &last["texts"][0]["accepted"]),
        (&json!(11), &json!(true))
    );
}

#[test]
fn a_line_that_takes_too_long_is_ended_and_the_next_one_answered() {
    let slow = json!({"id": "slow", "grammar": "root ::= .*", "texts": ["x".repeat(4_000_000)]});
    let quick = json!({"id": "quick", "grammar": "root ::= .*", "texts": ["x"]});
    let lines = [quick.to_string(), slow.to_string(), quick.to_string()];
    let answers = check_lines(&["--limit", "0.5"], &lines, 1);
    assert_eq!(answers[0]["compiled"], true);
    assert!(
        answers[1]["error"]
            .as_str()
            .unwrap()
            .contains("no answer within 0.5 s")
    );
    assert_eq!(answers[1]["id"], "slow");
    assert_eq!(answers[2]["texts"][0]["accepted"], true);
}

fn schema_file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.json");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn a_regular_expression_is_held_to() {
    let done = constrain(&["--bytes", "--regex", "[0-9]{3}", "--text", "123"], "");
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let done = constrain(&["--bytes", "--regex", "[0-9]{3}", "--text", "12a"], "");
    assert_eq!(done.code, 1);
    assert!(done.out.contains("Stopped at byte 2"), "{}", done.out);
    let done = constrain(&["--bytes", "--regex", "a(?=b)", "--text", "a"], "");
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("line 1, column 2: look-around"),
        "{}",
        done.err
    );
}

#[test]
fn a_report_is_printed_as_text_and_as_json() {
    let text = r#"{"response_format":{"type":"json_schema","oops":1,"json_schema":{"name":"x","schema":{"type":"array","maxItems":2,"uniqueItems":true}}}}"#;
    let (_folder, path) = schema_file(text);
    let strict = constrain(&["--schema", &path, "--report"], "");
    assert_eq!(strict.code, 1, "{}", strict.out);
    assert!(strict.out.starts_with("not enforced"), "{}", strict.out);
    let loose = constrain(&["--schema", &path, "--report", "--lenient", "--json"], "");
    assert_eq!(loose.code, 0, "{}{}", loose.out, loose.err);
    let object: Value = serde_json::from_str(&loose.out).unwrap();
    assert_eq!(object["badge"], "partly");
    assert_eq!(object["is_weaker"], true);
    assert_eq!(object["unread"], json!(["/response_format/oops"]));
    assert_eq!(object["report"][1]["enforcement"], "enforced");
    assert_eq!(object["report"][2]["enforcement"], "checked_afterwards");
}

#[test]
fn a_grammar_made_of_a_schema_can_be_used_as_a_file() {
    let (folder, path) = schema_file(
        r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}"#,
    );
    let made = constrain(&["--schema", &path, "--gbnf", "--white-space", "none"], "");
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    let grammar = folder.path().join("made.gbnf");
    fs::write(&grammar, &made.out).unwrap();
    let grammar = grammar.to_str().unwrap();
    for (text, code) in [("{\"a\":1}", 0), ("{\"a\": 1}", 1)] {
        let done = constrain(&["--bytes", "--grammar", grammar, "--text", text], "");
        assert_eq!(done.code, code, "{}{}", done.out, made.out);
    }
}
