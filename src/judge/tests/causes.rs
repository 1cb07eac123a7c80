//! Why a reply failed, with its place.

#![expect(
    clippy::needless_pass_by_value,
    reason = "rows of cases read better without borrows"
)]

use serde_json::{Value, json};

use crate::judge::{CAUSES, Cause, Ending, Judged, Judgement, Schema, Verdict, judge, reply_cause};
use crate::ladder::{Attempt, Climb, Findings, Flag, Repair, RepairKind, Rung, SyntaxError};
use crate::prompt::Example;

/// What a ladder would make of the reply: valid, or nothing.
pub(super) fn climbed(reply: &str) -> Climb {
    let value = serde_json::from_str(reply).ok();
    Climb {
        rung: value.is_some().then_some(Rung::AsIs),
        whole_reply_valid: value.is_some(),
        findings: value
            .map_or_else(Findings::default, Findings::of)
            .with_attempts(vec![Attempt {
                rung: Rung::AsIs,
                error: SyntaxError {
                    message: "expected value".to_owned(),
                    line: 1,
                    column: 2,
                },
            }]),
        ..Climb::default()
    }
}

/// A climb that ended on this rung with this value.
fn rescued(rung: Rung, value: Value, flags: &[Flag]) -> Climb {
    Climb {
        rung: Some(rung),
        findings: Findings::of(value),
        flags: flags.to_vec(),
        ..Climb::default()
    }
}

fn schema() -> Schema {
    Schema::parse(&json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"}, "qty": {"type": "integer"}, "mood": {"enum": ["happy", "sad"]}
        },
        "required": ["name", "qty"], "additionalProperties": false
    }))
    .unwrap()
}

pub(super) fn cause_text(cause: Option<&Cause>) -> String {
    if let Some(cause) = cause {
        assert!(CAUSES.iter().any(|it| it.kind == cause.kind));
    }
    cause.map_or("none".to_owned(), |it| {
        format!("{}: {}", it.kind, it.summary())
    })
}

/// The cause of a reply that ended by itself, judged by the schema above.
#[track_caller]
fn check(reply: &str, expected: &str) {
    let climb = climbed(reply);
    assert_eq!(cause_text(judged(reply, &climb).cause.as_ref()), expected);
}

fn judged(reply: &str, climb: &Climb) -> Judgement {
    let schema = schema();
    judge(&Judged {
        schema: Some(&schema),
        input: "Please note two jars of honey.",
        ..Judged::new(reply, climb)
    })
}

