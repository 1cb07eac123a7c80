//! Which tokens were seen, and how often, in a window that moves along with the text.

use std::collections::{HashMap, VecDeque};

use super::Place;
use crate::sampling::{Scope, Span, TokenId};

/// The tokens of a window with their counts; taking in a token costs the same however long the text is.
#[derive(Debug)]
pub(super) struct Occurrences {
    scope: Scope,
    /// How many of the last tokens count; none for all.
    limit: Option<usize>,
    /// The tokens that will fall out of the window, oldest first; empty without a limit.
    window: VecDeque<TokenId>,
    seen: Vec<Seen>,
    places: HashMap<TokenId, usize>,
}

/// A token of the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) token: TokenId,
    pub(super) count: u32,
    /// Where it stands for the last time.
    position: u32,
}

impl Occurrences {
    pub(super) fn new(scope: Scope, limit: Option<usize>) -> Self {
        Self {
            scope,
            limit,
            window: VecDeque::new(),
            seen: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// Every token of the window once, with how often it stands there, in no particular order.
    pub(super) fn all(&self) -> &[Seen] {
        &self.seen
    }

    pub(super) fn get(&self, token: TokenId) -> Option<&Seen> {
        self.places.get(&token).map(|&it| &self.seen[it])
    }

    /// Where the token stands for the last time in the window.
    pub(super) fn latest(&self, token: TokenId) -> Option<Span> {
        let start = self.get(token)?.position;
        Some(Span {
            start,
            end: start + 1,
        })
    }

    pub(super) fn see(&mut self, token: TokenId, at: Place) {
        if !self.scope.counts(at.part) || self.limit == Some(0) {
            return;
        }
        let position = at.position;
        let place = *self.places.entry(token).or_insert(self.seen.len());
        match self.seen.get_mut(place) {
            Some(it) => {
                it.count += 1;
                it.position = position;
            }
            None => self.seen.push(Seen {
                token,
                count: 1,
                position,
            }),
        }
        if let Some(limit) = self.limit {
            self.window.push_back(token);
            if self.window.len() > limit
                && let Some(oldest) = self.window.pop_front()
            {
                self.forget(oldest);
            }
        }
    }

    fn forget(&mut self, token: TokenId) {
        let Some(&place) = self.places.get(&token) else {
            return;
        };
        self.seen[place].count -= 1;
        if self.seen[place].count == 0 {
            self.seen.swap_remove(place);
            self.places.remove(&token);
            if let Some(moved) = self.seen.get(place) {
                self.places.insert(moved.token, place);
            }
        }
    }
}
