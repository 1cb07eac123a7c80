//! Each stage against values worked out by hand.

use super::*;
use crate::sampling::{Order, Stage, StageEffect};

const FIVE: [f32; 5] = [0.1, 0.4, 0.05, 0.3, 0.15];

#[track_caller]
fn check(values: &[(Knob, f64)], probabilities: &[f32], expected: &[(TokenId, f32)]) {
    let trace = step(&knobs(values), &[], &logits(probabilities));
    check_candidates(&trace.after, expected);
}

#[track_caller]
fn check_effect(values: &[(Knob, f64)], prompt: &[TokenId], expected: &StageEffect) {
    let trace = step(&knobs(values), prompt, &logits(&FIVE));
    let [effect] = trace.effects.as_slice() else {
        panic!("{:?}", trace.effects);
    };
    assert!(
        (effect.removed_mass - expected.removed_mass).abs() < 1e-5,
        "{effect:?}"
    );
    let rounded = StageEffect {
        removed_mass: expected.removed_mass,
        ..*effect
    };
    assert_eq!(rounded, *expected);
}

#[test]
fn neutral_knobs_change_nothing() {
    let expected = [(1, 0.4), (3, 0.3), (4, 0.15), (0, 0.1), (2, 0.05)];
    check(&[], &FIVE, &expected);
    let trace = step(&Knobs::neutral(), &[1, 3, 1, 3], &logits(&FIVE));
    check_candidates(&trace.before, &expected);
    assert_eq!(trace.effects, []);
}

#[test]
fn temperature_of_a_half_squares_probabilities() {
    let expected = [
        (1, 0.561_404),
        (3, 0.315_789),
        (4, 0.078_947),
        (0, 0.035_088),
        (2, 0.008_772),
    ];
    check(&[(Knob::Temperature, 0.5)], &FIVE, &expected);
}

#[test]
fn temperature_of_two_takes_their_roots() {
    let roots = [0.632_456, 0.547_723, 0.387_298, 0.316_228, 0.223_607_f32];
    let sum: f32 = roots.iter().sum();
    let expected: Vec<_> = [1, 3, 4, 0, 2]
        .into_iter()
        .zip(roots.map(|it| it / sum))
        .collect();
    check(&[(Knob::Temperature, 2.0)], &FIVE, &expected);
}

#[test]
fn a_tiny_temperature_does_not_overflow() {
    check(
        &[(Knob::Temperature, 0.002)],
        &FIVE,
        &[(1, 1.0), (3, 0.0), (4, 0.0), (0, 0.0), (2, 0.0)],
    );
}

#[test]
fn top_k_keeps_the_best_k() {
    check(
        &[(Knob::TopK, 2.0)],
        &FIVE,
        &[(1, 0.571_429), (3, 0.428_571)],
    );
}

#[test]
fn top_k_keeps_what_is_as_likely_as_the_kth() {
    check(
        &[(Knob::TopK, 2.0)],
        &[0.2, 0.4, 0.2, 0.2],
        &[(1, 0.4), (0, 0.2), (2, 0.2), (3, 0.2)],
    );
}

#[test]
fn top_k_above_the_vocabulary_keeps_all() {
    check(&[(Knob::TopK, 9.0)], &[0.75, 0.25], &[(0, 0.75), (1, 0.25)]);
}

#[test]
fn top_p_keeps_the_token_that_reaches_p() {
    check(
        &[(Knob::TopP, 0.65)],
        &FIVE,
        &[(1, 0.571_429), (3, 0.428_571)],
    );
    check(
        &[(Knob::TopP, 0.75)],
        &FIVE,
        &[(1, 0.470_588), (3, 0.352_941), (4, 0.176_471)],
    );
}

#[test]
fn top_p_of_zero_keeps_one() {
    check(&[(Knob::TopP, 0.0)], &FIVE, &[(1, 1.0)]);
}

#[test]
fn min_p_counts_from_the_most_likely() {
    check(
        &[(Knob::MinP, 0.3)],
        &FIVE,
        &[(1, 0.470_588), (3, 0.352_941), (4, 0.176_471)],
    );
    check(&[(Knob::MinP, 1.0)], &FIVE, &[(1, 1.0)]);
}

#[test]
fn truncations_follow_one_another() {
    // After top-k 3 the shares are 0.4706, 0.3529, 0.1765; the first two reach 0.8.
    check(
        &[(Knob::TopK, 3.0), (Knob::TopP, 0.8)],
        &FIVE,
        &[(1, 0.571_429), (3, 0.428_571)],
    );
}

#[test]
fn penalty_divides_positive_and_multiplies_negative_scores_once() {
    let penalized = step(
        &knobs(&[(Knob::RepetitionPenalty, 2.0)]),
        &[0, 1, 0, 0],
        &[2.0, -2.0, 1.0, -1.0],
    );
    let plain = step(&Knobs::neutral(), &[], &[1.0, -4.0, 1.0, -1.0]);
    // The sums are kept up to date while logits change, so the last bits may differ.
    let plain: Vec<_> = plain
        .after
        .iter()
        .map(|it| (it.token, it.probability))
        .collect();
    check_candidates(&penalized.after, &plain);
}

