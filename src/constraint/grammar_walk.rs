//! A grammar over tokens: the recognizer's states, walked along the trie of a vocabulary.

use std::collections::HashMap;
use std::sync::Arc;

use super::gbnf::{DEAD, Recognizer, StateId};
use super::{ConstraintError, TokenTrie};

/// Masks kept for states that a reply comes back to, such as the inside of a string.
const MAX_MASKS: usize = 64;

/// A reply under a grammar.
#[derive(Clone)]
pub(super) struct GrammarWalk {
    recognizer: Recognizer,
    state: StateId,
    masks: HashMap<StateId, Arc<[u32]>>,
}

impl GrammarWalk {
    pub(super) fn new(recognizer: Recognizer, state: StateId) -> Self {
        Self {
            recognizer,
            state,
            masks: HashMap::new(),
        }
    }

    /// The text tokens that may come next, a bit each.
    pub(super) fn text_mask(&mut self, trie: &TokenTrie) -> Result<Vec<u32>, ConstraintError> {
        if let Some(known) = self.masks.get(&self.state) {
            return Ok(known.to_vec());
        }
        self.recognizer.reset_work();
        let tokens = trie.tokens();
        let mut set = tokens.alloc_token_set();
        let mut descent = Descent {
            recognizer: &mut self.recognizer,
            states: vec![self.state],
        };
        tokens.add_bias(&mut descent, &mut set, &[]);
        if self.recognizer.gave_up() {
            return Err(gave_up());
        }
        if self.masks.len() >= MAX_MASKS {
            self.masks.clear();
        }
        self.masks.insert(self.state, set.as_slice().into());
        Ok(set.into())
    }

    /// Takes the bytes of a token; changes nothing when one of them is not allowed.
    pub(super) fn accept(&mut self, bytes: &[u8]) -> Result<bool, ConstraintError> {
        self.recognizer.reset_work();
        let mut state = self.state;
        for byte in bytes {
            state = self.recognizer.step(state, *byte);
        }
        if self.recognizer.gave_up() {
            return Err(gave_up());
        }
        if state == DEAD {
            return Ok(false);
        }
        self.state = state;
        if let Some(state) = self.recognizer.tidy(state) {
            self.state = state;
            self.masks.clear();
        }
        Ok(true)
    }

    pub(super) fn is_accepting(&self) -> bool {
        self.recognizer.is_accepting(self.state)
    }

    pub(super) fn can_go_on(&self) -> bool {
        self.recognizer.can_go_on(self.state)
    }
}

/// The way down the trie: the state after each byte.
struct Descent<'r> {
    recognizer: &'r mut Recognizer,
    states: Vec<StateId>,
}

impl toktrie::Recognizer for Descent<'_> {
    fn pop_bytes(&mut self, n: usize) {
        self.states.truncate(self.states.len().saturating_sub(n));
    }

    fn collapse(&mut self) {
        let top = self.states.pop();
        self.states.clear();
        self.states.extend(top);
    }

    fn trie_finished(&mut self) {
        self.states.truncate(1);
    }

    fn try_push_byte(&mut self, byte: u8) -> bool {
        let top = self.states.last().copied().unwrap_or(DEAD);
        let next = self.recognizer.step(top, byte);
        if next == DEAD {
            return false;
        }
        self.states.push(next);
        true
    }
}

fn gave_up() -> ConstraintError {
    ConstraintError {
        message: "the grammar can be read in too many ways at this place; \
                  expected fewer rules that match the same text"
            .to_owned(),
        place: None,
        within: None,
    }
}
