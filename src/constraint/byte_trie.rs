//! The tokens of a vocabulary in the order of their bytes, so that one pass meets every prefix once.

use std::ops::Range;

use super::gbnf::{DEAD, Recognizer, StateId};
use crate::sampling::TokenId;

/// Marks a node at which no token ends.
pub(super) const NO_TOKEN: TokenId = TokenId::MAX;
/// Stands for the root, which is no node, and for a token that is not in the trie.
pub(super) const NO_NODE: u32 = u32::MAX;

/// A prefix tree laid out flat: each node is followed by all nodes below it.
#[derive(Clone, Debug, Default)]
pub(super) struct ByteTrie {
    nodes: Vec<Node>,
    /// The node above each node; the root for those of the first byte.
    parents: Vec<u32>,
    /// The node of each token by its id.
    places: Vec<u32>,
    /// Tokens with the same bytes as another one: themselves, and that other one.
    same: Vec<(TokenId, TokenId)>,
    n_tokens: usize,
    max_depth: usize,
}

/// The part of a mask that does not depend on what surrounds a state.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    words: Vec<u32>,
    /// Nodes at which the surroundings come in; nothing below them is in `words`.
    exits: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) token: TokenId,
    /// The first node that is not below this one.
    pub(super) end: u32,
    /// Bytes from the root, this one included.
    pub(super) depth: u16,
    pub(super) byte: u8,
}

impl ByteTrie {
    /// Takes the bytes of each token by id; tokens without bytes are left out.
    pub(super) fn new(words: &[Vec<u8>]) -> Self {
        let mut order: Vec<TokenId> = (0..words.len() as u32).collect();
        let word = |id: TokenId| words.get(id as usize).map_or(&[][..], Vec::as_slice);
        order.retain(|it| !word(*it).is_empty());
        order.sort_by(|a, b| word(*a).cmp(word(*b)));
        let mut res = Self {
            n_tokens: words.len(),
            places: vec![NO_NODE; words.len()],
            ..Self::default()
        };
        let mut path: Vec<usize> = Vec::new();
        let mut last: &[u8] = &[];
        for token in order {
            let bytes = word(token);
            let n_shared = last.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            res.close(&mut path, n_shared);
            for byte in bytes.iter().skip(n_shared) {
                res.parents
                    .push(path.last().map_or(NO_NODE, |it| *it as u32));
                path.push(res.nodes.len());
                res.nodes.push(Node {
                    token: NO_TOKEN,
                    end: 0,
                    depth: path.len() as u16,
                    byte: *byte,
                });
            }
            res.max_depth = res.max_depth.max(path.len());
            res.name(&path, token);
            last = bytes;
        }
        res.close(&mut path, 0);
        res
    }

    /// The tokens whose bytes the grammar allows from `state` on, a bit each.
    pub(super) fn mask(&self, recognizer: &mut Recognizer, state: StateId) -> Vec<u32> {
        let mut words = self.no_tokens();
        self.add_mask(recognizer, state, &mut words);
        words
    }

    /// Adds the tokens that the grammar allows from `state` on to those that are known to be.
    pub(super) fn add_mask(&self, recognizer: &mut Recognizer, state: StateId, words: &mut [u32]) {
        let mut walk = self.walk(recognizer, state);
        walk.below(0..self.nodes.len(), words, |_, _| false);
        self.add_same(words);
    }

    /// Whether the grammar allows the bytes of one token from `state` on.
    pub(super) fn allows(
        &self,
        recognizer: &mut Recognizer,
        state: StateId,
        token: TokenId,
    ) -> bool {
        let place = self.places.get(token as usize).copied();
        place.is_some_and(|it| it != NO_NODE && self.walk(recognizer, state).enter(it as usize))
    }

