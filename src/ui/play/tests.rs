//! What the views compute before they draw.

use std::collections::BTreeSet;

use super::chain_order::{moved, stage_rows};
use super::knobs::{look, next_seed};
use super::token_knobs::ban_sentence;
use crate::sampling::{BanReport, Knob, Knobs, Order, Stage};
use crate::ui::inputs::first_line;
use crate::ui::widgets::Look;

#[test]
fn a_long_line_ends_in_dots() {
    assert!(first_line(&"word ".repeat(40)).ends_with("word…"));
}

#[test]
fn the_first_line_with_words_is_shown() {
    assert_eq!(first_line("\n  \n 달걀 열두 개\nmore"), "달걀 열두 개");
}

#[test]
fn temperature_has_a_slider() {
    assert_eq!(look(Knob::Temperature.spec()), Look::Slider);
}

#[test]
fn the_seed_is_typed() {
    assert_eq!(look(Knob::Seed.spec()), Look::Value);
}

#[test]
fn seeds_do_not_repeat_soon() {
    let mut seeds = BTreeSet::new();
    let mut seed = 42.0;
    for _ in 0..1_000 {
        seed = next_seed(seed);
        assert!(seeds.insert(seed.to_bits()));
    }
}

#[test]
fn a_moved_stage_takes_its_new_place() {
    let order = Order::transformers();
    let down = moved(&order, 0, 2);
    assert_eq!(down.stages()[2], order.stages()[0]);
    assert_eq!(moved(&down, 2, 0), order);
}

#[test]
fn a_stage_cannot_be_moved_out_of_the_order() {
    let order = Order::transformers();
    assert_eq!(moved(&order, 0, 99), order);
}

#[test]
fn a_stage_that_cannot_bite_says_why() {
    let mut knobs = Knobs::neutral();
    knobs.set(Knob::Temperature, 0.0).unwrap();
    knobs.set(Knob::TopK, 40.0).unwrap();
    let (rows, left_out) = stage_rows(&knobs);
    let row = |stage: Stage| rows.iter().find(|it| it.stage == stage).unwrap();
    assert!(
        row(Stage::TopK)
            .idle
            .as_ref()
            .unwrap()
            .contains("temperature is 0")
    );
    assert!(row(Stage::Temperature).is_on && row(Stage::Mask).is_on);
    assert!(!row(Stage::Xtc).is_on);
    assert!(left_out.is_empty());
}

#[track_caller]
fn check_ban((n_banned, n_look_alikes, n_partial): (u32, u32, u32), expected: &str) {
    let report = BanReport {
        n_banned,
        n_look_alikes,
        look_alikes: Vec::new(),
        n_partial,
    };
    assert_eq!(ban_sentence(&report), expected);
}

#[test]
fn a_ban_says_what_it_lets_through() {
    check_ban(
        (1_230, 41, 7),
        "Bans 1,230 of this model's tokens. 41 that read alike are let through:",
    );
}

#[test]
fn a_ban_that_single_tokens_keep_can_be_passed_in_parts() {
    check_ban(
        (10, 0, 256),
        "Bans 10 of this model's tokens. No whole token that reads alike is let through. 256 tokens hold part of a character: together they can write one.",
    );
}
