//! The vector loops against plain ones, at every length around the vector's and the block's.

use super::*;
use crate::sampling::ranking::{Ranked, last_to_reach};
use crate::sampling::{cut, vector};

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

#[test]
fn the_sums_above_thresholds_are_those_of_plain_loops() {
    let mut noise = Noise(4);
    for n in LENGTHS {
        let (scores, weights) = (noise.logits(n), noise.logits(n));
        let cuts = [9.0, 8.0, 7.5, 5.0, 4.0, 2.5, 1.0, -1.0];
        let sums = cut::sums_reaching((&scores, &weights), &cuts);
        for (sum, least) in sums.iter().zip(cuts) {
            let above = scores.iter().zip(&weights).filter(|it| *it.0 >= least);
            let plain: f64 = above.map(|it| f64::from(*it.1)).sum();
            assert!((sum - plain).abs() <= 1e-5 * plain.abs().max(1.0), "{n}");
        }
    }
}

#[test]
fn every_value_between_two_is_in_a_visited_block() {
    let mut noise = Noise(5);
    for n in LENGTHS {
        let values = noise.logits(n);
        let is_between = |it: &&f32| **it >= 3.0 && **it < 3.5;
        let mut n_seen = 0;
        cut::visit_between(&values, (3.0, 3.5), |start, block| {
            assert_eq!(block, &values[start..start + block.len()]);
            n_seen += block.iter().filter(is_between).count();
        });
        assert_eq!(n_seen, values.iter().filter(is_between).count());
    }
}

#[test]
fn what_is_below_the_threshold_is_blotted_out() {
    let mut noise = Noise(6);
    for n in LENGTHS {
        let (values, scores) = (noise.logits(n), noise.logits(n));
        let blotted = |by: &[f32]| -> Vec<f32> {
            let kept = |(it, score): (&f32, &f32)| {
                if *score >= 5.0 {
                    *it
                } else {
                    f32::NEG_INFINITY
                }
            };
            values.iter().zip(by).map(kept).collect()
        };
        let (mut by_score, mut by_itself) = (values.clone(), values.clone());
        cut::blot_below(&mut by_score, &scores, 5.0);
        cut::blot_small(&mut by_itself, 5.0);
        assert_eq!((by_score, by_itself), (blotted(&scores), blotted(&values)));
    }
}

/// Scores of several shapes: spread evenly, all the same, a few far above the rest, in steps with many equals, rising
/// with the place, and high only at places that a sample of the begins of even stretches would miss.
fn scores_of_a_shape(shape: usize, n: usize, noise: &mut Noise) -> Vec<f32> {
    let even = noise.logits(n);
    let change = |(place, it): (usize, f32)| match shape {
        0 => it,
        1 => 1.0,
        2 if place % 997 == 5 => it + 20.0,
        3 => it.round(),
        4 => place as f32 / n as f32,
        5 if place % (n / 64).max(1) > 20 => it + 9.0,
        _ => it / 4.0,
    };
    even.into_iter().enumerate().map(change).collect()
}

#[test]
fn the_cut_is_where_sorting_all_would_make_it() {
    let mut noise = Noise(7);
    for round in 0..240 {
        let n = 1 + noise.below(9000) as usize;
        let scores = scores_of_a_shape(round % 6, n, &mut noise);
        let mut weights = Vec::new();
        let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        vector::exp_into(&scores, max, &mut weights);
        let sum: f64 = weights.iter().map(|it| f64::from(*it)).sum();
        // Not at round shares, where rounding decides.
        let share = 0.0137 + noise.below(97) as f64 / 100.0;
        let found = last_to_reach(&scores, &weights, (share, sum), &mut Vec::new()).unwrap();
        let all = (0..).zip(&scores);
        let mut all: Vec<_> = all.map(|(place, &logit)| Ranked { logit, place }).collect();
        all.sort_by(|a, b| a.compare(*b));
        let mass = |ranked: &[Ranked]| -> f64 {
            let weights = ranked
                .iter()
                .map(|it| f64::from(weights[it.place as usize]));
            weights.sum::<f64>() / sum
        };
        let at = all.iter().position(|it| *it == found).unwrap();
        assert!(mass(&all[..at]) < share + 1e-6, "round {round}");
        assert!(mass(&all[..=at]) > share - 1e-6, "round {round}");
    }
}
