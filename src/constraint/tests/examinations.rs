//! The honesty report against the mask itself: what it calls enforced, no reply can break.

use serde_json::{Value, json};

use super::{accepts, schema_with};
use crate::constraint::keywords::enforced_keywords;
use crate::constraint::{
    Badge, Constraint, Enforcement, SchemaSwitches, WhiteSpace, check, examine,
};

/// A keyword, a schema with it, a value that fits, and values that break this keyword and nothing else.
struct Row {
    keyword: String,
    schema: Value,
    good: Value,
    bad: Vec<Value>,
}

const ROWS: &str = include_str!("../../../tests/data/keyword_rows.jsonl");

fn rows() -> Vec<Row> {
    let rows = ROWS
        .lines()
        .map(|it| serde_json::from_str::<Value>(it).unwrap());
    rows.map(|it| Row {
        keyword: it["keyword"].as_str().unwrap().to_owned(),
        schema: it["schema"].clone(),
        good: it["good"].clone(),
        bad: it["bad"].as_array().unwrap().clone(),
    })
    .collect()
}

fn fits(schema: &Value, instance: &Value) -> bool {
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(schema)
        .unwrap();
    validator.is_valid(instance)
}

fn of(schema: &Value) -> Constraint {
    schema_with(schema, SchemaSwitches::default())
}

#[test]
fn what_is_called_enforced_cannot_be_broken() {
    for Row {
        keyword,
        schema,
        good,
        bad,
    } in rows()
    {
        let examined = examine(&of(&schema));
        assert_eq!(
            examined.badge,
            Badge::Enforced,
            "{keyword}: {schema} {examined:?}"
        );
        assert!(
            examined.keywords.iter().any(|it| it.keyword == keyword),
            "{keyword}"
        );
        assert!(fits(&schema, &good), "{keyword}: {good} under {schema}");
        assert!(
            accepts(&of(&schema), good.to_string().as_bytes()),
            "{good} under {schema}"
        );
        for bad in bad {
            assert!(!fits(&schema, &bad), "{keyword}: {bad} fits {schema}");
            assert!(
                !accepts(&of(&schema), bad.to_string().as_bytes()),
                "{bad} under {schema}"
            );
        }
    }
}

#[test]
fn every_keyword_that_is_called_enforced_has_a_row() {
    let rows = rows();
    for keyword in enforced_keywords() {
        assert!(rows.iter().any(|it| it.keyword == keyword), "{keyword}");
    }
}

