//! The knobs that speak of tokens by their text, and the values' origins.

use serde_json::json;

use super::*;
use crate::sampling::{
    BiasTarget, CharClass, Lexicon, LogitBias, Origin, ban_report, model_defaults, provenance,
};

const PIECES: [&str; 8] = ["a", "1", "②", "x2", "２", ":", "\n", "b"];

fn pieces() -> Vec<Vec<u8>> {
    PIECES.iter().map(|it| it.as_bytes().to_vec()).collect()
}

/// The candidates that are left, best first, where the logits fall by 1 from token to token.
fn left(knobs: &Knobs, prompt: &[TokenId]) -> Vec<TokenId> {
    let pieces = pieces();
    let lexicon = Lexicon {
        pieces: &pieces,
        ends: &[0],
    };
    let mut chain = Chain::with_lexicon(knobs, 8, lexicon);
    chain.feed_prompt(prompt);
    let logits: Vec<f32> = (0..8).map(|it| -(it as f32)).collect();
    let after = trace(chain.step(&logits, None)).after;
    after.iter().map(|it| it.token).collect()
}

#[test]
fn a_digit_ban_takes_every_token_with_a_digit_and_says_what_it_misses() {
    let mut knobs = Knobs::neutral();
    knobs.token_ban = vec![CharClass::AsciiDigit];
    assert_eq!(left(&knobs, &[]), [0, 2, 4, 5, 6, 7]);
    let pieces = pieces();
    let report = ban_report(
        &knobs.token_ban,
        Lexicon {
            pieces: &pieces,
            ends: &[],
        },
    );
    let missed: Vec<_> = report.look_alikes.iter().map(|it| it.0).collect();
    assert_eq!((report.n_banned, missed), (2, vec![2, 4]));
}

#[test]
fn a_bias_moves_a_token_and_false_takes_it_away() {
    let mut knobs = Knobs::neutral();
    knobs.logit_bias = vec![
        LogitBias {
            target: BiasTarget::Text("b".to_owned()),
            bias: 20.0,
        },
        LogitBias {
            target: BiasTarget::Token(0),
            bias: f32::NEG_INFINITY,
        },
    ];
    assert_eq!(left(&knobs, &[]), [7, 1, 2, 3, 4, 5, 6]);
    let file = serde_json::to_value(&knobs).unwrap();
    assert_eq!(file["logit_bias"], json!({"b": 20.0, "#0": false}));
    assert_eq!(serde_json::from_value::<Knobs>(file).unwrap(), knobs);
}

#[test]
fn the_end_cannot_come_before_the_least_tokens() {
    let knobs = knobs(&[(Knob::MinTokens, 1.0)]);
    assert_eq!(left(&knobs, &[]), [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn dry_counts_the_run_and_stops_at_a_breaker() {
    // Behind "a 1 ②" came "b"; the text ends with the same three tokens.
    let values = [(Knob::DryMultiplier, 1.0), (Knob::DryBase, 2.0)];
    let lexical = pieces();
    let lexicon = Lexicon {
        pieces: &lexical,
        ends: &[],
    };
    let shift = |prompt: &[TokenId]| {
        let mut chain = Chain::with_lexicon(&knobs(&values), 8, lexicon);
        chain.feed_prompt(prompt);
        let trace = trace(chain.step(&[0.0; 8], None));
        trace.touches_of(7).next().and_then(|it| it.shift)
    };
    // Three tokens are one more than allowed: 1 * 2^1.
    assert_eq!(shift(&[0, 1, 2, 7, 0, 1, 2]), Some(-2.0));
    // The colon is a breaker: one token behind it is shorter than what is allowed.
    assert_eq!(shift(&[0, 5, 2, 7, 0, 5, 2]), None);
}

#[test]
fn classes_survive_a_file() {
    for text in ["ascii_digit", "[0-9a-f]", "[-x]"] {
        assert_eq!(CharClass::parse(text).unwrap().key(), text);
    }
    assert_eq!(CharClass::parse("[9-0]"), None);
    assert_eq!(CharClass::parse("digits"), None);
}

#[test]
fn each_value_has_its_origin_and_a_way_back() {
    let preset = knobs(&[(Knob::TopK, 40.0), (Knob::TopP, 0.9)]);
    let now = preset
        .clone()
        .with(Knob::TopP, 0.5)
        .unwrap()
        .with(Knob::MinP, 0.05)
        .unwrap();
    let model = model_defaults(&[
        ("min_p", 0.05_f32.into()),
        ("temp", 0.6),
        ("mirostat_tau", 5.0),
    ]);
    let rows = provenance(&now, Some(&preset), &model);
    let of = |knob| rows.iter().find(|it| it.knob == knob).unwrap();
    assert_eq!(
        (of(Knob::TopK).origin, of(Knob::TopK).back),
        (Origin::Preset, None)
    );
    assert_eq!(
        (of(Knob::TopP).origin, of(Knob::TopP).back),
        (Origin::Changed, Some(0.9))
    );
    assert_eq!(of(Knob::MinP).origin, Origin::ModelFile);
    assert_eq!(
        (
            of(Knob::Temperature).origin,
            of(Knob::Temperature).suggested
        ),
        (Origin::Default, Some(0.6))
    );
    assert_eq!(of(Knob::MirostatTau).suggested, None);
}
