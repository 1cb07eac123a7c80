//! The stages of the chain, one a file: each keeps what it needs to remember, and works on the candidates.

mod min_p;
mod no_repeat_ngram;
mod occurrences;
mod presence_frequency;
mod repetition_penalty;
mod temperature;
mod top_k;
mod top_n_sigma;
mod top_p;
mod typical;
mod xtc;

use std::fmt;

use super::candidates::Candidates;
use super::{Knobs, Scope, Stage, TokenId};

pub(super) use temperature::LEAST_TEMPERATURE;

/// A stage at work.
pub(super) trait Work: fmt::Debug + Send {
    /// Takes note of a token that was read or written.
    fn see(&mut self, _token: TokenId, _part: Part) {}

    /// Changes the candidates of one token.
    fn work(&mut self, candidates: &mut Candidates);
}

/// Where a token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Prompt,
    Reply,
}

/// The stage as the knobs set it; none if they leave it nothing to do. The mask has no knob and is not built here.
pub(super) fn build(stage: Stage, knobs: &Knobs) -> Option<Box<dyn Work>> {
    match stage {
        Stage::Mask => None,
        Stage::RepetitionPenalty => repetition_penalty::build(knobs),
        Stage::PresenceFrequency => presence_frequency::build(knobs),
        Stage::NoRepeatNgram => no_repeat_ngram::build(knobs),
        Stage::Temperature => temperature::build(knobs),
        Stage::TopK => top_k::build(knobs),
        Stage::TopP => top_p::build(knobs),
        Stage::MinP => min_p::build(knobs),
        Stage::Typical => typical::build(knobs),
        Stage::TopNSigma => top_n_sigma::build(knobs),
        Stage::Xtc => xtc::build(knobs),
    }
}

impl Scope {
    fn counts(self, part: Part) -> bool {
        self == Self::PromptAndReply || part == Part::Reply
    }
}
