//! What prompts begin with, kept aside with its keys and values while other prompts are evaluated.

use std::collections::VecDeque;

use super::sequence::common;
use crate::sampling::TokenId;

/// The beginnings of some prompts, the one that was needed last behind the others.
#[derive(Default)]
pub(super) struct Snapshots(VecDeque<Snapshot>);

struct Snapshot {
    tokens: Vec<TokenId>,
    bytes: Vec<u8>,
}

/// Tasks and prompt styles of one plan that take turns are hardly more.
const MAX_KEPT: usize = 8;
const MAX_BYTES: usize = 256 << 20;

impl Snapshots {
    /// Whether one begins with these tokens.
    pub(super) fn has(&self, tokens: &[TokenId]) -> bool {
        self.0.iter().any(|it| it.tokens.starts_with(tokens))
    }

    /// The one that has the most tokens in common with the prompt's beginning, and how many these are.
    pub(super) fn longest(&mut self, prompt: &[TokenId]) -> Option<(usize, &[u8])> {
        let lengths = self.0.iter().map(|it| common(&it.tokens, prompt));
        let (idx, n_common) = lengths.enumerate().max_by_key(|it| it.1)?;
        let found = self.0.remove(idx)?;
        self.0.push_back(found);
        self.0.back().map(|it| (n_common, it.bytes.as_slice()))
    }

    /// Keeps one more, and drops those that were not needed for the longest time where they are too many.
    pub(super) fn add(&mut self, tokens: Vec<TokenId>, bytes: Vec<u8>) {
        if bytes.len() > MAX_BYTES {
            return;
        }
        // One that begins a longer one is of no more use.
        self.0.retain(|it| !tokens.starts_with(&it.tokens));
        self.0.push_back(Snapshot { tokens, bytes });
        while self.0.len() > MAX_KEPT || self.n_bytes() > MAX_BYTES {
            self.0.pop_front();
        }
    }

    fn n_bytes(&self) -> usize {
        self.0.iter().map(|it| it.bytes.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_with_most_in_common_is_found_and_stays_longest() {
        let mut kept = Snapshots::default();
        for nth in 0..MAX_KEPT as TokenId {
            kept.add(vec![1, nth, 5], vec![nth as u8]);
        }
        assert_eq!(kept.longest(&[1, 0, 6]), Some((2, [0].as_slice())));
        kept.add(vec![2], vec![99]);
        assert_eq!(kept.longest(&[1, 0, 6]), Some((2, [0].as_slice())));
        assert!(kept.has(&[2]));
        assert!(
            !kept.has(&[1, 1]),
            "the one that was idle for longest is gone"
        );
    }

    #[test]
    fn a_beginning_of_another_is_not_kept_twice() {
        let mut kept = Snapshots::default();
        kept.add(vec![1, 2], vec![1]);
        kept.add(vec![1, 2, 3], vec![2]);
        assert!(kept.has(&[1, 2]));
        assert_eq!(kept.0.len(), 1);
        assert_eq!(kept.longest(&[1, 2]), Some((2, [2].as_slice())));
    }

    #[test]
    fn memory_is_bounded() {
        let mut kept = Snapshots::default();
        kept.add(vec![1], vec![0; MAX_BYTES / 2]);
        kept.add(vec![2], vec![0; MAX_BYTES / 2]);
        kept.add(vec![3], vec![0; MAX_BYTES / 2]);
        assert!(!kept.has(&[1]));
        assert!(kept.has(&[2]) && kept.has(&[3]));
        kept.add(vec![4], vec![0; MAX_BYTES + 1]);
        assert!(!kept.has(&[4]) && kept.has(&[3]));
    }
}
