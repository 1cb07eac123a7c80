//! Reasoning is split from the answer, in whatever pieces the reply comes.

use crate::prompt::{Mind, Thinking, ThinkingSplit, has_switch, is_open, mind, thinking_tags};

/// Splits the reply in one piece, and character by character.
#[track_caller]
fn check(reply: &str, is_open: bool, thinking: &str, answer: &str) {
    let pieces: Vec<String> = reply.chars().map(String::from).collect();
    for pieces in [vec![reply.to_owned()], pieces] {
        let tags = thinking_tags("<think>").unwrap();
        let mut split = ThinkingSplit::new(tags, is_open);
        let (mut thought, mut said) = (String::new(), String::new());
        for piece in pieces {
            let part = split.push(&piece);
            thought += &part.thinking;
            said += &part.answer;
        }
        let rest = split.finish();
        assert_eq!(
            (thought + &rest.thinking, said + &rest.answer),
            (thinking.to_owned(), answer.to_owned())
        );
    }
}

#[test]
fn a_block_at_the_beginning_is_thinking() {
    check(
        "<think>a {x}</think>\n\n{\"a\":1}",
        false,
        "a {x}",
        "{\"a\":1}",
    );
}

#[test]
fn white_space_may_stand_before_it() {
    check("\n <think>\nhm\n</think>yes", false, "\nhm\n", "yes");
}

#[test]
fn a_reply_without_thinking_is_all_answer() {
    check("{\"a\":1}", false, "", "{\"a\":1}");
}

#[test]
fn a_tag_inside_the_answer_is_text() {
    check(
        "{\"a\":\"<think>b</think>\"}",
        false,
        "",
        "{\"a\":\"<think>b</think>\"}",
    );
}

#[test]
fn an_open_prompt_begins_with_thinking() {
    check("so it is</think>done", true, "so it is", "done");
}

#[test]
fn thinking_that_never_ends_is_no_answer() {
    check("<think>well, </thi", false, "well, </thi", "");
}

#[test]
fn the_beginning_of_a_tag_alone_is_answer() {
    check("<thi", false, "", "<thi");
}

#[test]
fn an_empty_block_leaves_the_answer() {
    check("<think>\n\n</think>\n\n7", false, "\n\n", "7");
}

#[test]
fn a_second_block_is_answer() {
    check(
        "<think>a</think>b<think>c</think>",
        false,
        "a",
        "b<think>c</think>",
    );
}

#[test]
fn templates_tell_their_tags() {
    assert_eq!(thinking_tags("{{ '<think>' }}").unwrap().close, "</think>");
    assert_eq!(thinking_tags("x[/THINK]").unwrap().open, "[THINK]");
    assert_eq!(thinking_tags("if enable_thinking").unwrap().open, "<think>");
    assert_eq!(thinking_tags("no reasoning"), None);
}

#[test]
fn the_switch_is_seen() {
    assert!(has_switch("{% if enable_thinking %}"));
    assert!(!has_switch("<think>"));
}

#[test]
fn a_prompt_that_opens_a_block_is_recognised() {
    let tags = thinking_tags("<think>").unwrap();
    assert!(is_open("assistant\n<think>\n", tags));
    assert!(!is_open("assistant\n<think>\n\n</think>\n\n", tags));
    assert!(!is_open(
        "<think> is a tag, says the user\nassistant\n",
        tags
    ));
}

const SWITCH: &str = "{% if enable_thinking %}<think>";

#[test]
fn a_template_without_tags_answers() {
    assert_eq!(mind("{{ messages }}", "assistant\n", None), Mind::Answers);
}

#[test]
fn a_prompt_that_opens_the_block_thinks() {
    assert_eq!(mind("<think>", "assistant\n<think>\n", None), Mind::Thinks);
}

#[test]
fn a_prompt_that_closes_the_block_answers() {
    let closed = "assistant\n<think>\n\n</think>\n\n";
    assert_eq!(mind(SWITCH, closed, Some(closed)), Mind::Answers);
}

#[test]
fn a_prompt_that_the_switch_would_change_thinks() {
    let off = "assistant\n<think>\n\n</think>\n\n";
    assert_eq!(mind(SWITCH, "assistant\n", Some(off)), Mind::Thinks);
    assert_eq!(mind(SWITCH, "/no_think", Some("/no_think")), Mind::Answers);
}

#[test]
fn without_a_switch_it_is_left_to_the_model() {
    assert_eq!(mind("<think>", "assistant\n", None), Mind::Unknown);
}

#[test]
fn the_choice_is_the_switch_or_nothing() {
    let choices = [Thinking::Template, Thinking::On, Thinking::Off];
    assert_eq!(
        choices.map(Thinking::switch),
        [None, Some(true), Some(false)]
    );
}
