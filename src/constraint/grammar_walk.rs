//! A grammar over tokens: the recognizer's states, walked along the trie of a vocabulary.

use std::collections::HashMap;
use std::sync::Arc;

use super::byte_trie::{ByteTrie, Outline};
use super::gbnf::{DEAD, Recognizer, StateId};
use super::{ConstraintError, TokenTrie};

/// Masks kept for states that a reply comes back to, such as the inside of a string.
const MAX_MASKS: usize = 64;

/// Outlines kept; a grammar has few, unless it counts characters.
const MAX_OUTLINES: usize = 256;

/// A reply under a grammar.
#[derive(Clone)]
pub(super) struct GrammarWalk {
    recognizer: Recognizer,
    state: StateId,
    masks: HashMap<StateId, Arc<[u32]>>,
    outlines: HashMap<StateId, Arc<Outline>>,
}

impl GrammarWalk {
    pub(super) fn new(recognizer: Recognizer, state: StateId) -> Self {
        Self {
            recognizer,
            state,
            masks: HashMap::new(),
            outlines: HashMap::new(),
        }
    }

    /// The text tokens that may come next, a bit each.
    pub(super) fn text_mask(&mut self, trie: &TokenTrie) -> Result<Vec<u32>, ConstraintError> {
        if let Some(known) = self.masks.get(&self.state) {
            return Ok(known.to_vec());
        }
        self.recognizer.reset_work();
        let words = if let Some(outline) = self.recognizer.outline(self.state) {
            self.fill(outline, trie.bytes())
        } else {
            trie.bytes().mask(&mut self.recognizer, self.state)
        };
        if self.recognizer.gave_up() {
            return Err(gave_up());
        }
        if self.masks.len() >= MAX_MASKS {
            self.masks.clear();
        }
        self.masks.insert(self.state, words.as_slice().into());
        Ok(words)
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
            self.outlines.clear();
        }
        Ok(true)
    }

    pub(super) fn is_accepting(&self) -> bool {
        self.recognizer.is_accepting(self.state)
    }

    pub(super) fn can_go_on(&self) -> bool {
        self.recognizer.can_go_on(self.state)
    }

    /// The mask of the present state by way of its outline, which other states share.
    fn fill(&mut self, outline: StateId, trie: &ByteTrie) -> Vec<u32> {
        let known = if let Some(known) = self.outlines.get(&outline) {
            Arc::clone(known)
        } else {
            let new = Arc::new(trie.outline(&mut self.recognizer, outline));
            if !self.recognizer.gave_up() {
                if self.outlines.len() >= MAX_OUTLINES {
                    self.outlines.clear();
                }
                self.outlines.insert(outline, Arc::clone(&new));
            }
            new
        };
        trie.fill(&known, &mut self.recognizer, self.state)
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
