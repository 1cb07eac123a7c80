//! Min-p: candidates below a share of the most likely one's probability go.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs};

#[derive(Debug)]
struct MinP {
    /// The logarithm of the share: probabilities compare as logits do.
    depth: f32,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    if knobs.is_neutral(Knob::MinP) || knobs.is_greedy() {
        return None;
    }
    let depth = knobs.get(Knob::MinP).ln() as f32;
    Some(Box::new(MinP { depth }))
}

impl Work for MinP {
    fn work(&mut self, candidates: &mut Candidates) {
        if let Some((_, best)) = candidates.top() {
            candidates.keep_at_least(best + self.depth);
        }
    }
}
