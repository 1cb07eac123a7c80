//! The largest of many logits, found without sorting them all.

use std::cmp::Ordering;

use super::cut::{self, N_CUTS};
use super::vector;

/// A candidate among the best.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// The last of the fewest candidates of highest score whose weights together have this share of `sum`, the sum of all
/// weights; none if it takes all of them.
///
/// A sample says about where the cut is. One pass sums the weights above a few thresholds around that place, and only
/// the candidates between the two thresholds that the cut lies between are ranked. So a flat distribution costs no
/// sorting of the vocabulary, and a sample that misleads costs time only.
pub(super) fn last_to_reach(
    scores: &[f32],
    weights: &[f32],
    (share, sum): (f64, f64),
    ranked: &mut Vec<Ranked>,
) -> Option<Ranked> {
    let wanted = share * sum;
    let cuts = likely_cuts((scores, weights), share, ranked);
    let sums = cut::sums_reaching((scores, weights), &cuts);
    let nth = sums.iter().position(|it| *it >= wanted);
    let least = nth.map_or(f32::MIN, |it| cuts[it]);
    let above = nth.unwrap_or(N_CUTS).checked_sub(1);
    let limit = above.map_or(f32::INFINITY, |it| cuts[it]);
    let mut missing = wanted - above.map_or(0.0, |it| sums[it]);
    ranked.clear();
    cut::visit_between(scores, (least, limit), |start, block| {
        // Every candidate is written and only those in the range are counted: a branch would be guessed wrongly often.
        let mut found = [Ranked::default(); cut::BLOCK];
        let mut n_found = 0;
        for (place, &logit) in (start as u32..).zip(block) {
            found[n_found % cut::BLOCK] = Ranked { logit, place };
            n_found += usize::from((logit >= least) && (logit < limit));
        }
        ranked.extend_from_slice(&found[..n_found]);
    });
    narrow(ranked, weights, &mut missing);
    ranked.sort_unstable_by(|a, b| a.compare(*b));
    let found = ranked.iter().copied().find(|it| {
        missing -= f64::from(weights[it.place as usize]);
        missing <= 0.0
    });
    // Where rounding leaves a little to go, the last one in the range is the one.
    found.or_else(|| nth.and_then(|_| ranked.last().copied()))
}

/// Scores around the one at which the weights of the best have this share of all, the highest first, by a sample.
fn likely_cuts(
    (scores, weights): (&[f32], &[f32]),
    share: f64,
    sample: &mut Vec<Ranked>,
) -> [f32; N_CUTS] {
    /// The sample is taken in short runs, because a look at memory costs the same for one value as for a run of them.
    const N_RUNS: usize = 64;
    const RUN: usize = 8;
    /// How far the thresholds are from the sample's own cut, in candidates of the sample.
    const OFFSETS: [isize; N_CUTS] = [-40, -16, -6, -1, 1, 6, 16, 40];
    sample.clear();
    let stride = (scores.len() / N_RUNS).max(RUN);
    for (nth, run) in scores.chunks(stride).enumerate() {
        let places = (nth * stride) as u32..;
        let alive = places.zip(run).take(RUN);
        let alive = alive.filter(|it| *it.1 > f32::NEG_INFINITY);
        sample.extend(alive.map(|(place, &logit)| Ranked { logit, place }));
    }
    if sample.is_empty() {
        return [f32::MIN; N_CUTS];
    }
    sample.sort_unstable_by(|a, b| b.logit.total_cmp(&a.logit));
    let weight = |it: &Ranked| f64::from(weights[it.place as usize]);
    let mut left = share * sample.iter().map(weight).sum::<f64>();
    let nth = sample.iter().position(|it| {
        left -= weight(it);
        left <= 0.0
    });
    let last = sample.len() - 1;
    let middle = nth.unwrap_or(last);
    OFFSETS.map(|it| sample[middle.saturating_add_signed(it).min(last)].logit)
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
