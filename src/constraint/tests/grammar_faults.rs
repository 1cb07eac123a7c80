//! What is wrong with a grammar is said with line, column and rule, and at once.

use super::grammar;
use crate::constraint::{check, compile};

#[track_caller]
fn check_fault(text: &str, place: (usize, usize), words: &[&str]) {
    let error = check(&grammar(text)).unwrap_err();
    assert_eq!(error.place, Some(place), "{error}");
    for word in words {
        assert!(
            error.to_string().contains(word),
            "{word:?} is not in {error}"
        );
    }
    assert_eq!(compile(&grammar(text), super::toy()).unwrap_err(), error);
}

#[track_caller]
fn check_fine(text: &str) {
    assert_eq!(check(&grammar(text)), Ok(Vec::new()));
}

#[track_caller]
fn check_warning(text: &str, expected: &str) {
    assert_eq!(check(&grammar(text)), Ok(vec![expected.to_owned()]));
}

#[test]
fn an_open_text_is_marked_where_it_begins() {
    check_fault("root ::= \"a", (1, 10), &["never closed", "in root"]);
}

#[test]
fn an_open_class_is_marked_where_it_begins() {
    check_fault("root ::= \"x\"\n  [a-z", (2, 3), &["name of a rule"]);
    check_fault("root ::= \"x\" [a-z", (1, 14), &["never closed", "`]`"]);
}

#[test]
fn an_unknown_rule_is_marked_where_it_is_used() {
    check_fault(
        "root ::= nope",
        (1, 10),
        &["nope is not defined", "in root"],
    );
    check_fault(
        "root ::= a\na ::= \"x\"\n  \nb ::= \"é\" c",
        (4, 11),
        &["c is not", "in b"],
    );
}

#[test]
fn an_empty_grammar_is_a_fault() {
    check_fault("", (1, 1), &["empty"]);
    check_fault(" \n # nothing\n", (1, 1), &["empty"]);
}

#[test]
fn a_grammar_needs_a_root() {
    check_fault("start ::= \"a\"", (1, 1), &["root"]);
}

#[test]
fn direct_left_recursion_is_named() {
    check_fault(
        "root ::= root \"a\"",
        (1, 10),
        &["left recursion", "root → root"],
    );
}

#[test]
fn indirect_left_recursion_names_the_cycle() {
    let text = "root ::= expr\nexpr ::= term \"+\" expr | term\nterm ::= expr \"*\" | \"1\"";
    check_fault(text, (2, 10), &["expr → term → expr", "in expr"]);
}

#[test]
fn left_recursion_hides_behind_what_may_be_empty() {
    check_fault(
        "root ::= \"x\"? root \"a\" | \"b\"",
        (1, 15),
        &["root → root"],
    );
    check_fault(
        "root ::= ws root \"a\" | \"b\"\nws ::= \" \"*",
        (1, 13),
        &["root → root"],
    );
    check_fault(
        "root ::= (a b)* \"c\"\na ::= \"\"\nb ::= a a root",
        (1, 13),
        &["root → b → root"],
    );
}

#[test]
fn a_repetition_of_what_may_be_empty_is_no_left_recursion() {
    check_fine("root ::= (\"a\"*)* \"b\"");
    check_fine("root ::= (ws | \"a\")+ \"b\"\nws ::= \" \"*");
}

#[test]
fn counts_are_bounded() {
    check_fault("root ::= \"a\"{2001}", (1, 14), &["2000"]);
    check_fault("root ::= \"a\"{99999999999,}", (1, 14), &["2000"]);
    check_fault(
        "root ::= ((\"a\"{1000}){1000}){1000}",
        (1, 22),
        &["1000000 copies"],
    );
    check_fault("root ::= \"a\"{3,2}", (1, 14), &["below"]);
    check_fault("root ::= \"a\"{,}", (1, 15), &["count"]);
    check_fault("root ::= \"a\"{2", (1, 15), &["`}`"]);
}

#[test]
fn a_quantifier_needs_an_item() {
    check_fault("root ::= * \"a\"", (1, 10), &["repeats nothing"]);
    check_fault("root ::= \"a\" | {2}", (1, 16), &["repeats nothing"]);
}

#[test]
fn escapes_are_checked() {
    check_fault("root ::= \"\\q\"", (1, 11), &["unknown escape"]);
    check_fault("root ::= \"\\x4\"", (1, 13), &["2 hexadecimal"]);
    check_fault("root ::= [\\uD800]", (1, 13), &["not a Unicode character"]);
    check_fault("root ::= \"\\u00é0\"", (1, 13), &["4 hexadecimal"]);
}

#[test]
fn classes_must_match_something() {
    check_fault("root ::= [^\\x00-\\U0010FFFF]", (1, 10), &["no character"]);
    check_fault("root ::= [z-a]", (1, 11), &["before it begins"]);
}

#[test]
fn a_rule_ends_with_its_line() {
    check_fault(
        "root ::= \"a\"\n| \"b\"",
        (2, 1),
        &["a rule ends with its line"],
    );
    check_fault("root ::= \"a\" )", (1, 14), &["closes nothing"]);
    check_fault("root ::= (\"a\"", (1, 10), &["never closed"]);
    check_fault("root ::=\nb ::= \"a\"", (2, 3), &["no body"]);
    check_fault("root = \"a\"", (1, 6), &["`::=`", "found `=`"]);
    check_fault("root ::= my_rule", (1, 12), &["underscore"]);
}

