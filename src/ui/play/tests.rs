//! What the views compute before they draw.

use std::collections::BTreeSet;

use super::knobs::{look, next_seed};
use super::task::first_line;
use crate::sampling::Knob;
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
