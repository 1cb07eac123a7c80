//! Token terminals: tokens that a grammar names, text or not.

use super::{control_token, grammar, matcher, toy};
use crate::constraint::{compile, try_text};
use crate::sampling::TokenId;

fn token(bytes: &[u8]) -> TokenId {
    let mut all = 0..toy().n_tokens() as TokenId;
    all.find(|it| toy().piece(*it) == bytes).unwrap()
}

#[track_caller]
fn check_legal(text: &str, taken: &[TokenId], expected: &[TokenId]) {
    let mut matcher = matcher(&grammar(text));
    for it in taken {
        matcher.accept(*it).unwrap();
    }
    let mask = matcher.mask().unwrap();
    let legal: Vec<TokenId> = (0..toy().n_tokens() as TokenId)
        .filter(|it| mask.allows(*it))
        .collect();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(legal, expected, "{text}");
    for it in 0..toy().n_tokens() as TokenId {
        assert_eq!(matcher.clone().accept(it).is_ok(), legal.contains(&it));
    }
}

#[track_caller]
fn check_fault(text: &str, column: usize, words: &str) {
    let error = compile(&grammar(text), toy()).unwrap_err();
    assert_eq!(error.place, Some((1, column)), "{error}");
    assert!(error.message.contains(words), "{error}");
}

#[test]
fn a_named_control_token_is_legal_where_it_stands() {
    let text = "root ::= <|tool|> \"a\"";
    check_legal(text, &[], &[control_token()]);
    check_legal(text, &[control_token()], &[u32::from(b'a')]);
}

#[test]
fn a_token_by_number_is_that_one_and_not_its_twin() {
    let milk = token(b"milk");
    check_legal(&format!("root ::= <[{milk}]>"), &[], &[milk]);
    // By its bytes, both twins and the first byte are legal.
    let twin = (milk + 1..toy().n_tokens() as TokenId)
        .find(|it| toy().piece(*it) == b"milk")
        .unwrap();
    check_legal("root ::= \"milk\"", &[], &[u32::from(b'm'), milk, twin]);
}

#[test]
fn a_token_and_its_bytes_may_both_be_meant() {
    let milk = token(b"milk");
    let text = format!("root ::= <[{milk}]> \"x\" | \"milk\" \"y\"");
    check_legal(&text, &[milk], &[u32::from(b'x'), u32::from(b'y')]);
    let bytes = b"milk".map(u32::from);
    check_legal(&text, &bytes, &[u32::from(b'y')]);
}

#[test]
fn a_negated_token_is_any_other_that_does_not_end_the_reply() {
    let text = "root ::= !<|tool|> \"a\"";
    let n_tokens = toy().n_tokens() as TokenId;
    let others: Vec<TokenId> = (0..n_tokens - 3).filter(|it| *it != 255).collect();
    check_legal(text, &[], &others);
    let all: Vec<TokenId> = (0..n_tokens - 2)
        .filter(|it| !matches!(*it, 65 | 255))
        .collect();
    check_legal("root ::= !<[65]>", &[], &all);
    check_legal(
        "root ::= !<[65]> | \"A\"",
        &[],
        &(0..n_tokens - 2)
            .filter(|it| *it != 255)
            .collect::<Vec<_>>(),
    );
}

#[test]
fn thoughts_may_be_anything_but_the_token_that_ends_them() {
    let text = "root ::= !<|tool|>* <|tool|> [0-9]+";
    let mut matcher = matcher(&grammar(text));
    for it in toy().tokenize("{\"milk 한 é".as_bytes()).unwrap() {
        matcher.accept(it).unwrap();
    }
    assert!(!matcher.is_accepting());
    matcher.accept(control_token()).unwrap();
    assert!(matcher.accept(u32::from(b'x')).is_err());
    matcher.accept(u32::from(b'7')).unwrap();
    assert!(matcher.is_accepting());
}

#[test]
fn a_token_that_is_repeated_and_last_completes_a_reply() {
    let mut matcher = matcher(&grammar("root ::= <|tool|>{2}"));
    matcher.accept(control_token()).unwrap();
    assert!(!matcher.is_complete());
    matcher.accept(control_token()).unwrap();
    assert!(matcher.is_complete());
}

#[test]
fn a_token_that_is_not_there_is_a_fault() {
    check_fault("root ::= \"a\" <think>", 14, "no single token <think>");
    check_fault("root ::= <[9999]>", 10, "no token 9999");
    check_fault("root ::= <|im_end|>", 10, "ends the reply");
}

#[test]
fn a_text_may_name_control_tokens() {
    let text = "root ::= <|tool|> [a-z]+ <|tool|>";
    let found = try_text(&grammar(text), "<|tool|>ab<|tool|>", Some(toy()));
    assert!(found.unwrap().unwrap().is_accepted);
    let found = try_text(&grammar(text), "<|tool|>ab<", Some(toy()))
        .unwrap()
        .unwrap();
    assert_eq!(found.n_taken, 10);
    assert_eq!(found.following.terminals, ["<|tool|>"]);
    let error = try_text(&grammar(text), "", None).unwrap_err();
    assert!(error.message.contains("model's vocabulary"), "{error}");
}
