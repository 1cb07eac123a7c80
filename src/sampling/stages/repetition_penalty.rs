//! Repetition penalty: tokens that were seen get a lower score, once, however often they were seen.

use super::occurrences::Occurrences;
use super::{Place, Work};
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs, Span, TokenId};

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
    fn see(&mut self, token: TokenId, at: Place) {
        self.seen.see(token, at);
    }

    fn work(&mut self, candidates: &mut Candidates) {
        for it in self.seen.all() {
            candidates.change(it.token, |logit| self.penalized(logit));
        }
    }

    fn replay(&self, token: TokenId, logit: f32) -> f32 {
        let is_seen = self.seen.get(token).is_some();
        if is_seen {
            self.penalized(logit)
        } else {
            logit
        }
    }

    fn earlier(&self, token: TokenId) -> Option<Span> {
        self.seen.latest(token)
    }
}

impl RepetitionPenalty {
    fn penalized(&self, logit: f32) -> f32 {
        if logit < 0.0 {
            logit * self.penalty
        } else {
            logit / self.penalty
        }
    }
}