/// Values spelled in other ways that mean a broken value all the same.
#[test]
fn escapes_do_not_get_around_an_enforced_keyword() {
    let closed = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false});
    let open = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let short = json!({"type": "string", "maxLength": 1});
    let long = json!({"type": "string", "minLength": 2});
    let words = json!({"type": "string", "pattern": "^[a-c]$"});
    for (schema, text) in [
        (&closed, r#"{"\u0061":"x"}"#),
        (&open, r#"{"\u0061":"x"}"#),
        (&open, r#"{"a":1,"\u0061":"x"}"#),
        (&short, r#""\u0061b""#),
        (&long, r#""\ud83d\ude00""#),
        (&long, r#""\ud83d""#),
        (&words, r#""\u0064""#),
    ] {
        let is_taken = accepts(&of(schema), text.as_bytes());
        let is_valid = serde_json::from_str::<Value>(text).is_ok_and(|it| fits(schema, &it));
        assert!(!is_taken || is_valid, "{text} under {schema}");
    }
}

#[track_caller]
fn check_lenient(schema: &Value, weaker: bool, expected: &[(&str, Enforcement)]) {
    let switches = SchemaSwitches {
        lenient: true,
        ..SchemaSwitches::default()
    };
    let examined = examine(&schema_with(schema, switches));
    assert_eq!(examined.error, None, "{schema}");
    assert_eq!(examined.is_weaker, weaker, "{schema}");
    for (pointer, enforcement) in expected {
        let found = examined
            .keywords
            .iter()
            .find(|it| it.pointer == *pointer)
            .unwrap();
        assert_eq!(found.enforcement, *enforcement, "{pointer} of {schema}");
    }
    let badge = if weaker {
        Badge::Partly
    } else {
        Badge::Enforced
    };
    assert_eq!(examined.badge, badge, "{schema}");
    assert_eq!(
        examined.sentences().iter().any(|it| it.contains("weaker")),
        weaker
    );
}

#[test]
fn a_lenient_mask_claims_no_more_than_it_holds() {
    use Enforcement::{CheckedAfterwards, Enforced};
    check_lenient(
        &json!({"type": "string", "maxLength": 3}),
        false,
        &[("/maxLength", Enforced)],
    );
    check_lenient(
        &json!({"type": "array", "uniqueItems": true, "maxItems": 3}),
        true,
        &[("/uniqueItems", CheckedAfterwards), ("/maxItems", Enforced)],
    );
    check_lenient(
        &json!({"type": "object", "properties": {
            "a": {"oneOf": [{"type": "object"}, {"type": "object", "required": ["x"]}]},
            "b": {"oneOf": [{"type": "string"}, {"type": "integer"}]}}}),
        true,
        &[
            ("/properties/a/oneOf", CheckedAfterwards),
            ("/properties/b/oneOf", Enforced),
        ],
    );
    check_lenient(
        &json!({"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "additionalProperties": false, "maxProperties": 2}),
        true,
        &[("/maxProperties", CheckedAfterwards)],
    );
    check_lenient(
        &json!({"type": "object", "properties": {"a": {"not": {"type": "null"}}}}),
        true,
        &[
            ("/properties/a/not", CheckedAfterwards),
            ("/properties", Enforced),
        ],
    );
}

#[test]
fn a_missing_constraint_is_told_from_none() {
    assert!(!examine(&Constraint::None).is_missing);
    let broken = schema_with(&json!({"not": {}}), SchemaSwitches::default());
    let examined = examine(&broken);
    assert!(examined.is_missing);
    assert_eq!(examined.badge, Badge::None);
    assert!(examined.error.is_some());
    assert!(!examined.keywords.is_empty());
}

#[test]
fn unread_keys_and_options_in_the_text_are_named() {
    let text = json!({"type": "json_schema", "oops": 1, "schema": {"type": "string", "x-guidance": {"lenient": true}}});
    let examined = examine(&schema_with(&text, SchemaSwitches::default()));
    assert_eq!(examined.unread, vec!["/oops", "/schema/x-guidance"]);
    assert_eq!(examined.shape, "response_format of type json_schema");
    let warnings = check(&schema_with(&text, SchemaSwitches::default())).unwrap();
    assert!(
        warnings.iter().any(|it| it == "/oops is not read."),
        "{warnings:?}"
    );
}

#[test]
fn separators_may_be_set_and_must_be_json() {
    let schema = json!({"type": "array", "items": {"type": "integer"}});
    let spaced = |item: &str| Constraint::Schema {
        text: schema.to_string(),
        white_space: WhiteSpace::None,
        switches: SchemaSwitches {
            item_separator: item.to_owned(),
            ..SchemaSwitches::default()
        },
    };
    assert!(accepts(&spaced(", "), b"[1, 2]"));
    assert!(!accepts(&spaced(", "), b"[1,2]"));
    assert!(accepts(&spaced(","), b"[1,2]"));
    let error = check(&spaced(";")).unwrap_err();
    assert!(error.message.contains("item separator"), "{error}");
}

#[test]
fn old_constraints_are_read_and_neutral_switches_are_not_written() {
    let old = json!({"kind": "schema", "text": "{}", "white_space": "eight"});
    let read: Constraint = serde_json::from_value(old.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), old);
    let new = json!({"kind": "schema", "text": "{}", "white_space": {"up_to": 3}, "switches": {"lenient": true}});
    let read: Constraint = serde_json::from_value(new.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), new);
    assert!(serde_json::from_value::<WhiteSpace>(json!({"up_to": 100_000})).is_err());
    for (text, expected) in [
        ("3", WhiteSpace::UpTo(3)),
        ("0", WhiteSpace::None),
        ("eight", WhiteSpace::EIGHT),
    ] {
        assert_eq!(text.parse::<WhiteSpace>().unwrap(), expected);
    }
    assert!("many".parse::<WhiteSpace>().is_err());
}
