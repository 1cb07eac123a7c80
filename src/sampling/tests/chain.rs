//! The chain as a whole: dead ends, broken logits, the mask, the dice, the trace.

use super::*;
use crate::sampling::{Order, Stage};

#[track_caller]
fn check_dead_end(outcome: &Outcome, stages: &[Stage]) {
    let expected = Outcome::DeadEnd {
        stages: stages.to_vec(),
    };
    assert_eq!(*outcome, expected);
}

#[track_caller]
fn check_broken(logits: &[f32]) {
    let mut chain = Chain::new(&Knobs::neutral(), logits.len());
    assert_eq!(chain.step(logits, None), Outcome::BrokenLogits);
}

fn drawn(knobs: &Knobs, n: usize) -> Vec<TokenId> {
    let mut noise = Noise(9);
    let mut chain = Chain::new(knobs, 3000);
    (0..n)
        .map(|_| token_and_trace(chain.step(&noise.logits(3000), None)).0)
        .collect()
}

#[test]
fn a_dead_end_names_the_stages_that_met() {
    let mut chain = Chain::new(&knobs(&[(Knob::NoRepeatNgramSize, 2.0)]), 4);
    chain.feed_prompt(&[0, 2, 0]);
    let outcome = chain.step(&[0.0; 4], Some(&mask(4, &[2])));
    check_dead_end(&outcome, &[Stage::Mask, Stage::NoRepeatNgram]);
    assert_eq!(Stage::NoRepeatNgram.label(), "no-repeat n-gram");
    assert_eq!(Stage::Mask.label(), "constraint mask");
}

#[test]
fn a_dead_end_of_a_truncation_before_the_mask_names_both() {
    let mut knobs = knobs(&[(Knob::TopK, 1.0)]);
    knobs.order = Order::new(&[Stage::TopK, Stage::Mask]).unwrap();
    let mut chain = Chain::new(&knobs, 3);
    let outcome = chain.step(&[3.0, 2.0, 1.0], Some(&mask(3, &[1, 2])));
    check_dead_end(&outcome, &[Stage::TopK, Stage::Mask]);
}

#[test]
fn an_empty_mask_is_a_dead_end_of_its_own() {
    let mut chain = Chain::new(&Knobs::neutral(), 3);
    check_dead_end(&chain.step(&[0.0; 3], Some(&mask(3, &[]))), &[Stage::Mask]);
}

#[test]
fn an_empty_mask_is_to_blame_alone_whatever_works_before_it() {
    let mut knobs = knobs(&[(Knob::TopK, 1.0)]);
    knobs.order = Order::new(&[Stage::TopK, Stage::Mask]).unwrap();
    let mut chain = Chain::new(&knobs, 3);
    let outcome = chain.step(&[3.0, 2.0, 1.0], Some(&mask(3, &[])));
    check_dead_end(&outcome, &[Stage::Mask]);
}

#[test]
fn a_chain_goes_on_after_a_dead_end() {
    let mut chain = Chain::new(&Knobs::neutral(), 3);
    check_dead_end(&chain.step(&[0.0; 3], Some(&mask(3, &[]))), &[Stage::Mask]);
    assert_eq!(trace(chain.step(&[0.0, 1.0, 2.0], None)).after.len(), 3);
}

#[test]
fn what_is_no_logits_is_broken() {
    check_broken(&[]);
    check_broken(&[f32::NEG_INFINITY; 40]);
    for bad in [f32::NAN, f32::INFINITY] {
        for place in [0, 1, 17, 39] {
            let mut logits = vec![1.0; 40];
            logits[place] = bad;
            check_broken(&logits);
        }
    }
}

#[test]
fn logits_of_minus_infinity_are_no_candidates() {
    let logits = [0.0, f32::NEG_INFINITY, 0.0];
    check_candidates(
        &step(&Knobs::neutral(), &[], &logits).after,
        &[(0, 0.5), (2, 0.5)],
    );
}

#[test]
fn nothing_but_legal_tokens_is_ever_picked() {
    let mut noise = Noise(5);
    for round in 0..300 {
        let n_legal = 1 + noise.below(if round % 2 == 0 { 4 } else { 400 });
        let legal = noise.tokens(n_legal, 300);
        let mask = mask(300, &legal);
        let values = [
            (Knob::Temperature, noise.below(5) as f64 / 2.0),
            (Knob::TopK, noise.below(5) as f64),
            (Knob::Seed, f64::from(round)),
        ];
        let mut knobs = knobs(&values);
        if round % 3 == 0 {
            knobs.order = Order::llama_cpp();
        }
        let mut chain = Chain::new(&knobs, 300);
        let (token, trace) = token_and_trace(chain.step(&noise.logits(300), Some(&mask)));
        assert!(legal.contains(&token));
        assert!(trace.after.iter().all(|it| mask.allows(it.token)));
    }
}

