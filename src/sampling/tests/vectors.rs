//! The vector loops against plain ones, at every length around the vector's and the block's.

use super::*;
use crate::sampling::vector;

const LENGTHS: [usize; 12] = [0, 1, 7, 8, 9, 63, 64, 65, 1023, 1024, 1025, 3000];

#[test]
fn exponentials_are_right_to_the_last_bits() {
    let values: Vec<_> = (0..8700).map(|it| it as f32 * -0.01).collect();
    let mut weights = Vec::new();
    vector::exp_into(&values, 0.0, &mut weights);
    assert_eq!(weights.len(), values.len());
    for (&value, &weight) in values.iter().zip(&weights) {
        let exact = f64::from(value).exp();
        let error = (f64::from(weight) - exact).abs() / exact;
        assert!(error < 3e-7, "exp({value}) is {weight}, off by {error}");
    }
}

#[test]
fn exponentials_far_below_are_zero() {
    let mut weights = Vec::new();
    vector::exp_into(&[-88.0, -1e30, f32::NEG_INFINITY, 0.0], 0.0, &mut weights);
    assert_eq!(weights, [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn sums_are_those_of_a_plain_loop() {
    let mut noise = Noise(1);
    let mut sums = Vec::new();
    for n in LENGTHS {
        let logits = noise.logits(n);
        let plain: f64 = logits.iter().map(|it| f64::from(it - 10.0).exp()).sum();
        let (sum, slope) = vector::exp_sums(&logits, 10.0, &mut sums);
        let weighed = |it: &f32| f64::from(it - 10.0).exp() * f64::from(it - 10.0);
        let plain_slope: f64 = logits.iter().map(weighed).sum();
        assert!((slope - plain_slope).abs() <= -1e-6 * plain_slope);
        assert!((sum - plain).abs() <= 1e-6 * plain, "{n}: {sum} {plain}");
        assert_eq!(sums.len(), n.div_ceil(vector::CHUNK));
    }
}

#[test]
fn counts_are_those_of_a_plain_loop() {
    let mut noise = Noise(2);
    for n in LENGTHS {
        let logits = noise.logits(n);
        let plain = logits.iter().filter(|it| **it > 2.5).count();
        assert_eq!(vector::count_greater(&logits, 2.5), plain);
    }
}

#[test]
fn scaling_reaches_every_value() {
    for n in LENGTHS {
        let mut values = vec![3.0; n];
        vector::scale(&mut values, 2.0);
        assert_eq!(values, vec![6.0; n]);
    }
}

#[test]
fn every_value_that_reaches_the_threshold_is_in_a_visited_block() {
    let mut noise = Noise(3);
    for n in LENGTHS {
        let logits = noise.logits(n);
        let mut n_seen = 0;
        vector::visit_reaching(&logits, 9.5, |start, block| {
            assert_eq!(block, &logits[start..start + block.len()]);
            n_seen += block.iter().filter(|it| **it >= 9.5).count();
            9.5
        });
        assert_eq!(n_seen, logits.iter().filter(|it| **it >= 9.5).count());
    }
}
