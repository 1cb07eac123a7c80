//! Temperature: every logit divided by it. With a range, it follows how unsure the model is.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs, TokenId};

/// Anything below is 0, where the most likely token is taken: dividing by less would leave the range of a logit.
pub(in crate::sampling) const LEAST_TEMPERATURE: f64 = 1e-3;

#[derive(Debug)]
struct Temperature {
    middle: f64,
    range: f64,
    exponent: f64,
    /// What the logits were multiplied with when this last worked.
    factor: f32,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    let is_still = knobs.is_neutral(Knob::DynatempRange);
    if (knobs.is_neutral(Knob::Temperature) && is_still) || knobs.is_greedy() {
        return None;
    }
    let temperature = knobs.get(Knob::Temperature);
    Some(Box::new(Temperature {
        middle: temperature,
        range: knobs.get(Knob::DynatempRange),
        exponent: knobs.get(Knob::DynatempExponent),
        factor: (1.0 / temperature) as f32,
    }))
}

impl Work for Temperature {
    fn work(&mut self, candidates: &mut Candidates) {
        if self.range > 0.0 {
            self.factor = (1.0 / self.moved(candidates)) as f32;
        }
        candidates.scale(self.factor);
    }

    fn replay(&self, _token: TokenId, logit: f32) -> f32 {
        logit * self.factor
    }
}

impl Temperature {
    /// llama.cpp's `temp_ext`: from the lower to the upper end of the range by the share of the entropy that this
    /// many candidates could have, to the power of the exponent.
    fn moved(&self, candidates: &mut Candidates) -> f64 {
        let n_live = candidates.n_live();
        let least = (self.middle - self.range).max(0.0);
        let most = self.middle + self.range;
        let share = if n_live > 1 {
            candidates.entropy() / (n_live as f64).ln()
        } else {
            0.0
        };
        let share = share.clamp(0.0, 1.0).powf(self.exponent);
        (least + (most - least) * share).max(LEAST_TEMPERATURE)
    }
}
