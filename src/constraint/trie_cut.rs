//! Cuts a trie in two: the tokens that are made of one class of characters, and all others.

use super::byte_trie::{ByteTrie, NO_NODE, NO_TOKEN, Node};
use crate::sampling::TokenId;

/// How far a path through the trie is in characters.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    n_chars: u32,
    /// The bytes of a character that is not complete.
    open: [u8; 4],
    n_open: usize,
}

impl ByteTrie {
    /// The tokens that are made of characters of a class, with their length in characters.
    ///
    /// A part of a character at the end counts as one, if it may become one of the class.
    pub(super) fn lengths_in(&self, class: &[(u32, u32)]) -> Vec<(u32, TokenId)> {
        let mut res = Vec::new();
        let mut states = vec![Progress::default(); self.max_depth() + 1];
        let mut idx = 0;
        while let Some(node) = self.nodes().get(idx) {
            let depth = usize::from(node.depth);
            let before = states.get(depth - 1).copied().unwrap_or_default();
            let Some(after) = before.with(node.byte, class) else {
                idx = node.end as usize;
                continue;
            };
            if node.token != NO_TOKEN {
                let n_chars = after.n_chars + u32::from(after.n_open > 0);
                res.push((n_chars, node.token));
            }
            if let Some(it) = states.get_mut(depth) {
                *it = after;
            }
            idx += 1;
        }
        res
    }

    /// The same trie without these tokens, a bit each.
    pub(super) fn without(&self, tokens: &[u32]) -> Self {
        let is_out = |token: TokenId| {
            let word = tokens.get(token as usize / 32).copied().unwrap_or(0);
            word >> (token % 32) & 1 == 1
        };
        let nodes = self.nodes();
        let mut is_kept: Vec<bool> = nodes
            .iter()
            .map(|it| it.token != NO_TOKEN && !is_out(it.token))
            .collect();
        for idx in (0..nodes.len()).rev() {
            if is_kept.get(idx) == Some(&true)
                && let Some(it) = is_kept.get_mut(self.parent(idx) as usize)
            {
                *it = true;
            }
        }
        let moved = places(&is_kept);
        let place = |it: u32| moved.get(it as usize).copied().unwrap_or(NO_NODE);
        let kept = nodes
            .iter()
            .enumerate()
            .filter(|it| is_kept.get(it.0) == Some(&true));
        let (nodes, parents) = kept
            .map(|(idx, node)| {
                let token = if node.token != NO_TOKEN && is_out(node.token) {
                    NO_TOKEN
                } else {
                    node.token
                };
                let end = place(node.end);
                let parent = place(self.parent(idx));
                (
                    Node {
                        token,
                        end,
                        ..*node
                    },
                    parent,
                )
            })
            .unzip();
        self.with_nodes(nodes, parents)
    }
}

impl Progress {
    /// One byte further; `None` when that leaves the class.
    fn with(mut self, byte: u8, class: &[(u32, u32)]) -> Option<Self> {
        if byte < 0x80 && self.n_open == 0 {
            self.n_chars += 1;
            let point = u32::from(byte);
            return class
                .iter()
                .any(|it| it.0 <= point && point <= it.1)
                .then_some(self);
        }
        *self.open.get_mut(self.n_open)? = byte;
        self.n_open += 1;
        let open = self.open.get(..self.n_open)?;
        let (low, high) = completions(open)?;
        if !class.iter().any(|it| it.0 <= high && low <= it.1) {
            return None;
        }
        if std::str::from_utf8(open).is_ok() {
            self.n_chars += 1;
            self.n_open = 0;
        }
        Some(self)
    }
}

/// The first and the last character that these bytes may become; `None` when they are no text.
fn completions(bytes: &[u8]) -> Option<(u32, u32)> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let point = u32::from(text.chars().next()?);
        return Some((point, point));
    }
    let n_bytes = match bytes.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    // The second byte of some characters has a narrower range than the others.
    let low = completion(bytes, n_bytes, ([0x80, 0x90, 0xA0], 0x80))?;
    let high = completion(bytes, n_bytes, ([0xBF, 0x9F, 0x8F], 0xBF))?;
    Some((low, high))
}

/// The character that comes of these bytes with the first of the next bytes that fits, and then `fill`.
fn completion(bytes: &[u8], n_bytes: usize, (next, fill): ([u8; 3], u8)) -> Option<u32> {
    next.into_iter().find_map(|it| {
        let mut all = [fill; 4];
        all.get_mut(..bytes.len())?.copy_from_slice(bytes);
        *all.get_mut(bytes.len())? = it;
        let text = std::str::from_utf8(all.get(..n_bytes)?).ok()?;
        text.chars().next().map(u32::from)
    })
}

/// How many nodes are kept before each one, which is where it moves to.
fn places(is_kept: &[bool]) -> Vec<u32> {
    let mut res = Vec::with_capacity(is_kept.len() + 1);
    let mut n_kept = 0_u32;
    for it in is_kept {
        res.push(n_kept);
        n_kept += u32::from(*it);
    }
    res.push(n_kept);
    res
}