    /// A bit for each token, none of them set.
    pub(super) fn no_tokens(&self) -> Vec<u32> {
        vec![0; self.n_tokens.div_ceil(32)]
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn max_depth(&self) -> usize {
        self.max_depth
    }

    /// The node above; [`NO_NODE`] for those of the first byte.
    pub(super) fn parent(&self, idx: usize) -> u32 {
        self.parents.get(idx).copied().unwrap_or(NO_NODE)
    }

    /// A trie of some of the nodes of this one, to be walked only.
    pub(super) fn with_nodes(&self, nodes: Vec<Node>, parents: Vec<u32>) -> Self {
        Self {
            nodes,
            parents,
            places: Vec::new(),
            same: self.same.clone(),
            ..*self
        }
    }

    /// What is allowed as far as an outline knows, and where its surroundings must be asked.
    pub(super) fn outline(&self, recognizer: &mut Recognizer, outline: StateId) -> Outline {
        let mut words = self.no_tokens();
        let mut exits = Vec::new();
        let mut walk = self.walk(recognizer, outline);
        walk.below(0..self.nodes.len(), &mut words, |idx, may_leave| {
            if may_leave {
                exits.push(idx);
            }
            may_leave
        });
        Outline { words, exits }
    }

    /// The mask of `state`, of which the outline is known.
    pub(super) fn fill(
        &self,
        outline: &Outline,
        recognizer: &mut Recognizer,
        state: StateId,
    ) -> Vec<u32> {
        let mut words = outline.words.clone();
        let mut walk = self.walk(recognizer, state);
        for exit in &outline.exits {
            let end = self.nodes.get(*exit).map_or(0, |it| it.end as usize);
            if end > exit + 1 && walk.enter(*exit) {
                walk.below(exit + 1..end, &mut words, |_, _| false);
            }
        }
        self.add_same(&mut words);
        words
    }

    fn walk<'w>(&'w self, recognizer: &'w mut Recognizer, state: StateId) -> Walk<'w> {
        let mut states = vec![DEAD; self.max_depth + 1];
        if let Some(it) = states.first_mut() {
            *it = state;
        }
        Walk {
            trie: self,
            recognizer,
            states,
        }
    }

    fn add_same(&self, words: &mut [u32]) {
        for (token, other) in &self.same {
            let word = words.get(*other as usize / 32).copied().unwrap_or(0);
            if word >> (other % 32) & 1 == 1 {
                set(words, *token);
            }
        }
    }

    /// Ends the nodes of a path that are deeper than what the next word shares with it.
    fn close(&mut self, path: &mut Vec<usize>, n_kept: usize) {
        let end = self.nodes.len() as u32;
        for idx in path.drain(n_kept.min(path.len())..) {
            if let Some(node) = self.nodes.get_mut(idx) {
                node.end = end;
            }
        }
    }

    fn name(&mut self, path: &[usize], token: TokenId) {
        let Some(node) = path.last().and_then(|it| self.nodes.get_mut(*it)) else {
            return;
        };
        if let (Some(place), Some(idx)) = (self.places.get_mut(token as usize), path.last()) {
            *place = *idx as u32;
        }
        if node.token == NO_TOKEN {
            node.token = token;
        } else {
            self.same.push((token, node.token));
        }
    }
}

/// A way down the trie: the state after each of its bytes.
struct Walk<'w> {
    trie: &'w ByteTrie,
    recognizer: &'w mut Recognizer,
    states: Vec<StateId>,
}

impl Walk<'_> {
    /// Sets the tokens that are reached among `nodes`.
    ///
    /// `stop_at` is asked at each node that is reached, and told whether an outline ends there;
    /// where it says so, the nodes below are left out.
    fn below(
        &mut self,
        nodes: Range<usize>,
        words: &mut [u32],
        mut stop_at: impl FnMut(usize, bool) -> bool,
    ) {
        let mut idx = nodes.start;
        while idx < nodes.end {
            let Some(node) = self.trie.nodes.get(idx).copied() else {
                return;
            };
            let after = self.step(node);
            if after == DEAD {
                idx = node.end as usize;
                continue;
            }
            if node.token != NO_TOKEN {
                set(words, node.token);
            }
            let may_leave = self.recognizer.may_leave(after);
            idx = if stop_at(idx, may_leave) {
                node.end as usize
            } else {
                idx + 1
            };
        }
    }

    /// Walks from the root to one node; whether it is reached.
    fn enter(&mut self, target: usize) -> bool {
        let above = |it: &usize| self.trie.parents.get(*it).map(|it| *it as usize);
        let is_node = |it: &usize| *it < self.trie.nodes.len();
        let way = std::iter::successors(Some(target), above).take_while(is_node);
        let way: Vec<Node> = way
            .filter_map(|it| self.trie.nodes.get(it).copied())
            .collect();
        way.into_iter().rev().all(|it| self.step(it) != DEAD)
    }

    fn step(&mut self, node: Node) -> StateId {
        let depth = usize::from(node.depth);
        let before = self.states.get(depth - 1).copied().unwrap_or(DEAD);
        let after = self.recognizer.step(before, node.byte);
        if let Some(it) = self.states.get_mut(depth) {
            *it = after;
        }
        after
    }
}

fn set(words: &mut [u32], token: TokenId) {
    if let Some(word) = words.get_mut(token as usize / 32) {
        *word |= 1 << (token % 32);
    }
}
