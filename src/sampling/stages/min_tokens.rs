//! Minimum of tokens: the tokens that end a reply are taken away until it is long enough.

use super::{Part, Place, Work};
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs, Lexicon, TokenId};

#[derive(Debug)]
struct MinTokens {
    n_missing: usize,
    ends: Vec<TokenId>,
}

pub(super) fn build(knobs: &Knobs, lexicon: Lexicon<'_>) -> Option<Box<dyn Work>> {
    let n_missing = knobs.count(Knob::MinTokens);
    (n_missing > 0).then(|| {
        Box::new(MinTokens {
            n_missing,
            ends: lexicon.ends.to_vec(),
        }) as _
    })
}

impl Work for MinTokens {
    fn see(&mut self, _token: TokenId, at: Place) {
        if at.part == Part::Reply {
            self.n_missing = self.n_missing.saturating_sub(1);
        }
    }

    fn work(&mut self, candidates: &mut Candidates) {
        if self.n_missing > 0 {
            for &token in &self.ends {
                candidates.remove(token);
            }
        }
    }

    fn replay(&self, token: TokenId, logit: f32) -> f32 {
        if self.n_missing > 0 && self.ends.contains(&token) {
            f32::NEG_INFINITY
        } else {
            logit
        }
    }
}
