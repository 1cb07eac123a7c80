//! No-repeat n-gram: a token that would complete a run of n tokens that was seen before is taken away.

use std::collections::HashMap;

use super::{Place, Work};
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs, Scope, Span, TokenId};

/// Remembers what followed each run of n - 1 tokens, so that the ban needs one look-up however long the text is.
#[derive(Debug)]
struct NoRepeatNgram {
    scope: Scope,
    /// n - 1.
    n_before: usize,
    /// The last n - 1 tokens, or fewer at the beginning.
    last: Vec<TokenId>,
    /// Ascending by token, each once, with the position at which it first came behind the run.
    followers: HashMap<Vec<TokenId>, Vec<(TokenId, u32)>>,
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
    fn see(&mut self, token: TokenId, at: Place) {
        if !self.scope.counts(at.part) {
            return;
        }
        if self.last.len() == self.n_before {
            // Looked up first, because a run that is known needs no copy of its own.
            if let Some(known) = self.followers.get_mut(self.last.as_slice()) {
                if let Err(place) = known.binary_search_by_key(&token, |it| it.0) {
                    known.insert(place, (token, at.position));
                }
            } else {
                let first = vec![(token, at.position)];
                self.followers.insert(self.last.clone(), first);
            }
        }
        self.last.push(token);
        if self.last.len() > self.n_before {
            self.last.remove(0);
        }
    }

    fn work(&mut self, candidates: &mut Candidates) {
        for &(token, _) in self.banned() {
            candidates.remove(token);
        }
    }

    fn replay(&self, token: TokenId, logit: f32) -> f32 {
        if self.earlier(token).is_some() {
            f32::NEG_INFINITY
        } else {
            logit
        }
    }

    fn earlier(&self, token: TokenId) -> Option<Span> {
        let banned = self.banned();
        let place = banned.binary_search_by_key(&token, |it| it.0).ok()?;
        let position = banned[place].1;
        Some(Span {
            start: position.saturating_sub(self.n_before as u32),
            end: position + 1,
        })
    }
}

impl NoRepeatNgram {
    fn banned(&self) -> &[(TokenId, u32)] {
        if self.last.len() < self.n_before {
            return &[];
        }
        let banned = self.followers.get(self.last.as_slice());
        banned.map_or(&[], Vec::as_slice)
    }
}
