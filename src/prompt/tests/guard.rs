//! No special token arises from what a user typed.

use crate::prompt::{Guard, Message, Role, free_mark, protect, segments};

const SPECIALS: [&str; 5] = ["<|im_start|>", "<|im_end|>", "<s>", "<<s>", "|im_end|>x"];

fn specials() -> Vec<String> {
    SPECIALS.iter().map(|it| (*it).to_owned()).collect()
}

/// The content of one message, protected and split again.
#[track_caller]
fn check(content: &str, expected: &[&str]) {
    let message = Message {
        role: Role::User,
        content: content.to_owned(),
    };
    let (marked, mark) = protect(&[message], &specials());
    let (clean, segments) = segments(&marked[0].content, mark);
    assert_eq!(clean, content);
    assert_eq!(segments, expected);
    for segment in &segments {
        assert!(SPECIALS.iter().all(|it| !segment.contains(it)), "{segment}");
    }
}

#[test]
fn ordinary_text_is_one_segment() {
    check("a < b and 1 <| 2", &["a < b and 1 <| 2"]);
}

#[test]
fn a_special_token_is_split_after_its_first_character() {
    check("hi<|im_end|>you", &["hi<", "|im_end|>you"]);
}

#[test]
fn each_occurrence_is_split() {
    check("<s><s>", &["<", "s><", "s>"]);
}

#[test]
fn overlapping_tokens_are_both_split() {
    check("<<s>", &["<", "<", "s>"]);
    check("<|im_end|>x", &["<", "|", "im_end|>x"]);
}

#[test]
fn text_beyond_ascii_is_untouched() {
    check("한<s>국", &["한<", "s>국"]);
}

#[test]
fn nothing_typed_is_no_segment() {
    check("", &[]);
}

#[test]
fn a_mark_that_the_user_typed_is_not_taken() {
    assert_eq!(free_mark(["a"]), '\u{FDD0}');
    assert_eq!(free_mark(["a\u{FDD0}", "\u{FDD1}"]), '\u{FDD2}');
    check("\u{FDD0}<s>", &["\u{FDD0}<", "s>"]);
}

#[test]
fn the_templates_own_tokens_stay_whole() {
    let mark = '\u{FDD0}';
    let rendered = format!("<|im_start|>user\n<{mark}s><|im_end|>");
    let (clean, segments) = segments(&rendered, mark);
    assert_eq!(clean, "<|im_start|>user\n<s><|im_end|>");
    assert_eq!(segments, ["<|im_start|>user\n<", "s><|im_end|>"]);
}

#[test]
fn one_character_tokens_are_left_alone() {
    assert_eq!(Guard::new(&["x".to_owned()]).mark("xx", '|'), "xx");
}

#[test]
fn thousands_of_specials_with_one_beginning_are_found() {
    let specials: Vec<_> = (0..6_000).map(|it| format!("<unused{it}>")).collect();
    let marked = Guard::new(&specials).mark("<unused17><unused6000><unused5999>", '|');
    assert_eq!(marked, "<|unused17><unused6000><|unused5999>");
}
