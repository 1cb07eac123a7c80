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

/// The last of the fewest best candidates whose weights together reach `wanted`; none if it takes all of them.
///
/// Sums the weights by depth below the best, and ranks only the candidates at the depth where the sum is reached, so
/// that a flat distribution costs no sorting of the vocabulary.
pub(super) fn last_to_reach(
    logits: &[f32],
    weights: &[f32],
    wanted: f64,
    ranked: &mut Vec<Ranked>,
) -> Option<Ranked> {
    const N_DEPTHS: usize = 256;
    let best = logits[place_of_max(logits)];
    // Eight depths a factor of e; a negative depth cannot be, and the cast takes any below the last for the last.
    #[expect(clippy::cast_sign_loss, reason = "the best logit is the largest")]
    let depth = |logit: f32| (((best - logit) * 8.0) as usize).min(N_DEPTHS - 1);
    // Four sums a depth, taken in turn: neighbours mostly have the same depth, and would wait for each other.
    let mut turns = [[0.0; 4]; N_DEPTHS];
    for (place, (&logit, &weight)) in logits.iter().zip(weights).enumerate() {
        turns[depth(logit)][place % 4] += f64::from(weight);
    }
    let masses = turns.map(|it| it.iter().sum::<f64>());
    let mut missing = wanted;
    let edge = masses.iter().position(|mass| {
        let is_reached = missing <= *mass;
        if !is_reached {
            missing -= mass;
        }
        is_reached
    })?;
    ranked.clear();
    for (place, &logit) in (0..).zip(logits) {
        if depth(logit) == edge {
            ranked.push(Ranked { logit, place });
        }
    }
    narrow(ranked, weights, &mut missing);
    ranked.sort_unstable_by(|a, b| a.compare(*b));
    ranked.iter().copied().find(|it| {
        missing -= f64::from(weights[it.place as usize]);
        missing <= 0.0
    })
}

/// Leaves of many candidates those around the one at which the sum of the weights reaches what is missing, and takes
/// the weights of the better ones off that. Cuts the range of their logits into slices again and again, so that only
/// few are left to sort.
fn narrow(ranked: &mut Vec<Ranked>, weights: &[f32], missing: &mut f64) {
    const N_SLICES: usize = 256;
    const FEW: usize = 512;
    while ranked.len() > FEW {
        let logits = ranked.iter().map(|it| it.logit);
        let (least, best) = logits.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), it| {
            (a.min(it), b.max(it))
        });
        let scale = (N_SLICES - 1) as f32 / (best - least);
        if !scale.is_finite() {
            return;
        }
        #[expect(clippy::cast_sign_loss, reason = "the best logit is the largest")]
        let slice = |logit: f32| (((best - logit) * scale) as usize).min(N_SLICES - 1);
        let mut masses = [0.0; N_SLICES];
        for it in ranked.iter() {
            masses[slice(it.logit)] += f64::from(weights[it.place as usize]);
        }
        let mut left = *missing;
        let edge = masses.iter().position(|mass| {
            let is_reached = left <= *mass;
            if !is_reached {
                left -= mass;
            }
            is_reached
        });
        // Rounding may leave a little behind the last slice; the sort settles it.
        let Some(edge) = edge else { return };
        *missing = left;
        ranked.retain(|it| slice(it.logit) == edge);
    }
}

impl Ranked {
    /// Whether it is the other or better.
    #[expect(clippy::float_cmp, reason = "equal logits rank by their places")]
    pub(super) fn reaches(self, other: Self) -> bool {
        self.logit > other.logit || (self.logit == other.logit && self.place <= other.place)
    }

    /// Less is better: the larger logit, and the first place among equals.
    pub(super) fn compare(self, other: Self) -> Ordering {
        // Adding zero makes a negative zero equal to zero.
        (other.logit + 0.0)
            .total_cmp(&(self.logit + 0.0))
            .then(self.place.cmp(&other.place))
    }
}
