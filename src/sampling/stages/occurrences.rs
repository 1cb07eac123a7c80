//! Which tokens were seen, and how often, in a window that moves along with the text.

use std::collections::{HashMap, VecDeque};

use super::Part;
use crate::sampling::{Scope, TokenId};

/// The tokens of a window with their counts; taking in a token costs the same however long the text is.
#[derive(Debug)]
pub(super) struct Occurrences {
    scope: Scope,
    /// How many of the last tokens count; none for all.
    limit: Option<usize>,
    /// The tokens that will fall out of the window, oldest first; empty without a limit.
    window: VecDeque<TokenId>,
    counts: Vec<(TokenId, u32)>,
    places: HashMap<TokenId, usize>,
}

impl Occurrences {
    pub(super) fn new(scope: Scope, limit: Option<usize>) -> Self {
        Self {
            scope,
            limit,
            window: VecDeque::new(),
            counts: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// Every token of the window once, with how often it stands there, in no particular order.
    pub(super) fn counts(&self) -> &[(TokenId, u32)] {
        &self.counts
    }

    pub(super) fn see(&mut self, token: TokenId, part: Part) {
        if !self.scope.counts(part) || self.limit == Some(0) {
            return;
        }
        let place = *self.places.entry(token).or_insert(self.counts.len());
        match self.counts.get_mut(place) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((token, 1)),
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
        self.counts[place].1 -= 1;
        if self.counts[place].1 == 0 {
            self.counts.swap_remove(place);
            self.places.remove(&token);
            if let Some((moved, _)) = self.counts.get(place) {
                self.places.insert(*moved, place);
            }
        }
    }
}