#[test]
fn a_reply_that_fits_has_no_cause() {
    check(r#"{"name": "tea", "qty": 1}"#, "none");
}

#[test]
fn repetition_in_a_reply_that_ended_is_no_loop() {
    check(r#"{"name": "no no no no", "qty": 1}"#, "none");
}

#[test]
fn a_truncated_value_that_fits_is_still_truncated() {
    let value = json!({"name": "tea", "qty": 1});
    let climb = rescued(Rung::Repair, value, &[Flag::Truncated]);
    let judgement = judged(r#"{"name": "tea", "qty": 1"#, &climb);
    assert!(judgement.lamps.are_lit());
    assert!(judgement.verdict.unwrap().on_repaired);
    assert_eq!(
        cause_text(judgement.cause.as_ref()),
        "truncated: the reply stops before its end at $.qty"
    );
}

#[test]
fn a_dead_end_is_named() {
    let reply = r#"{"name":"#;
    let climb = climbed(reply);
    let judgement = judge(&Judged {
        ending: Ending::DeadEnd,
        ..Judged::new(reply, &climb)
    });
    assert_eq!(
        cause_text(judgement.cause.as_ref()),
        "dead_end: every next token was forbidden at $.name"
    );
}

#[test]
fn prose_is_no_json() {
    check(
        "Sure, here you go.",
        "no_json: the reply is text without JSON: \"Sure, here you go.\"",
    );
    check(" \n", "no_json: the reply is empty");
    check(
        "<think>hm</think>\n",
        "no_json: the reply thinks and never answers",
    );
}

#[test]
fn a_function_is_no_json() {
    check(
        "def f(x):\n    return {}",
        "code: the reply is Python code instead of JSON: \"def f(x):\\n    return {}\"",
    );
}

#[test]
fn brackets_that_hold_nothing_are_a_fault_of_syntax() {
    check(
        "{{{}}}",
        "syntax: no rung held; line 1, column 2: expected value",
    );
}

#[test]
fn a_repeated_input_is_an_echo() {
    check(
        "\"Please note two jars\nof honey\" :",
        "echo_input: the reply repeats the input",
    );
}

#[test]
fn a_repeated_schema_is_an_echo() {
    check(
        r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#,
        "echo_schema: the reply repeats the schema",
    );
}

#[test]
fn renamed_keys_are_recognised() {
    check(
        r#"{"name": "tea", "quantity": 1}"#,
        "renamed_key: at $: the key qty is called quantity",
    );
    check(
        r#"{"product_name": "tea", "qty": 1}"#,
        "renamed_key: at $: the key name is called product_name",
    );
}

#[test]
fn the_only_strange_key_stands_for_the_only_missing_one() {
    check(
        r#"{"article": "tea", "qty": 1}"#,
        "renamed_key: at $: the key name is called article",
    );
}

#[test]
fn a_missing_key_is_named() {
    check(
        r#"{"name": "tea"}"#,
        "missing_key: at $: the key \"qty\" is missing",
    );
}

#[test]
fn a_key_too_many_is_named() {
    check(
        r#"{"name": "tea", "qty": 1, "x": 2}"#,
        "unknown_key: at $: the key \"x\" is not allowed",
    );
}

#[test]
fn a_wrong_type_is_named() {
    check(
        r#"{"name": "tea", "qty": "1"}"#,
        "wrong_type: at $.qty: \"1\" is a text; it must be a whole number (a number in quotes)",
    );
}

#[test]
fn a_look_alike_is_named_in_the_cause() {
    check(
        r#"{"name": "tea", "qty": "②"}"#,
        "wrong_type: at $.qty: \"②\" is a text; it must be a whole number (② is CIRCLED DIGIT TWO, not 2)",
    );
}

#[test]
fn a_word_outside_the_enum_is_named() {
    check(
        r#"{"name": "tea", "qty": 1, "mood": "glad"}"#,
        "wrong_enum: at $.mood: \"glad\" is not one of \"happy\", \"sad\"",
    );
}

#[test]
fn more_faults_are_counted() {
    check(
        r#"{"name": 1, "qty": "1", "mood": 3}"#,
        "wrong_type: at $.name: 1 is a whole number; it must be a text; and 2 more",
    );
}

/// A valid reply judged by an example's answer and the right one.
fn meant(reply: &str, answer: Value) -> Judgement {
    let climb = climbed(reply);
    let examples = [Example {
        input: "x".to_owned(),
        answer: json!({"name": "Nora Lind", "cats": 7}),
    }];
    judge(&Judged {
        answer: Some(&answer),
        examples: &examples,
        input: "Max has 2 cats",
        ..Judged::new(reply, &climb)
    })
}

#[test]
fn a_leak_explains_a_wrong_value() {
    let judgement = meant(r#"{"name": "Nora Lind"}"#, json!({"name": "Max"}));
    assert_eq!(judgement.lamps.leak_free, Some(false));
    assert_eq!(judgement.lamps.correct, Some(false));
    assert_eq!(judgement.lamps.schema, None);
    assert_eq!(
        cause_text(judgement.cause.as_ref()),
        "leak: $.name is \"Nora Lind\", copied from example 1"
    );
}

#[test]
fn a_wrong_value_is_the_last_cause() {
    let judgement = meant(r#"{"name": "Mix"}"#, json!({"name": "Max"}));
    assert_eq!(judgement.lamps.leak_free, Some(true));
    assert_eq!(
        cause_text(judgement.cause.as_ref()),
        "wrong_value: $.name is \"Mix\"; right is \"Max\""
    );
}

#[test]
fn right_in_content_and_wrong_in_shape_are_two_lamps() {
    let reply = r#"{"name": "tea", "qty": 1, "note": "x"}"#;
    let (climb, schema) = (climbed(reply), schema());
    let answer: Value = serde_json::from_str(reply).unwrap();
    let lamps = judge(&Judged {
        schema: Some(&schema),
        answer: Some(&answer),
        ..Judged::new(reply, &climb)
    })
    .lamps;
    assert_eq!((lamps.schema, lamps.correct), (Some(false), Some(true)));
}

#[test]
fn without_a_value_the_lamps_asked_for_are_dark() {
    let judgement = judged("no", &climbed("no"));
    assert_eq!(judgement.verdict, Some(Verdict::default()));
    assert_eq!(
        (judgement.lamps.parses, judgement.lamps.schema),
        (false, Some(false))
    );
    assert_eq!(
        (judgement.lamps.correct, judgement.lamps.leak_free),
        (None, None)
    );
}

#[test]
fn a_judgement_comes_back_as_it_was_written() {
    let judgement = meant(r#"{"name": "Nora Lind"}"#, json!({"name": "Max"}));
    let text = serde_json::to_string(&judgement).unwrap();
    assert_eq!(serde_json::from_str::<Judgement>(&text).unwrap(), judgement);
}

#[track_caller]
fn check_reply(climb: &Climb, expected: &str) {
    let cause = reply_cause("whatever {", climb, Ending::ByItself);
    assert_eq!(cause_text(cause.as_ref()), expected);
}

#[test]
fn a_valid_reply_needed_no_rescue() {
    check_reply(&climbed("{}"), "none");
}

#[test]
fn a_byte_order_mark_is_wrapping() {
    check_reply(
        &rescued(Rung::AsIs, json!({}), &[Flag::Bom]),
        "wrapping: a byte order mark stands before the JSON",
    );
}

#[test]
fn what_stood_around_the_json_is_wrapping() {
    check_reply(
        &rescued(Rung::Fences, json!({}), &[]),
        "wrapping: the JSON stands in a code fence",
    );
    check_reply(
        &rescued(Rung::Cut, json!({}), &[]),
        "wrapping: text stands around the JSON",
    );
    check_reply(
        &rescued(Rung::Cut, json!({}), &[Flag::Thinking]),
        "wrapping: the reply thinks before the JSON",
    );
    check_reply(
        &rescued(Rung::Cut, json!({}), &[Flag::MultipleValues]),
        "wrapping: the reply holds several JSON values",
    );
}

#[test]
fn the_first_repair_names_the_fault_of_syntax() {
    let mut climb = rescued(Rung::Repair, json!({}), &[]);
    climb.findings = climb.findings.with_repairs(vec![Repair {
        kind: RepairKind::Quote,
        offset: 1,
        line: 1,
        column: 2,
        before: "'".into(),
        after: "\"".into(),
    }]);
    check_reply(
        &climb,
        r#"syntax: line 1, column 2: "'" had to become "\"""#,
    );
}

/// Anything at all may be judged.
#[test]
fn hostile_replies_are_judged_too() {
    let deep = format!("{}{}", "[".repeat(20_000), "{\"a\":".repeat(20_000));
    for reply in [
        deep.as_str(),
        "\\\"'{[:,",
        "{\"\\",
        "\u{0}{\u{0}",
        "]]]}}}{",
    ] {
        check_runs(reply);
    }
}

#[track_caller]
fn check_runs(reply: &str) {
    let climb = climbed(reply);
    assert!(judged(reply, &climb).cause.is_some(), "{reply}");
}

#[test]
fn the_documentation_lists_the_causes_as_the_table_has_them() {
    let rows: Vec<_> = include_str!("../mod.rs")
        .lines()
        .filter(|it| it.starts_with("//! | `"))
        .collect();
    let table: Vec<_> = CAUSES
        .iter()
        .map(|it| format!("//! | `{}` | {} | {} |", it.kind, it.says, it.when))
        .collect();
    assert_eq!(rows, table);
}
