//! How far a reply is from its end, and which tokens keep the end in reach.

use super::matcher::Walk;
use super::{ConstraintError, Matcher, TokenMask};
use crate::sampling::TokenId;

/// Candidates that are tried one by one where the inside of the constraint is not known.
const MAX_TRIED: usize = 24;

impl Matcher {
    /// Tokens that are enough to end the reply from here, the token that ends it not counted; 0 where it may end.
    ///
    /// An upper bound: a byte takes a token at most. `None` where no way to an end is found.
    pub fn way_out(&mut self) -> Option<u32> {
        if self.is_accepting() {
            return Some(0);
        }
        match self.walk_mut() {
            Walk::Grammar(walk) => walk.bytes_to_end(),
            Walk::Guided(_) => {
                let way = self.way(&[])?;
                let tokens = self.trie().tokenize(&way);
                Some(tokens.map_or(way.len(), |it| it.len()) as u32)
            }
        }
    }

    /// Whether the reply can end within `n_left` more tokens after this one, which is legal.
    pub fn stays_closable(&mut self, token: TokenId, n_left: u32) -> bool {
        let trie = self.trie().clone();
        if trie.end_of_generation().contains(&token) {
            return true;
        }
        if let Walk::Grammar(walk) = self.walk_mut() {
            let mut words = vec![0; trie.n_tokens().div_ceil(32)];
            set(&mut words, token);
            walk.within(&mut words, n_left, &trie);
            return words.iter().any(|it| *it != 0);
        }
        self.way(trie.piece(token)).is_some_and(|way| {
            let tokens = trie.tokenize(&way);
            tokens.map_or(way.len(), |it| it.len()) <= n_left as usize
        })
    }

    /// The legal tokens after which the reply can still end within `n_left` more tokens.
    ///
    /// Under a grammar these are all of them. Elsewhere the first of `candidates` are tried, and the next token of a
    /// way to the end is among them in any case.
    ///
    /// # Errors
    /// As for [`Self::mask`].
    pub fn closable(
        &mut self,
        candidates: &[TokenId],
        n_left: u32,
    ) -> Result<TokenMask, ConstraintError> {
        let mask = self.mask()?;
        let trie = self.trie().clone();
        let ends = trie.end_of_generation();
        let mut words = mask.words().to_vec();
        if let Walk::Grammar(walk) = self.walk_mut() {
            walk.within(&mut words, n_left, &trie);
            for end in ends.iter().filter(|it| mask.allows(**it)) {
                set(&mut words, *end);
            }
            return Ok(TokenMask::from_words(words));
        }
        words.fill(0);
        let legal = candidates.iter().filter(|it| mask.allows(**it));
        for token in legal.take(MAX_TRIED) {
            if self.stays_closable(*token, n_left) {
                set(&mut words, *token);
            }
        }
        for end in ends.iter().filter(|it| mask.allows(**it)) {
            set(&mut words, *end);
        }
        let way = self.way(&[]).unwrap_or_default();
        let next = trie.longest_token(&way).filter(|it| mask.allows(*it));
        if let Some(next) = next {
            set(&mut words, next);
        }
        Ok(TokenMask::from_words(words))
    }
}

fn set(words: &mut [u32], token: TokenId) {
    if let Some(word) = words.get_mut(token as usize / 32) {
        *word |= 1 << (token % 32);
    }
}
