//! Advice on schemas: each kind where it belongs, and silence on a schema that has all.

#![expect(
    clippy::needless_pass_by_value,
    reason = "rows of cases read better without borrows"
)]

use serde_json::{Value, json};

use crate::judge::{ADVICE_KINDS, advice};

/// All advice as `pointer kind`.
#[track_caller]
fn check(schema: Value, expected: &[&str]) {
    let found = advice(&schema);
    let texts: Vec<_> = found
        .iter()
        .map(|it| format!("{} {}", it.pointer, it.kind))
        .collect();
    assert_eq!(texts, expected);
    for advice in found {
        assert!(ADVICE_KINDS.iter().any(|(kind, _)| *kind == advice.kind));
        assert!(!advice.message.is_empty());
    }
}

/// An object with this one field, all else as strict modes want it.
#[track_caller]
fn check_field(name: &str, field: Value, expected: &[&str]) {
    let schema = json!({
        "type": "object", "properties": {name: field}, "required": [name], "additionalProperties": false
    });
    check(schema, expected);
}

#[test]
fn a_good_schema_gets_no_advice() {
    check_field(
        "name",
        json!({"type": "string", "description": "Full name"}),
        &[],
    );
}

#[test]
fn a_text_of_few_values_is_better_an_enum() {
    check_field(
        "status",
        json!({"type": "string", "description": "How it stands"}),
        &["/properties/status prefer_enum"],
    );
    check_field(
        "answer",
        json!({"type": "string", "description": "One of yes, no, maybe"}),
        &["/properties/answer prefer_enum"],
    );
    check_field(
        "ticket_priority",
        json!({"enum": ["low", "high"], "description": "How urgent"}),
        &[],
    );
}

#[test]
fn a_joined_text_is_better_a_list() {
    check_field(
        "colours",
        json!({"type": "string", "description": "Comma-separated colours"}),
        &["/properties/colours joined_list"],
    );
    check_field(
        "tags",
        json!({"type": "string", "description": "What it is about"}),
        &["/properties/tags joined_list"],
    );
}

#[test]
fn a_field_without_a_description_is_named() {
    check_field(
        "name",
        json!({"type": "string"}),
        &["/properties/name no_description"],
    );
}

#[test]
fn strict_modes_want_every_key_and_no_other() {
    check(
        json!({"type": "object", "properties": {"a": {"type": "integer", "description": "x"}}}),
        &["/properties/a optional_key", " open_object"],
    );
}

#[test]
fn keywords_that_strict_modes_refuse_are_named_with_their_place() {
    check_field(
        "n",
        json!({"type": "integer", "description": "x", "not": {"const": 3}, "default": 1}),
        &[
            "/properties/n/not unsupported_keyword",
            "/properties/n/default unsupported_keyword",
        ],
    );
    check_field(
        "url",
        json!({"type": "string", "description": "x", "format": "iri"}),
        &["/properties/url/format unsupported_keyword"],
    );
}

#[test]
fn a_root_that_is_no_object_is_named() {
    check(
        json!({"type": "array", "items": {"type": "integer"}}),
        &[" unsupported_keyword"],
    );
}

#[test]
fn the_fourth_level_is_too_deep_and_said_once() {
    let mut field = json!({"type": "integer", "description": "x"});
    for _ in 0..4 {
        field = json!({
            "type": "object", "description": "x", "properties": {"a": field}, "required": ["a"],
            "additionalProperties": false
        });
    }
    check(field, &["/properties/a/properties/a/properties/a too_deep"]);
}

#[test]
fn lists_of_objects_are_looked_into() {
    check_field(
        "items",
        json!({
            "type": "array", "description": "x",
            "items": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
        }),
        &[
            "/properties/items/items open_object",
            "/properties/items/items/properties/a no_description",
        ],
    );
}

#[test]
fn what_is_no_schema_gets_no_advice() {
    check(json!([1]), &[]);
    check(json!(true), &[]);
}
