//! Repetition penalty: tokens that were seen get a lower score, once, however often they were seen.

use super::occurrences::Occurrences;
use super::{Part, Work};
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs, TokenId};

#[derive(Debug)]
struct RepetitionPenalty {
    penalty: f32,
    seen: Occurrences,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    let window = knobs.count_of_window();
    if knobs.is_neutral(Knob::RepetitionPenalty) || window == Some(0) {
        return None;
    }
    Some(Box::new(RepetitionPenalty {
        penalty: knobs.get(Knob::RepetitionPenalty) as f32,
        seen: Occurrences::new(knobs.penalty_scope, window),
    }))
}

impl Work for RepetitionPenalty {
    fn see(&mut self, token: TokenId, part: Part) {
        self.seen.see(token, part);
    }

    fn work(&mut self, candidates: &mut Candidates) {
        for &(token, _) in self.seen.counts() {
            candidates.change(token, |logit| {
                if logit < 0.0 {
                    logit * self.penalty
                } else {
                    logit / self.penalty
                }
            });
        }
    }
}
