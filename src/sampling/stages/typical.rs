//! Locally typical sampling: candidates stay whose surprise is close to the expected one, until they have the mass.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs};

#[derive(Debug)]
struct Typical {
    mass: f64,
    /// How typical each candidate is: minus the distance of its surprise from the expected one.
    scores: Vec<f32>,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    if knobs.is_neutral(Knob::TypicalP) {
        return None;
    }
    Some(Box::new(Typical {
        mass: knobs.get(Knob::TypicalP),
        scores: Vec::new(),
    }))
}

impl Work for Typical {
    fn work(&mut self, candidates: &mut Candidates) {
        let softmax = candidates.softmax();
        let mut entropy = 0.0;
        for &weight in candidates.weights() {
            if weight > 0.0 {
                let probability = f64::from(weight) / softmax.sum();
                entropy -= probability * probability.ln();
            }
        }
        self.scores.clear();
        self.scores.extend(candidates.logits().iter().map(|&logit| {
            let surprise = -softmax.log_probability(logit);
            -(surprise - entropy).abs() as f32
        }));
        candidates.keep_typical(&self.scores, self.mass);
    }
}
