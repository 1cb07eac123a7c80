//! The trace: masses that sum, the earlier text behind a ban, the size of a penalty, who is to blame.

use super::*;
use crate::sampling::{
    BiasTarget, Blame, CharClass, KnobList, Lexicon, LogitBias, SelfTest, Span, Stage, Tested,
    Touch,
};

pub(super) fn removing_knobs(noise: &mut Noise) -> Knobs {
    knobs(&[
        (Knob::RepetitionPenalty, 1.0 + noise.below(5) as f64 / 10.0),
        (Knob::NoRepeatNgramSize, noise.below(3) as f64),
        (Knob::DryMultiplier, noise.below(2) as f64),
        (Knob::Temperature, 0.4 + noise.below(5) as f64 / 4.0),
        (Knob::TopK, noise.below(3) as f64 * 40.0),
        (Knob::TopP, 0.5 + noise.below(50) as f64 / 100.0),
        (Knob::MinP, noise.below(3) as f64 / 50.0),
        (Knob::TypicalP, 0.5 + noise.below(50) as f64 / 100.0),
        (Knob::TopNSigma, 4.0),
        (Knob::XtcProbability, 0.5),
        (Knob::MirostatTau, noise.below(2) as f64 * 4.0),
    ])
}

#[track_caller]
fn touch_of(trace: &TokenTrace, stage: Stage, token: TokenId) -> Touch {
    let found = trace.touches_of(token).find(|it| it.stage == stage);
    *found.unwrap_or_else(|| panic!("{trace:?}"))
}

#[test]
fn what_a_stage_leaves_and_what_it_takes_sum_to_all() {
    let mut noise = Noise(21);
    let mut n_seen = 0;
    for _ in 0..300 {
        let n_vocab = 20 + noise.below(3000) as usize;
        let knobs = removing_knobs(&mut noise);
        let prompt = noise.tokens(60, 20);
        let mut chain = Chain::new(&knobs, n_vocab);
        chain.feed_prompt(&prompt);
        let Outcome::Token { trace, .. } = chain.step(&noise.logits(n_vocab), None) else {
            continue;
        };
        for it in &trace.effects {
            let sum = it.removed_mass + it.kept_mass;
            assert!((sum - 1.0).abs() < 1e-4, "{it:?}");
            n_seen += 1;
        }
    }
    assert!(n_seen > 600, "{n_seen}");
}

#[test]
fn the_mass_a_ban_takes_is_that_of_the_raw_softmax() {
    let mut noise = Noise(22);
    for _ in 0..100 {
        let logits = noise.logits(500);
        let sum: f64 = logits.iter().map(|it| f64::from(*it).exp()).sum();
        let trace = step(
            &knobs(&[(Knob::NoRepeatNgramSize, 1.0)]),
            &[3, 99, 3],
            &logits,
        );
        let gone = (f64::from(logits[3]).exp() + f64::from(logits[99]).exp()) / sum;
        assert!((f64::from(trace.effects[0].removed_mass) - gone).abs() < 1e-5);
    }
}

#[test]
fn a_ban_names_the_earlier_run() {
    let mut chain = Chain::new(&knobs(&[(Knob::NoRepeatNgramSize, 3.0)]), 5);
    chain.feed_prompt(&[4, 0, 2, 1, 4, 0]);
    chain.accept(2);
    let (token, trace) = token_and_trace(chain.step(&[0.0, 5.0, 0.0, 0.0, 0.0], None));
    let touch = touch_of(&trace, Stage::NoRepeatNgram, 1);
    assert_eq!(
        (touch.shift, touch.earlier),
        (None, Some(Span { start: 1, end: 4 }))
    );
    assert_eq!(trace.blame(token), Blame::Stage(Stage::NoRepeatNgram));
    assert_eq!(trace.wanted_after, None);
}

#[test]
fn a_penalty_has_its_size_and_the_latest_occurrence() {
    let trace = step(
        &knobs(&[(Knob::RepetitionPenalty, 2.0)]),
        &[1, 0, 1],
        &[3.0, 4.0, 1.0],
    );
    let touch = touch_of(&trace, Stage::RepetitionPenalty, 1);
    assert_eq!(
        (touch.shift, touch.earlier),
        (Some(-2.0), Some(Span { start: 2, end: 3 }))
    );
}

#[test]
fn a_truncation_names_what_it_took() {
    let trace = step(&knobs(&[(Knob::TopK, 1.0)]), &[], &[3.0, 4.0, 1.0]);
    assert_eq!(touch_of(&trace, Stage::TopK, 0).shift, None);
    assert_eq!(trace.touches_of(1).count(), 0);
}

#[test]
fn a_draw_is_to_blame_when_the_favourite_stood() {
    let mut chain = Chain::new(&Knobs::neutral(), 4);
    let blames: Vec<_> = (0..50)
        .map(|_| {
            let (token, trace) = token_and_trace(chain.step(&[1.0, 1.1, 1.0, 1.0], None));
            trace.blame(token)
        })
        .collect();
    assert!(blames.contains(&Blame::Draw) && blames.contains(&Blame::Nobody));
}

