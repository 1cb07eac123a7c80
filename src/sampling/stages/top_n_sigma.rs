//! Top-n-sigma: candidates stay whose logit is within n standard deviations of the best one.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs};

#[derive(Debug)]
struct TopNSigma {
    n: f64,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    if knobs.is_neutral(Knob::TopNSigma) || knobs.is_greedy() {
        return None;
    }
    let n = knobs.get(Knob::TopNSigma);
    Some(Box::new(TopNSigma { n }))
}

impl Work for TopNSigma {
    fn work(&mut self, candidates: &mut Candidates) {
        let n_live = candidates.n_live() as f64;
        let Some((_, best)) = candidates.top() else {
            return;
        };
        let (mut sum, mut squares) = (0.0, 0.0);
        for &logit in candidates.logits() {
            if logit > f32::NEG_INFINITY {
                let depth = f64::from(best - logit);
                sum += depth;
                squares += depth * depth;
            }
        }
        let mean = sum / n_live;
        let deviation = (squares / n_live - mean * mean).max(0.0).sqrt();
        candidates.keep_at_least((f64::from(best) - self.n * deviation) as f32);
    }
}
