//! The vector loops of a cut: the sums above several thresholds at once, what lies between two, and the cut itself.

#![expect(
    clippy::inline_always,
    reason = "vector code only becomes vector code once it is inlined into the function that was compiled for the unit"
)]

use pulp::{Arch, Simd, WithSimd};

use super::vector::CHUNK;

/// Thresholds that are tried in one pass.
pub(super) const N_CUTS: usize = 8;

/// Values that are looked at one by one if any of them is in the range.
pub(super) const BLOCK: usize = 16;

/// For each threshold the sum of the weights whose score is at least that.
pub(super) fn sums_reaching(
    (scores, weights): (&[f32], &[f32]),
    cuts: &[f32; N_CUTS],
) -> [f64; N_CUTS] {
    Arch::new().dispatch(SumsReaching {
        scores,
        weights,
        cuts,
    })
}

/// Shows `visit` the blocks that hold a value of at least `least` and below `limit`, with the place where each begins.
pub(super) fn visit_between(
    values: &[f32],
    (least, limit): (f32, f32),
    visit: impl FnMut(usize, &[f32]),
) {
    Arch::new().dispatch(VisitBetween {
        values,
        least,
        limit,
        visit,
    });
}

/// Sets the values whose score is below the threshold to minus infinity.
pub(super) fn blot_below(values: &mut [f32], scores: &[f32], threshold: f32) {
    Arch::new().dispatch(BlotBelow {
        values,
        scores,
        threshold,
    });
}

/// Sets the values that are themselves below the threshold to minus infinity.
pub(super) fn blot_small(values: &mut [f32], threshold: f32) {
    Arch::new().dispatch(BlotSmall { values, threshold });
}

/// Fills `scores` with minus each value's distance from the centre.
pub(super) fn nearness_into(values: &[f32], centre: f32, scores: &mut Vec<f32>) {
    scores.clear();
    scores.extend_from_slice(values);
    Arch::new().dispatch(Nearness { scores, centre });
}

struct SumsReaching<'a> {
    scores: &'a [f32],
    weights: &'a [f32],
    cuts: &'a [f32; N_CUTS],
}

impl WithSimd for SumsReaching<'_> {
    type Output = [f64; N_CUTS];

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> [f64; N_CUTS] {
        let mut sums = [0.0; N_CUTS];
        let cuts = self.cuts.map(|it| simd.splat_f32s(it));
        let chunks = self.scores.chunks(CHUNK).zip(self.weights.chunks(CHUNK));
        for (scores, weights) in chunks {
            let (score_head, score_tail) = S::as_simd_f32s(scores);
            let (weight_head, weight_tail) = S::as_simd_f32s(weights);
            let mut lanes = [simd.splat_f32s(0.0); N_CUTS];
            for (&score, &weight) in score_head.iter().zip(weight_head) {
                for (lane, &cut) in lanes.iter_mut().zip(&cuts) {
                    *lane = simd.add_f32s(*lane, where_reaching(simd, (score, cut), weight));
                }
            }
            for (sum, lane) in sums.iter_mut().zip(lanes) {
                *sum += f64::from(simd.reduce_sum_f32s(lane));
            }
            for (&score, &weight) in score_tail.iter().zip(weight_tail) {
                for (sum, &cut) in sums.iter_mut().zip(self.cuts) {
                    *sum += if score >= cut { f64::from(weight) } else { 0.0 };
                }
            }
        }
        sums
    }
}

/// The weight where the score reaches the cut, and 0 elsewhere.
#[inline(always)]
fn where_reaching<S: Simd>(simd: S, (score, cut): (S::f32s, S::f32s), weight: S::f32s) -> S::f32s {
    let reaches = simd.greater_than_or_equal_f32s(score, cut);
    let bits = simd.transmute_u32s_f32s(weight);
    simd.transmute_f32s_u32s(simd.select_u32s(reaches, bits, simd.splat_u32s(0)))
}

struct VisitBetween<'a, V> {
    values: &'a [f32],
    least: f32,
    limit: f32,
    visit: V,
}

impl<V: FnMut(usize, &[f32])> WithSimd for VisitBetween<'_, V> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let least = simd.splat_f32s(self.least);
        let limit = simd.splat_f32s(self.limit);
        let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
        for (nth, block) in self.values.chunks(BLOCK).enumerate() {
            let (head, tail) = S::as_simd_f32s(block);
            let mut found = zero;
            for &it in head {
                let reaches = where_reaching(simd, (it, least), one);
                let is_over = where_reaching(simd, (it, limit), one);
                found = simd.max_f32s(found, simd.sub_f32s(reaches, is_over));
            }
            // The few behind the last vector are shown in any case.
            if !tail.is_empty() || simd.reduce_max_f32s(found) > 0.0 {
                (self.visit)(nth * BLOCK, block);
            }
        }
    }
}

struct BlotBelow<'a> {
    values: &'a mut [f32],
    scores: &'a [f32],
    threshold: f32,
}

impl WithSimd for BlotBelow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let threshold = simd.splat_f32s(self.threshold);
        let (head, tail) = S::as_mut_simd_f32s(self.values);
        let (score_head, score_tail) = S::as_simd_f32s(self.scores);
        for (it, &score) in head.iter_mut().zip(score_head) {
            *it = kept_or_gone(simd, (score, threshold), *it);
        }
        for (it, &score) in tail.iter_mut().zip(score_tail) {
            *it = if score >= self.threshold {
                *it
            } else {
                f32::NEG_INFINITY
            };
        }
    }
}

struct BlotSmall<'a> {
    values: &'a mut [f32],
    threshold: f32,
}

impl WithSimd for BlotSmall<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let threshold = simd.splat_f32s(self.threshold);
        let (head, tail) = S::as_mut_simd_f32s(self.values);
        for it in head {
            *it = kept_or_gone(simd, (*it, threshold), *it);
        }
        for it in tail {
            *it = if *it >= self.threshold {
                *it
            } else {
                f32::NEG_INFINITY
            };
        }
    }
}

#[inline(always)]
fn kept_or_gone<S: Simd>(
    simd: S,
    (score, threshold): (S::f32s, S::f32s),
    value: S::f32s,
) -> S::f32s {
    let reaches = simd.greater_than_or_equal_f32s(score, threshold);
    let bits = simd.transmute_u32s_f32s(value);
    let gone = simd.splat_u32s(f32::NEG_INFINITY.to_bits());
    simd.transmute_f32s_u32s(simd.select_u32s(reaches, bits, gone))
}

struct Nearness<'a> {
    scores: &'a mut [f32],
    centre: f32,
}

impl WithSimd for Nearness<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let centre = simd.splat_f32s(self.centre);
        let (head, tail) = S::as_mut_simd_f32s(self.scores);
        for it in head {
            let distance = simd.abs_f32s(simd.sub_f32s(*it, centre));
            *it = simd.neg_f32s(distance);
        }
        for it in tail {
            *it = -(*it - self.centre).abs();
        }
    }
}