#[test]
fn an_empty_class_is_the_empty_text_and_a_warning() {
    for text in ["root ::= \"a\" [] \"b\"", "root ::= \"a\" [^] \"b\""] {
        check_warning(
            text,
            "line 1, column 14: this class names no character and matches the empty text; any character is `.`.",
        );
        assert!(super::accepts(&grammar(text), b"ab"));
    }
}

#[test]
fn counts_above_the_bound_are_none_and_a_warning() {
    let text = "root ::= \"a\"{1,2001}";
    check_warning(
        text,
        "line 1, column 13: counts above 2000 are read as no bound.",
    );
    assert!(super::accepts(&grammar(text), &[b'a'; 2_100]));
}

#[test]
fn octal_escapes_are_refused_as_in_llama() {
    check_fault("root ::= \"\\033\"", (1, 11), &["octal", "hexadecimal"]);
}

#[test]
fn invisible_characters_are_named() {
    check_fault("root ::= \u{A0}\"a\"", (1, 10), &["U+00A0"]);
    check_fault("root ::= \"a\" \u{200B}", (1, 14), &["U+200B"]);
}

#[test]
fn token_terminals_are_checked() {
    check_fault("root ::= <think", (1, 10), &["never closed", "`>`"]);
    check_fault("root ::= <>", (1, 10), &["1 to 256 bytes"]);
    check_fault("root ::= !\"a\"", (1, 11), &["after `!`"]);
    check_fault("root ::= <[]>", (1, 12), &["number of a token"]);
    check_fault("root ::= <[12>", (1, 14), &["`]>`"]);
    check_fault("root ::= <[99999999999]>", (1, 12), &["too large"]);
}

#[test]
fn unused_rules_are_a_warning() {
    check_warning(
        "root ::= \"a\"\nold ::= \"b\"",
        "The rule old is never used.",
    );
}

#[test]
fn rules_that_only_unused_rules_name_are_a_warning() {
    let text = "root ::= \"a\"\nold ::= older \"b\"\nolder ::= \"c\" older | \"\"";
    let expected = [
        "The rule old is never used.",
        "The rule older cannot be reached from root.",
    ];
    let expected: Vec<String> = expected.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(check(&grammar(text)), Ok(expected));
}

#[test]
fn warnings_are_bounded() {
    let mut text = "root ::= \"a\"\n".to_owned();
    text.extend((0..5_000).map(|it| format!("a{it} ::= \"b\"\n")));
    let found = check(&grammar(&text)).unwrap();
    assert_eq!(found.len(), 100);
}

#[test]
fn endless_rules_are_a_warning() {
    check_warning(
        "root ::= \"a\" root",
        "The rule root can never end: each way through it needs the rule again.",
    );
}

#[test]
fn a_second_definition_is_a_warning() {
    check_warning(
        "root ::= \"a\"\nroot ::= \"b\"",
        "The rule root is defined twice; the last definition counts.",
    );
}

#[test]
fn a_million_brackets_are_refused() {
    let text = format!("root ::= {}", "(".repeat(999_000));
    check_fault(&text, (1, 138), &["128 deep"]);
}

#[test]
fn a_million_quantifiers_are_refused() {
    let text = format!("root ::= \"a\"{}", "*".repeat(999_000));
    check_fault(&text, (1, 16), &["3 quantifiers"]);
}

#[test]
fn too_long_a_text_is_refused() {
    check_fault(&" ".repeat(1_000_001), (1, 1), &["1000001 bytes"]);
}

#[test]
fn a_hundred_thousand_alternatives_are_refused() {
    let text = format!("root ::= \"a\"{}", " | \"b\"".repeat(100_000));
    check_fault(&text, (1, 120_015), &["20000 alternatives"]);
}

#[test]
fn steps_are_bounded() {
    let text = format!("root ::= ({}){{2000}}", "[^a]".repeat(200));
    check_fault(&text, (1, 1), &["1000000 steps", "in root"]);
}

#[test]
fn a_chain_of_fifty_thousand_rules_is_followed() {
    let mut text = "root ::= r0\n".to_owned();
    text.extend((0..50_000).map(|it| format!("r{it} ::= r{}\n", it + 1)));
    text.push_str("r50000 ::= \"x\"");
    check_fine(&text);
    assert!(super::accepts(&grammar(&text), b"x"));
}

#[test]
fn a_long_cycle_is_named_in_short() {
    let mut text = "root ::= r0\n".to_owned();
    text.extend((0..30_000).map(|it| format!("r{it} ::= r{}\n", (it + 1) % 30_000)));
    check_fault(&text, (2, 8), &["left recursion", "…"]);
}

#[test]
fn a_megabyte_of_one_text_is_read() {
    check_fine(&format!("root ::= \"{}\"", "a".repeat(900_000)));
}

#[test]
fn a_megabyte_of_empty_calls_is_read() {
    check_fine(&format!(
        "root ::= {}\"x\"\na ::= \"\"",
        "a ".repeat(480_000)
    ));
}

#[test]
fn deep_brackets_with_loops_on_loops_are_read() {
    let text = format!("root ::= {}\"a\"{}", "(".repeat(128), ")+*?".repeat(128));
    check_fine(&text);
    assert!(super::accepts(&grammar(&text), b"aaa"));
}
