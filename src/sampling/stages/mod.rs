//! The stages of the chain, one a file: each keeps what it needs to remember, and works on the candidates.

mod dry;
mod logit_bias;
mod min_p;
mod min_tokens;
mod mirostat;
mod no_repeat_ngram;
mod occurrences;
mod presence_frequency;
mod repetition_penalty;
mod temperature;
mod token_ban;
mod top_k;
mod top_n_sigma;
mod top_p;
mod typical;
mod xtc;

use std::fmt;

use super::candidates::Candidates;
use super::{Knobs, Lexicon, Scope, Span, Stage, TokenId};

pub(super) use temperature::LEAST_TEMPERATURE;
pub(super) use token_ban::allowed;

/// A stage at work.
pub(super) trait Work: fmt::Debug + Send {
    /// Takes note of a token that was read or written.
    fn see(&mut self, _token: TokenId, _at: Place) {}

    /// Changes the candidates of one token.
    fn work(&mut self, candidates: &mut Candidates);

    /// What the stage made of this token's logit when it last worked. Truncations leave it as it is.
    fn replay(&self, _token: TokenId, logit: f32) -> f32 {
        logit
    }

    /// The earlier text for which the stage did something to this token.
    fn earlier(&self, _token: TokenId) -> Option<Span> {
        None
    }

    /// Takes note of the probability that the picked token had after the chain.
    fn picked(&mut self, _probability: f64) {}
}

/// Where a token stands: in which part, and at which position of prompt and reply together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) part: Part,
    pub(super) position: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Prompt,
    Reply,
}

/// The stage as the knobs set it; none if they leave it nothing to do. The mask has no knob and is not built here.
pub(super) fn build(stage: Stage, knobs: &Knobs, lexicon: Lexicon<'_>) -> Option<Box<dyn Work>> {
    match stage {
        Stage::Mask => None,
        Stage::LogitBias => logit_bias::build(knobs, lexicon),
        Stage::TokenBan => token_ban::build(knobs, lexicon),
        Stage::MinTokens => min_tokens::build(knobs, lexicon),
        Stage::RepetitionPenalty => repetition_penalty::build(knobs),
        Stage::PresenceFrequency => presence_frequency::build(knobs),
        Stage::Dry => dry::build(knobs, lexicon),
        Stage::NoRepeatNgram => no_repeat_ngram::build(knobs),
        Stage::Temperature => temperature::build(knobs),
        Stage::TopK => top_k::build(knobs),
        Stage::TopP => top_p::build(knobs),
        Stage::MinP => min_p::build(knobs),
        Stage::Typical => typical::build(knobs),
        Stage::TopNSigma => top_n_sigma::build(knobs),
        Stage::Xtc => xtc::build(knobs),
        Stage::Mirostat => mirostat::build(knobs),
    }
}

impl Scope {
    fn counts(self, part: Part) -> bool {
        self == Self::PromptAndReply || part == Part::Reply
    }
}
