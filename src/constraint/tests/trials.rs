//! Texts that are tried without a model, what could follow where they stop, and random examples.

use super::{accepts, grammar, schema, toy};
use crate::constraint::{Characters, WhiteSpace, generate_example, grammars, try_text};

/// Whether it is accepted, how many bytes are taken, what may follow.
#[track_caller]
fn check_trial(text_of_grammar: &str, text: &str, expected: (bool, usize, &str)) {
    for trie in [None, Some(toy())] {
        let found = try_text(&grammar(text_of_grammar), text, trie)
            .unwrap()
            .unwrap();
        let following = found.following.characters.to_string();
        assert_eq!(
            (found.is_accepted, found.n_taken, following.as_str()),
            expected,
            "{text:?} under {text_of_grammar}"
        );
    }
}

#[track_caller]
fn check_words(ranges: &[(u32, u32)], expected: &str) {
    assert_eq!(Characters::new(ranges.to_vec()).to_string(), expected);
}

#[test]
fn a_text_stops_at_the_character_that_is_not_allowed() {
    check_trial("root ::= \"ab\" [0-9x]", "ab!", (false, 2, "a digit, `x`"));
    check_trial("root ::= \"ab\" [0-9x]", "ab", (false, 2, "a digit, `x`"));
    check_trial("root ::= \"ab\" [0-9x]", "ab7", (true, 3, "no character"));
    check_trial("root ::= \"ab\" [0-9x]", "ab77", (false, 3, "no character"));
    check_trial("root ::= [a-c]*", "", (true, 0, "`a`–`c`"));
}

#[test]
fn a_text_never_stops_within_a_character() {
    // Both characters begin with the same two bytes.
    check_trial("root ::= \"a\" \"가\"", "a각", (false, 1, "`가`"));
    check_trial("root ::= [😀-😂]", "🙈", (false, 0, "`😀`–`😂`"));
}

#[test]
fn characters_beyond_ascii_are_told_exactly() {
    check_trial("root ::= [ä-ö한]", "", (false, 0, "`ä`–`ö`, `한`"));
    check_trial(
        "root ::= [^\"\\\\\\x00-\\x1F]",
        "",
        (false, 0, "any character but control characters, `\"`, `\\`"),
    );
    check_trial("root ::= .", "", (false, 0, "any character"));
    check_trial(
        "root ::= [^é😀]",
        "",
        (false, 0, "any character but `é`, `😀`"),
    );
}

#[test]
fn characters_have_words() {
    check_words(&[], "no character");
    check_words(&[(9, 10), (32, 32)], "tab, line break, space");
    check_words(
        &[(48, 57), (65, 90), (95, 95), (97, 122)],
        "a digit, A–Z, `_`, a–z",
    );
    check_words(
        &[(48, 57), (65, 70), (97, 102)],
        "a digit, `A`–`F`, `a`–`f`",
    );
    check_words(&[(0xA0, 0xA0), (0x1F600, 0x1F600)], "U+00A0, `😀`");
    let many: Vec<_> = (0..20).map(|it| (100 + 3 * it, 100 + 3 * it)).collect();
    assert!(Characters::new(many).to_string().ends_with("8 more"));
}

#[test]
fn what_may_follow_counts_the_tokens_of_the_model() {
    let found = try_text(&grammar("root ::= \"milk\" | \"mild\""), "", Some(toy()));
    let following = found.unwrap().unwrap().following;
    // `m`, and two tokens that are `milk`.
    assert_eq!((following.n_legal, following.tokens.len()), (3, 3));
    assert_eq!(toy().piece(following.tokens[0]), b"milk");
    assert!(!following.may_end);
}

#[test]
fn a_schema_can_be_tried_too() {
    let constraint = schema(
        r#"{"type":"array","items":{"type":"boolean"}}"#,
        WhiteSpace::None,
    );
    let found = try_text(&constraint, "[true,1]", None).unwrap().unwrap();
    assert!(!found.is_accepted);
    assert_eq!(found.n_taken, 6);
    assert_eq!(found.following.characters.to_string(), "`f`, `t`");
    assert!(
        try_text(&constraint, "[true]", None)
            .unwrap()
            .unwrap()
            .is_accepted
    );
}

#[test]
fn characters_that_a_schema_lets_through_are_followed_to_their_last_byte() {
    let text = r#"{"type":"object","properties":{"邮箱":{"const":"각😀"}},"required":["邮箱"],"additionalProperties":false}"#;
    let constraint = schema(text, WhiteSpace::None);
    for (text, expected) in [
        ("{\"", "`邮`"),
        ("{\"邮", "`箱`"),
        ("{\"邮箱\":\"", "`각`"),
        ("{\"邮箱\":\"각", "`😀`"),
    ] {
        let found = try_text(&constraint, text, None).unwrap().unwrap();
        assert_eq!(found.following.characters.to_string(), expected);
    }
}

#[test]
fn wide_ranges_are_named_by_their_numbers() {
    check_words(&[(0x4E00, 0x9FFF)], "U+4E00–U+9FFF");
    check_words(&[(0x3041, 0x3096)], "`ぁ`–`ゖ`");
}

#[test]
fn a_fault_of_the_constraint_is_an_error() {
    assert!(try_text(&grammar("root ::= nope"), "a", None).is_err());
}

#[test]
fn examples_are_accepted_by_their_grammar() {
    let hand = [
        "root ::= \"(\" root \")\" | \"x\" | root2\nroot2 ::= [가-힣]{2,3} | [^a-z]+",
        "root ::= (\"a\"? [bc]{0,2000} | \"d\" ){3} end\nend ::= \"\" | \"!\" end",
        "root ::= \"\"",
    ];
    let shipped = grammars().iter().map(|it| it.1);
    for text in shipped.chain(hand) {
        for seed in 0..40 {
            let example = generate_example(text, seed, 80).unwrap();
            assert!(
                accepts(&grammar(text), example.as_bytes()),
                "{example:?} under {text}"
            );
            assert_eq!(generate_example(text, seed, 80).unwrap(), example);
        }
    }
}

#[test]
fn examples_differ_and_stay_short() {
    let text = "root ::= \"[\" (root (\",\" root)*)? \"]\" | [0-9]+";
    let mut examples: Vec<String> = (0..200)
        .map(|it| generate_example(text, it, 50).unwrap())
        .collect();
    assert!(examples.iter().all(|it| it.len() < 400));
    examples.sort_unstable();
    examples.dedup();
    assert!(examples.len() > 60, "{} examples differ", examples.len());
}

#[test]
fn a_grammar_without_end_has_no_example() {
    let error = generate_example("root ::= \"a\" root", 1, 50).unwrap_err();
    assert!(error.message.contains("no text ends"), "{error}");
    assert!(generate_example("root ::= root \"a\" | \"b\"", 1, 50).is_err());
}
