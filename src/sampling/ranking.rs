//! The largest of many logits, found without sorting them all.

use std::cmp::Ordering;

use super::vector;

/// A candidate among the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ranked {
    pub(super) logit: f32,
    pub(super) place: u32,
}

/// The place of the largest logit, the first among equals.
pub(super) fn place_of_max(logits: &[f32]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    vector::visit_reaching(logits, f32::NEG_INFINITY, |start, block| {
        for (place, &logit) in (start..).zip(block) {
            if logit > best.1 {
                best = (place, logit);
            }
        }
        best.1
    });
    best.0
}

/// Fills `ranked` with the `n` largest logits above minus infinity, best first, the first place among equals.
///
/// Collects whatever is above the n-th best that is known so far, and sifts when there is enough of it.
pub(super) fn rank(logits: &[f32], n: usize, ranked: &mut Vec<Ranked>) {
    ranked.clear();
    if n == 0 {
        return;
    }
    let enough = 2 * n + 32;
    let mut threshold = f32::NEG_INFINITY;
    vector::visit_reaching(logits, threshold, |start, block| {
        for (place, &logit) in (start as u32..).zip(block) {
            if logit > threshold {
                ranked.push(Ranked { logit, place });
                if ranked.len() == enough {
                    ranked.select_nth_unstable_by(n - 1, |a, b| a.compare(*b));
                    ranked.truncate(n);
                    threshold = ranked[n - 1].logit;
                }
            }
        }
        threshold
    });
    ranked.sort_unstable_by(|a, b| a.compare(*b));
    ranked.truncate(n);
}

impl Ranked {
    fn compare(self, other: Self) -> Ordering {
        other
            .logit
            .total_cmp(&self.logit)
            .then(self.place.cmp(&other.place))
    }
}
