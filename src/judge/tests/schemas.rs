//! The schema's verdict, in plain words, on anything that can be a schema or a value.

#![expect(
    clippy::needless_pass_by_value,
    reason = "rows of cases read better without borrows"
)]

use serde_json::{Value, json};

use crate::judge::{Fault, Schema};

/// Each fault as `path keyword: message`.
#[track_caller]
fn check(schema: Value, value: Value, expected: &[&str]) {
    let schema = Schema::parse(&schema).unwrap();
    let verdict = schema.verdict(&value);
    let faults: Vec<_> = verdict
        .faults
        .iter()
        .map(|it: &Fault| format!("{} {}: {}", it.instance_path, it.keyword, it.message))
        .collect();
    assert_eq!(faults, expected);
    assert_eq!(verdict.valid, expected.is_empty());
    assert_eq!(schema.fits(&value), expected.is_empty());
}

#[test]
fn a_value_that_fits_has_no_fault() {
    check(json!({"type": "object"}), json!({"a": 1}), &[]);
}

#[test]
fn all_faults_are_listed() {
    check(
        json!({
            "properties": {"a": {"type": "integer", "minimum": 1}, "b": {"enum": ["x", "y"]}},
            "required": ["a", "b", "c"], "additionalProperties": false
        }),
        json!({"a": 0, "b": "z", "d": 1, "e": 2}),
        &[
            " required: the key \"c\" is missing",
            "/a minimum: 0 is less than 1",
            "/b enum: \"z\" is not one of \"x\", \"y\"",
            " additionalProperties: the key \"d\" is not allowed",
            " additionalProperties: the key \"e\" is not allowed",
        ],
    );
}

#[test]
fn a_number_as_text_is_told_apart() {
    check(
        json!({"items": {"type": "integer"}}),
        json!(["1"]),
        &["/0 type: \"1\" is a text; it must be a whole number"],
    );
}

#[test]
fn null_where_none_is_allowed_is_named() {
    check(
        json!({"type": ["string", "number"]}),
        json!(null),
        &[" type: it is null; it must be a number or a text"],
    );
}

#[test]
fn a_pattern_that_is_not_anchored_may_match_anywhere() {
    check(json!({"pattern": "\\d{3}"}), json!("ab123"), &[]);
}

#[test]
fn pattern_and_length_are_both_checked() {
    check(
        json!({"pattern": "^[a-z]+$", "maxLength": 3}),
        json!("abcd"),
        &[" maxLength: \"abcd\" is longer than 3 characters"],
    );
    check(
        json!({"pattern": "^hello there indeed\\\\!$"}),
        json!("hello there indeed!"),
        &[" pattern: \"hello there indeed!\" does not match the pattern ^hello there indeed\\\\!$"],
    );
}

#[test]
fn formats_are_checked() {
    check(
        json!({"format": "date"}),
        json!("2026-13-01"),
        &[" format: \"2026-13-01\" is not a valid date"],
    );
    check(
        json!({"format": "email"}),
        json!("nobody"),
        &[" format: \"nobody\" is not a valid email"],
    );
}

#[test]
fn keywords_that_no_mask_enforces_are_checked() {
    check(
        json!({"not": {"type": "string"}}),
        json!("a"),
        &[" not: \"a\" fits a schema that it must not fit"],
    );
    check(
        json!({"uniqueItems": true}),
        json!([1, 1]),
        &[" uniqueItems: an item occurs twice"],
    );
    check(
        json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}}),
        json!({"a": 1}),
        &[" required: the key \"b\" is missing"],
    );
    check(
        json!({"contains": {"const": 1}}),
        json!([2]),
        &[" contains: no item fits what the list must contain"],
    );
}

#[test]
fn the_closest_alternative_is_named() {
    check(
        json!({"anyOf": [{"type": "string"}, {"required": ["a"]}]}),
        json!({"b": 1}),
        &[
            " anyOf: {\"b\":1} fits none of the 2 alternatives; closest is number 2: the key \"a\" is missing",
        ],
    );
}

#[test]
fn a_key_with_a_slash_has_its_pointer() {
    check(
        json!({"properties": {"a/b~c": {"const": 1}}}),
        json!({"a/b~c": 2}),
        &["/a~1b~0c const: 2 is not 1"],
    );
}

#[test]
fn a_long_value_is_cut_in_the_message() {
    let schema = Schema::parse(&json!({"type": "null"})).unwrap();
    let verdict = schema.verdict(&json!("x".repeat(5_000)));
    assert!(verdict.faults[0].message.chars().count() < 120);
}

#[test]
fn a_catastrophic_pattern_ends_as_no_match() {
    let schema = Schema::parse(&json!({"pattern": "^(?=(a+)+b)(a|aa)+$"})).unwrap();
    assert!(!schema.fits(&json!("a".repeat(60))));
}

