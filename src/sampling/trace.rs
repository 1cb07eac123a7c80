//! What the chain did at one token: the candidates before and after it, and each stage's effect.

use serde::{Deserialize, Serialize};

use super::{Stage, TokenId};

/// One token that could have come, with its probability between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub token: TokenId,
    pub probability: f32,
}

/// What one stage did at one token. Stages that did nothing are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageEffect {
    pub stage: Stage,
    /// Candidates that the stage took away (set to minus infinity).
    pub n_removed: u32,
    /// The share of the probability, as it was when the stage began, that went with them.
    pub removed_mass: f32,
    /// Whether another token was the most likely one after the stage than before it.
    pub changed_top: bool,
}

/// The whole story of one token. Probabilities are those of the softmax over all candidates that are left: `before`
/// over the full vocabulary, `after` over what the chain has left of it. Up to eight of each are listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenTrace {
    /// The model's own favourite, before any stage.
    pub wanted: TokenId,
    /// Probability of the chosen token in the raw logits.
    pub probability: f32,
    /// Rank of the chosen token in the raw logits, 1 for the most likely.
    pub rank: u32,
    /// The most likely tokens before the chain, best first.
    pub before: Vec<Candidate>,
    /// The most likely tokens after the chain, best first. When the temperature is 0 these are the probabilities that
    /// a temperature of 1 would give, so that the runners-up can be seen.
    pub after: Vec<Candidate>,
    pub effects: Vec<StageEffect>,
    /// Tokens that the constraint's mask left legal, if one was active.
    pub n_legal: Option<u32>,
    /// Time the mask took, if one was active. The engine fills it in.
    pub mask_us: Option<u32>,
}
