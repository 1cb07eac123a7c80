//! Temperature: every logit divided by it.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs};

/// Anything below is 0, where the most likely token is taken: dividing by less would leave the range of a logit.
pub(in crate::sampling) const LEAST_TEMPERATURE: f64 = 1e-3;

#[derive(Debug)]
struct Temperature {
    factor: f32,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    if knobs.is_neutral(Knob::Temperature) || knobs.is_greedy() {
        return None;
    }
    let factor = (1.0 / knobs.get(Knob::Temperature)) as f32;
    Some(Box::new(Temperature { factor }))
}

impl Work for Temperature {
    fn work(&mut self, candidates: &mut Candidates) {
        candidates.scale(self.factor);
    }
}
