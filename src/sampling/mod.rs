//! From logits to the next token: the knobs, the chain built from them, and what each stage did.

mod knobs;
mod trace;

pub use knobs::{Knob, KnobError, KnobSpec, Knobs, Order, Scope, Stage};
pub use trace::{Candidate, StageEffect, TokenTrace};

/// A token's id in its model's vocabulary.
pub type TokenId = u32;
