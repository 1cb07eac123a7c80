//! A task file is read, or its fault is named.

use serde_json::{Map, Value, json};

use crate::prompt::{Rule, Rules, Task};

fn task() -> Value {
    json!({
        "v": 1, "id": "tea", "title": "Tea", "instruction": "Name the tea.",
        "schema": {"type": "object"},
        "examples": [{"input": "a", "answer": {"b": 1}}],
        "inputs": [{"text": "c", "answer": null}, {"text": "d"}],
        "rules": {"/name": "folded"},
        "colour": "green"
    })
}

#[track_caller]
fn check(field: &str, value: Value, message: &str) {
    let mut task = task();
    task[field] = value;
    let error = Task::parse(&task.to_string(), "tea.json").unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn a_good_task_keeps_what_it_does_not_know() {
    let parsed = Task::parse(&task().to_string(), "tea.json").unwrap();
    assert_eq!(parsed.other["colour"], "green");
    assert_eq!(parsed.inputs.len(), 2);
    let again: Task = serde_json::from_str(&serde_json::to_string(&parsed).unwrap()).unwrap();
    assert_eq!(again.other, parsed.other);
}

#[test]
fn another_version_is_refused() {
    check("v", json!(2), "tea.json: v is 2; it must be 1");
}

#[test]
fn a_missing_version_is_named() {
    let error = Task::parse("{}", "t").unwrap_err();
    assert_eq!(error.to_string(), "t: v is missing; it must be 1");
}

#[test]
fn an_id_with_a_space_is_refused() {
    let must = "a name of letters, digits, '-', '_', '.' and '+'";
    check(
        "id",
        json!("green tea"),
        &format!("tea.json: id is \"green tea\"; it must be {must}"),
    );
}

#[test]
fn an_empty_instruction_is_refused() {
    check(
        "instruction",
        json!(" "),
        "tea.json: instruction is \" \"; it must be a text that is not empty",
    );
}

#[test]
fn a_schema_that_is_a_text_is_refused() {
    check(
        "schema",
        json!("{}"),
        "tea.json: schema is \"{}\"; it must be a JSON Schema (an object)",
    );
}

#[test]
fn a_fault_in_a_list_is_named_with_its_index() {
    check(
        "inputs",
        json!([{"text": "a"}, {"text": 3}]),
        "tea.json: inputs[1].text is 3; it must be a text that is not empty",
    );
}

#[test]
fn an_example_without_answer_is_refused() {
    check(
        "examples",
        json!([{"input": "a"}]),
        "tea.json: examples[0].answer is missing; it must be the right answer to the example's input",
    );
}

#[test]
fn an_unknown_rule_is_refused() {
    check(
        "rules",
        json!({"/name": "fuzzy"}),
        "tea.json: rules./name is \"fuzzy\"; it must be \"exact\", \"folded\", {\"number\": tolerance}, \"set\", \"bag\" or \"ignore\"",
    );
}

#[test]
fn a_list_in_place_of_the_file_is_refused() {
    let error = Task::parse("[1]", "t.json").unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.json: the file is [1]; it must be an object"
    );
}

#[test]
fn broken_json_is_told_with_its_place() {
    let error = Task::parse("{\n  \"v\" 1}", "t.json").unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.json is not valid JSON: line 2, column 7: expected `:`"
    );
}

#[track_caller]
fn check_rule(rules: Value, pointer: &str, expected: Rule) {
    let Value::Object(rules) = rules else {
        panic!("not an object")
    };
    assert_eq!(Rules::parse(&rules).unwrap().rule(pointer), expected);
}

#[test]
fn without_a_rule_a_field_is_exact() {
    assert_eq!(Rules::parse(&Map::new()).unwrap().rule("/a"), Rule::Exact);
}

#[test]
fn a_star_stands_for_any_index() {
    check_rule(json!({"/a/*/b": "folded"}), "/a/7/b", Rule::Folded);
}

#[test]
fn a_rule_holds_for_what_is_below() {
    check_rule(json!({"/a": "ignore"}), "/a/b/c", Rule::Ignore);
}

#[test]
fn the_nearer_rule_wins() {
    check_rule(
        json!({"/a/b": {"number": 0.5}, "/a": "ignore"}),
        "/a/b",
        Rule::Number(0.5),
    );
}

#[test]
fn a_bag_does_not_loosen_the_lists_inside() {
    check_rule(json!({"/a": "bag"}), "/a/0", Rule::Exact);
}

#[test]
fn a_negative_tolerance_is_refused() {
    let rules = json!({"/a": {"number": -1}});
    assert!(Rules::parse(rules.as_object().unwrap()).is_err());
}

#[test]
fn inputs_that_are_taken_out_remember_their_task() {
    let task = Task::parse(&task().to_string(), "tea.json").unwrap();
    assert_eq!(task.origin(), "tea");
    let part = task.with_inputs(
        "hard".to_owned(),
        "Hard".to_owned(),
        vec![task.inputs[1].clone()],
    );
    let text = serde_json::to_string(&part).unwrap();
    let read = Task::parse(&text, "hard.json").unwrap();
    assert_eq!(read, part);
    assert_eq!((read.id.as_str(), read.origin()), ("hard", "tea"));
    assert_eq!(read.inputs[0].text, "d");
    // A part of a part is still of the first one.
    let less = read.with_inputs("harder".to_owned(), "Harder".to_owned(), Vec::new());
    assert_eq!(less.origin(), "tea");
}
