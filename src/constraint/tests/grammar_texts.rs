//! What a grammar means: which texts are whole replies.

use super::{accepts, check_accepts, grammar, matcher};

#[test]
fn a_loop_gives_back_what_comes_after_it() {
    check_accepts("root ::= [ab]* \"b\"", "aab", true);
    check_accepts("root ::= [ab]* \"b\"", "b", true);
    check_accepts("root ::= [ab]* \"b\"", "aba", false);
}

#[test]
fn one_token_spans_several_items() {
    let text =
        "root ::= \"{\" \"\\\"\" \"name\" \"\\\"\" \":\" [\"] word \"\\\"\" \"}\"\nword ::= [a-z]+";
    check_accepts(text, "{\"name\":\"milk\"}", true);
    check_accepts(text, "{\"name\":\"milk0}", false);
}

#[test]
fn counts_are_exact() {
    for (text, expected) in [("a", false), ("aa", true), ("aaa", true), ("aaaa", false)] {
        check_accepts("root ::= \"a\"{2,3}", text, expected);
    }
    for (text, expected) in [("", true), ("aa", true), ("aaa", false)] {
        check_accepts("root ::= \"a\"{,2}", text, expected);
        check_accepts("root ::= \"a\"{ 0 , 2 }", text, expected);
    }
    check_accepts("root ::= \"ab\"{2}", "abab", true);
    check_accepts("root ::= \"ab\"{2}", "ababab", false);
    check_accepts("root ::= \"a\"{1,}", "aaaa", true);
    check_accepts("root ::= \"a\"{1,}", "", false);
    check_accepts("root ::= \"a\"{0} \"b\"", "b", true);
}

#[test]
fn classes_match_characters_not_bytes() {
    check_accepts("root ::= [äöü]+", "öäü", true);
    check_accepts("root ::= [ä-ö]", "ó", true);
    check_accepts("root ::= [ä-ö]", "ü", false);
    check_accepts("root ::= [😀-😂]", "😁", true);
    check_accepts("root ::= [\\U0001F600]", "😀", true);
    check_accepts("root ::= [가-힣]{3}", "한국어", true);
    check_accepts("root ::= [\\u0061-\\x63]", "b", true);
}

#[test]
fn negated_classes_match_all_other_characters() {
    check_accepts("root ::= [^a-c😀]", "d", true);
    check_accepts("root ::= [^a-c😀]", "b", false);
    check_accepts("root ::= [^a-c😀]", "😁", true);
    check_accepts("root ::= [^a-c😀]", "😀", false);
    check_accepts("root ::= [^a-c😀]", "\n", true);
    check_accepts("root ::= [^\\]]", "]", false);
}

#[test]
fn a_dot_matches_any_one_character() {
    for text in [
        "a",
        "\n",
        "é",
        "한",
        "😀",
        "\u{0}",
        "\u{10FFFF}",
        "\u{D7FF}",
        "\u{E000}",
    ] {
        check_accepts("root ::= .", text, true);
    }
    check_accepts("root ::= .", "ab", false);
    check_accepts("root ::= .", "", false);
}

#[test]
fn bytes_that_are_no_text_are_never_legal() {
    for bytes in [
        b"\xFF".as_slice(),
        b"\xC0\x80",
        b"\xED\xA0\x80",
        b"\xF4\x90\x80\x80",
        b"\x80",
    ] {
        let any = grammar("root ::= .*");
        let mut matcher = matcher(&any);
        let taken = bytes
            .iter()
            .all(|it| matcher.accept(u32::from(*it)).is_ok());
        assert!(!taken, "{bytes:?}");
    }
}

#[test]
fn half_a_character_is_no_reply() {
    assert!(!accepts(&grammar("root ::= .*"), b"\xF0\x9F"));
    assert!(accepts(&grammar("root ::= .*"), "😀".as_bytes()));
}

#[test]
fn a_dash_may_stand_in_a_class_and_in_a_name() {
    check_accepts("root ::= my-rule\nmy-rule ::= [a-]+", "a-a", true);
    check_accepts("root ::= [+-]", "-", true);
    check_accepts("root ::= [a\\-z]", "-", true);
    check_accepts("root ::= [a\\-z]", "m", false);
}

#[test]
fn escapes_mean_their_characters() {
    check_accepts(
        "root ::= \"\\n\\r\\t\\\\\\\"\\[\\]\\x41\\u00e4\"",
        "\n\r\t\\\"[]Aä",
        true,
    );
}

#[test]
fn rules_go_on_inside_brackets_and_after_a_bar() {
    let text = "# yes or no\nroot ::= ( # a group\n  \"yes\"\n  | \"no\" )\r\n  # done\n";
    check_accepts(text, "no", true);
    check_accepts(
        "root ::=\n  \"a\" |\n  \"b\" tail\ntail ::= \"c\"",
        "bc",
        true,
    );
}

#[test]
fn an_alternative_may_be_empty() {
    check_accepts(
        "root ::= \"a\" (\"b\" | ) \"c\" end\nend ::= | \"!\"",
        "ac",
        true,
    );
    check_accepts(
        "root ::= \"a\" (\"b\" | ) \"c\" end\nend ::= | \"!\"",
        "abc!",
        true,
    );
}

#[test]
fn recursion_in_the_middle_counts_brackets() {
    let text = "root ::= \"(\" root \")\" | \"\"";
    check_accepts(text, "((()))", true);
    check_accepts(text, "((())", false);
    check_accepts(
        text,
        &format!("{}{}", "(".repeat(500), ")".repeat(500)),
        true,
    );
}

#[test]
fn recursion_on_the_right_may_be_long() {
    let text = "root ::= \"a\" root | \"b\"";
    check_accepts(text, &format!("{}b", "a".repeat(2_000)), true);
    let text = "root ::= \"a\" root \"c\"? | \"b\"";
    check_accepts(text, &format!("{}bccc", "a".repeat(300)), true);
}

#[test]
fn ambiguity_costs_nothing() {
    let text = "root ::= a a a a a a a a\na ::= b*\nb ::= (\"x\" | \"x\")*";
    check_accepts(text, &"x".repeat(200), true);
    check_accepts("root ::= s\ns ::= \"x\" s s | \"\"", &"x".repeat(60), true);
    check_accepts("root ::= (((\"a\"*)*)*)*", &"a".repeat(50), true);
}

#[test]
fn a_class_repeated_a_thousand_times_is_walked() {
    check_accepts("root ::= [^\"]{0,2000}", &"ab".repeat(900), true);
}

#[test]
fn the_usual_json_grammar_of_llama_is_read() {
    let text = r#"root ::= object
value ::= object | array | string | number | ("true" | "false" | "null") ws

object ::=
  "{" ws (
            string ":" ws value
    ("," ws string ":" ws value)*
  )? "}" ws

array  ::=
  "[" ws (
            value
    ("," ws value)*
  )? "]" ws

string ::=
  "\"" (
    [^"\\\x7F\x00-\x1F] |
    "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4})
  )* "\"" ws

number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws

ws ::= | " " | "\n" [ \t]{0,20}
"#;
    check_accepts(
        text,
        "{\"a\": [1, -2.5e3, \"x\\u00e4\\n\", {}], \"b\": null}",
        true,
    );
    check_accepts(text, "{\"a\": [1,]}", false);
}
