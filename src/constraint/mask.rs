//! The set of tokens that may come next.

use crate::sampling::TokenId;

/// One bit a token id: set when the token is legal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenMask {
    words: Vec<u32>,
    n_legal: u32,
}

impl TokenMask {
    /// Takes 32 tokens a word, the lowest id in the lowest bit.
    pub fn from_words(words: Vec<u32>) -> Self {
        let n_legal = words.iter().map(|it| it.count_ones()).sum();
        Self { words, n_legal }
    }

    pub fn words(&self) -> &[u32] {
        &self.words
    }

    pub fn n_legal(&self) -> u32 {
        self.n_legal
    }

    pub fn allows(&self, token: TokenId) -> bool {
        let word = self.words.get(token as usize / 32).copied().unwrap_or(0);
        word >> (token % 32) & 1 == 1
    }
}
