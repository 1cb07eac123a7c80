//! The honesty report and the badge.

use super::{grammar, schema};
use crate::constraint::Enforcement::{CheckedAfterwards, Enforced, NotChecked};
use crate::constraint::{Badge, Constraint, Enforcement, WhiteSpace, badge, check, report};

#[track_caller]
fn check_report(text: &str, expected: &[(&str, Enforcement)]) {
    let schema: serde_json::Value = serde_json::from_str(text).unwrap();
    let found: Vec<(String, Enforcement)> = report(&schema)
        .into_iter()
        .map(|it| (it.pointer, it.enforcement))
        .collect();
    let expected: Vec<(String, Enforcement)> =
        expected.iter().map(|it| (it.0.to_owned(), it.1)).collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn check_badge(text: &str, expected: Badge) {
    assert_eq!(badge(&schema(text, WhiteSpace::EIGHT)), expected, "{text}");
}

#[test]
fn every_keyword_is_reported_where_it_stands() {
    check_report(
        r#"{"title":"x","type":"object","properties":{"a":{"type":"string","format":"email"},"not":{"not":{}}},"uniqueItems":true,"requried":["a"]}"#,
        &[
            ("/type", Enforced),
            ("/properties", Enforced),
            ("/properties/a/type", Enforced),
            ("/properties/a/format", CheckedAfterwards),
            ("/properties/not/not", CheckedAfterwards),
            ("/uniqueItems", CheckedAfterwards),
            ("/requried", NotChecked),
        ],
    );
}

#[test]
fn a_schema_of_enforced_keywords_is_enforced() {
    check_badge(
        r#"{"type":"object","properties":{"a":{"enum":[1,2]}}}"#,
        Badge::Enforced,
    );
    check_badge(r#"{"type":"string","format":"uuid"}"#, Badge::Enforced);
    check_badge(
        r#"{"type":"string","x-order":1,"title":"a"}"#,
        Badge::Enforced,
    );
    check_badge(
        r#"{"type":"string","pattern":"^hello there indeed\\!$"}"#,
        Badge::Enforced,
    );
}

#[test]
fn a_schema_that_is_held_to_in_part_says_so() {
    check_badge(r#"{"type":"string","format":"date"}"#, Badge::Partly);
    check_badge(r#"{"type":"string","nullable":true}"#, Badge::Partly);
    check_badge(r#"{"type":"object","minProperties":2}"#, Badge::Partly);
    let warnings = check(&schema(r#"{"format":"date"}"#, WhiteSpace::One)).unwrap();
    assert_eq!(
        warnings,
        vec![
            "format at /format is checked when the reply is there, not enforced by the mask \
             (the shape is enforced; 29 February is let through in any year)."
        ]
    );
}

#[test]
fn what_does_not_compile_has_no_badge() {
    check_badge(r#"{"not":{}}"#, Badge::None);
    check_badge("{", Badge::None);
    assert_eq!(badge(&Constraint::None), Badge::None);
    assert_eq!(badge(&grammar("root ::= nope")), Badge::None);
    assert_eq!(badge(&grammar("root ::= \"a\"")), Badge::Enforced);
}
