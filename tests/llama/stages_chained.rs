//! Whole chains in both named orders, with random knobs, against llama.cpp's samplers put one behind the other.

use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;

use stepladder::sampling::{Knob, Knobs, Lexicon, Order, Stage, TokenId};

use super::stage_oracle::{Edge, Tally, ours, theirs};
use super::stage_vectors::{Dice, SIZES, Shape};

const N_SEEN: i32 = 80;

/// Random knobs; each stage is on in about half of them.
///
/// Top-n-sigma is never on together with typical or a range of temperatures: llama.cpp leaves what sigma took away in
/// its list with minus infinity, and those two then count it, typical with NaN.
fn random_knobs(dice: &mut Dice) -> Knobs {
    let mut knobs = Knobs::neutral();
    let mut set = |is_on: bool, knob: Knob, value: f64| {
        if is_on {
            knobs.set(knob, (value * 1000.0).round() / 1000.0).unwrap();
        }
    };
    let sigma = dice.below(3) == 0;
    let mut on = || dice.below(2) == 0;
    let switches = [(); 9].map(|()| on());
    let mut between = |least: f32, most: f32| f64::from(least + (most - least) * dice.fraction());
    set(switches[0], Knob::RepetitionPenalty, between(1.0, 1.5));
    set(switches[1], Knob::PresencePenalty, between(-1.0, 1.0));
    set(switches[1], Knob::FrequencyPenalty, between(-0.2, 0.5));
    set(switches[2], Knob::Temperature, between(0.3, 1.8));
    set(switches[3], Knob::TopK, between(1.0, 900.0).round());
    set(switches[4], Knob::TopP, between(0.3, 0.99));
    set(switches[5], Knob::MinP, between(0.001, 0.2));
    set(sigma, Knob::TopNSigma, between(0.5, 4.0).round());
    set(switches[6] && !sigma, Knob::TypicalP, between(0.3, 0.99));
    set(
        switches[7] && !sigma,
        Knob::DynatempRange,
        between(0.05, 0.25),
    );
    set(switches[8], Knob::XtcProbability, 1.0);
    set(switches[8], Knob::XtcThreshold, between(0.02, 0.3));
    knobs
}

/// llama.cpp's samplers for these knobs, in our order.
fn chain(knobs: &Knobs, (n_vocab, seen): (i32, &[TokenId])) -> LlamaSampler {
    let stages = knobs.order.stages().iter();
    let mut samplers: Vec<_> = stages
        .filter_map(|it| sampler(*it, knobs, n_vocab))
        .collect();
    for sampler in &mut samplers {
        sampler.accept_many(seen.iter().map(|it| LlamaToken(it.cast_signed())));
    }
    LlamaSampler::chain_simple(samplers)
}

fn sampler(stage: Stage, knobs: &Knobs, n_vocab: i32) -> Option<LlamaSampler> {
    let value = |knob| knobs.get(knob) as f32;
    let on = |knob| (!knobs.is_neutral(knob)).then_some(value(knob));
    Some(match stage {
        // The second penalty stands directly behind; llama.cpp has both in one.
        Stage::RepetitionPenalty => LlamaSampler::penalties(
            n_vocab,
            N_SEEN,
            value(Knob::RepetitionPenalty),
            value(Knob::FrequencyPenalty),
            value(Knob::PresencePenalty),
        ),
        Stage::Temperature => LlamaSampler::temp_ext(
            value(Knob::Temperature),
            value(Knob::DynatempRange),
            value(Knob::DynatempExponent),
        ),
        Stage::TopK => LlamaSampler::top_k(on(Knob::TopK)? as i32),
        Stage::TopP => LlamaSampler::top_p(on(Knob::TopP)?, 1),
        Stage::MinP => LlamaSampler::min_p(on(Knob::MinP)?, 1),
        Stage::Typical => LlamaSampler::typical(on(Knob::TypicalP)?, 1),
        Stage::TopNSigma => LlamaSampler::top_n_sigma(on(Knob::TopNSigma)?),
        Stage::Xtc => LlamaSampler::xtc(on(Knob::XtcProbability)?, value(Knob::XtcThreshold), 1, 3),
        _ => return None,
    })
}

#[track_caller]
fn check(order: &Order, n_vocab: usize) {
    let mut dice = Dice(n_vocab as u64);
    let mut tally = Tally::default();
    for nth in 0..60 {
        let mut knobs = random_knobs(&mut dice);
        knobs.order = order.clone();
        // Neither many equals nor a flat vocabulary: there an edge that falls otherwise changes what stages behind it do.
        let shape = [Shape::Peaked, Shape::Zipf, Shape::Spiked][nth % 3];
        let logits = shape.logits(n_vocab, nth as u64);
        let seen: Vec<TokenId> = (0..N_SEEN)
            .map(|_| dice.below(n_vocab) as TokenId)
            .collect();
        let mut sampler = chain(&knobs, (n_vocab as i32, &seen));
        println!(
            "{n_vocab} {shape:?} {}",
            serde_json::to_string(&knobs).unwrap()
        );
        let found = ours((&knobs, Lexicon::default()), &seen, &logits);
        let theirs = theirs(&mut sampler, &logits);
        // llama.cpp's entropy in single precision moves its dynamic temperature.
        tally.relative = if knobs.is_neutral(Knob::DynatempRange) {
            5e-5
        } else {
            5e-3
        };
        // And its sums in single precision the edges of top-p and typical over a large vocabulary.
        tally.compare((&found, &theirs), &logits, Edge::Mass(1e-2));
    }
    tally.tell(&format!(
        "{:?} chains over {n_vocab}",
        order.name().unwrap()
    ));
}

#[test]
fn chains_in_transformers_order_are_llama_cpps_samplers_in_that_order() {
    for n in SIZES {
        check(&Order::transformers(), n);
    }
}

#[test]
fn chains_in_llama_cpps_order_are_llama_cpps() {
    for n in SIZES {
        check(&Order::llama_cpp(), n);
    }
}
