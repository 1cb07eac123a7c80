//! Top-p: the fewest candidates whose probabilities together reach p, most likely first; one stays at least.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs};

/// How many of the best are tried first; mostly that is enough, and it saves sorting the vocabulary.
const FIRST_TRY: usize = 128;

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
        let mut n_tried = FIRST_TRY;
        loop {
            let softmax = candidates.softmax();
            let head = candidates.head(n_tried);
            let mut reached = 0.0;
            let n_kept = head.iter().position(|it| {
                reached += softmax.probability(it.logit);
                reached >= self.p
            });
            if let Some(last) = n_kept {
                return candidates.keep_head(last + 1);
            }
            if n_tried >= candidates.n_live() {
                return;
            }
            n_tried *= 8;
        }
    }
}
