//! Temperature and truncations against references that sort the whole vocabulary, in both orders.

use super::*;
use crate::sampling::{Order, Stage};

fn softmax(logits: &[f64]) -> Vec<f64> {
    let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<_> = logits.iter().map(|it| (it - max).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|it| it / sum).collect()
}

/// Sets the logits to minus infinity whose place is not to be kept.
fn keep(logits: &mut [f64], is_kept: impl Fn(usize) -> bool) {
    for (place, logit) in logits.iter_mut().enumerate() {
        if !is_kept(place) {
            *logit = f64::NEG_INFINITY;
        }
    }
}

fn reference_stage(logits: &mut [f64], stage: Stage, knobs: &Knobs) {
    let probabilities = softmax(logits);
    let mut places: Vec<_> = (0..logits.len()).collect();
    places.sort_by(|a, b| probabilities[*b].total_cmp(&probabilities[*a]));
    match stage {
        Stage::Temperature => {
            for logit in logits {
                *logit /= knobs.get(Knob::Temperature);
            }
        }
        Stage::TopK => {
            let kth = logits[places[knobs.count(Knob::TopK) - 1]];
            let old = logits.to_vec();
            keep(logits, |it| old[it] >= kth);
        }
        Stage::TopP => {
            let mut above = 0.0;
            let n_kept = places
                .iter()
                .take_while(|it| {
                    let is_kept = above < knobs.get(Knob::TopP);
                    above += probabilities[**it];
                    is_kept
                })
                .count();
            keep(logits, |it| places[..n_kept].contains(&it));
        }
        Stage::MinP => {
            let least = knobs.get(Knob::MinP) * probabilities[places[0]];
            keep(logits, |it| probabilities[it] >= least);
        }
        _ => {}
    }
}

#[track_caller]
fn check(order: &Order) {
    let mut noise = Noise(11);
    for round in 0..300 {
        let n_vocab = 1 + noise.below(300) as usize;
        let mut knobs = knobs(&[
            (Knob::Temperature, 0.25 + noise.below(7) as f64 / 4.0),
            (Knob::TopK, 1.0 + noise.below(n_vocab as u64) as f64),
            // Not at round shares, where rounding decides.
            (Knob::TopP, 0.0137 + noise.below(97) as f64 / 100.0),
            (Knob::MinP, 0.000_137 + noise.below(100) as f64 / 500.0),
        ]);
        knobs.order = order.clone();
        let raw = noise.logits(n_vocab);
        let mut logits: Vec<_> = raw.iter().map(|it| f64::from(*it)).collect();
        for &stage in order.stages() {
            reference_stage(&mut logits, stage, &knobs);
        }
        let probabilities = softmax(&logits);
        let n_left = probabilities.iter().filter(|it| **it > 0.0).count();
        let trace = step(&knobs, &[], &raw);
        let n_removed: u32 = trace.effects.iter().map(|it| it.n_removed).sum();
        assert_eq!(n_removed as usize, n_vocab - n_left, "round {round}");
        for it in &trace.after {
            let expected = probabilities[it.token as usize];
            let error = (f64::from(it.probability) - expected).abs();
            assert!(error < 1e-4, "round {round}: {it:?} {expected}");
        }
    }
}

#[test]
fn transformers_order_is_that_of_the_definitions() {
    check(&Order::transformers());
}

#[test]
fn llama_cpp_order_is_that_of_the_definitions() {
    check(&Order::llama_cpp());
}

#[test]
fn any_other_order_is_that_of_the_definitions() {
    let stages = [Stage::MinP, Stage::TopP, Stage::Temperature, Stage::TopK];
    check(&Order::new(&stages).unwrap());
}
