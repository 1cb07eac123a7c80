//! Schemas: what can be written under them, how they are unwrapped, and what is said of faults.

use super::{accepts, schema};
use crate::constraint::{WhiteSpace, check};

const ITEM: &str = r#"{"type":"object","properties":{"reason":{"type":"string"},"answer":{"type":"integer"}},"required":["answer"],"additionalProperties":false}"#;

#[track_caller]
fn check_accepts(text: &str, reply: &str, expected: bool) {
    let found = accepts(&schema(text, WhiteSpace::EIGHT), reply.as_bytes());
    assert_eq!(found, expected, "{reply} under {text}");
}

#[track_caller]
fn check_fault(text: &str, place: Option<(usize, usize)>, within: Option<&str>, words: &str) {
    let error = check(&schema(text, WhiteSpace::EIGHT)).unwrap_err();
    assert_eq!(error.place, place, "{error}");
    assert_eq!(error.within.as_deref(), within, "{error}");
    assert!(error.message.contains(words), "{words:?} is not in {error}");
}

#[test]
fn every_value_of_an_enum_can_be_written() {
    let text = r#"{"enum":["\"q\"","it's","a\\b","ä"]}"#;
    for value in ["\"q\"", "it's", "a\\b", "ä"] {
        let reply = serde_json::Value::from(value).to_string();
        check_accepts(text, &reply, true);
    }
    check_accepts(text, "\"b\"", false);
}

