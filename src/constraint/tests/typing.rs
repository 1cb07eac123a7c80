//! What an editor asks of a grammar text: colours, rule names, completion, renaming.

use crate::constraint::GrammarSpanKind::{
    Class, Comment, Definition, Literal, Operator, RuleName, Token, Unknown,
};
use crate::constraint::{
    GrammarSpanKind, complete_rule, grammar_rules, grammar_spans, grammars, rename_rule,
};

#[track_caller]
fn check_spans(text: &str, expected: &[(GrammarSpanKind, &str)]) {
    let spans = grammar_spans(text);
    let found: Vec<_> = spans
        .iter()
        .map(|it| (it.kind, &text[it.range.clone()]))
        .collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn check_names(text: &str, at: usize, range: (usize, usize), expected: &[&str]) {
    let found = complete_rule(text, at);
    assert_eq!((found.range.start, found.range.end), range);
    assert_eq!(found.names, expected);
}

#[test]
fn each_part_of_a_rule_has_its_kind() {
    check_spans(
        "my-rule ::= a1 | (\"x\\\"y\" [^\\]a-z]){2, 3} . # é\nb\t::= c?",
        &[
            (Definition, "my-rule"),
            (Operator, "::="),
            (RuleName, "a1"),
            (Operator, "|"),
            (Operator, "("),
            (Literal, "\"x\\\"y\""),
            (Class, "[^\\]a-z]"),
            (Operator, ")"),
            (Operator, "{2, 3}"),
            (Class, "."),
            (Comment, "# é"),
            (Definition, "b"),
            (Operator, "::="),
            (RuleName, "c"),
            (Operator, "?"),
        ],
    );
}

#[test]
fn tokens_are_one_span() {
    check_spans(
        "<think> !<[12]> ! <a",
        &[
            (Token, "<think>"),
            (Token, "!<[12]>"),
            (Unknown, "!"),
            (Token, "<a"),
        ],
    );
}

#[test]
fn what_is_open_ends_with_its_line() {
    check_spans(
        "root ::= \"a\\\nb ::= [x\n€$ {2",
        &[
            (Definition, "root"),
            (Operator, "::="),
            (Literal, "\"a\\"),
            (Definition, "b"),
            (Operator, "::="),
            (Class, "[x"),
            (Unknown, "€$"),
            (Operator, "{2"),
        ],
    );
}

#[test]
fn spans_cover_all_but_blanks_of_any_text() {
    let noise = "a::=\u{0}\"\\é[\\]<!{(|)}*+?.#x\r\n]>:=\\\"-_😀";
    for start in noise.char_indices().map(|it| it.0) {
        let text = noise[start..].repeat(3);
        let mut end = 0;
        for it in grammar_spans(&text) {
            assert!(it.range.start >= end && it.range.end > it.range.start);
            assert!(text[end..it.range.start].trim().is_empty());
            end = it.range.end;
        }
        assert!(text[end..].trim().is_empty());
    }
}

#[test]
fn rules_are_listed_with_their_places() {
    let rules = grammar_rules("root ::= a b a\na ::= \"a\"\na ::= \"b\"");
    let names: Vec<_> = rules.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["root", "a", "b"]);
    assert_eq!((rules[1].definitions.len(), rules[1].uses.len()), (2, 2));
    assert_eq!(
        (rules[2].definitions.len(), rules[2].uses[0].clone()),
        (0, 11..12)
    );
}

#[test]
fn the_name_that_is_begun_can_be_completed() {
    let text = "root ::= na\nname ::= n\nnaive ::= \"name na\" # na";
    check_names(text, 11, (9, 11), &["naive", "name"]);
    check_names(text, 10, (9, 11), &["naive", "name"]);
    check_names(text, 9, (9, 9), &["n", "na", "naive", "name", "root"]);
}

#[test]
fn nothing_is_completed_in_texts_and_comments() {
    let text = "root ::= \"ro\" # ro";
    check_names(text, 12, (0, 0), &[]);
    check_names(text, text.len(), (0, 0), &[]);
}

#[test]
fn a_rule_is_renamed_where_it_stands_and_nowhere_else() {
    let text = "root ::= na nab \"na\" # na\nna ::= [na]\nnab ::= na";
    let expected = "root ::= item-1 nab \"na\" # na\nitem-1 ::= [na]\nnab ::= item-1";
    assert_eq!(rename_rule(text, "na", "item-1").unwrap(), expected);
}

#[test]
fn a_name_that_is_taken_or_no_name_is_refused() {
    let text = "root ::= a\na ::= \"x\"";
    for (name, new_name, words) in [
        ("a", "root", "taken"),
        ("a", "a b", "no name"),
        ("a", "", "no name"),
        ("z", "y", "no rule named z"),
    ] {
        let error = rename_rule(text, name, new_name).unwrap_err();
        assert!(error.message.contains(words), "{error}");
    }
    assert_eq!(rename_rule(text, "a", "a").unwrap(), text);
}

#[test]
fn shipped_grammars_have_no_unknown_span_and_no_undefined_name() {
    for (name, text) in grammars() {
        assert!(
            grammar_spans(text).iter().all(|it| it.kind != Unknown),
            "{name}"
        );
        for rule in grammar_rules(text) {
            assert_eq!(rule.definitions.len(), 1, "{name}: {}", rule.name);
        }
    }
}
