//! Penalty and n-gram ban against references written from their definitions, on many random texts.

use super::*;
use crate::sampling::Scope;

const N_VOCAB: u64 = 12;

/// A random text and the knobs it is read with.
struct Case {
    prompt: Vec<TokenId>,
    reply: Vec<TokenId>,
    logits: Vec<f32>,
    scope: Scope,
}

impl Case {
    fn new(noise: &mut Noise) -> Self {
        let (n_prompt, n_reply) = (noise.below(30), noise.below(30));
        Self {
            prompt: noise.tokens(n_prompt, N_VOCAB),
            reply: noise.tokens(n_reply, N_VOCAB),
            logits: noise.logits(N_VOCAB as usize),
            scope: [Scope::PromptAndReply, Scope::Reply][noise.below(2) as usize],
        }
    }

    fn counted(&self) -> Vec<TokenId> {
        match self.scope {
            Scope::PromptAndReply => [self.prompt.as_slice(), &self.reply].concat(),
            Scope::Reply => self.reply.clone(),
        }
    }

    /// The chain's view, and what a chain without knobs makes of the logits that the reference changed.
    #[track_caller]
    fn check(&self, knobs: &Knobs, expected: &[f32]) {
        let mut chain = Chain::new(knobs, self.logits.len());
        chain.feed_prompt(&self.prompt);
        for &token in &self.reply {
            chain.accept(token);
        }
        let found = chain.step(&self.logits, None);
        if expected.iter().all(|it| *it == f32::NEG_INFINITY) {
            assert!(matches!(found, Outcome::DeadEnd { .. }), "{found:?}");
            return;
        }
        let expected = step(&Knobs::neutral(), &[], expected).after;
        let expected: Vec<_> = expected
            .iter()
            .map(|it| (it.token, it.probability))
            .collect();
        check_candidates(&trace(found).after, &expected);
    }
}

fn reference_penalty(logits: &[f32], window: &[TokenId], penalty: f32) -> Vec<f32> {
    (0..)
        .zip(logits)
        .map(|(token, &logit)| {
            if !window.contains(&token) {
                logit
            } else if logit < 0.0 {
                logit * penalty
            } else {
                logit / penalty
            }
        })
        .collect()
}

fn reference_ban(logits: &[f32], text: &[TokenId], n: usize) -> Vec<f32> {
    (0..)
        .zip(logits)
        .map(|(token, &logit)| {
            let mut completed = text.to_vec();
            completed.push(token);
            let is_seen = completed.len() >= n
                && text
                    .windows(n)
                    .any(|it| *it == completed[completed.len() - n..]);
            if is_seen { f32::NEG_INFINITY } else { logit }
        })
        .collect()
}

#[test]
fn penalty_is_that_of_the_definition() {
    let mut noise = Noise(1);
    for _ in 0..500 {
        let case = Case::new(&mut noise);
        let last_n = noise.below(20) as i32 - 1;
        let mut knobs = knobs(&[
            (Knob::RepetitionPenalty, 1.3),
            (Knob::PenaltyLastN, f64::from(last_n)),
        ]);
        knobs.penalty_scope = case.scope;
        let counted = case.counted();
        let start = usize::try_from(last_n).map_or(0, |it| counted.len().saturating_sub(it));
        case.check(
            &knobs,
            &reference_penalty(&case.logits, &counted[start..], 1.3),
        );
    }
}

#[test]
fn ngram_ban_is_that_of_the_definition() {
    let mut noise = Noise(2);
    for _ in 0..500 {
        let case = Case::new(&mut noise);
        let n = 1 + noise.below(4);
        let mut knobs = knobs(&[(Knob::NoRepeatNgramSize, n as f64)]);
        knobs.ngram_scope = case.scope;
        case.check(
            &knobs,
            &reference_ban(&case.logits, &case.counted(), n as usize),
        );
    }
}

#[test]
fn both_are_that_of_the_definition_under_a_mask() {
    let mut noise = Noise(3);
    for _ in 0..200 {
        let case = Case::new(&mut noise);
        let legal = noise.tokens(3, N_VOCAB);
        let knobs = knobs(&[
            (Knob::RepetitionPenalty, 1.3),
            (Knob::NoRepeatNgramSize, 2.0),
        ]);
        let text = [case.prompt.as_slice(), &case.reply].concat();
        let penalized = reference_penalty(&case.logits, &text, 1.3);
        let mut expected = reference_ban(&penalized, &text, 2);
        for (token, logit) in (0..).zip(&mut expected) {
            if !legal.contains(&token) {
                *logit = f32::NEG_INFINITY;
            }
        }
        let mut chain = Chain::new(&knobs, 12);
        chain.feed_prompt(&text);
        match chain.step(&case.logits, Some(&mask(12, &legal))) {
            Outcome::Token { trace, .. } => {
                let plain = step(&Knobs::neutral(), &[], &expected).after;
                let plain: Vec<_> = plain.iter().map(|it| (it.token, it.probability)).collect();
                check_candidates(&trace.after, &plain);
            }
            _ => assert!(expected.iter().all(|it| *it == f32::NEG_INFINITY)),
        }
    }
}

#[test]
fn a_text_seen_bit_by_bit_counts_as_seen_at_once() {
    let mut noise = Noise(4);
    let knobs = knobs(&[
        (Knob::RepetitionPenalty, 1.3),
        (Knob::PenaltyLastN, 7.0),
        (Knob::NoRepeatNgramSize, 2.0),
        (Knob::Temperature, 0.0),
    ]);
    let mut growing = Chain::new(&knobs, 30);
    let mut text = Vec::new();
    for _ in 0..200 {
        let logits = noise.logits(30);
        let mut fresh = Chain::new(&knobs, 30);
        fresh.feed_prompt(&text);
        let outcome = growing.step(&logits, None);
        // The probabilities are summed in the same order, so they are the same to the bit.
        assert_eq!(outcome, fresh.step(&logits, None));
        let token = noise.below(30) as TokenId;
        growing.accept(token);
        text.push(token);
    }
}
