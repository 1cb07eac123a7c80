//! Top-p: the fewest candidates whose probabilities together reach p, most likely first; one stays at least.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs};

#[derive(Debug)]
struct TopP {
    p: f64,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    if knobs.is_neutral(Knob::TopP) || knobs.is_greedy() {
        return None;
    }
    let p = knobs.get(Knob::TopP);
    Some(Box::new(TopP { p }))
}

impl Work for TopP {
    fn work(&mut self, candidates: &mut Candidates) {
        candidates.keep_reaching(self.p);
    }
}
