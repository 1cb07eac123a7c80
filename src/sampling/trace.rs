//! What the chain did at one token: the candidates before and after it, each stage's effect, and who is to blame.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Stage, TokenId};

/// One token that could have come, with its probability between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub token: TokenId,
    pub probability: f32,
}

/// Where a token stands among the candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// 1 for the most likely.
    pub rank: u32,
    pub probability: f32,
}

/// Token positions, the end not among them. The prompt's tokens count from 0, the reply's go on behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// What one stage did at one token. Stages that did nothing are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageEffect {
    pub stage: Stage,
    /// Candidates that the stage took away (set to minus infinity).
    pub n_removed: u32,
    /// The share of the probability, as it was when the stage began, that went with them.
    pub removed_mass: f32,
    /// The share of the probability, as it was when the stage began, of what the stage left: with `removed_mass` 1.
    #[serde(default)]
    pub kept_mass: f32,
    /// Whether another token was the most likely one after the stage than before it.
    pub changed_top: bool,
    /// That other token; none in older recordings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_top: Option<TokenId>,
}

/// What one stage did to one token: the wanted one, the one that came, or another of those in `before`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Touch {
    pub stage: Stage,
    pub token: TokenId,
    /// What was added to the token's logit, so a penalty is negative; none if the token was taken away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shift: Option<f32>,
    /// The earlier text that is the reason: for the n-gram ban and DRY the run of tokens that would be completed, this
    /// token last; for a penalty the token's latest occurrence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Span>,
}

/// The whole story of one token. Probabilities are those of the softmax over all candidates that are left: `before`
/// over the full vocabulary, `after` over what the chain has left of it. Up to eight of each are listed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenTrace {
    /// The model's own favourite, before any stage.
    pub wanted: TokenId,
    /// Probability of the chosen token in the raw logits.
    pub probability: f32,
    /// Rank of the chosen token in the raw logits, 1 for the most likely.
    pub rank: u32,
    /// How the chosen token stood after the chain.
    #[serde(default)]
    pub chosen_after: Standing,
    /// How the wanted token stood after the chain; none if a stage took it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted_after: Option<Standing>,
    /// The surprise to be expected of the raw distribution, in bits.
    #[serde(default)]
    pub entropy: f32,
    /// The most likely tokens before the chain, best first.
    pub before: Vec<Candidate>,
    /// The most likely tokens after the chain, best first. When the temperature is 0 these are the probabilities that
    /// a temperature of 1 would give, so that the runners-up can be seen.
    pub after: Vec<Candidate>,
    pub effects: Vec<StageEffect>,
    /// In the order of the chain; only for tokens in `before` and the chosen one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<Touch>,
    /// Tokens that the constraint's mask left legal, if one was active.
    pub n_legal: Option<u32>,
    /// Time the mask took, if one was active. The engine fills it in.
    pub mask_us: Option<u32>,
}

/// Why the token that came is not the one that the model wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blame {
    /// It is the one.
    Nobody,
    /// This stage put another token in its place at the top, or took it away.
    Stage(Stage),
    /// The wanted token was still the most likely one, and the draw fell on another.
    Draw,
}

/// The kinds of stages that a reader tells apart at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageKind {
    Mask,
    /// N-gram ban, token ban, minimum of tokens.
    Ban,
    /// Penalties, DRY and logit bias.
    Penalty,
    Temperature,
    Truncation,
}

impl Span {
    /// The parts of it in a prompt of this many tokens and in the reply behind it, each counted from its own begin.
    pub fn split(self, n_prompt: u32) -> (Option<Range<u32>>, Option<Range<u32>>) {
        let in_prompt = self.start.min(n_prompt)..self.end.min(n_prompt);
        let in_reply = self.start.max(n_prompt) - n_prompt..self.end.max(n_prompt) - n_prompt;
        let filled = |it: Range<u32>| (!it.is_empty()).then_some(it);
        (filled(in_prompt), filled(in_reply))
    }
}

impl TokenTrace {
    /// The stage that cost the wanted token its place, or the draw. `token` is the one that came.
    pub fn blame(&self, token: TokenId) -> Blame {
        if token == self.wanted {
            return Blame::Nobody;
        }
        let gone = self
            .touches
            .iter()
            .find(|it| it.token == self.wanted && it.shift.is_none());
        let overtaken = self.effects.iter().find(|it| it.changed_top);
        let stage = overtaken.map(|it| it.stage).or(gone.map(|it| it.stage));
        stage.map_or(Blame::Draw, Blame::Stage)
    }

    /// What the stages did to one token, in the order of the chain.
    pub fn touches_of(&self, token: TokenId) -> impl Iterator<Item = &Touch> {
        self.touches.iter().filter(move |it| it.token == token)
    }

    /// How the wanted token stood in the raw logits.
    pub fn wanted_before(&self) -> Standing {
        Standing {
            rank: 1,
            probability: self.before.first().map_or(0.0, |it| it.probability),
        }
    }

    /// The share of the probability that the stages took away one after the other, between 0 and 1.
    pub fn removed_mass(&self) -> f32 {
        let left: f32 = self
            .effects
            .iter()
            .map(|it| 1.0 - it.removed_mass)
            .product();
        1.0 - left
    }
}

impl Stage {
    pub fn kind(self) -> StageKind {
        match self {
            Self::Mask => StageKind::Mask,
            Self::NoRepeatNgram | Self::TokenBan | Self::MinTokens => StageKind::Ban,
            Self::LogitBias | Self::RepetitionPenalty | Self::PresenceFrequency | Self::Dry => {
                StageKind::Penalty
            }
            Self::Temperature => StageKind::Temperature,
            Self::TopK
            | Self::TopP
            | Self::MinP
            | Self::Typical
            | Self::TopNSigma
            | Self::Xtc
            | Self::Mirostat => StageKind::Truncation,
        }
    }
}
