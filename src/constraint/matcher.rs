//! Holds one reply to its constraint: the tokens that may come next, and whether it may end.

use super::gbnf::Plan;
use super::grammar_walk::GrammarWalk;
use super::guided::GuidedWalk;
use super::guided_way::ByteWalk;
use super::{
    Characters, Constraint, ConstraintError, TokenMask, TokenTrie, examine, regex, schema,
};
use crate::sampling::TokenId;

/// Checks a constraint without a vocabulary, as it is typed. Gives warnings, a sentence each.
///
/// # Errors
/// What is wrong with it, and where.
pub fn check(constraint: &Constraint) -> Result<Vec<String>, ConstraintError> {
    match constraint {
        Constraint::None => Ok(Vec::new()),
        Constraint::Grammar { text } => Ok(Plan::new(text)?.warnings),
        Constraint::Schema { .. } => examine::check_schema(constraint),
        Constraint::Regex { text } => regex::check(text).map(|()| Vec::new()),
    }
}

/// Makes the matcher of one reply; `None` when there is no constraint.
///
/// # Errors
/// What is wrong with the constraint, and where. A reply must not be generated then.
pub fn compile(
    constraint: &Constraint,
    trie: &TokenTrie,
) -> Result<Option<Matcher>, ConstraintError> {
    let walk = match constraint {
        Constraint::None => return Ok(None),
        Constraint::Grammar { text } => Walk::Grammar(Box::new(GrammarWalk::new(text, trie)?)),
        Constraint::Schema {
            text,
            white_space,
            switches,
        } => {
            let terms = (*white_space, switches);
            Walk::Guided(Box::new(schema::compile(text, terms, trie)?))
        }
        Constraint::Regex { text } => Walk::Guided(Box::new(regex::compile(text, trie)?)),
    };
    Ok(Some(Matcher {
        trie: trie.clone(),
        walk,
        ended: false,
        mask: None,
        taken: Vec::new(),
        bytes: None,
    }))
}

/// A reply under a constraint, token by token. A refused token changes nothing.
#[derive(Clone)]
pub struct Matcher {
    trie: TokenTrie,
    walk: Walk,
    /// A token that ends a reply was accepted.
    ended: bool,
    /// The mask of the present state, once it was asked for.
    mask: Option<TokenMask>,
    /// The bytes of the reply so far.
    taken: Vec<u8>,
    /// Once a way to the end was asked for; behind `taken`.
    bytes: Option<Box<ByteWalk>>,
}

#[derive(Clone)]
pub(super) enum Walk {
    Grammar(Box<GrammarWalk>),
    /// A schema or a regular expression.
    Guided(Box<GuidedWalk>),
}

impl Matcher {
    /// The tokens that may come next. Those that end a reply are in it exactly where it may end.
    ///
    /// # Errors
    /// The constraint is too ambiguous at this place for the work that one step may take.
    pub fn mask(&mut self) -> Result<TokenMask, ConstraintError> {
        if let Some(mask) = &self.mask {
            return Ok(mask.clone());
        }
        let mut words = if self.ended {
            Vec::new()
        } else {
            match &mut self.walk {
                Walk::Grammar(walk) => walk.mask(&self.trie)?,
                Walk::Guided(walk) => walk.text_mask()?,
            }
        };
        words.resize(self.trie.n_tokens().div_ceil(32), 0);
        let may_end = self.is_accepting() && !self.ended;
        for token in self.trie.end_of_generation() {
            if let Some(word) = words.get_mut(*token as usize / 32) {
                let bit = 1 << (token % 32);
                *word = if may_end { *word | bit } else { *word & !bit };
            }
        }
        let mask = TokenMask::from_words(words);
        self.mask = Some(mask.clone());
        Ok(mask)
    }

    /// Takes a token into the reply.
    ///
    /// # Errors
    /// The token is not legal here, or the reply has ended. The matcher is as it was before.
    pub fn accept(&mut self, token: TokenId) -> Result<(), ConstraintError> {
        if self.ended {
            return Err(refusal("the reply has ended; no token may follow"));
        }
        if self.trie.end_of_generation().contains(&token) {
            if !self.is_accepting() {
                return Err(refusal(format!(
                    "token {token} ends the reply where the constraint expects more"
                )));
            }
            self.ended = true;
            self.mask = None;
            return Ok(());
        }
        let accepted = match &mut self.walk {
            Walk::Grammar(walk) => walk.accept(token, &self.trie)?,
            Walk::Guided(walk) => !self.trie.piece(token).is_empty() && walk.accept(token)?,
        };
        if !accepted {
            return Err(refusal(format!("token {token} is not legal here")));
        }
        self.mask = None;
        let piece = self.trie.piece(token);
        self.taken.extend_from_slice(piece);
        if self.bytes.as_mut().is_some_and(|it| !it.take(piece)) {
            self.bytes = None;
        }
        Ok(())
    }

