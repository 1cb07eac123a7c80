//! The table of knobs: all that is to be said about each one, said once.

use super::table_repeats::REPEATS;
use super::table_shape::SHAPE;
use super::{Knob, Stage};

/// One row of the table of knobs.
#[derive(Clone, Copy, Debug)]
pub struct KnobSpec {
    pub knob: Knob,
    /// The stage that the knob steers; none for those outside the chain.
    pub stage: Option<Stage>,
    /// The key in a preset file.
    pub key: &'static str,
    /// What the window calls it.
    pub name: &'static str,
    pub min: f64,
    pub max: f64,
    pub step: f64,
    /// Digits after the decimal point; 0 for a whole number.
    pub decimals: usize,
    /// The value that changes nothing (for seed and token limit: the value a new preset starts with).
    pub neutral: f64,
    /// Two sentences for the tooltip: what it does, and what to know when using it.
    pub help: &'static str,
    /// Where the definition comes from.
    pub source: &'static str,
    /// Names of the same knob in other tools.
    pub aliases: &'static [&'static str],
}

/// A row for each knob, in the order of `Knob`.
pub(super) const TABLE: [KnobSpec; Knob::COUNT] = {
    let mut table = [SHAPE[0]; Knob::COUNT];
    let mut row = 0;
    while row < Knob::COUNT {
        table[row] = if row < SHAPE.len() {
            SHAPE[row]
        } else {
            REPEATS[row - SHAPE.len()]
        };
        row += 1;
    }
    table
};
