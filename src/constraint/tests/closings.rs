//! The way to a reply's end: never shorter than said, and kept in reach by the mask.

use super::{grammar, matcher, schema, toy};
use crate::constraint::{Constraint, Trigger, WhiteSpace, grammars};
use crate::sampling::TokenId;

#[track_caller]
fn check_way(constraint: &Constraint, text: &str, expected: u32) {
    let mut matcher = matcher(constraint);
    assert_eq!(matcher.accept_text(text.as_bytes()), text.len(), "{text}");
    assert_eq!(matcher.way_out(), Some(expected), "{text}");
}

const NESTED: &str = r#"{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"qty":{"type":"integer"}},"required":["name","qty"],"additionalProperties":false}}},"required":["a"],"additionalProperties":false}"#;

#[test]
fn the_least_way_of_a_grammar_is_known() {
    let json = grammar(grammars().iter().find(|it| it.0 == "json").unwrap().1);
    check_way(&json, "", 2);
    check_way(&json, "{", 1);
    check_way(&json, "{\"", 4);
    check_way(&json, "{\"a\":[[[", 4);
    check_way(&json, "{}", 0);
    check_way(
        &grammar("root ::= \"ab\" (\"c\" | \"def\") tail*\ntail ::= \"x\" tail \"y\" | \"z\""),
        "a",
        2,
    );
}

/// Closes a reply under a mask that only lets through what can still close; takes the worst legal token each time.
#[track_caller]
fn check_closes(constraint: &Constraint, text: &str, n_left: u32) {
    let mut matcher = matcher(constraint);
    matcher.accept_text(text.as_bytes());
    assert!(matcher.way_out().unwrap() <= n_left, "{text}");
    let all: Vec<TokenId> = (0..toy().n_tokens() as TokenId).rev().collect();
    let mut n_left = n_left;
    while !matcher.is_complete() {
        assert!(
            n_left > 0 || matcher.is_accepting(),
            "the end was out of reach"
        );
        if n_left == 0 {
            return;
        }
        n_left -= 1;
        let mask = matcher.closable(&all, n_left).unwrap();
        let token = all
            .iter()
            .copied()
            .find(|it| mask.allows(*it) && !toy().piece(*it).is_empty());
        let Some(token) = token else {
            assert!(matcher.is_accepting(), "nothing is left to close with");
            return;
        };
        matcher.accept(token).unwrap();
    }
}

#[test]
fn what_is_let_through_near_the_limit_can_be_closed() {
    for (_, text) in grammars() {
        let needed = matcher(&grammar(text)).way_out().unwrap();
        for more in [0, 1, 5, 20] {
            check_closes(&grammar(text), "", needed + more);
        }
    }
    for text in [
        NESTED,
        r#"{"type":"string","pattern":"^a*b{3}$"}"#,
        r#"{"enum":["low","high"]}"#,
    ] {
        let schema = schema(text, WhiteSpace::EIGHT);
        let needed = matcher(&schema).way_out().unwrap();
        for more in [0, 3, 10] {
            check_closes(&schema, "", needed + more);
        }
    }
    let schema = schema(NESTED, WhiteSpace::EIGHT);
    check_closes(&schema, "{\"a\":[{\"name\":\"mi", 14);
    let regex = Constraint::Regex {
        text: "[a-z]{2,9}-[0-9]{4}".to_owned(),
    };
    check_closes(&regex, "abc", 8);
}

#[test]
fn the_way_out_of_a_schema_is_a_way() {
    for text in [
        "{",
        "{\"a\":[",
        "{\"a\":[{\"name\":\"x",
        "{\"a\":[{\"name\":\"x\",\"qty\":-",
    ] {
        let mut matcher = matcher(&schema(NESTED, WhiteSpace::One));
        assert_eq!(matcher.accept_text(text.as_bytes()), text.len());
        let way = matcher.way(&[]).unwrap();
        assert_eq!(matcher.accept_text(&way), way.len(), "{text}");
        assert!(matcher.is_accepting());
        assert!(way.len() < 40, "{}", String::from_utf8_lossy(&way));
    }
}

#[test]
fn a_trigger_is_seen_across_pieces() {
    let mut trigger = Trigger::new("</think>");
    assert_eq!(trigger.behind(b"a </thi"), None);
    trigger.push(b"a </thi");
    assert_eq!(trigger.behind(b"nk>\n{"), Some(b"\n{".as_slice()));
    assert_eq!(trigger.behind(b"nk"), None);
    let trigger = Trigger::new("JSON:");
    assert_eq!(trigger.behind(b"the JSON: {"), Some(b" {".as_slice()));
    assert_eq!(trigger.behind(b"the JSON:"), Some(b"".as_slice()));
}
