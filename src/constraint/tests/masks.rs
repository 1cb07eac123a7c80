//! Masks against a step by step reference, and the end of a reply.

use super::{N_BYTES, control_token, grammar, matcher, schema, toy};
use crate::constraint::{Constraint, Matcher, TokenMask, TokenTrie, WhiteSpace, compile};

/// Compares every bit of every mask on the way through a text with what stepping says.
#[track_caller]
fn check_masks(constraint: &Constraint, text: &str) {
    let mut along = matcher(constraint);
    for end in 0..=text.len() {
        let mask = along.mask().unwrap();
        // A matcher that never made a mask, so that nothing kept can mislead it.
        let mut fresh = matcher(constraint);
        for byte in &text.as_bytes()[..end] {
            fresh.accept(u32::from(*byte)).unwrap();
        }
        for token in 0..toy().n_tokens() as u32 {
            let expected = is_legal(&fresh, token);
            let place = &text[..text.floor_char_boundary(end)];
            assert_eq!(
                mask.allows(token),
                expected,
                "token {token} after {place:?}"
            );
        }
        if let Some(byte) = text.as_bytes().get(end) {
            along.accept(u32::from(*byte)).unwrap();
        }
    }
}

/// Whether a token's bytes, one at a time, keep a matcher alive.
fn is_legal(fresh: &Matcher, token: u32) -> bool {
    let mut matcher = fresh.clone();
    if toy().end_of_generation().contains(&token) {
        return matcher.is_accepting();
    }
    let piece = toy().piece(token);
    !piece.is_empty()
        && piece
            .iter()
            .all(|it| matcher.accept(u32::from(*it)).is_ok())
}

#[test]
fn masks_of_grammars_are_what_stepping_says() {
    check_masks(&grammar("root ::= [ab]* \"b\""), "aab");
    check_masks(&grammar("root ::= .{2}"), "😀a");
    check_masks(&grammar("root ::= \"{\" \"}\"? \"}\"*"), "{}");
    check_masks(
        &grammar(include_str!("../../../grammars/shopping.gbnf")),
        "{\"items\":[{\"name\":\"é\",\"qty\":12}, {",
    );
}

#[test]
fn masks_of_counted_characters_are_what_stepping_says() {
    check_masks(
        &grammar("root ::= \"\\\"\" [^\"\\\\\\x00-\\x1F]{2,60} \"\\\"\""),
        "\"milk é",
    );
    check_masks(&grammar("root ::= [a-z ]{0,6} [a-z]* \"é\""), "ab milktrue");
    check_masks(&grammar("root ::= [^é]{1,5} . \"!\"?"), "a한😀b");
    check_masks(&grammar("root ::= ([a-zé한😀]{0,9} \",\"){2}"), "milk,é");
    check_masks(&grammar("root ::= [가-힣😀]{3,7} | [a-z]{3,7}"), "한국어");
    check_masks(
        &grammar(
            "root ::= \"[\" (word \" \"?){0,8} \"]\"\nword ::= [a-z]{4,12} | [b-z]{0,3} \"ab\" | .{5}",
        ),
        "[milk aab",
    );
    check_masks(
        &grammar("root ::= c{4,7} \"}\"\nc ::= [^}] | \"}\" [a-z]"),
        "ab}milk",
    );
}

#[test]
fn masks_of_schemas_are_what_stepping_says() {
    let text = r#"{"type":"object","properties":{"name":{"type":"string"},"qty":{"type":"integer"}},"required":["name","qty"],"additionalProperties":false}"#;
    check_masks(
        &schema(text, WhiteSpace::One),
        "{\"name\":\"é\", \"qty\":12}",
    );
}

#[test]
fn two_brackets_are_complete() {
    let mut matcher = matcher(&grammar("root ::= \"{\" \"}\""));
    assert_eq!(legal(&mut matcher), vec![u32::from(b'{')]);
    matcher.accept(u32::from(b'{')).unwrap();
    assert!(!matcher.is_complete());
    matcher.accept(u32::from(b'}')).unwrap();
    assert!(matcher.is_accepting() && matcher.is_complete());
    assert_eq!(legal(&mut matcher), toy().end_of_generation());
}

#[test]
fn an_accepting_grammar_that_can_go_on_is_not_complete() {
    let mut matcher = matcher(&grammar("root ::= \"a\"+"));
    matcher.accept(u32::from(b'a')).unwrap();
    assert!(matcher.is_accepting() && !matcher.is_complete());
}

#[test]
fn a_schema_is_complete_after_its_last_bracket() {
    for white_space in [
        WhiteSpace::None,
        WhiteSpace::One,
        WhiteSpace::EIGHT,
        WhiteSpace::Free,
    ] {
        let object = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
        let mut matcher = matcher(&schema(object, white_space));
        matcher.accept(u32::from(b'{')).unwrap();
        assert!(!matcher.is_complete());
        matcher.accept(u32::from(b'}')).unwrap();
        assert!(matcher.is_complete(), "{white_space:?}");
    }
}

