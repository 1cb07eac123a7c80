//! A grammar over tokens: the recognizer's states, walked along the trie of a vocabulary.

use std::collections::HashMap;
use std::sync::Arc;

use super::byte_trie::{ByteTrie, Outline};
use super::gbnf::{DEAD, KnownToken, Plan, Recognizer, Shortest, StateId};
use super::{Characters, ConstraintError, TokenTrie};
use crate::sampling::TokenId;

/// Masks kept for states that a reply comes back to, such as the inside of a string.
const MAX_MASKS: usize = 64;

/// Outlines kept; a grammar has few, unless it counts characters.
const MAX_OUTLINES: usize = 256;

/// Characters of a class that must be open for its tokens to be cut out, and how many are told apart.
const MIN_RUN: u32 = 4;
const MAX_RUN: u32 = 512;

/// A reply under a grammar.
#[derive(Clone)]
pub(super) struct GrammarWalk {
    recognizer: Recognizer,
    state: StateId,
    /// The tokens that the grammar names, by their places in its list.
    tokens: Arc<[KnownToken]>,
    masks: HashMap<StateId, Arc<[u32]>>,
    outlines: HashMap<StateId, Arc<Outline>>,
    /// Once it was asked how far the end is.
    shortest: Option<Shortest>,
}

impl GrammarWalk {
    pub(super) fn new(text: &str, trie: &TokenTrie) -> Result<Self, ConstraintError> {
        let plan = Plan::new(text)?;
        let tokens = plan.tokens(text, trie)?.into();
        let (recognizer, state) = Recognizer::new(Arc::new(plan));
        Ok(Self {
            recognizer,
            state,
            tokens,
            masks: HashMap::new(),
            outlines: HashMap::new(),
            shortest: None,
        })
    }

    /// The tokens that may come next, a bit each.
    pub(super) fn mask(&mut self, trie: &TokenTrie) -> Result<Vec<u32>, ConstraintError> {
        if let Some(known) = self.masks.get(&self.state) {
            return Ok(known.to_vec());
        }
        self.recognizer.reset_work();
        let mut words = if let Some(counted) = self.counted(trie) {
            counted
        } else if let Some(outline) = self.recognizer.outline(self.state) {
            self.fill(outline, trie.bytes())
        } else {
            trie.bytes().mask(&mut self.recognizer, self.state)
        };
        if self.recognizer.gave_up() {
            return Err(gave_up());
        }
        for terminal in self.recognizer.terminals(self.state) {
            if let Some(known) = self.tokens.get(terminal) {
                add(&mut words, known, trie);
            }
        }
        if self.masks.len() >= MAX_MASKS {
            self.masks.clear();
        }
        self.masks.insert(self.state, words.as_slice().into());
        Ok(words)
    }

    /// Takes a token by its bytes or by its name; changes nothing when neither is allowed.
    pub(super) fn accept(
        &mut self,
        token: TokenId,
        trie: &TokenTrie,
    ) -> Result<bool, ConstraintError> {
        self.recognizer.reset_work();
        let mut state = if trie.piece(token).is_empty() {
            DEAD
        } else {
            self.state
        };
        for byte in trie.piece(token) {
            state = self.recognizer.step(state, *byte);
        }
        if !self.tokens.is_empty() && trie.is_token(token) {
            let tokens = Arc::clone(&self.tokens);
            let matches = |it: usize| tokens.get(it).is_some_and(|it| it.matches(token));
            let by_name = self.recognizer.take_token(self.state, matches);
            state = self.recognizer.join(state, by_name);
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
            if let Some(shortest) = &mut self.shortest {
                shortest.forget_frames();
            }
        }
        Ok(true)
    }

    /// The least bytes that the reply still needs.
    pub(super) fn bytes_to_end(&mut self) -> Option<u32> {
        let shortest = self
            .shortest
            .get_or_insert_with(|| Shortest::new(self.recognizer.plan()));
        shortest.of(&self.recognizer, self.state)
    }