#[test]
fn properties_keep_the_order_of_the_schema() {
    check_accepts(ITEM, r#"{"reason":"x","answer":1}"#, true);
    check_accepts(ITEM, r#"{"answer":1}"#, true);
    check_accepts(ITEM, r#"{"answer":1,"reason":"x"}"#, false);
    check_accepts(ITEM, r#"{"reason":"x"}"#, false);
}

#[test]
fn patterns_and_lengths_hold() {
    check_accepts(
        r#"{"type":"string","pattern":"^[a-z]+$","maxLength":3}"#,
        "\"abc\"",
        true,
    );
    check_accepts(
        r#"{"type":"string","pattern":"^[a-z]+$","maxLength":3}"#,
        "\"abcd\"",
        false,
    );
    check_accepts(r#"{"type":"string","pattern":"\\d{3}"}"#, "\"a123b\"", true);
    check_accepts(r#"{"type":"string","pattern":"\\d{3}"}"#, "\"a12b\"", false);
    let text = r#"{"type":"string","pattern":"^hello there indeed\\!$"}"#;
    check_accepts(text, "\"hello there indeed!\"", true);
    check_accepts(text, "\"hello there indeed\"", false);
}

#[test]
fn white_space_is_a_policy() {
    let replies = [
        r#"{"answer":1}"#,
        r#"{"answer": 1}"#,
        "{\n        \"answer\":1}",
        "{          \"answer\":1}",
        "{         \"answer\":         1}",
    ];
    let expected = [
        (WhiteSpace::None, [true, false, false, false, false]),
        (WhiteSpace::One, [true, true, false, false, false]),
        (WhiteSpace::EIGHT, [true, true, false, false, false]),
        (WhiteSpace::Free, [true, true, true, true, true]),
    ];
    for (white_space, expected) in expected {
        for (reply, expected) in replies.iter().zip(expected) {
            let found = accepts(&schema(ITEM, white_space), reply.as_bytes());
            assert_eq!(found, expected, "{reply:?} with {white_space:?}");
        }
    }
    assert!(accepts(
        &schema(ITEM, WhiteSpace::EIGHT),
        b"{\n       \"answer\":        1}"
    ));
}

#[test]
fn response_formats_are_unwrapped() {
    let shapes = [
        format!(r#"{{"type":"json_schema","json_schema":{{"name":"x","schema":{ITEM}}}}}"#),
        format!(r#"{{"type":"json_schema","schema":{ITEM}}}"#),
        format!(r#"{{"type":"json_object","schema":{ITEM}}}"#),
        format!(r#"{{"response_format":{{"type":"json_object","schema":{ITEM}}}}}"#),
    ];
    for shape in shapes {
        check_accepts(&shape, r#"{"answer":1}"#, true);
        check_accepts(&shape, r#"{"answer":"1"}"#, false);
    }
    check_accepts(r#"{"type":"json_object"}"#, r#"{"a":[]}"#, true);
    check_accepts(r#"{"type":"json_object"}"#, "[]", false);
}

#[test]
fn a_fault_in_the_text_has_line_and_column() {
    check_fault("", Some((1, 1)), None, "empty");
    check_fault("{\"type\":\n \"string\",}", Some((2, 11)), None, "not JSON");
    check_fault("[1]", Some((1, 1)), None, "object in braces");
    check_fault("false", None, None, "allows no reply");
}

#[test]
fn keywords_that_are_not_enforced_are_named_with_their_place() {
    check_fault(
        r#"{"not":{"type":"null"}}"#,
        None,
        Some("/not"),
        "keyword not",
    );
    check_fault(
        r#"{"properties":{"a/b":{"if":{},"then":{}}}}"#,
        None,
        Some("/properties/a~1b/if"),
        "keyword if, then",
    );
    check_fault(
        r#"{"type":"array","uniqueItems":true}"#,
        None,
        Some("/uniqueItems"),
        "uniqueItems",
    );
    check_fault(
        r#"{"properties":{"a":{"type":"string","format":"snail"}}}"#,
        None,
        Some("/properties/a/format"),
        "format snail",
    );
    check_fault(
        r#"{"oneOf":[{"type":"object"},{"type":"object","required":["a"]}]}"#,
        None,
        Some("/oneOf"),
        "oneOf",
    );
    check_fault(r#"{"type":"string","pattern":"a(?=b)"}"#, None, None, "");
}

#[test]
fn a_schema_cannot_loosen_itself() {
    let text = r#"{"x-guidance":{"lenient":true},"not":{"type":"null"}}"#;
    check_fault(text, None, Some("/not"), "keyword not");
}

#[test]
fn depth_is_bounded() {
    let text = format!("{}true{}", "{\"items\":".repeat(200), "}".repeat(200));
    check_fault(&text, Some((1, 1144)), None, "recursion limit");
    let text = format!("{}true{}", "{\"items\":".repeat(120), "}".repeat(120));
    check_accepts(&text, "[]", true);
}

/// How the rules of a chain are laid out in the text.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    FirstFirst,
    LastFirst,
}

#[track_caller]
fn check_chain(n_rules: usize, order: Order, expected: bool) {
    let mut rules: Vec<(String, serde_json::Value)> = (0..n_rules)
        .map(|it| {
            let next = serde_json::json!({"$ref": format!("#/$defs/d{}", it + 1)});
            (format!("d{it}"), serde_json::json!({"items": next}))
        })
        .collect();
    rules.push((format!("d{n_rules}"), serde_json::json!(true)));
    if order == Order::LastFirst {
        rules.reverse();
    }
    let rules: serde_json::Map<String, serde_json::Value> = rules.into_iter().collect();
    let text = serde_json::json!({"$defs": rules, "$ref": "#/$defs/d0"}).to_string();
    let found = check(&schema(&text, WhiteSpace::One));
    assert_eq!(found.is_ok(), expected, "{found:?}");
}

#[test]
fn a_long_chain_of_references_is_refused_or_followed() {
    check_chain(90, Order::FirstFirst, true);
    check_chain(90, Order::LastFirst, true);
    check_chain(5_000, Order::FirstFirst, false);
    check_chain(5_000, Order::LastFirst, false);
}

#[test]
fn many_properties_are_followed_or_refused() {
    for n_properties in [300, 4_000] {
        let properties: serde_json::Map<String, serde_json::Value> = (0..n_properties)
            .map(|it| (format!("p{it}"), serde_json::json!({"type": "integer"})))
            .collect();
        let text = serde_json::json!({"type": "object", "properties": properties});
        let found = check(&schema(&text.to_string(), WhiteSpace::One));
        assert_eq!(found.is_ok(), n_properties == 300, "{found:?}");
    }
}

#[test]
fn a_schema_may_refer_to_itself() {
    let text =
        r##"{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}"##;
    check_accepts(text, r#"{"next":{"next":{}}}"#, true);
    check_accepts(text, r#"{"next":{"next":1}}"#, false);
}
