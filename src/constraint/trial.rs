//! Tries a constraint on a text: whether it is taken, where it stops, and what could follow there.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::{Characters, Constraint, ConstraintError, Matcher, TokenTrie, compile};
use crate::sampling::TokenId;

/// How a text fares under a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTrial {
    /// Whether the text is a whole reply.
    pub is_accepted: bool,
    /// Bytes that are allowed, up to the character that is not; all of them when only the end comes too early.
    pub n_taken: usize,
    /// What may follow after these bytes.
    pub following: Following,
}

/// What may come next in a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Following {
    /// Whether the reply may end here.
    pub may_end: bool,
    /// The characters that may come next. Under a schema, those beyond ASCII are named more widely than they are.
    pub characters: Characters,
    /// Tokens that the grammar names as what comes next, as they are written in it, such as `<think>`.
    pub terminals: Vec<String>,
    /// Legal tokens of the vocabulary, those that end a reply among them.
    pub n_legal: u32,
    /// Some of the legal tokens, the longest text first. Only single bytes when no model is at hand.
    pub tokens: Vec<TokenId>,
}

/// Tries a text without a model, or with a model's tokens where there is one.
///
/// The text is cut at the longest token at each place, which is not how the model would; what is accepted does
/// not depend on it. A control token that a grammar names stands in the text by its name.
///
/// # Errors
/// The constraint cannot be used, names tokens where no model is at hand, or is too ambiguous.
pub fn try_text(
    constraint: &Constraint,
    text: &str,
    trie: Option<&TokenTrie>,
) -> Result<Option<TextTrial>, ConstraintError> {
    let trie = match trie {
        Some(it) => it,
        None => byte_trie()?,
    };
    let Some(mut matcher) = compile(constraint, trie)? else {
        return Ok(None);
    };
    let fresh = matcher.clone();
    let n_bytes = matcher.accept_text(text.as_bytes());
    let n_taken = text.floor_char_boundary(n_bytes);
    if n_taken < n_bytes {
        // The fault is the whole character, so what could stand in its place is asked before it.
        matcher = fresh;
        matcher.accept_text(text.as_bytes().get(..n_taken).unwrap_or_default());
    }
    let following = matcher.following(MAX_TOKENS)?;
    Ok(Some(TextTrial {
        is_accepted: n_taken == text.len() && following.may_end,
        n_taken,
        following,
    }))
}

/// Tokens that are named of those that may follow.
const MAX_TOKENS: usize = 64;
/// Masks that are computed at most to follow up tokens that are parts of characters.
const MAX_MASKS: usize = 200;

impl Matcher {
    /// What may come next, with at most `max_tokens` tokens named.
    ///
    /// # Errors
    /// As for [`Self::mask`].
    pub fn following(&mut self, max_tokens: usize) -> Result<Following, ConstraintError> {
        let mask = self.mask()?;
        let trie = self.trie().clone();
        let n_tokens = trie.n_tokens() as TokenId;
        let mut tokens: Vec<TokenId> = (0..n_tokens).filter(|it| mask.allows(*it)).collect();
        let characters = match self.grammar_characters() {
            Some(it) => it,
            None => self.first_characters(&trie, &tokens),
        };
        tokens.sort_by_key(|it| std::cmp::Reverse(trie.piece(*it).len()));
        tokens.truncate(max_tokens);
        Ok(Following {
            may_end: self.is_accepting(),
            characters,
            terminals: self.grammar_terminals(),
            n_legal: mask.n_legal(),
            tokens,
        })
    }
}

impl Matcher {
    /// The characters that legal tokens begin with. A token that ends within its first character is followed up; where
    /// that would take too long, it stands for all characters that it may become.
    fn first_characters(&self, trie: &TokenTrie, tokens: &[TokenId]) -> Characters {
        let mut ranges = Vec::new();
        let mut budget = MAX_MASKS;
        for token in tokens {
            let piece = trie.piece(*token).to_vec();
            self.follow_up(trie, (*token, piece), (&mut budget, &mut ranges));
        }
        Characters::new(ranges)
    }

    /// Adds what the bytes begin with, the last of them brought by the token.
    fn follow_up(
        &self,
        trie: &TokenTrie,
        (token, bytes): (TokenId, Vec<u8>),
        (budget, ranges): (&mut usize, &mut Vec<(u32, u32)>),
    ) {
        let Some(n_bytes) = bytes.first().copied().and_then(n_bytes_of) else {
            return;
        };
        let known = bytes.get(..n_bytes).unwrap_or(&bytes);
        let widest = (filled(known, n_bytes, 0x80), filled(known, n_bytes, 0xBF));
        if known.len() == n_bytes || *budget == 0 {
            ranges.push(widest);
            return;
        }
        *budget -= 1;
        let mut ahead = self.clone();
        let mask = ahead.accept(token).and_then(|()| ahead.mask());
        let Ok(mask) = mask else {
            ranges.push(widest);
            return;
        };
        for next in (0..trie.n_tokens() as TokenId).filter(|it| mask.allows(*it)) {
            let longer = [bytes.as_slice(), trie.piece(next)].concat();
            if longer.len() > bytes.len() {
                ahead.follow_up(trie, (next, longer), (budget, ranges));
            }
        }
    }
}

/// How many bytes a character has by its first one; none for what begins no character.
fn n_bytes_of(lead: u8) -> Option<usize> {
    match lead {
        0..=0x7F => Some(1),
        0xC2..=0xDF => Some(2),
        0xE0..=0xEF => Some(3),
        0xF0..=0xF4 => Some(4),
        _ => None,
    }
}

/// The code point of bytes that are filled up with this one.
fn filled(known: &[u8], n_bytes: usize, fill: u8) -> u32 {
    let mut bytes = known.to_vec();
    bytes.resize(n_bytes, fill);
    decode(&bytes).min(0x0010_FFFF)
}

/// The code point that bytes stand for, without asking whether they are well formed.
fn decode(bytes: &[u8]) -> u32 {
    let lead_bits = match bytes.len() {
        1 => 0x7F,
        2 => 0x1F,
        3 => 0x0F,
        _ => 0x07,
    };
    bytes.iter().enumerate().fold(0, |value, (idx, byte)| {
        let bits = if idx == 0 { lead_bits } else { 0x3F };
        value << 6 | u32::from(byte & bits)
    })
}

pub(super) fn byte_trie() -> Result<&'static TokenTrie, ConstraintError> {
    static TRIE: OnceLock<Result<TokenTrie, String>> = OnceLock::new();
    TRIE.get_or_init(TokenTrie::of_bytes)
        .as_ref()
        .map_err(|it| ConstraintError {
            message: it.clone(),
            place: None,
            within: None,
        })
}
