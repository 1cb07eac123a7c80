//! The less common stages against values worked out by hand.

use super::*;

const FIVE: [f32; 5] = [0.1, 0.4, 0.05, 0.3, 0.15];

#[track_caller]
fn check(values: &[(Knob, f64)], prompt: &[TokenId], scores: &[f32], expected: &[f32]) {
    let found = step(&knobs(values), prompt, scores).after;
    let plain = step(&Knobs::neutral(), &[], expected).after;
    let plain: Vec<_> = plain.iter().map(|it| (it.token, it.probability)).collect();
    check_candidates(&found, &plain);
}

const GONE: f32 = f32::NEG_INFINITY;

#[test]
fn presence_is_taken_off_once_and_frequency_each_time() {
    let prompt = [0, 1, 0, 0];
    check(
        &[(Knob::PresencePenalty, 0.5)],
        &prompt,
        &[2.0, -1.0, 0.0],
        &[1.5, -1.5, 0.0],
    );
    check(
        &[(Knob::FrequencyPenalty, 0.5)],
        &prompt,
        &[2.0, -1.0, 0.0],
        &[0.5, -1.5, 0.0],
    );
    let both = [
        (Knob::PresencePenalty, 0.5),
        (Knob::FrequencyPenalty, -1.0),
        (Knob::PenaltyLastN, 2.0),
    ];
    check(&both, &prompt, &[2.0, -1.0, 0.0], &[3.5, -1.0, 0.0]);
}

#[test]
fn top_n_sigma_counts_deviations_from_the_best() {
    // The standard deviation of 0, 2, 4, 6 is the root of 5, about 2.236.
    let scores = [0.0, 2.0, 4.0, 6.0];
    check(
        &[(Knob::TopNSigma, 1.0)],
        &[],
        &scores,
        &[GONE, GONE, 4.0, 6.0],
    );
    check(
        &[(Knob::TopNSigma, 0.5)],
        &[],
        &scores,
        &[GONE, GONE, GONE, 6.0],
    );
    check(
        &[(Knob::TopNSigma, 2.0)],
        &[],
        &scores,
        &[GONE, 2.0, 4.0, 6.0],
    );
    check(&[(Knob::TopNSigma, 3.0)], &[], &scores, &scores);
}

#[test]
fn xtc_leaves_the_least_likely_of_the_top_choices() {
    let values = [(Knob::XtcProbability, 1.0), (Knob::XtcThreshold, 0.12)];
    let scores = logits(&FIVE);
    check(
        &values,
        &[],
        &scores,
        &[scores[0], GONE, scores[2], GONE, scores[4]],
    );
}

#[test]
fn xtc_lets_a_lone_top_choice_be() {
    let values = [(Knob::XtcProbability, 1.0), (Knob::XtcThreshold, 0.35)];
    check(&values, &[], &logits(&FIVE), &logits(&FIVE));
}

#[test]
fn xtc_strikes_as_often_as_it_is_told_to() {
    let mut chain = Chain::new(&knobs(&[(Knob::XtcProbability, 0.3)]), 5);
    let struck = (0..2000).filter(|_| !trace(chain.step(&logits(&FIVE), None)).effects.is_empty());
    // Four standard deviations are 82.
    assert!((518..682).contains(&struck.count()));
}

#[test]
fn typical_keeps_what_is_closest_to_the_expected_surprise() {
    // The expected surprise is 1.393; the tokens' own are off by 0.910, 0.477, 1.602, 0.189, 0.504.
    let scores = logits(&FIVE);
    check(
        &[(Knob::TypicalP, 0.25)],
        &[],
        &scores,
        &[GONE, GONE, GONE, 1.0, GONE],
    );
    check(
        &[(Knob::TypicalP, 0.5)],
        &[],
        &scores,
        &[GONE, scores[1], GONE, scores[3], GONE],
    );
    check(
        &[(Knob::TypicalP, 0.8)],
        &[],
        &scores,
        &[GONE, scores[1], GONE, scores[3], scores[4]],
    );
}

#[test]
fn typical_can_take_the_favourite_away_at_temperature_zero_too() {
    let values = [(Knob::TypicalP, 0.25), (Knob::Temperature, 0.0)];
    let trace = step(&knobs(&values), &[], &logits(&FIVE));
    assert_eq!((trace.wanted, trace.after[0].token, trace.rank), (1, 3, 2));
}
