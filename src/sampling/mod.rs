//! From logits to the next token: the knobs, the chain built from them, and what each stage did.
//!
//! A further knob is a row of `table`, a variant of [`Knob`], and, if it is a stage of its own, a file in `stages`
//! with a variant of [`Stage`]. Files, command line, window and exchange with other tools read the table.

mod candidates;
mod chain;
mod file;
mod idle;
mod knobs;
mod mask_bits;
mod order;
mod random;
mod ranking;
mod stages;
mod table;
#[cfg(test)]
mod tests;
mod trace;
mod vector;

pub use chain::{Chain, Outcome};
pub use knobs::{Knob, KnobError, Knobs};
pub use order::{Order, Scope, Stage};
pub use table::KnobSpec;
pub use trace::{Candidate, StageEffect, TokenTrace};

/// A token's id in its model's vocabulary.
pub type TokenId = u32;
