//! Tests of the sampling room, and what they share.

mod bans;
mod chain;
mod further_stages;
mod knobs;
mod lexical;
mod packed;
mod stages;
mod traces;
mod truncations;
mod vectors;

use super::{Candidate, Chain, Knob, Knobs, Outcome, TokenId, TokenTrace};
use crate::constraint::TokenMask;

/// Numbers for tests, from a generator that has nothing to do with the one under test.
struct Noise(u64);

impl Noise {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn logits(&mut self, n: usize) -> Vec<f32> {
        (0..n)
            .map(|_| self.below(20_001) as f32 / 1000.0 - 10.0)
            .collect()
    }

    fn tokens(&mut self, n: u64, n_vocab: u64) -> Vec<TokenId> {
        (0..n).map(|_| self.below(n_vocab) as TokenId).collect()
    }
}

#[track_caller]
fn knobs(values: &[(Knob, f64)]) -> Knobs {
    values
        .iter()
        .fold(Knobs::neutral(), |knobs, &(knob, value)| {
            knobs.with(knob, value).unwrap()
        })
}

/// Logits whose softmax is these probabilities, if they sum to 1.
fn logits(probabilities: &[f32]) -> Vec<f32> {
    probabilities.iter().map(|it| it.ln()).collect()
}

fn mask(n_vocab: usize, legal: &[TokenId]) -> TokenMask {
    let mut words = vec![0; n_vocab.div_ceil(32)];
    for &token in legal {
        words[token as usize / 32] |= 1 << (token % 32);
    }
    TokenMask::from_words(words)
}

#[track_caller]
fn trace(outcome: Outcome) -> TokenTrace {
    token_and_trace(outcome).1
}

#[track_caller]
fn token_and_trace(outcome: Outcome) -> (TokenId, TokenTrace) {
    match outcome {
        Outcome::Token { token, trace } => (token, trace),
        other => panic!("no token: {other:?}"),
    }
}

/// What the chain makes of one token's logits after a prompt.
#[track_caller]
fn step(knobs: &Knobs, prompt: &[TokenId], logits: &[f32]) -> TokenTrace {
    let mut chain = Chain::new(knobs, logits.len());
    chain.feed_prompt(prompt);
    trace(chain.step(logits, None))
}

#[track_caller]
fn check_candidates(found: &[Candidate], expected: &[(TokenId, f32)]) {
    let agree = found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| {
            found.token == expected.0 && (found.probability - expected.1).abs() < 1e-5
        });
    assert!(agree, "found {found:?}\nexpected {expected:?}");
}
