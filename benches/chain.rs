//! What chain, trace and self-test cost a token, at both vocabulary sizes and on peaked and flat distributions.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use stepladder::sampling::{Chain, Knob, Knobs, Lexicon, SelfTest};

/// Logits that look like a model's: most far below a few; flat ones differ by less than 2.
fn logits(n: usize, is_flat: bool) -> Vec<f32> {
    let mut state = 7_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1_u64 << 24) as f32
    };
    (0..n)
        .map(|_| {
            let sum: f32 = (0..6).map(|_| next()).sum();
            if is_flat { sum / 3.0 } else { sum * 8.0 - 24.0 }
        })
        .collect()
}

fn knobs(values: &[(Knob, f64)]) -> Knobs {
    let mut knobs = Knobs::neutral();
    for &(knob, value) in values {
        // A value out of range would leave the old one; those below are in range.
        drop(knobs.set(knob, value));
    }
    knobs
}

fn bench(criterion: &mut Criterion) {
    let common = [
        (Knob::RepetitionPenalty, 1.12),
        (Knob::NoRepeatNgramSize, 3.0),
        (Knob::Temperature, 0.75),
        (Knob::TopK, 40.0),
        (Knob::TopP, 0.9),
        (Knob::MinP, 0.05),
    ];
    let sets = [
        ("common", knobs(&common)),
        ("top-p alone", knobs(&[(Knob::TopP, 0.9)])),
        ("greedy", knobs(&[(Knob::Temperature, 0.0)])),
    ];
    for n in [49_152, 262_144] {
        let prompt: Vec<u32> = (0..600).map(|it| it * 37 % 400).collect();
        for (name, knobs) in &sets {
            for is_flat in [false, true] {
                let logits = logits(n, is_flat);
                let mut chain = Chain::new(knobs, n);
                chain.feed_prompt(&prompt);
                let shape = if is_flat { "flat" } else { "peaked" };
                criterion.bench_function(&format!("{name}, {shape}, {n}"), |it| {
                    it.iter(|| black_box(chain.step(&logits, None)));
                });
            }
        }
        let logits = logits(n, false);
        if let Some(mut test) = SelfTest::new(&knobs(&common), n, Lexicon::default()) {
            test.feed_prompt(&prompt);
            criterion.bench_function(&format!("self-test, {n}"), |it| {
                it.iter(|| test.look(&logits, None));
            });
        }
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
