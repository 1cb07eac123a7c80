//! Top-k: the k most likely candidates stay, and any that are as likely as the k-th.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs};

#[derive(Debug)]
struct TopK {
    k: usize,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    let k = knobs.count(Knob::TopK);
    (k > 0 && !knobs.is_greedy()).then(|| Box::new(TopK { k }) as _)
}

impl Work for TopK {
    fn work(&mut self, candidates: &mut Candidates) {
        if self.k < candidates.n_live() {
            let threshold = candidates.head(self.k)[self.k - 1].logit;
            candidates.keep_at_least(threshold);
        }
    }
}
