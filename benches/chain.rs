//! What chain, trace and self-test cost a token: every stage alone and whole chains, at both vocabulary sizes, on flat,
//! peaked and real logits. The limits stand beside the names: half a millisecond a token over 49,152 candidates and 1.8
//! over 262,144, with the aims at 0.15 and 0.7.
//!
//! Real logits need the feature `llama` and models: `STEPLADDER_MODEL=… STEPLADDER_MODEL_2=… cargo bench --bench chain`.

#![cfg_attr(
    feature = "llama",
    expect(clippy::unwrap_used, reason = "a bench may panic")
)]

#[cfg(feature = "llama")]
#[path = "../tests/llama/real_logits.rs"]
mod real_logits;
#[path = "../tests/llama/stage_vectors.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod stage_vectors;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use stepladder::sampling::{Chain, Knob, Knobs, Lexicon, Order, Packer, SelfTest};

use stage_vectors::{Dice, SIZES, Shape};

/// The values of the stages that are benched alone.
const STAGES: &[(&str, &[(Knob, f64)])] = &[
    ("no stage", &[]),
    ("greedy", &[(Knob::Temperature, 0.0)]),
    ("temperature", &[(Knob::Temperature, 0.75)]),
    ("dynamic temperature", &[(Knob::DynatempRange, 0.5)]),
    ("top-k", &[(Knob::TopK, 40.0)]),
    ("top-p", &[(Knob::TopP, 0.9)]),
    ("min-p", &[(Knob::MinP, 0.05)]),
    ("typical", &[(Knob::TypicalP, 0.9)]),
    ("top-n-sigma", &[(Knob::TopNSigma, 1.0)]),
    ("XTC", &[(Knob::XtcProbability, 1.0)]),
    ("mirostat", &[(Knob::MirostatTau, 5.0)]),
    ("repetition penalty", &[(Knob::RepetitionPenalty, 1.12)]),
    ("presence penalty", &[(Knob::PresencePenalty, 0.5)]),
    ("DRY", &[(Knob::DryMultiplier, 0.8)]),
    ("n-gram ban", &[(Knob::NoRepeatNgramSize, 3.0)]),
];

const CHAT: &[(Knob, f64)] = &[
    (Knob::RepetitionPenalty, 1.12),
    (Knob::NoRepeatNgramSize, 3.0),
    (Knob::Temperature, 0.75),
    (Knob::TopK, 40.0),
    (Knob::TopP, 0.9),
];

const NO_TOP_K: &[(Knob, f64)] = &[
    (Knob::RepetitionPenalty, 1.12),
    (Knob::Temperature, 0.75),
    (Knob::TopP, 0.9),
    (Knob::MinP, 0.02),
];

fn knobs(values: &[(Knob, f64)]) -> Knobs {
    let mut knobs = Knobs::neutral();
    for &(knob, value) in values {
        // A value out of range would leave the old one; those above are in range.
        drop(knobs.set(knob, value));
    }
    knobs
}

fn chains() -> Vec<(String, Knobs)> {
    let alone = STAGES
        .iter()
        .map(|(name, values)| ((*name).to_owned(), knobs(values)));
    let named = [("chat", CHAT), ("chain without top-k", NO_TOP_K)];
    let whole = named.into_iter().flat_map(|(name, values)| {
        [Order::transformers(), Order::llama_cpp()].map(|order| {
            let label = format!("{name} in the order of {}", order.name().unwrap_or("none"));
            let mut knobs = knobs(values);
            knobs.order = order;
            (label, knobs)
        })
    });
    alone.chain(whole).collect()
}

/// Logits of this size with what they are.
fn vectors(n: usize) -> Vec<(&'static str, Vec<f32>)> {
    let mut vectors = vec![
        ("flat", Shape::Flat.logits(n, 7)),
        ("peaked", Shape::Peaked.logits(n, 7)),
    ];
    vectors.extend(real(n).map(|it| ("real", it)));
    vectors
}

#[cfg(feature = "llama")]
fn real(n: usize) -> Option<Vec<f32>> {
    let variables = ["STEPLADDER_MODEL", "STEPLADDER_MODEL_2"];
    let paths = variables.into_iter().filter_map(std::env::var_os);
    // Within a text, where the model is less sure than behind a bracket.
    let text = "The lighthouse stood on a rock far out in the sea. One evening the";
    paths
        .map(|it| real_logits::real_logits(it.as_ref(), text))
        .find_map(|it| it.into_iter().last().filter(|it| it.len() == n))
}

#[cfg(not(feature = "llama"))]
fn real(_n: usize) -> Option<Vec<f32>> {
    None
}

fn bench(criterion: &mut Criterion) {
    let mut dice = Dice(5);
    let prompt: Vec<u32> = (0..600).map(|_| dice.below(400) as u32).collect();
    for n in SIZES {
        let limit = if n < 100_000 { 0.5 } else { 1.8 };
        for (shape, logits) in vectors(n) {
            for (name, knobs) in chains() {
                let mut chain = Chain::new(&knobs, n);
                chain.feed_prompt(&prompt);
                let id = format!("{name}, {shape}, {n} (limit {limit} ms)");
                criterion.bench_function(&id, |it| {
                    it.iter(|| black_box(chain.step(&logits, None)));
                });
            }
            if let Some(mut test) = SelfTest::new(&knobs(CHAT), n, Lexicon::default()) {
                test.feed_prompt(&prompt);
                criterion.bench_function(&format!("self-test, {shape}, {n}"), |it| {
                    it.iter(|| test.look(&logits, None));
                });
            }
        }
    }
    pack(criterion, &prompt);
}

/// What packing a trace costs.
fn pack(criterion: &mut Criterion, prompt: &[u32]) {
    let logits = Shape::Peaked.logits(SIZES[0], 7);
    let mut chain = Chain::new(&knobs(CHAT), SIZES[0]);
    chain.feed_prompt(prompt);
    let stepladder::sampling::Outcome::Token { trace, .. } = chain.step(&logits, None) else {
        return;
    };
    let packed = || {
        let mut packer = Packer::default();
        packer.trace(black_box(&trace));
        packer.into_bytes()
    };
    let id = format!("pack a trace of {} bytes", packed().len());
    criterion.bench_function(&id, |it| it.iter(packed));
}

criterion_group!(benches, bench);
criterion_main!(benches);
