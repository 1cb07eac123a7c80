//! What a preset puts in for missing fields is judged apart from what the model wrote.

#![expect(
    clippy::needless_pass_by_value,
    reason = "rows of cases read better without borrows"
)]

use serde_json::{Value, json};

use crate::judge::{Defaults, Judged, Schema, after_defaults, judge};

use super::causes::climbed;

fn schema() -> Schema {
    Schema::parse(&json!({
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "qty": {"type": "integer"}},
                "required": ["name", "qty"], "additionalProperties": false
            }},
            "note": {"type": ["string", "null"]}
        },
        "required": ["items", "note"], "additionalProperties": false
    }))
    .unwrap()
}

fn defaults(fields: Value, ignores: bool) -> Defaults {
    Defaults::parse(fields.as_object().unwrap(), ignores).unwrap()
}

/// The value after defaults, what was filled, what was dropped, and how many faults are left.
#[track_caller]
fn check(defaults: Defaults, value: Value, expected: (Value, &[&str], &[&str], usize)) {
    let after = after_defaults(&value, &defaults, &schema()).unwrap();
    assert_eq!(after.value, expected.0);
    assert_eq!(after.filled, expected.1);
    assert_eq!(after.dropped, expected.2);
    assert_eq!(after.verdict.faults.len(), expected.3);
    assert_eq!(after.verdict.valid, expected.3 == 0);
}

#[test]
fn a_missing_field_is_filled_in() {
    check(
        defaults(json!({"note": null}), false),
        json!({"items": []}),
        (json!({"items": [], "note": null}), &["/note"], &[], 0),
    );
}

#[test]
fn a_star_stands_for_every_item() {
    check(
        defaults(json!({"/items/*/qty": 1, "/note": "x"}), false),
        json!({"items": [{"name": "tea"}, {"name": "milk", "qty": 3}]}),
        (
            json!({"items": [{"name": "tea", "qty": 1}, {"name": "milk", "qty": 3}], "note": "x"}),
            &["/note", "/items/0/qty"],
            &[],
            0,
        ),
    );
}

#[test]
fn unknown_fields_are_dropped_where_the_preset_says_so() {
    check(
        defaults(json!({}), true),
        json!({"items": [{"name": "tea", "qty": 1, "unit": "box"}], "note": null, "total": 1}),
        (
            json!({"items": [{"name": "tea", "qty": 1}], "note": null}),
            &[],
            &["/total", "/items/0/unit"],
            0,
        ),
    );
}

#[test]
fn a_default_of_the_wrong_type_is_a_fault_afterwards() {
    check(
        defaults(json!({"note": 7}), false),
        json!({"items": []}),
        (json!({"items": [], "note": 7}), &["/note"], &[], 1),
    );
}

#[test]
fn null_and_a_wrong_type_are_not_missing() {
    let value = json!({"items": [{"name": "tea", "qty": "2"}], "note": null});
    let all = defaults(json!({"/items/*/qty": 1, "note": "x"}), true);
    assert_eq!(after_defaults(&value, &all, &schema()), None);
}

#[test]
fn a_value_after_defaults_lights_no_lamp() {
    let (reply, schema) = (r#"{"items": []}"#, schema());
    let (climb, defaults) = (climbed(reply), defaults(json!({"note": null}), false));
    let judgement = judge(&Judged {
        schema: Some(&schema),
        defaults: Some(&defaults),
        ..Judged::new(reply, &climb)
    });
    assert!(judgement.after_defaults.unwrap().verdict.valid);
    assert_eq!(judgement.lamps.schema, Some(false));
    assert_eq!(judgement.cause.unwrap().kind, "missing_key");
}

#[test]
fn a_default_for_no_single_field_is_refused() {
    let fields = json!({"/items/*": 1});
    let error = Defaults::parse(fields.as_object().unwrap(), false).unwrap_err();
    assert!(error.to_string().contains("/items/*"), "{error}");
}
