//! From logits to the next token: the knobs, the chain built from them, and what each stage did.
//!
//! A further knob is a row of `table`, a variant of [`Knob`], and, if it is a stage of its own, a file in `stages`
//! with a variant of [`Stage`]. Files, command line, window and exchange with other tools read the table.

mod candidates;
mod chain;
mod char_class;
mod cut;
mod file;
mod idle;
mod knobs;
mod lexicon;
mod mask_bits;
mod order;
mod origin;
mod packed;
mod random;
mod ranking;
mod self_test;
mod softmax;
mod stages;
mod table;
mod table_repeats;
mod table_shape;
#[cfg(test)]
mod tests;
mod trace;
mod vector;

pub use chain::{Chain, Outcome};
pub use char_class::CharClass;
pub use knobs::{Knob, KnobError, Knobs};
pub use lexicon::{
    BanReport, BiasTarget, KnobList, Lexicon, LogitBias, TokenKnobReport, ban_report,
    token_knob_report,
};
pub use order::{Order, Scope, Stage};
pub use origin::{ModelDefault, Origin, Provenance, model_defaults, provenance};
pub use packed::{PACKED_VERSION, PackError, Packer, Unpacker};
pub use self_test::{KnobEffect, SelfTest, Tested};
pub use table::KnobSpec;
pub use trace::{Blame, Candidate, Span, StageEffect, StageKind, Standing, TokenTrace, Touch};

/// A token's id in its model's vocabulary.
pub type TokenId = u32;