    /// Bytes that lead from behind `more` to an end of the reply, under a schema or a regular expression.
    pub(super) fn way(&mut self, more: &[u8]) -> Option<Vec<u8>> {
        if self.bytes.is_none()
            && let Walk::Guided(walk) = &self.walk
        {
            self.bytes = ByteWalk::behind(walk, &self.taken).map(Box::new);
        }
        self.bytes.as_ref()?.way_behind(more)
    }

    pub(super) fn walk_mut(&mut self) -> &mut Walk {
        &mut self.walk
    }

    /// Takes a text by its longest tokens, and byte by byte where one of them does not fit.
    /// A token that a grammar names at this place is taken first, if its name stands there.
    ///
    /// Gives the number of bytes taken; fewer than there are when the constraint does not allow
    /// the next one, or the vocabulary has no token for it.
    pub fn accept_text(&mut self, text: &[u8]) -> usize {
        let mut n_taken = 0;
        while let Some(rest) = text.get(n_taken..).filter(|it| !it.is_empty()) {
            let trie = self.trie.clone();
            if let Walk::Grammar(walk) = &self.walk
                && let Some((token, n_bytes)) = walk.named_token(rest, &trie)
                && self.accept(token).is_ok()
            {
                n_taken += n_bytes;
                continue;
            }
            let taken = [rest, rest.get(..1).unwrap_or(rest)]
                .into_iter()
                .filter_map(|it| trie.longest_token(it))
                .find(|it| self.accept(*it).is_ok());
            match taken {
                Some(token) => n_taken += self.trie.piece(token).len(),
                None => break,
            }
        }
        n_taken
    }

    /// Whether it is a grammar that names tokens, so that their names in a text may stand for them.
    pub fn names_tokens(&self) -> bool {
        match &self.walk {
            Walk::Grammar(walk) => walk.names_tokens(),
            Walk::Guided(_) => false,
        }
    }

    /// The characters that a grammar allows next; `None` under a schema or a regular expression.
    pub(super) fn grammar_characters(&mut self) -> Option<Characters> {
        match &mut self.walk {
            Walk::Grammar(walk) => Some(walk.characters()),
            Walk::Guided(_) => None,
        }
    }

    /// The tokens that a grammar names as what comes next, as they are written in it.
    pub(super) fn grammar_terminals(&self) -> Vec<String> {
        match &self.walk {
            Walk::Grammar(walk) => walk.terminals(),
            Walk::Guided(_) => Vec::new(),
        }
    }

    /// Places in a grammar that were looked at for the last mask or token; 0 under a schema or a regular expression.
    #[cfg(test)]
    pub(super) fn work(&self) -> usize {
        match &self.walk {
            Walk::Grammar(walk) => walk.work(),
            Walk::Guided(_) => 0,
        }
    }

    pub(super) fn trie(&self) -> &TokenTrie {
        &self.trie
    }

    /// Whether the reply may end here.
    pub fn is_accepting(&mut self) -> bool {
        match &mut self.walk {
            Walk::Grammar(walk) => walk.is_accepting(),
            Walk::Guided(walk) => walk.is_accepting(),
        }
    }

    /// Whether the reply may end here and nothing else may follow.
    pub fn is_complete(&mut self) -> bool {
        if self.ended {
            return true;
        }
        if !self.is_accepting() {
            return false;
        }
        if let Walk::Grammar(walk) = &self.walk {
            return !walk.can_go_on();
        }
        let n_ends = self.trie.end_of_generation().len();
        self.mask().is_ok_and(|it| it.n_legal() as usize == n_ends)
    }
}

impl std::fmt::Debug for Matcher {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Matcher")
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

fn refusal(message: impl Into<String>) -> ConstraintError {
    ConstraintError::new(message)
}
