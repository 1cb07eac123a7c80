//! The tokens of a vocabulary that consist of characters of one class, by their length.

use super::byte_trie::ByteTrie;
use crate::sampling::TokenId;

/// Tokens that are too long for a run, and still cheap to try one by one.
const MAX_LONGER: usize = 600;

/// What a run of characters allows by its length alone, and what is left to be walked.
#[derive(Debug)]
pub(super) struct Slice {
    /// Tokens of the class alone, with their length in characters; a part of a character counts as one.
    lengths: Vec<(u32, TokenId)>,
    /// All of them, a bit each.
    words: Vec<u32>,
    /// All other tokens.
    rest: ByteTrie,
}

impl Slice {
    /// Cuts the tokens that are made of a class out of a trie.
    pub(super) fn new(trie: &ByteTrie, class: &[(u32, u32)]) -> Self {
        let mut lengths = trie.lengths_in(class);
        lengths.sort_unstable();
        let mut words = trie.no_tokens();
        for (_, token) in &lengths {
            if let Some(word) = words.get_mut(*token as usize / 32) {
                *word |= 1 << (token % 32);
            }
        }
        Self {
            rest: trie.without(&words),
            lengths,
            words,
        }
    }

    /// Its tokens of at most `n_chars` characters, and those that are longer; `None` when these are many.
    pub(super) fn up_to(&self, n_chars: u32) -> Option<(Vec<u32>, impl Iterator<Item = TokenId>)> {
        let n_short = self.lengths.partition_point(|it| it.0 <= n_chars);
        let longer = self.lengths.get(n_short..).unwrap_or_default();
        if longer.len() > MAX_LONGER {
            return None;
        }
        let mut words = self.words.clone();
        for (_, token) in longer {
            if let Some(word) = words.get_mut(*token as usize / 32) {
                *word &= !(1 << (token % 32));
            }
        }
        Some((words, longer.iter().map(|it| it.1)))
    }

    pub(super) fn rest(&self) -> &ByteTrie {
        &self.rest
    }
}
