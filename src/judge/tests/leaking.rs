//! Values copied from the few-shot examples are found, and nothing else.

#![expect(
    clippy::needless_pass_by_value,
    reason = "rows of cases read better without borrows"
)]

use serde_json::{Value, json};

use crate::judge::{LeakSources, leaks};
use crate::prompt::Example;

/// The examples' answers, the input, the value; each leak as `path value example`.
#[track_caller]
fn check(answers: &[Value], input: &str, value: Value, expected: &[&str]) {
    let examples = examples(answers);
    let sources = LeakSources {
        examples: &examples,
        input,
        ..LeakSources::default()
    };
    assert_eq!(found(&value, &sources), expected);
}

fn examples(answers: &[Value]) -> Vec<Example> {
    answers
        .iter()
        .map(|it| Example {
            input: "x".to_owned(),
            answer: it.clone(),
        })
        .collect()
}

fn found(value: &Value, sources: &LeakSources<'_>) -> Vec<String> {
    leaks(value, sources)
        .iter()
        .map(|it| format!("{} {} {}", it.path, it.value, it.example))
        .collect()
}

#[test]
fn a_contact_of_the_example_with_the_inputs_phone_is_two_leaks() {
    check(
        &[json!({"name": "Nora Lind", "email": "nora@mail.test", "phone": "000-0000"})],
        "Call Max at 555-0101",
        json!({"name": "Nora Lind", "email": "nora@mail.test", "phone": "555-0101"}),
        &["/name Nora Lind 1", "/email nora@mail.test 1"],
    );
}

#[test]
fn case_and_white_space_hide_no_leak() {
    check(
        &[json!("Nora Lind")],
        "",
        json!(["nora  LIND"]),
        &["/0 nora  LIND 1"],
    );
}

#[test]
fn the_example_is_counted_from_one() {
    check(
        &[json!("first"), json!("second")],
        "",
        json!("second"),
        &[" second 2"],
    );
}

#[test]
fn what_stands_in_the_input_is_no_leak() {
    check(
        &[json!("Nora Lind")],
        "This is NORA lind.",
        json!("Nora Lind"),
        &[],
    );
}

#[test]
fn short_words_coincide() {
    check(&[json!(["ok", "a"])], "", json!(["ok", "a"]), &[]);
}

#[test]
fn two_ideographs_are_a_name() {
    check(
        &[json!("张三")],
        "李四在这里",
        json!({"name": "张三"}),
        &["/name 张三 1"],
    );
}

#[test]
fn small_numbers_coincide_and_long_ones_do_not() {
    check(&[json!([2, 42, 0.95])], "", json!([2, 42, 0.95]), &[]);
    check(
        &[json!(1250)],
        "",
        json!({"total": 1250}),
        &["/total 1250 1"],
    );
    check(&[json!(-12.75)], "", json!(-12.75), &[" -12.75 1"]);
}

#[test]
fn a_long_text_inside_a_longer_one_is_a_leak() {
    check(
        &[json!("Nora Lind")],
        "",
        json!("Call Nora Lind now"),
        &[" Call Nora Lind now 1"],
    );
    check(&[json!("Nora Lind")], "", json!("Nora Lindgren"), &[]);
    check(&[json!("rice")], "", json!("rice cake"), &[]);
}

#[test]
fn true_and_null_are_never_leaks() {
    check(&[json!([true, null])], "", json!([true, null]), &[]);
}

#[test]
fn keys_are_no_values() {
    check(&[json!({"name": "x"})], "", json!({"a": "name"}), &[]);
}

#[test]
fn without_examples_nothing_leaks() {
    check(&[], "", json!("Nora Lind"), &[]);
}

#[test]
fn values_of_the_schema_are_no_leaks() {
    let examples = examples(&[json!({"mood": "happy", "kind": "note", "who": "Nora"})]);
    let schema =
        json!({"properties": {"mood": {"enum": ["Happy", "sad"]}, "kind": {"const": "note"}}});
    let sources = LeakSources {
        examples: &examples,
        input: "",
        schema: Some(&schema),
        ..LeakSources::default()
    };
    assert_eq!(found(&examples[0].answer, &sources), ["/who Nora 1"]);
}

#[test]
fn the_right_answer_is_no_leak() {
    let examples = examples(&[json!("tomorrow")]);
    let answer = json!({"time": "Tomorrow"});
    let sources = LeakSources {
        examples: &examples,
        input: "on the next day",
        answer: Some(&answer),
        ..LeakSources::default()
    };
    assert_eq!(found(&answer, &sources), [""; 0]);
}