#[test]
fn feeding_past_the_end_is_refused_and_breaks_nothing() {
    let object = r#"{"const":{"a":1}}"#;
    for constraint in [
        grammar("root ::= \"{\\\"a\\\":1}\""),
        schema(object, WhiteSpace::None),
    ] {
        let mut matcher = matcher(&constraint);
        for byte in b"{\"a\":1}" {
            matcher.accept(u32::from(*byte)).unwrap();
        }
        for token in [
            u32::from(b'x'),
            control_token(),
            u32::MAX,
            toy().n_tokens() as u32,
        ] {
            assert!(matcher.accept(token).is_err());
        }
        assert!(matcher.is_complete());
        let end = toy().end_of_generation()[1];
        matcher.accept(end).unwrap();
        assert!(matcher.accept(end).is_err());
        assert!(matcher.accept(u32::from(b'x')).is_err());
        assert_eq!(matcher.mask().unwrap().n_legal(), 0);
        assert!(matcher.is_complete());
    }
}

#[test]
fn an_early_end_is_refused_and_breaks_nothing() {
    let end = toy().end_of_generation()[0];
    for constraint in [
        grammar("root ::= \"ab\""),
        schema("{\"const\":\"ab\"}", WhiteSpace::None),
    ] {
        let mut matcher = matcher(&constraint);
        let before = matcher.mask().unwrap();
        assert!(matcher.accept(end).is_err());
        assert!(matcher.accept(u32::from(b'z')).is_err());
        assert_eq!(matcher.mask().unwrap(), before);
    }
}

#[test]
fn control_tokens_are_never_legal() {
    let mut matcher = matcher(&grammar("root ::= .*"));
    assert!(!matcher.mask().unwrap().allows(control_token()));
    for byte in b"<|tool|>" {
        matcher.accept(u32::from(*byte)).unwrap();
        assert!(!matcher.mask().unwrap().allows(control_token()));
    }
    assert!(matcher.accept(control_token()).is_err());
}

#[test]
fn two_tokens_with_the_same_bytes_are_both_legal() {
    let mask = matcher(&grammar("root ::= \"milk\"")).mask().unwrap();
    let same = (0..toy().n_tokens() as u32).filter(|it| toy().piece(*it) == b"milk");
    let legal: Vec<bool> = same.map(|it| mask.allows(it)).collect();
    assert_eq!(legal, vec![true, true]);
}

#[test]
fn no_constraint_has_no_matcher() {
    assert!(compile(&Constraint::None, toy()).unwrap().is_none());
}

#[test]
fn a_reply_begins_at_the_root() {
    let mut matcher = matcher(&grammar(include_str!("../../../grammars/json.gbnf")));
    let legal = legal(&mut matcher);
    assert!(!legal.is_empty());
    assert!(legal.iter().all(|it| toy().piece(*it).starts_with(b"{")));
}

#[test]
fn a_matcher_and_its_trie_may_cross_threads() {
    fn check<T: Send>() {}
    fn check_shared<T: Send + Sync>() {}
    check::<Matcher>();
    check_shared::<TokenTrie>();
    check_shared::<TokenMask>();
}

#[test]
fn forgetting_old_states_changes_nothing() {
    // Each bracket is a state of its own, so that old ones must go.
    let mut matcher = matcher(&grammar("root ::= \"[\" root \"]\" [^\\]]{0,40} | \"\""));
    let depth = 800;
    for _ in 0..depth {
        matcher.accept(u32::from(b'[')).unwrap();
    }
    for _ in 0..depth {
        assert!(!matcher.is_accepting());
        matcher.accept(u32::from(b']')).unwrap();
    }
    assert!(matcher.is_accepting());
}

#[test]
fn a_vocabulary_without_an_end_is_refused() {
    let vocabulary = crate::constraint::Vocabulary {
        pieces: vec![b"a".to_vec()],
        names: vec![String::new()],
        end_of_generation: Vec::new(),
    };
    assert!(TokenTrie::new(&vocabulary).is_err());
    let vocabulary = crate::constraint::Vocabulary {
        end_of_generation: vec![N_BYTES],
        ..vocabulary
    };
    assert!(TokenTrie::new(&vocabulary).is_err());
}

fn legal(matcher: &mut Matcher) -> Vec<u32> {
    let mask = matcher.mask().unwrap();
    (0..toy().n_tokens() as u32)
        .filter(|it| mask.allows(*it))
        .collect()
}

#[track_caller]
fn check_stops(constraint: &Constraint, text: &str, expected: usize) {
    for trie in [toy().clone(), TokenTrie::of_bytes().unwrap()] {
        let mut matcher = compile(constraint, &trie).unwrap().unwrap();
        assert_eq!(matcher.accept_text(text.as_bytes()), expected);
    }
}

#[test]
fn a_text_stops_at_the_byte_that_is_not_allowed() {
    let text = "{\"name\":\"milk\"}";
    check_stops(
        &grammar(include_str!("../../../grammars/json.gbnf")),
        text,
        text.len(),
    );
    check_stops(&grammar("root ::= \"{\\\"nam\" [a-d]"), text, 5);
    check_stops(
        &schema(
            r#"{"properties":{"name":{"const":"mild"}}}"#,
            WhiteSpace::One,
        ),
        text,
        12,
    );
    check_stops(
        &schema(
            r#"{"properties":{"name":{"const":"mil"}}}"#,
            WhiteSpace::One,
        ),
        text,
        12,
    );
}
