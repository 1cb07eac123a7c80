//! Traces as bytes: a tenth to a fifth of their JSON, and exactly the same when they are read again.
//!
//! Whole numbers are written in sevens of bits, the lowest first, with the top bit set on all bytes but the last. A
//! probability or shift is the four bytes of its single precision, lowest first. A *place* is 1 + the index of a token
//! in the list `before`, or 0 and the token's id. A *share* of a list is 1 + the index of the entry whose probability
//! is the same to the bit, or 0 and the probability.
//!
//! One trace, in this order: its flags (1 the wanted token heads `before`, 2 `after` is `before`, 4 the wanted token is
//! left, 8 there are legal tokens, 16 there is a mask time); `before`, as the number of entries and of each the token and its
//! probability; unless flag 1, the wanted token; its probability as a share of `before`, and the rank; unless flag 2,
//! `after` like `before` but with places for tokens; the rank after the chain and the probability as a share of
//! `after`; with flag 4 the same of the wanted token; the entropy; the effects; the touches; what flags 8 and 16 tell
//! of.
//!
//! An effect is a byte (the stage in the lowest four bits, 16 another token was the most likely one then, 32 no mass was
//! taken and all was left, 64 what was left is 1 minus what was taken, 128 that other token is named), the number of
//! tokens taken, the masses that the byte does not tell, and the other token's place. A touch is a byte (the stage, 16 there is a shift, 32 there is an earlier text), the token's place, the
//! shift, and the begin and length of the earlier text.

mod read;
mod write;

use super::Stage;

pub use read::Unpacker;
pub use write::Packer;

/// The version of this form. Raised with every change to it.
pub const PACKED_VERSION: u8 = 2;

/// The stages by their number in the packed form. New ones go to the end.
const STAGES: [Stage; 16] = [
    Stage::Mask,
    Stage::LogitBias,
    Stage::TokenBan,
    Stage::MinTokens,
    Stage::RepetitionPenalty,
    Stage::PresenceFrequency,
    Stage::Dry,
    Stage::NoRepeatNgram,
    Stage::Temperature,
    Stage::TopK,
    Stage::TopP,
    Stage::MinP,
    Stage::Typical,
    Stage::TopNSigma,
    Stage::Xtc,
    Stage::Mirostat,
];

/// The longest list that is read, so that a false length cannot take the memory.
const MOST_ENTRIES: u32 = 4096;

const HEADS_BEFORE: u32 = 1;
const AFTER_IS_BEFORE: u32 = 2;
const WANTED_IS_LEFT: u32 = 4;
const HAS_LEGAL: u32 = 8;
const HAS_MASK_TIME: u32 = 16;

const CHANGED_TOP: u8 = 16;
const TOOK_NO_MASS: u8 = 32;
const LEFT_THE_REST: u8 = 64;
const HAS_NEW_TOP: u8 = 128;

const HAS_SHIFT: u8 = 16;
const HAS_EARLIER: u8 = 32;

/// Bytes that are no packed form, with the place where that shows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at} of packed tokens: expected {expected}")]
pub struct PackError {
    pub at: usize,
    pub expected: &'static str,
}
