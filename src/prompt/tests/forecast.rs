//! The forecast on texts whose tokens are their characters, so that each ban can be worked out by hand.

use serde_json::json;

use crate::prompt::{Forecast, Piece, expected_text, expected_text_indented, forecast};
use crate::sampling::TokenId;

fn pieces(text: &str) -> Vec<Piece> {
    let piece = |it: char| Piece {
        token: it as TokenId,
        bytes: it.to_string().into_bytes(),
    };
    text.chars().map(piece).collect()
}

fn tokens(text: &str) -> Vec<TokenId> {
    pieces(text).iter().map(|it| it.token).collect()
}

fn forecast_of(prompt: &str, size: usize, answer: &str) -> Forecast {
    forecast((&tokens(prompt), true), size, answer, &mut pieces)
}

/// The positions in the answer that the prompt bans, and those that the reply bans itself.
#[track_caller]
fn check((prompt, size, answer): (&str, usize, &str), by_prompt: &[usize], by_reply: &[usize]) {
    let found = forecast_of(prompt, size, answer);
    let places = |it: &[crate::prompt::ForecastBan]| -> Vec<usize> {
        it.iter().map(|it| it.position).collect()
    };
    assert_eq!(
        (places(&found.banned), places(&found.banned_by_reply)),
        (by_prompt.to_vec(), by_reply.to_vec())
    );
}

#[test]
fn runs_of_the_prompt_are_banned_where_no_value_is_in_them() {
    // {"a": 1}: the runs {"a, "a", a": and ": end at 2 to 5; those that end at 6 and 7 hold the value.
    check(("{\"a\": 1}.", 3, "{\"a\": 1}"), &[2, 3, 4, 5], &[]);
}

#[test]
fn a_run_may_begin_in_the_prompts_last_tokens() {
    // Behind "x{" the answer's {" would make {{" for the second time.
    check(("{{\"x{", 3, "{\"b\": 1}"), &[1], &[]);
}

#[test]
fn the_reply_bans_what_it_wrote_itself() {
    // [{"k": 1}, {"k": 2}]: the second {"k, "k", k": and ": end at 13 to 16; the space, the brace and the quote
    // behind the comma come once.
    check(("?", 3, "[{\"k\": 1}, {\"k\": 2}]"), &[], &[13, 14, 15, 16]);
}

#[test]
fn a_ban_without_the_prompt_counts_the_reply_alone() {
    let answer = "{\"a\": 1}";
    let found = forecast((&tokens(answer), false), 3, answer, &mut pieces);
    assert_eq!((found.banned.len(), found.banned_by_reply.len()), (0, 0));
    assert_eq!(found.n_structural, 7);
}

#[test]
fn a_ban_knows_its_run_and_where_it_stood() {
    let found = forecast_of("say {\"a\": 1}", 3, "{\"a\": 2}");
    let first = &found.banned[0];
    assert_eq!((first.text.as_str(), first.run.as_str()), ("a", "{\"a"));
    assert_eq!((first.earlier.start, first.earlier.end), (4, 7));
    assert!(found.has(&tokens("{\"a"), &tokens("say {\"a\": 1}")));
    assert!(!found.has(&tokens("ay "), &tokens("say {\"a\": 1}")));
    assert_eq!(
        found.sentence(),
        "with size 3, 4 of 7 structural tokens cannot be written in this spelling"
    );
}

#[test]
fn another_spelling_adds_what_the_first_has_not() {
    let prompt = "{\n  \"a\": 0\n}";
    let both = forecast_of(prompt, 3, "{\"a\": 1}").with_spelling(forecast_of(
        prompt,
        3,
        "{\n  \"a\": 1\n}",
    ));
    // In one line: "a", a": and ": end at 3 to 5. On several lines also what stands before the key.
    let runs = |bans: &[crate::prompt::ForecastBan]| -> Vec<String> {
        bans.iter().map(|it| it.run.clone()).collect()
    };
    assert_eq!(runs(&both.banned), ["\"a\"", "a\":", "\": "]);
    assert_eq!(
        runs(&both.banned_elsewhere),
        ["{\n ", "\n  ", "  \"", " \"a"]
    );
    assert!(both.has(&tokens("{\n "), &tokens(prompt)));
}

#[test]
fn the_expected_answer_has_two_items_in_either_spelling() {
    let schema = json!({"properties": {"list": {"items": {"type": "integer"}}}});
    assert_eq!(expected_text(&schema, None), "{\"list\": [0, 0]}");
    let indented = "{\n  \"list\": [\n    7,\n    7\n  ]\n}";
    let example = json!({"list": [7]});
    assert_eq!(expected_text_indented(&schema, Some(&example)), indented);
}