#[track_caller]
fn check_error(schema: Value, message: &str) {
    let error = Schema::parse(&schema).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}

#[test]
fn a_schema_that_is_no_object_is_refused() {
    check_error(json!([1]), "it is a list; it must be an object");
}

#[test]
fn a_type_that_does_not_exist_is_refused_with_its_place() {
    check_error(
        json!({"properties": {"a": {"type": "text"}}}),
        "at /properties/a/type",
    );
}

#[test]
fn a_pattern_that_does_not_compile_is_refused() {
    check_error(json!({"pattern": "("}), "pattern");
}

#[test]
fn the_network_is_never_asked() {
    check_error(json!({"$ref": "http://localhost:9/schema"}), "localhost");
    check_error(json!({"$ref": "file:///etc/hostname"}), "hostname");
}

/// Nested so deep, as a schema and as a value.
fn nested(depth: usize) -> (Value, Value) {
    let mut pair = (json!({"type": "integer"}), json!(1));
    for _ in 0..depth {
        pair = (json!({"items": pair.0}), json!([pair.1]));
    }
    pair
}

#[test]
fn nesting_to_the_bound_is_judged() {
    let (schema, value) = nested(120);
    assert!(Schema::parse(&schema).unwrap().fits(&value));
}

#[test]
fn a_deeper_schema_is_refused() {
    check_error(nested(200).0, "deeper than 128");
}

#[test]
fn a_deeper_value_is_a_fault() {
    check(
        json!({"items": {"$ref": "#"}}),
        nested(200).1,
        &[" depth: the value is nested deeper than 128"],
    );
}

#[test]
fn deep_schema_and_deep_value_together_are_survived() {
    let mut schema = json!({"items": {"$ref": "#"}});
    for _ in 0..60 {
        schema = json!({"allOf": [schema]});
    }
    assert!(Schema::parse(&schema).unwrap().fits(&nested(128).1));
}

/// A list in lists, so deep, that holds what is wrong.
#[track_caller]
fn check_recursive(schema: Value, depth: usize, keyword: &str) {
    let mut value = json!(2);
    for _ in 0..depth {
        value = json!([value]);
    }
    let verdict = Schema::parse(&schema).unwrap().verdict(&value);
    assert!(!verdict.valid);
    assert_eq!(verdict.faults[0].keyword, keyword);
    assert!(verdict.faults[0].message.chars().count() < 400);
}

fn two_ways_back() -> Value {
    let way = json!({"type": "array", "items": {"$ref": "#/$defs/a"}});
    json!({"$defs": {"a": {"anyOf": [way, way, {"const": 1}]}}, "$ref": "#/$defs/a"})
}

#[test]
fn faults_under_alternatives_that_refer_back_are_named_while_they_are_few() {
    check_recursive(two_ways_back(), 6, "anyOf");
}

#[test]
fn faults_that_would_take_for_ever_are_summed_up() {
    check_recursive(two_ways_back(), 60, "depth");
    check_recursive(
        json!({"allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}], "not": {"const": 2}}),
        60,
        "depth",
    );
}

#[test]
fn one_way_back_is_never_too_much() {
    let schema = json!({"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"const": 1}]});
    check_recursive(schema, 100, "anyOf");
}

#[test]
fn a_reference_to_itself_ends() {
    if let Ok(schema) = Schema::parse(&json!({"$ref": "#"})) {
        schema.verdict(&json!({"a": 1}));
    }
}

#[track_caller]
fn check_types(schema: Value, expected: &[&str]) {
    assert_eq!(Schema::parse(&schema).unwrap().root_types(), expected);
}

#[test]
fn the_roots_types_are_known() {
    check_types(json!({"type": "object"}), &["object"]);
    check_types(json!({"type": ["null", "array"]}), &["array", "null"]);
    check_types(json!({"enum": [1, "a", 2]}), &["string", "integer"]);
    check_types(json!({"const": null}), &["null"]);
    check_types(
        json!({"anyOf": [{"type": "string"}, {"const": true}]}),
        &["string", "boolean"],
    );
    check_types(
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "array"}}}),
        &["array"],
    );
}

#[test]
fn a_root_of_any_type_names_none() {
    check_types(json!({}), &[]);
    check_types(json!(true), &[]);
    check_types(json!({"anyOf": [{"type": "string"}, {}]}), &[]);
}

#[test]
fn the_source_keeps_its_order() {
    let source = json!({"properties": {"b": {}, "a": {}}});
    let schema = Schema::parse(&source).unwrap();
    assert_eq!(schema.source().to_string(), source.to_string());
}
