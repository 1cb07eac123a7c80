//! No-repeat n-gram: a token that would complete a run of n tokens that was seen before is taken away.

use std::collections::HashMap;

use super::{Part, Work};
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs, Scope, TokenId};

/// Remembers what followed each run of n - 1 tokens, so that the ban needs one look-up however long the text is.
#[derive(Debug)]
struct NoRepeatNgram {
    scope: Scope,
    /// n - 1.
    n_before: usize,
    /// The last n - 1 tokens, or fewer at the beginning.
    last: Vec<TokenId>,
    /// Ascending, each token once.
    followers: HashMap<Vec<TokenId>, Vec<TokenId>>,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    let n = knobs.count(Knob::NoRepeatNgramSize);
    (n > 0).then(|| {
        Box::new(NoRepeatNgram {
            scope: knobs.ngram_scope,
            n_before: n - 1,
            last: Vec::with_capacity(n),
            followers: HashMap::new(),
        }) as _
    })
}

impl Work for NoRepeatNgram {
    fn see(&mut self, token: TokenId, part: Part) {
        if !self.scope.counts(part) {
            return;
        }
        if self.last.len() == self.n_before {
            // Looked up first, because a run that is known needs no copy of its own.
            if let Some(known) = self.followers.get_mut(self.last.as_slice()) {
                if let Err(place) = known.binary_search(&token) {
                    known.insert(place, token);
                }
            } else {
                self.followers.insert(self.last.clone(), vec![token]);
            }
        }
        self.last.push(token);
        if self.last.len() > self.n_before {
            self.last.remove(0);
        }
    }

    fn work(&mut self, candidates: &mut Candidates) {
        if self.last.len() < self.n_before {
            return;
        }
        if let Some(banned) = self.followers.get(self.last.as_slice()) {
            for &token in banned {
                candidates.remove(token);
            }
        }
    }
}