    /// Of these tokens, those behind which at most so many bytes are needed.
    pub(super) fn within(&mut self, words: &mut [u32], n_bytes: u32, trie: &TokenTrie) {
        self.recognizer.reset_work();
        let mut shortest = match self.shortest.take() {
            Some(it) => it,
            None => Shortest::new(self.recognizer.plan()),
        };
        let mut known: HashMap<StateId, bool> = HashMap::new();
        for (idx, word) in words.iter_mut().enumerate() {
            for bit in 0..32 {
                if *word >> bit & 1 == 0 {
                    continue;
                }
                let mut state = self.state;
                for byte in trie.piece((idx * 32) as TokenId + bit) {
                    state = self.recognizer.step(state, *byte);
                }
                let recognizer = &self.recognizer;
                let is_near = *known.entry(state).or_insert_with(|| {
                    shortest
                        .of(recognizer, state)
                        .is_some_and(|it| it <= n_bytes)
                });
                if !is_near {
                    *word &= !(1 << bit);
                }
            }
        }
        self.shortest = Some(shortest);
    }

    pub(super) fn is_accepting(&self) -> bool {
        self.recognizer.is_accepting(self.state)
    }

    pub(super) fn can_go_on(&self) -> bool {
        self.recognizer.can_go_on(self.state)
    }

    pub(super) fn names_tokens(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// Places in the grammar that were looked at for the last mask or token: what it took, whatever the machine.
    #[cfg(test)]
    pub(super) fn work(&self) -> usize {
        self.recognizer.work()
    }

    /// The characters that may come next.
    pub(super) fn characters(&mut self) -> Characters {
        self.recognizer.reset_work();
        Characters::new(self.recognizer.next_characters(self.state))
    }

    /// The token terminals that may come next, as they are written in the grammar.
    pub(super) fn terminals(&self) -> Vec<String> {
        let terminals = self.recognizer.terminals(self.state).into_iter();
        terminals
            .filter_map(|it| self.tokens.get(it))
            .map(|it| it.shown.clone())
            .collect()
    }

    /// A token that the grammar names at this place, and that is what the text begins with.
    pub(super) fn named_token(&self, text: &[u8], trie: &TokenTrie) -> Option<(TokenId, usize)> {
        self.recognizer
            .terminals(self.state)
            .into_iter()
            .filter_map(|it| self.tokens.get(it))
            .filter(|it| !it.is_negated)
            .map(|it| (it.id, trie.shown(it.id)))
            .find(|(_, shown)| !shown.is_empty() && text.starts_with(shown))
            .map(|(id, shown)| (id, shown.len()))
    }

    /// The mask where characters of a class are counted: most of it is a matter of their number alone.
    ///
    /// Such states have no outline in common, and a reply meets a new one with each token.
    fn counted(&mut self, trie: &TokenTrie) -> Option<Vec<u32>> {
        let run = self.recognizer.counted_run(self.state, MAX_RUN)?;
        if run.n_chars < MIN_RUN {
            return None;
        }
        let slice = trie.slice(self.recognizer.plan().class(run.class));
        let (mut words, longer) = slice.up_to(run.n_chars)?;
        for token in longer {
            let recognizer = &mut self.recognizer;
            if trie.bytes().allows(recognizer, self.state, token)
                && let Some(word) = words.get_mut(token as usize / 32)
            {
                *word |= 1 << (token % 32);
            }
        }
        slice
            .rest()
            .add_mask(&mut self.recognizer, self.state, &mut words);
        Some(words)
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

fn add(words: &mut [u32], known: &KnownToken, trie: &TokenTrie) {
    if known.is_negated {
        let kept = words.get(known.id as usize / 32).copied().unwrap_or(0);
        for (word, all) in words.iter_mut().zip(trie.all_tokens()) {
            *word |= all;
        }
        // The token itself may still be legal by its bytes.
        if let Some(word) = words.get_mut(known.id as usize / 32) {
            let bit = 1 << (known.id % 32);
            *word = *word & !bit | kept & bit;
        }
    } else if let Some(word) = words.get_mut(known.id as usize / 32) {
        *word |= 1 << (known.id % 32);
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
