//! Walks a text under a constraint token by token: what is legal at each step, and how long that took to find.

use serde::{Deserialize, Serialize};

use super::{Constraint, ConstraintError, Following, Matcher, TokenTrie, compile};
use crate::sampling::TokenId;

/// Legal tokens that are named where a walk ends.
const MAX_NAMED: usize = 24;

/// How a text went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    pub compile_ms: f64,
    pub steps: Vec<WalkStep>,
    /// Whether the text is a whole reply.
    pub is_accepted: bool,
    /// Bytes that are allowed, up to the character that is not.
    pub n_taken: usize,
    /// What may follow after these bytes.
    pub following: Following,
    /// The texts of the tokens that `following` names, in its order.
    pub names: Vec<String>,
}

/// One token of a text, and the mask that it was held to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WalkStep {
    pub token: TokenId,
    pub text: String,
    pub n_legal: u32,
    pub is_legal: bool,
    /// Microseconds that the mask took.
    pub mask_us: f64,
}

/// What a text is walked with.
#[derive(Clone, Copy)]
pub struct Legs<'a> {
    pub trie: &'a TokenTrie,
    /// Cuts a text into tokens, and reads control tokens' names if it is told so. Where its tokens do not add to
    /// the text, the longest token at each place is taken.
    pub tokenize: &'a dyn Fn(&str, bool) -> Vec<TokenId>,
    /// Microseconds since any moment.
    pub clock: &'a dyn Fn() -> f64,
}

/// Walks a text; none without a constraint.
///
/// # Errors
/// The constraint cannot be used, or is too ambiguous.
pub fn walk(
    constraint: &Constraint,
    text: &str,
    legs: Legs<'_>,
) -> Result<Option<Walk>, ConstraintError> {
    let started = (legs.clock)();
    let Some(matcher) = compile(constraint, legs.trie)? else {
        return Ok(None);
    };
    let mut res = Walk {
        compile_ms: ((legs.clock)() - started) / 1e3,
        ..Walk::default()
    };
    let mut walker = matcher.clone();
    let n_bytes = res.take(&mut walker, text, legs)?;
    res.n_taken = text.floor_char_boundary(n_bytes);
    if res.n_taken < n_bytes {
        // The fault is the whole character, so what could stand in its place is asked before it.
        walker = matcher;
        walker.accept_text(text.as_bytes().get(..res.n_taken).unwrap_or_default());
    }
    res.following = walker.following(MAX_NAMED)?;
    res.is_accepted = res.n_taken == text.len() && res.following.may_end;
    let named = res.following.tokens.iter();
    res.names = named.map(|it| shown(legs.trie, *it)).collect();
    Ok(Some(res))
}

impl Walk {
    /// Takes token after token; gives the number of bytes that are allowed.
    fn take(
        &mut self,
        matcher: &mut Matcher,
        text: &str,
        legs: Legs<'_>,
    ) -> Result<usize, ConstraintError> {
        let trie = legs.trie;
        let mut n_taken = 0;
        for token in tokens(text, matcher.names_tokens(), legs) {
            let started = (legs.clock)();
            let mask = matcher.mask()?;
            let mask_us = (legs.clock)() - started;
            let is_legal = mask.allows(token);
            self.steps.push(WalkStep {
                token,
                text: shown(trie, token),
                n_legal: mask.n_legal(),
                is_legal,
                mask_us,
            });
            if !is_legal {
                let rest = text.as_bytes().get(n_taken..).unwrap_or_default();
                return Ok(n_taken + matcher.accept_text(rest));
            }
            matcher.accept(token)?;
            n_taken += trie.shown(token).len();
        }
        Ok(n_taken)
    }
}

fn shown(trie: &TokenTrie, token: TokenId) -> String {
    String::from_utf8_lossy(trie.shown(token)).into_owned()
}

fn tokens(text: &str, reads_names: bool, legs: Legs<'_>) -> Vec<TokenId> {
    let tokens = (legs.tokenize)(text, reads_names);
    let bytes: Vec<u8> = tokens
        .iter()
        .flat_map(|it| legs.trie.shown(*it))
        .copied()
        .collect();
    if bytes == text.as_bytes() {
        return tokens;
    }
    legs.trie.tokenize(text.as_bytes()).unwrap_or_default()
}
