//! Each stage of the chain against llama.cpp's sampler of the same name, over the whole distribution.

use std::fmt::Debug;
use std::sync::OnceLock;

use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::logit_bias::LlamaLogitBias;

use stepladder::sampling::{BiasTarget, Chain, Knob, Knobs, Lexicon, LogitBias, Outcome, TokenId};

use super::real_logits::real_logits;
use super::setup;
use super::stage_definitions as definitions;
use super::stage_oracle::{Edge, Shares, Tally, array, ours, theirs};
use super::stage_vectors::{Dice, SIZES, Shape};

/// Rounding of a threshold that is worked out from a logarithm.
const ROUNDING: Edge = Edge::Near(1e-5);

/// Equal logits at the edge: ours keeps all of them, llama.cpp as many as fit.
const TIES: Edge = Edge::Near(0.0);

/// What llama.cpp's sums in single precision may cost at the edge: up to a hundredth of the mass on flat logits.
const SINGLE_PRECISION: Edge = Edge::Mass(2e-2);

/// What our own sums may cost against the definition in double precision.
const TIGHT: Edge = Edge::Mass(2e-5);

const NO_WORDS: Lexicon<'static> = Lexicon {
    pieces: &[],
    ends: &[],
};

/// Random logits of every shape and both sizes, and some that the models gave.
fn vectors(seed: u64) -> Vec<Vec<f32>> {
    let mut vectors = Vec::new();
    for n in SIZES {
        let random = Shape::ALL.into_iter().zip(seed..);
        vectors.extend(random.map(|(shape, seed)| shape.logits(n, seed)));
    }
    vectors.extend_from_slice(real());
    vectors
}

fn real() -> &'static [Vec<f32>] {
    static REAL: OnceLock<Vec<Vec<f32>>> = OnceLock::new();
    REAL.get_or_init(|| {
        let text = "{\"items\": [{\"name\": \"rye bread\"";
        let paths = [setup::instruct_path(), setup::base_path()];
        let some = paths.iter().flat_map(|path| {
            let mut real = real_logits(path, text);
            let last = real.pop().unwrap();
            [real.swap_remove(2), last]
        });
        some.collect()
    })
}

fn knobs(values: &[(Knob, f64)]) -> Knobs {
    let set = |knobs: Knobs, &(knob, value): &(Knob, f64)| knobs.with(knob, value).unwrap();
    values.iter().fold(Knobs::neutral(), set)
}

/// Compares at some values; `make` gives our knobs and llama.cpp's sampler.
#[track_caller]
fn check<V: Copy + Debug>(
    what: &str,
    (values, edge): (&[V], Edge),
    make: impl Fn(V) -> (Knobs, LlamaSampler),
) {
    let mut tally = Tally::default();
    for (nth, logits) in vectors(what.len() as u64 * 100).iter().enumerate() {
        for &value in values {
            println!("{what} {value:?}, vector {nth}");
            let (knobs, mut sampler) = make(value);
            let found = ours((&knobs, NO_WORDS), &[], logits);
            tally.compare((&found, &theirs(&mut sampler, logits)), logits, edge);
        }
    }
    tally.tell(what);
}

/// Compares ours with the definition in double precision.
#[track_caller]
fn check_defined(
    what: &str,
    (knob, values): (Knob, &[f64]),
    edge: Edge,
    define: impl Fn(&[f32], f64) -> Shares,
) {
    let mut tally = Tally::default();
    for logits in vectors(what.len() as u64 * 1000) {
        for &value in values {
            println!("{what} {value:?} by its definition");
            let found = ours((&knobs(&[(knob, value)]), NO_WORDS), &[], &logits);
            tally.compare((&found, &define(&logits, value)), &logits, edge);
        }
    }
    tally.tell(&format!("{what} by its definition"));
}

#[test]
fn temperature_is_llama_cpps() {
    check("temperature", (&[0.25, 0.7, 1.3, 2.0], TIES), |value| {
        let sampler = LlamaSampler::temp(value as f32);
        (knobs(&[(Knob::Temperature, value)]), sampler)
    });
}

