//! Writes traces as bytes.

use super::{
    AFTER_IS_BEFORE, CHANGED_TOP, HAS_EARLIER, HAS_LEGAL, HAS_MASK_TIME, HAS_NEW_TOP, HAS_SHIFT,
    HEADS_BEFORE, LEFT_THE_REST, STAGES, TOOK_NO_MASS, WANTED_IS_LEFT,
};
use crate::sampling::{Candidate, Stage, StageEffect, TokenId, TokenTrace, Touch};

/// Writes the packed form.
#[derive(Debug, Default)]
pub struct Packer {
    bytes: Vec<u8>,
}

impl Packer {
    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes one byte as it is.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Writes a whole number.
    pub fn number(&mut self, number: u64) {
        let mut rest = number;
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    /// Writes the length and the bytes.
    pub fn run(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes one trace.
    pub fn trace(&mut self, trace: &TokenTrace) {
        let heads_before = trace
            .before
            .first()
            .is_some_and(|it| it.token == trace.wanted);
        let after_is_before = trace.after == trace.before;
        let flags = u32::from(heads_before) * HEADS_BEFORE
            + u32::from(after_is_before) * AFTER_IS_BEFORE
            + u32::from(trace.wanted_after.is_some()) * WANTED_IS_LEFT
            + u32::from(trace.n_legal.is_some()) * HAS_LEGAL
            + u32::from(trace.mask_us.is_some()) * HAS_MASK_TIME;
        self.number(flags.into());
        self.number(trace.before.len() as u64);
        for it in &trace.before {
            self.number(it.token.into());
            self.float(it.probability);
        }
        if !heads_before {
            self.number(trace.wanted.into());
        }
        self.share(trace.probability, &trace.before);
        self.number(trace.rank.into());
        if !after_is_before {
            self.number(trace.after.len() as u64);
            for it in &trace.after {
                self.place(it.token, &trace.before);
                self.float(it.probability);
            }
        }
        for it in [Some(trace.chosen_after), trace.wanted_after] {
            let Some(it) = it else { continue };
            self.number(it.rank.into());
            self.share(it.probability, &trace.after);
        }
        self.float(trace.entropy);
        self.number(trace.effects.len() as u64);
        for it in &trace.effects {
            self.effect(it, &trace.before);
        }
        self.number(trace.touches.len() as u64);
        for it in &trace.touches {
            self.touch(it, &trace.before);
        }
        for it in [trace.n_legal, trace.mask_us].into_iter().flatten() {
            self.number(it.into());
        }
    }

    fn effect(&mut self, effect: &StageEffect, before: &[Candidate]) {
        let same = |a: f32, b: f32| a.to_bits() == b.to_bits();
        let took_no_mass = same(effect.removed_mass, 0.0) && same(effect.kept_mass, 1.0);
        let left_the_rest = same(effect.kept_mass, 1.0 - effect.removed_mass);
        self.byte(
            number_of(effect.stage)
                + u8::from(effect.changed_top) * CHANGED_TOP
                + u8::from(took_no_mass) * TOOK_NO_MASS
                + u8::from(left_the_rest) * LEFT_THE_REST
                + u8::from(effect.new_top.is_some()) * HAS_NEW_TOP,
        );
        self.number(effect.n_removed.into());
        if !took_no_mass {
            self.float(effect.removed_mass);
            if !left_the_rest {
                self.float(effect.kept_mass);
            }
        }
        if let Some(token) = effect.new_top {
            self.place(token, before);
        }
    }

    fn touch(&mut self, touch: &Touch, before: &[Candidate]) {
        self.byte(
            number_of(touch.stage)
                + u8::from(touch.shift.is_some()) * HAS_SHIFT
                + u8::from(touch.earlier.is_some()) * HAS_EARLIER,
        );
        self.place(touch.token, before);
        if let Some(shift) = touch.shift {
            self.float(shift);
        }
        if let Some(span) = touch.earlier {
            self.number(span.start.into());
            // Wraps, so that a span that ends before it begins comes back as it was.
            self.number(span.end.wrapping_sub(span.start).into());
        }
    }

    fn place(&mut self, token: TokenId, before: &[Candidate]) {
        if let Some(it) = before.iter().position(|it| it.token == token) {
            self.number(it as u64 + 1);
        } else {
            self.number(0);
            self.number(token.into());
        }
    }

    fn share(&mut self, probability: f32, list: &[Candidate]) {
        let is_same = |it: &Candidate| it.probability.to_bits() == probability.to_bits();
        if let Some(it) = list.iter().position(is_same) {
            self.number(it as u64 + 1);
        } else {
            self.number(0);
            self.float(probability);
        }
    }

    fn float(&mut self, value: f32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }
}

fn number_of(stage: Stage) -> u8 {
    let place = STAGES.iter().position(|it| *it == stage);
    place.unwrap_or_default() as u8
}
