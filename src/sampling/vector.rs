//! The loops over the whole vocabulary, compiled for the vector unit that the computer turns out to have.
//!
//! Selects are made on bits: `Simd::select_f32s` stays a function call where the package is compiled in a hurry.

#![expect(
    clippy::inline_always,
    reason = "vector code only becomes vector code once it is inlined into the function that was compiled for the unit"
)]

use pulp::{Arch, Simd, WithSimd};

/// Values summed in single precision before they are added up in double precision.
pub(super) const CHUNK: usize = 1024;

/// Values that are looked at one by one if their largest reaches the threshold.
const BLOCK: usize = 64;

/// Most lanes that a vector unit has.
const MAX_LANES: usize = 16;

/// `exp` of anything below counts as 0; `exp(-87)` is still a normal number.
const FLOOR: f32 = -87.0;

/// Fills `sums` with the sum of `exp(value - max)` of each [`CHUNK`], and returns the whole sum, and with it the sum
/// of each weight times its `value - max`.
///
/// A NaN among the values, or a plus infinity as `max`, makes the sum NaN.
pub(super) fn exp_sums(values: &[f32], max: f32, sums: &mut Vec<f64>) -> (f64, f64) {
    sums.clear();
    let slope = Arch::new().dispatch(ExpSums { values, max, sums });
    (sums.iter().sum(), slope)
}

/// Fills `weights` with `exp(value - max)` of each value, relative error at most 3e-7.
pub(super) fn exp_into(values: &[f32], max: f32, weights: &mut Vec<f32>) {
    weights.clear();
    Arch::new().dispatch(ExpInto {
        values,
        max,
        weights,
    });
    weights.truncate(values.len());
}

/// Multiplies every value.
pub(super) fn scale(values: &mut [f32], factor: f32) {
    Arch::new().dispatch(Scale { values, factor });
}

/// How many values are greater than `threshold`.
pub(super) fn count_greater(values: &[f32], threshold: f32) -> usize {
    Arch::new().dispatch(CountGreater { values, threshold })
}

/// Shows `visit` the blocks in which a value reaches the threshold; it is told where the block begins and returns
/// the threshold for the blocks that follow. This is how a few large values are found without looking at each.
pub(super) fn visit_reaching(
    values: &[f32],
    threshold: f32,
    visit: impl FnMut(usize, &[f32]) -> f32,
) {
    Arch::new().dispatch(VisitReaching {
        values,
        threshold,
        visit,
    });
}

struct ExpSums<'a> {
    values: &'a [f32],
    max: f32,
    sums: &'a mut Vec<f64>,
}

impl WithSimd for ExpSums<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let max = simd.splat_f32s(self.max);
        let floor = simd.splat_f32s(FLOOR);
        let mut slope = 0.0;
        for chunk in self.values.chunks(CHUNK) {
            let (head, tail) = S::as_simd_f32s(chunk);
            let padded = padded(tail);
            let (rest, _) = S::as_simd_f32s(&padded);
            let mut sum = simd.splat_f32s(0.0);
            let mut moment = simd.splat_f32s(0.0);
            for &it in head.iter().chain(rest) {
                let depth = simd.sub_f32s(it, max);
                let weight = exp(simd, depth);
                sum = simd.add_f32s(sum, weight);
                // Where the weight is 0 the depth may be infinite, and the product must be 0.
                moment = simd.mul_add_e_f32s(weight, simd.max_f32s(depth, floor), moment);
            }
            self.sums.push(f64::from(simd.reduce_sum_f32s(sum)));
            slope += f64::from(simd.reduce_sum_f32s(moment));
        }
        slope
    }
}

struct ExpInto<'a> {
    values: &'a [f32],
    max: f32,
    weights: &'a mut Vec<f32>,
}

impl WithSimd for ExpInto<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let max = simd.splat_f32s(self.max);
        let n = self.values.len();
        self.weights
            .resize(n.next_multiple_of(MAX_LANES), f32::NEG_INFINITY);
        self.weights[..n].copy_from_slice(self.values);
        let (head, _) = S::as_mut_simd_f32s(self.weights);
        for it in head {
            *it = exp(simd, simd.sub_f32s(*it, max));
        }
    }
}

struct Scale<'a> {
    values: &'a mut [f32],
    factor: f32,
}

