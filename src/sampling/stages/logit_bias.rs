//! Logit bias: a fixed sum on the logits of single tokens, or the token taken away.

use std::collections::BTreeMap;

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knobs, Lexicon, TokenId};

#[derive(Debug)]
struct Bias {
    /// What is added to each token's logit; sums where a token is named twice.
    sums: BTreeMap<TokenId, f32>,
}

pub(super) fn build(knobs: &Knobs, lexicon: Lexicon<'_>) -> Option<Box<dyn Work>> {
    let mut sums = BTreeMap::new();
    for it in &knobs.logit_bias {
        for token in it.tokens(lexicon) {
            *sums.entry(token).or_insert(0.0) += it.bias;
        }
    }
    (!sums.is_empty()).then(|| Box::new(Bias { sums }) as _)
}

impl Work for Bias {
    fn work(&mut self, candidates: &mut Candidates) {
        // First what goes, since it is counted by the probabilities that the stage found.
        let (gone, moved): (Vec<_>, Vec<_>) =
            self.sums.iter().partition(|it| *it.1 == f32::NEG_INFINITY);
        for (&token, _) in gone {
            candidates.remove(token);
        }
        candidates.end_removal();
        for (&token, &bias) in moved {
            candidates.change(token, |logit| logit + bias);
        }
    }

    fn replay(&self, token: TokenId, logit: f32) -> f32 {
        logit + self.sums.get(&token).copied().unwrap_or(0.0)
    }
}