#[test]
fn after_the_mask_the_legal_tokens_have_all_the_probability() {
    let mut noise = Noise(6);
    for n_legal in 1..=8 {
        let mut legal: Vec<_> = (0..n_legal).map(|it| it * 7 + 3).collect();
        let mut chain = Chain::new(&Knobs::neutral(), 60);
        let mut trace = trace(chain.step(&noise.logits(60), Some(&mask(60, &legal))));
        let sum: f32 = trace.after.iter().map(|it| it.probability).sum();
        assert!((sum - 1.0).abs() < 1e-5);
        trace.after.sort_by_key(|it| it.token);
        let left: Vec<_> = trace.after.iter().map(|it| it.token).collect();
        legal.sort_unstable();
        assert_eq!(left, legal);
    }
}

#[test]
fn far_less_likely_tokens_share_the_probability_when_they_alone_are_legal() {
    let mut chain = Chain::new(&Knobs::neutral(), 64);
    let mut logits = vec![0.0; 64];
    logits[0] = 500.0;
    let legal: Vec<_> = (1..=4).collect();
    let trace = trace(chain.step(&logits, Some(&mask(64, &legal))));
    check_candidates(&trace.after, &[(1, 0.25), (2, 0.25), (3, 0.25), (4, 0.25)]);
    assert!(trace.effects[0].removed_mass > 0.999_999);
}

#[test]
fn a_mask_of_many_and_one_of_few_agree_with_each_other() {
    let mut noise = Noise(7);
    let logits = noise.logits(64);
    let legal: Vec<_> = (0..64).step_by(3).collect();
    let wide = mask(64, &legal);
    // The same tokens in a vocabulary so much larger that they are few of it.
    let mut padded = logits.clone();
    padded.resize(1024, -50.0);
    let few = mask(1024, &legal);
    let first = trace(Chain::new(&Knobs::neutral(), 64).step(&logits, Some(&wide)));
    let second = trace(Chain::new(&Knobs::neutral(), 1024).step(&padded, Some(&few)));
    let expected: Vec<_> = first
        .after
        .iter()
        .map(|it| (it.token, it.probability))
        .collect();
    check_candidates(&second.after, &expected);
}

#[test]
fn greedy_takes_the_best_and_the_first_among_equals() {
    let mut chain = Chain::new(&knobs(&[(Knob::Temperature, 0.0)]), 4);
    let (token, trace) = token_and_trace(chain.step(&[1.0, 3.0, 2.0, 3.0], None));
    assert_eq!(token, 1);
    assert_eq!((trace.wanted, trace.rank, trace.after.len()), (1, 1, 4));
}

#[test]
fn the_trace_ranks_the_token_among_the_raw_logits() {
    let mut chain = Chain::new(&knobs(&[(Knob::Temperature, 0.0)]), 40);
    let logits: Vec<_> = (0..40).map(|it| it as f32 / 10.0).collect();
    let (token, trace) = token_and_trace(chain.step(&logits, Some(&mask(40, &[3, 5]))));
    assert_eq!((token, trace.wanted, trace.rank), (5, 39, 35));
    let sum: f32 = logits.iter().map(|it| it.exp()).sum();
    assert!((trace.probability - 0.5_f32.exp() / sum).abs() < 1e-6);
    assert_eq!(trace.before[0].token, 39);
    assert_eq!(trace.before.len(), 8);
}

#[test]
fn the_same_seed_draws_the_same_tokens() {
    let first = drawn(&Knobs::neutral(), 50);
    assert_eq!(drawn(&Knobs::neutral(), 50), first);
    assert_ne!(drawn(&knobs(&[(Knob::Seed, 43.0)]), 50), first);
}

#[test]
fn draws_follow_the_probabilities() {
    let mut chain = Chain::new(&Knobs::neutral(), 3);
    let logits = logits(&[0.2, 0.5, 0.3]);
    let mut counts = [0; 3];
    for _ in 0..10_000 {
        counts[token_and_trace(chain.step(&logits, None)).0 as usize] += 1;
    }
    // Four standard deviations are 160, 200 and 183.
    assert!((1840..2160).contains(&counts[0]), "{counts:?}");
    assert!((4800..5200).contains(&counts[1]), "{counts:?}");
}

#[test]
fn the_dice_are_those_of_the_definition() {
    // The first two outputs of SplitMix64 for the seed 0, as published with it.
    let mut random = crate::sampling::random::Random::new(0);
    let expected = [0xe220_a839_7b1d_cdaf_u64, 0x6e78_9e6a_a1b9_65f4];
    for it in expected {
        let fraction = (it >> 11) as f64 / (1_u64 << 53) as f64;
        assert!((random.next_fraction() - fraction).abs() < f64::EPSILON);
    }
}
