//! Mirostat 2: tokens more surprising than a limit go, and the limit follows the surprise of the tokens that came.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs};

#[derive(Debug)]
struct Mirostat {
    /// The wanted surprise in bits.
    tau: f64,
    eta: f64,
    /// The limit in bits.
    mu: f64,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    let tau = knobs.get(Knob::MirostatTau);
    if knobs.is_neutral(Knob::MirostatTau) || knobs.is_greedy() {
        return None;
    }
    Some(Box::new(Mirostat {
        tau,
        eta: knobs.get(Knob::MirostatEta),
        mu: 2.0 * tau,
    }))
}

impl Work for Mirostat {
    fn work(&mut self, candidates: &mut Candidates) {
        let softmax = candidates.softmax();
        let Some((_, best)) = candidates.top() else {
            return;
        };
        // A surprise of at most mu bits is a log probability of at least -mu ln 2. One candidate stays at least.
        let least = softmax.logit_of(-self.mu * std::f64::consts::LN_2);
        candidates.keep_at_least(best.min(least as f32));
    }

    fn picked(&mut self, probability: f64) {
        if probability > 0.0 {
            self.mu -= self.eta * (-probability.log2() - self.tau);
        }
    }
}