#[test]
fn the_entropy_is_in_bits() {
    let trace = step(&Knobs::neutral(), &[], &[2.0; 8]);
    assert!((trace.entropy - 3.0).abs() < 1e-4);
}

#[test]
fn spans_split_at_the_prompts_end() {
    assert_eq!(Span { start: 3, end: 7 }.split(5), (Some(3..5), Some(0..2)));
    assert_eq!(Span { start: 6, end: 7 }.split(5), (None, Some(1..2)));
}

#[test]
fn the_self_test_tells_a_knob_that_bites_from_one_that_does_not() {
    let knobs = knobs(&[
        (Knob::Temperature, 0.0),
        (Knob::NoRepeatNgramSize, 1.0),
        (Knob::TopP, 0.9),
    ]);
    let mut test = SelfTest::new(&knobs, 3, crate::sampling::Lexicon::default()).unwrap();
    test.feed_prompt(&[1]);
    for _ in 0..4 {
        test.look(&[0.0, 3.0, 1.0], None);
    }
    let effects = test.effects();
    let of = |knob| effects.iter().find(|it| it.knob == knob).unwrap();
    assert_eq!(
        (
            of(Knob::NoRepeatNgramSize).n_token,
            of(Knob::NoRepeatNgramSize).n_distribution
        ),
        (4, 4)
    );
    assert_eq!(
        (of(Knob::TopP).n_token, of(Knob::TopP).n_distribution),
        (0, 0)
    );
    assert_eq!(
        of(Knob::TopP).sentence(),
        "Top-p 0.9: no effect at 100 % of 4 tokens, another token at 0"
    );
}

#[test]
fn the_self_test_looks_at_bias_and_ban_too() {
    let pieces = ["a", "7", "b", "8"].map(|it| it.as_bytes().to_vec());
    let lexicon = Lexicon {
        pieces: &pieces,
        ends: &[],
    };
    let mut knobs = knobs(&[(Knob::Temperature, 0.0)]);
    knobs.token_ban = vec![CharClass::parse("ascii_digit").unwrap()];
    knobs.logit_bias = vec![LogitBias {
        target: BiasTarget::Text("b".to_owned()),
        bias: 0.5,
    }];
    let mut test = SelfTest::new(&knobs, 4, lexicon).unwrap();
    // The ban takes the favourite; the bias moves the rest without another token coming.
    test.look(&[1.0, 3.0, 0.2, 0.0], None);
    // Neither has anything to do with what the model is sure of.
    test.look(&[30.0, 3.0, 0.0, 0.0], None);
    let effects = test.effects();
    let of = |list| {
        let it = effects.iter().find(|it| it.knob == Tested::List(list));
        it.map(|it| (it.value, it.n_positions, it.n_distribution, it.n_token))
    };
    assert_eq!(of(KnobList::TokenBan), Some((1.0, 2, 1, 1)));
    assert_eq!(of(KnobList::LogitBias), Some((1.0, 2, 1, 0)));
    assert_eq!(
        effects.last().unwrap().sentence(),
        "Token ban, one entry: no effect at 50 % of 2 tokens, another token at 1"
    );
}

/// 0.4 goes of 0.4 + 0.4 + 0.2, whatever the bias on another token makes of the rest.
#[test]
fn a_bias_that_moves_does_not_count_in_what_a_bias_takes() {
    let mut knobs = knobs(&[(Knob::Temperature, 1.0)]);
    knobs.logit_bias = [(0, -2.0), (1, f32::NEG_INFINITY)]
        .map(|(token, bias)| LogitBias {
            target: BiasTarget::Token(token),
            bias,
        })
        .to_vec();
    let trace = step(&knobs, &[], &logits(&[0.4, 0.4, 0.2]));
    let [effect] = trace.effects[..] else {
        panic!("{:?}", trace.effects)
    };
    assert_eq!((effect.stage, effect.n_removed), (Stage::LogitBias, 1));
    assert!((effect.removed_mass - 0.4).abs() < 1e-6, "{effect:?}");
    assert!((effect.kept_mass - 0.6).abs() < 1e-6, "{effect:?}");
}

/// Two hundred and fifty-six tokens are looked at; the biased one stands below them all.
#[test]
fn the_self_test_sees_what_a_bias_brings_up() {
    let mut knobs = knobs(&[(Knob::Temperature, 0.0)]);
    knobs.logit_bias = vec![LogitBias {
        target: BiasTarget::Token(999),
        bias: 100.0,
    }];
    let logits: Vec<f32> = (0..1000).map(|it| it as f32 / -100.0).collect();
    let mut test = SelfTest::new(&knobs, 1000, Lexicon::default()).unwrap();
    test.look(&logits, None);
    let effect = test.effects()[1];
    assert_eq!((effect.n_distribution, effect.n_token), (1, 1));
}

#[test]
fn a_tested_knob_is_its_key_in_a_record() {
    let keys = [
        Tested::Knob(Knob::TopP),
        Tested::List(KnobList::LogitBias),
        Tested::List(KnobList::TokenBan),
    ];
    let text = serde_json::to_string(&keys).unwrap();
    assert_eq!(text, r#"["top_p","logit_bias","token_ban"]"#);
    assert_eq!(serde_json::from_str::<[Tested; 3]>(&text).unwrap(), keys);
}
