//! Token ban: every token whose text holds a character of a class is taken away.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::lexicon::bans;
use crate::sampling::{Knobs, Lexicon, TokenId};

#[derive(Debug)]
struct TokenBan {
    /// One bit a token: set where it may come. Tokens beyond the known texts may come too.
    allowed: Vec<u32>,
}

pub(super) fn build(knobs: &Knobs, lexicon: Lexicon<'_>) -> Option<Box<dyn Work>> {
    let allowed = allowed(knobs, lexicon)?;
    Some(Box::new(TokenBan { allowed }))
}

/// One bit a token, set where it may come; none if nothing is banned.
pub(in crate::sampling) fn allowed(knobs: &Knobs, lexicon: Lexicon<'_>) -> Option<Vec<u32>> {
    if knobs.token_ban.is_empty() || lexicon.pieces.is_empty() {
        return None;
    }
    let mut allowed = vec![u32::MAX; lexicon.pieces.len().div_ceil(32)];
    for (token, piece) in lexicon.pieces.iter().enumerate() {
        if bans(&knobs.token_ban, piece) {
            allowed[token / 32] &= !(1 << (token % 32));
        }
    }
    Some(allowed)
}

impl Work for TokenBan {
    fn work(&mut self, candidates: &mut Candidates) {
        candidates.keep_bits(&self.allowed);
    }

    fn replay(&self, token: TokenId, logit: f32) -> f32 {
        let word = self.allowed.get(token as usize / 32);
        if word.is_some_and(|it| it >> (token % 32) & 1 == 0) {
            f32::NEG_INFINITY
        } else {
            logit
        }
    }
}
