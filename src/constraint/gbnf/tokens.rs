//! Reads token terminals, and finds the tokens that they name in a model's vocabulary.

use super::ast::{TokenName, TokenTerminal};
use super::cursor::{Cursor, fault};
use crate::constraint::{ConstraintError, TokenTrie};
use crate::sampling::TokenId;

/// Bytes of a token's name.
const MAX_NAME: usize = 256;

/// A token terminal of which the token is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownToken {
    pub(crate) id: TokenId,
    pub(crate) is_negated: bool,
    /// As it is written in the grammar.
    pub(crate) shown: String,
}

impl KnownToken {
    pub(crate) fn matches(&self, token: TokenId) -> bool {
        (self.id == token) != self.is_negated
    }
}

/// Reads `<[1000]>`, `<think>` or either of them after `!`; the cursor stands on its first character.
pub(super) fn terminal(
    text: &str,
    cursor: &mut Cursor<'_>,
) -> Result<TokenTerminal, ConstraintError> {
    let at = cursor.at();
    let is_negated = cursor.eat("!");
    let start = cursor.at();
    if !cursor.eat("<") {
        let message = format!(
            "expected a token such as `<think>` or `<[1000]>` after `!`, found {}",
            cursor.found()
        );
        return Err(fault(text, start, message));
    }
    let token = if cursor.eat("[") {
        number(text, cursor)?
    } else {
        let name = cursor.take_while(|it| !matches!(it, '>' | '\r' | '\n'));
        if !cursor.eat(">") {
            let message = "this token is never closed; expected `>`";
            return Err(fault(text, start, message));
        }
        if name.is_empty() || name.len() > MAX_NAME {
            let message = format!(
                "a token's name has 1 to {MAX_NAME} bytes; expected `<think>` or `<[1000]>`"
            );
            return Err(fault(text, start, message));
        }
        TokenName::Name(format!("<{name}>"))
    };
    Ok(TokenTerminal {
        token,
        is_negated,
        at,
    })
}

/// Finds the token of each terminal.
///
/// # Errors
/// The vocabulary has no such token, or it ends the reply, so that nothing could follow it.
pub(super) fn resolve(
    text: &str,
    terminals: &[TokenTerminal],
    trie: &TokenTrie,
) -> Result<Vec<KnownToken>, ConstraintError> {
    let known = |it: &TokenTerminal| {
        let id = match &it.token {
            TokenName::Id(id) => (*id < trie.n_tokens() as u32).then_some(*id),
            TokenName::Name(name) => trie.token_named(name),
        };
        let id = id.ok_or_else(|| fault(text, it.at, missing(it, trie)))?;
        if trie.end_of_generation().contains(&id) && !it.is_negated {
            let message =
                format!("the token {it} ends the reply; it comes by itself where the grammar ends");
            return Err(fault(text, it.at, message));
        }
        Ok(KnownToken {
            id,
            is_negated: it.is_negated,
            shown: it.to_string(),
        })
    };
    terminals.iter().map(known).collect()
}

fn missing(terminal: &TokenTerminal, trie: &TokenTrie) -> String {
    let n_tokens = trie.n_tokens();
    match &terminal.token {
        TokenName::Id(id) => {
            format!("there is no token {id}; the vocabulary has {n_tokens} tokens, from 0")
        }
        TokenName::Name(_) if trie.is_of_bytes() => {
            format!("the token {terminal} can only be found in a model's vocabulary; load one")
        }
        TokenName::Name(_) => format!(
            "the vocabulary has no single token {terminal}; expected one of its own, or a number as in `<[1000]>`"
        ),
    }
}

fn number(text: &str, cursor: &mut Cursor<'_>) -> Result<TokenName, ConstraintError> {
    let at = cursor.at();
    let digits = cursor.take_while(|it| it.is_ascii_digit());
    if digits.is_empty() {
        let message = format!("expected the number of a token, found {}", cursor.found());
        return Err(fault(text, at, message));
    }
    let Ok(id) = digits.parse() else {
        return Err(fault(text, at, "this number is too large for a token"));
    };
    if !cursor.eat("]>") {
        let message = format!(
            "expected `]>` after the number of a token, found {}",
            cursor.found()
        );
        return Err(fault(text, cursor.at(), message));
    }
    Ok(TokenName::Id(id))
}