impl WithSimd for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let factor = simd.splat_f32s(self.factor);
        let (head, tail) = S::as_mut_simd_f32s(self.values);
        for it in head {
            *it = simd.mul_f32s(*it, factor);
        }
        for it in tail {
            *it *= self.factor;
        }
    }
}

struct CountGreater<'a> {
    values: &'a [f32],
    threshold: f32,
}

impl WithSimd for CountGreater<'_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> usize {
        let threshold = simd.splat_f32s(self.threshold);
        let zero = simd.splat_u32s(0);
        let one = simd.transmute_u32s_f32s(simd.splat_f32s(1.0));
        let mut count = 0;
        for chunk in self.values.chunks(CHUNK) {
            let (head, tail) = S::as_simd_f32s(chunk);
            let mut lanes = simd.splat_f32s(0.0);
            for &it in head {
                let greater = simd.greater_than_f32s(it, threshold);
                let counted = simd.select_u32s(greater, one, zero);
                lanes = simd.add_f32s(lanes, simd.transmute_f32s_u32s(counted));
            }
            count += exact(simd.reduce_sum_f32s(lanes));
            for &it in tail {
                count += usize::from(it > self.threshold);
            }
        }
        count
    }
}

struct VisitReaching<'a, V> {
    values: &'a [f32],
    threshold: f32,
    visit: V,
}

impl<V: FnMut(usize, &[f32]) -> f32> WithSimd for VisitReaching<'_, V> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let mut threshold = self.threshold;
        let mut start = 0;
        for block in self.values.chunks(BLOCK) {
            if block_max(simd, block) >= threshold {
                threshold = (self.visit)(start, block);
            }
            start += BLOCK;
        }
    }
}

#[inline(always)]
fn block_max<S: Simd>(simd: S, values: &[f32]) -> f32 {
    let (head, tail) = S::as_simd_f32s(values);
    let mut largest = simd.splat_f32s(f32::NEG_INFINITY);
    for &it in head {
        largest = simd.max_f32s(largest, it);
    }
    let mut largest = simd.reduce_max_f32s(largest);
    for &it in tail {
        if it > largest {
            largest = it;
        }
    }
    largest
}

/// `exp(x)` for `x` of at most 0: the whole powers of two from the exponent's bits, the rest from the Taylor series,
/// which at half a binary order needs seven terms for single precision.
#[inline(always)]
fn exp<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    // Adding 1.5 * 2^23 rounds to a whole number and leaves that number in the lowest bits.
    let round = simd.splat_f32s(12_582_912.0);
    let shifted = simd.mul_add_e_f32s(x, simd.splat_f32s(std::f32::consts::LOG2_E), round);
    let whole = simd.sub_f32s(shifted, round);
    // ln 2 in two parts, of which the first has so few bits that its multiples are exact.
    let rest = simd.mul_add_e_f32s(whole, simd.splat_f32s(-0.693_359_4), x);
    let rest = simd.mul_add_e_f32s(whole, simd.splat_f32s(2.121_944_4e-4), rest);
    let mut series = simd.splat_f32s(1.0 / 720.0);
    for term in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = simd.mul_add_e_f32s(series, rest, simd.splat_f32s(term));
    }
    let exponent = simd.add_u32s(simd.transmute_u32s_f32s(shifted), simd.splat_u32s(127));
    let power = simd.wrapping_dyn_shl_u32s(exponent, simd.splat_u32s(23));
    let product = simd.mul_f32s(series, simd.transmute_f32s_u32s(power));
    // A comparison with NaN is false, so that NaN comes through.
    let tiny = simd.less_than_f32s(x, simd.splat_f32s(FLOOR));
    let bits = simd.transmute_u32s_f32s(product);
    simd.transmute_f32s_u32s(simd.select_u32s(tiny, simd.splat_u32s(0), bits))
}

/// The values that do not fill a vector, filled up with what contributes nothing.
#[inline(always)]
fn padded(tail: &[f32]) -> [f32; MAX_LANES] {
    let mut padded = [f32::NEG_INFINITY; MAX_LANES];
    padded[..tail.len()].copy_from_slice(tail);
    padded
}

/// A whole number between 0 and [`CHUNK`] that was counted in single precision.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "a count")]
fn exact(count: f32) -> usize {
    count as usize
}
