//! Where no alternative fits: the tree of what each of them lacks, the nearest first.

#![expect(
    clippy::needless_pass_by_value,
    reason = "rows of cases read better without borrows"
)]

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::judge::{Fault, Schema};

/// The tree, a line a fault, indented by its level: `number name` and then `path keyword`.
#[track_caller]
fn check(schema: Value, value: Value, expected: &str) {
    let verdict = Schema::parse(&schema).unwrap().verdict(&value);
    let mut tree = String::new();
    write_faults(&verdict.faults, 0, &mut tree);
    assert_eq!(tree.trim_end(), expected);
}

fn write_faults(faults: &[Fault], level: usize, tree: &mut String) {
    let indent = "  ".repeat(level);
    for fault in faults {
        writeln!(tree, "{indent}{} {}", fault.instance_path, fault.keyword).unwrap();
        for branch in &fault.branches {
            writeln!(tree, "{indent}  {} {}", branch.number, branch.name).unwrap();
            write_faults(&branch.faults, level + 2, tree);
        }
    }
}

fn pets() -> Value {
    json!({
        "properties": {"pet": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/cat"}, {"$ref": "#/$defs/dog"}]}},
        "$defs": {
            "cat": {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
                    "required": ["kind", "lives"]},
            "dog": {"title": "Dog", "type": "object", "properties": {"kind": {"const": "dog"}, "barks": {"type": "boolean"}},
                    "required": ["kind", "barks"]}
        }
    })
}

#[test]
fn the_alternative_with_the_right_constant_is_the_nearest() {
    check(
        pets(),
        json!({"pet": {"kind": "dog", "barks": "loud", "legs": "four"}}),
        "/pet anyOf
  3 dog
    /pet/barks type
  2 cat
    /pet required
    /pet/kind const
  1 null
    /pet type",
    );
}

#[test]
fn alternatives_inside_alternatives_are_a_tree() {
    check(
        json!({"oneOf": [{"type": "string"}, {"items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}]}),
        json!(["x"]),
        " oneOf
  2 
    /0 anyOf
      1 integer
        /0 type
      2 null
        /0 type
  1 string
     type",
    );
}

#[test]
fn fitting_two_of_one_is_told_with_both_numbers() {
    let schema =
        Schema::parse(&json!({"oneOf": [{"minimum": 1}, {"type": "string"}, {"maximum": 9}]}))
            .unwrap();
    let fault = &schema.verdict(&json!(5)).faults[0];
    assert!(
        fault.message.ends_with("numbers 1 and 3"),
        "{}",
        fault.message
    );
    let numbers: Vec<_> = fault.branches.iter().map(|it| it.number).collect();
    assert_eq!(numbers, [1, 3, 2]);
}

#[test]
fn the_faults_of_the_nearest_alternative_become_the_cause() {
    let schema = Schema::parse(&pets()).unwrap();
    let reply = r#"{"pet": {"kind": "cat", "lives_left": 9}}"#;
    let climb = super::causes::climbed(reply);
    let judgement = crate::judge::judge(&crate::judge::Judged {
        schema: Some(&schema),
        ..crate::judge::Judged::new(reply, &climb)
    });
    let cause = judgement.cause.unwrap();
    assert_eq!(
        (cause.kind.as_str(), cause.path.as_deref()),
        ("renamed_key", Some("/pet/lives_left"))
    );
}

#[test]
fn a_fault_without_alternatives_is_written_as_before() {
    let schema = Schema::parse(&json!({"type": "string"})).unwrap();
    let text = serde_json::to_string(&schema.verdict(&json!(1)).faults[0]).unwrap();
    assert_eq!(
        text,
        r#"{"instance_path":"","keyword":"type","message":"1 is a whole number; it must be a text"}"#
    );
}

#[test]
fn many_alternatives_stay_within_bounds() {
    let branches: Vec<_> = (0..500)
        .map(|it| json!({"const": it, "type": "integer"}))
        .collect();
    let schema = Schema::parse(&json!({"items": {"anyOf": branches}})).unwrap();
    let values: Vec<_> = (0..200).map(|it| json!(format!("x{it}"))).collect();
    let verdict = schema.verdict(&Value::Array(values));
    assert_eq!(verdict.faults.len(), 200);
    let n: usize = verdict
        .faults
        .iter()
        .flat_map(|it| &it.branches)
        .map(|it| it.faults.len())
        .sum();
    assert!(n <= 2_000, "{n}");
}
