//! Locally typical sampling: candidates stay whose surprise is close to the expected one, until they have the mass.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs, cut};

#[derive(Debug)]
struct Typical {
    mass: f64,
    /// How typical each candidate is: minus the distance of its surprise from the expected one, in nats.
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
        let expected = candidates.entropy();
        // The logit of a token that is exactly as surprising as is to be expected.
        let centre = softmax.logit_of(-expected) as f32;
        cut::nearness_into(candidates.logits(), centre, &mut self.scores);
        candidates.keep_typical(&self.scores, self.mass);
    }
}