#[test]
fn penalty_counts_the_last_n() {
    let values = [(Knob::RepetitionPenalty, 2.0), (Knob::PenaltyLastN, 2.0)];
    let penalized = step(&knobs(&values), &[0, 1, 2], &[2.0, 2.0, 2.0]);
    let plain = step(&Knobs::neutral(), &[], &[2.0, 1.0, 1.0]);
    // The sums are kept up to date while logits change, so the last bits may differ.
    let plain: Vec<_> = plain
        .after
        .iter()
        .map(|it| (it.token, it.probability))
        .collect();
    check_candidates(&penalized.after, &plain);
}

#[test]
fn top_k_says_what_went() {
    let expected = StageEffect {
        stage: Stage::TopK,
        n_removed: 3,
        removed_mass: 0.3,
        kept_mass: 1.0 - 0.3,
        changed_top: false,
        new_top: None,
    };
    check_effect(&[(Knob::TopK, 2.0)], &[], &expected);
}

#[test]
fn ngram_ban_says_that_it_changed_the_favourite() {
    let expected = StageEffect {
        stage: Stage::NoRepeatNgram,
        n_removed: 1,
        removed_mass: 0.4,
        kept_mass: 1.0 - 0.4,
        changed_top: true,
        new_top: Some(3),
    };
    check_effect(
        &[(Knob::NoRepeatNgramSize, 3.0)],
        &[7, 8, 1, 7, 8],
        &expected,
    );
}

#[test]
fn removed_mass_is_that_of_the_softmax_at_the_stages_begin() {
    // Top-k leaves 4/7 and 3/7; the first of them is enough for top-p.
    let trace = step(
        &knobs(&[(Knob::TopK, 2.0), (Knob::TopP, 0.5)]),
        &[],
        &logits(&FIVE),
    );
    assert_eq!(trace.effects.len(), 2);
    assert!((trace.effects[1].removed_mass - 3.0 / 7.0).abs() < 1e-5);
}

#[test]
fn mask_removes_from_the_raw_softmax() {
    let mut chain = Chain::new(&Knobs::neutral(), 5);
    let trace = trace(chain.step(&logits(&FIVE), Some(&mask(5, &[0, 2, 3]))));
    check_candidates(
        &trace.after,
        &[(3, 0.666_667), (0, 0.222_222), (2, 0.111_111)],
    );
    assert_eq!(trace.n_legal, Some(3));
    let effect = trace.effects[0];
    assert_eq!(
        (effect.stage, effect.n_removed, effect.new_top),
        (Stage::Mask, 2, Some(3))
    );
    assert!((effect.removed_mass - 0.55).abs() < 1e-5);
}

#[test]
fn the_two_orders_differ_at_the_same_numbers() {
    let mut knobs = knobs(&[(Knob::Temperature, 0.5), (Knob::TopP, 0.75)]);
    // Squared, the first two have 0.877 of the probability; as they were, three are needed.
    assert_eq!(step(&knobs, &[], &logits(&FIVE)).after.len(), 2);
    knobs.order = Order::llama_cpp();
    assert_eq!(step(&knobs, &[], &logits(&FIVE)).after.len(), 3);
}

#[test]
fn a_stage_that_is_not_in_the_order_is_off() {
    let mut knobs = knobs(&[(Knob::TopK, 1.0), (Knob::Temperature, 0.0)]);
    knobs.order = Order::new(&[Stage::MinP]).unwrap();
    assert_eq!(step(&knobs, &[], &logits(&FIVE)).after.len(), 5);
}

#[test]
fn top_p_is_that_of_the_definition_where_thousands_are_kept() {
    let mut noise = Noise(1);
    for (p, scale) in [(0.1, 8.0), (0.5, 1.0), (0.9, 4.0), (0.999, 2.0)] {
        let logits: Vec<_> = noise.logits(5000).iter().map(|it| it / scale).collect();
        let mut ranked: Vec<f64> = logits.iter().map(|it| f64::from(*it).exp()).collect();
        ranked.sort_by(|a, b| b.total_cmp(a));
        let sum: f64 = ranked.iter().sum();
        let mut above = 0.0;
        let kept = ranked.iter().take_while(|it| {
            let is_kept = above < p * sum;
            above += **it;
            is_kept
        });
        let n_removed = 5000 - kept.count();
        let trace = step(&knobs(&[(Knob::TopP, p)]), &[], &logits);
        let found = trace.effects.first().map_or(0, |it| it.n_removed);
        // Logits of a thousandth apart: rounding can move the cut by a few of them.
        assert!(
            found.abs_diff(n_removed as u32) <= 3,
            "{p}: {found} {n_removed}"
        );
    }
}