/// At temperature 0 llama.cpp takes all others away. Ours leaves them, so that the runners-up can be seen, and takes
/// the best one; which is the same token.
#[test]
fn temperature_zero_takes_the_same_token() {
    for logits in vectors(1) {
        let left = theirs(&mut LlamaSampler::temp(0.0), &logits);
        let mut chain = Chain::new(&knobs(&[(Knob::Temperature, 0.0)]), logits.len());
        match chain.step(&logits, None) {
            Outcome::Token { token, .. } => assert_eq!(left, [(token, 1.0)]),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn top_k_is_llama_cpps() {
    check("top-k", (&[1, 40, 1000], TIES), |k| {
        let sampler = LlamaSampler::top_k(k);
        (knobs(&[(Knob::TopK, f64::from(k))]), sampler)
    });
}

#[test]
fn top_p_is_llama_cpps() {
    let values = [0.0, 0.1, 0.5, 0.9, 0.99];
    check("top-p", (&values, SINGLE_PRECISION), |p| {
        let sampler = LlamaSampler::top_p(p as f32, 1);
        (knobs(&[(Knob::TopP, p)]), sampler)
    });
}

#[test]
fn top_p_is_its_definition() {
    let values = [0.1, 0.5, 0.9, 0.99];
    check_defined("top-p", (Knob::TopP, &values), TIGHT, definitions::top_p);
}

#[test]
fn min_p_is_llama_cpps() {
    check("min-p", (&[0.01, 0.1, 0.5, 1.0], ROUNDING), |p| {
        let sampler = LlamaSampler::min_p(p as f32, 1);
        (knobs(&[(Knob::MinP, p)]), sampler)
    });
}

#[test]
fn typical_is_llama_cpps() {
    let values = [0.2, 0.5, 0.95];
    check("typical", (&values, SINGLE_PRECISION), |p| {
        let sampler = LlamaSampler::typical(p as f32, 1);
        (knobs(&[(Knob::TypicalP, p)]), sampler)
    });
}

#[test]
fn typical_is_its_definition() {
    let values = [0.2, 0.5, 0.95];
    let knob = (Knob::TypicalP, values.as_slice());
    check_defined("typical", knob, TIGHT, definitions::typical);
}

#[test]
fn top_n_sigma_is_llama_cpps() {
    // llama.cpp's deviation in single precision is off by up to a thousandth over the large vocabulary.
    check("top-n-sigma", (&[0.5, 1.0, 2.0], Edge::Near(2e-2)), |n| {
        let sampler = LlamaSampler::top_n_sigma(n as f32);
        (knobs(&[(Knob::TopNSigma, n)]), sampler)
    });
}

#[test]
fn top_n_sigma_is_its_definition() {
    let values = [0.5, 1.0, 2.0];
    let knob = (Knob::TopNSigma, values.as_slice());
    check_defined("top-n-sigma", knob, ROUNDING, definitions::top_n_sigma);
}

/// Against the definition for the same reason: llama.cpp's entropy in single precision moves every probability.
#[test]
fn dynamic_temperature_is_its_definition_and_llama_cpps() {
    let mut tally = Tally::default();
    let mut furthest: f64 = 0.0;
    for logits in vectors(2) {
        for (range, power) in [(0.5, 1.0), (0.8, 2.5)] {
            let values = [
                (Knob::DynatempRange, range),
                (Knob::DynatempExponent, power),
            ];
            let found = ours((&knobs(&values), NO_WORDS), &[], &logits);
            let defined = definitions::dynamic_temperature(&logits, (1.0, range), power);
            tally.compare((&found, &defined), &logits, TIES);
            let mut sampler = LlamaSampler::temp_ext(1.0, range as f32, power as f32);
            let theirs = theirs(&mut sampler, &logits);
            assert_eq!(found.len(), theirs.len());
            let apart = found.iter().zip(&theirs).map(|(a, b)| (a.1 - b.1).abs());
            furthest = apart.fold(furthest, f64::max);
        }
    }
    tally.tell("dynamic temperature by its definition");
    println!("llama.cpp's is at most {furthest:.1e} from ours");
    assert!(furthest < 1e-3, "{furthest}");
}

#[test]
fn xtc_that_always_strikes_is_llama_cpps() {
    check(
        "xtc",
        (&[0.01, 0.05, 0.1, 0.3, 0.5], Edge::Equals),
        |threshold| {
            let sampler = LlamaSampler::xtc(1.0, threshold as f32, 1, 7);
            let values = [(Knob::XtcProbability, 1.0), (Knob::XtcThreshold, threshold)];
            (knobs(&values), sampler)
        },
    );
}

#[test]
fn xtc_that_never_strikes_changes_nothing_on_either_side() {
    for logits in vectors(3) {
        let values = [(Knob::XtcProbability, 0.0), (Knob::XtcThreshold, 0.01)];
        let found = ours((&knobs(&values), NO_WORDS), &[], &logits);
        let plain = ours((&Knobs::neutral(), NO_WORDS), &[], &logits);
        assert_eq!(found, plain);
        assert_eq!(
            theirs(&mut LlamaSampler::xtc(0.0, 0.01, 1, 7), &logits).len(),
            plain.len()
        );
    }
}

/// The dice are not the same, so how often they fall is compared.
#[test]
fn xtc_strikes_as_often_as_llama_cpps() {
    const N: usize = 4000;
    let logits = [2.0, 1.9, 1.8, 0.0];
    for chance in [0.1, 0.5, 0.8] {
        let mut sampler = LlamaSampler::xtc(chance as f32, 0.2, 1, 11);
        let values = [(Knob::XtcProbability, chance), (Knob::XtcThreshold, 0.2)];
        let mut chain = Chain::new(&knobs(&values), logits.len());
        let mut struck = [0, 0];
        for _ in 0..N {
            assert!(matches!(chain.step(&logits, None), Outcome::Token { .. }));
            struck[0] += usize::from(chain.shares().len() == 2);
            struck[1] += usize::from(theirs(&mut sampler, &logits).len() == 2);
        }
        let spread = (N as f64 * chance * (1.0 - chance)).sqrt();
        for n in struck {
            assert!((n as f64 - N as f64 * chance).abs() < 5.0 * spread, "{n}");
        }
    }
}

#[test]
fn penalties_are_llama_cpps_in_every_window() {
    let mut tally = Tally::default();
    let mut dice = Dice(5);
    for logits in vectors(4) {
        for (window, repeat, frequency, presence) in [
            (-1, 1.3, 0.0, 0.0),
            (64, 1.1, 0.0, 0.0),
            (5, 1.0, 0.7, 0.0),
            (64, 1.0, 0.0, -0.4),
            (20, 1.2, 0.3, 0.5),
            (-1, 1.0, -0.2, 0.0),
        ] {
            let seen: Vec<TokenId> = (0..150).map(|_| dice.below(40) as TokenId).collect();
            // llama.cpp has no window without an end any more.
            let last_n = if window < 0 { 1000 } else { window };
            let n_vocab = logits.len() as i32;
            let mut sampler = LlamaSampler::penalties(
                n_vocab,
                last_n,
                repeat as f32,
                frequency as f32,
                presence as f32,
            );
            sampler.accept_many(seen.iter().map(|it| LlamaToken(it.cast_signed())));
            let knobs = knobs(&[
                (Knob::PenaltyLastN, f64::from(window)),
                (Knob::RepetitionPenalty, repeat),
                (Knob::FrequencyPenalty, frequency),
                (Knob::PresencePenalty, presence),
            ]);
            let found = ours((&knobs, NO_WORDS), &seen, &logits);
            tally.compare((&found, &theirs(&mut sampler, &logits)), &logits, TIES);
        }
    }
    tally.tell("penalties");
}

#[test]
fn logit_bias_is_llama_cpps() {
    let mut tally = Tally::default();
    for logits in vectors(5) {
        // One is named twice, one is taken away, one stands at the vocabulary's end.
        let last = logits.len() as TokenId - 1;
        let biases = [
            (3, 2.5),
            (17, f32::NEG_INFINITY),
            (40_000, -100.0),
            (3, -0.5),
            (last, 8.0),
        ];
        let mut knobs = Knobs::neutral();
        knobs.logit_bias = biases
            .iter()
            .map(|&(token, bias)| LogitBias {
                target: BiasTarget::Token(token),
                bias,
            })
            .collect();
        let given =
            biases.map(|(token, bias)| LlamaLogitBias::new(LlamaToken(token.cast_signed()), bias));
        let mut sampler = LlamaSampler::logit_bias(logits.len() as i32, &given);
        let found = ours((&knobs, NO_WORDS), &[], &logits);
        assert_eq!(found.len(), logits.len() - 1);
        tally.compare((&found, &theirs(&mut sampler, &logits)), &logits, TIES);
    }
    tally.tell("logit bias");
}

/// Mirostat's limit follows the tokens that came, and the two sides throw other dice. So the steps before the one that
/// is compared leave some equally likely tokens each: whichever comes, the limit moves alike.
#[test]
fn mirostat_is_llama_cpps_step_by_step() {
    let mut tally = Tally::default();
    for (tau, eta) in [(5.0, 0.1), (3.0, 0.5), (1.2, 0.1)] {
        for (nth, logits) in vectors(6).iter().enumerate() {
            let mut sampler = LlamaSampler::mirostat_v2(9, tau as f32, eta as f32);
            let knobs = knobs(&[(Knob::MirostatTau, tau), (Knob::MirostatEta, eta)]);
            let mut chain = Chain::new(&knobs, logits.len());
            let mut mu = 2.0 * tau;
            for step in 0..nth {
                let n_equal = 2 << (step % 2);
                let mut even = vec![-60.0; logits.len()];
                even[..n_equal].fill(0.0);
                array(&even).apply_sampler(&mut sampler);
                assert!(matches!(chain.step(&even, None), Outcome::Token { .. }));
                mu -= eta * ((n_equal as f64).log2() - tau);
            }
            assert!(matches!(chain.step(logits, None), Outcome::Token { .. }));
            let found = chain.shares();
            println!("mirostat {tau} {eta}, vector {nth}");
            let defined = definitions::mirostat(logits, mu);
            tally.compare((&found, &defined), logits, ROUNDING);
            let theirs = theirs(&mut sampler, logits);
            tally.compare((&found, &theirs), logits, Edge::Near(2e-2));
        }
    }
    tally.tell("mirostat");
}
