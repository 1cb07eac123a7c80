//! What prompts begin with, kept aside with its keys and values while other prompts are evaluated.

use std::collections::VecDeque;

use super::rows::Rows;

/// The beginnings of some prompts, the one that was needed last behind the others.
#[derive(Default)]
pub(super) struct Snapshots(VecDeque<Snapshot>);

struct Snapshot {
    rows: Rows,
    bytes: Vec<u8>,
}

/// Tasks and prompt styles of one plan that take turns are hardly more.
const MAX_KEPT: usize = 8;
/// Of all of them together.
pub(super) const MAX_BYTES: usize = 256 << 20;

impl Snapshots {
    /// Whether one begins with these rows.
    pub(super) fn has(&self, rows: &Rows) -> bool {
        self.0.iter().any(|it| it.rows.starts_with(rows))
    }

    /// The one that has the most rows in common with the prompt's beginning, and how many tokens these have.
    pub(super) fn longest(&mut self, prompt: &Rows) -> Option<(usize, &[u8])> {
        let lengths = self.0.iter().map(|it| it.rows.common(prompt));
        let (idx, n_common) = lengths.enumerate().max_by_key(|it| it.1)?;
        let found = self.0.remove(idx)?;
        self.0.push_back(found);
        self.0.back().map(|it| (n_common, it.bytes.as_slice()))
    }

    /// Keeps one more, and drops those that were not needed for the longest time where they are too many.
    pub(super) fn add(&mut self, rows: Rows, bytes: Vec<u8>) {
        // One that begins a longer one is of no more use.
        self.0.retain(|it| !rows.starts_with(&it.rows));
        self.0.push_back(Snapshot { rows, bytes });
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
    use crate::sampling::TokenId;

    /// A row for each.
    fn rows(tokens: &[TokenId]) -> Rows {
        let mut rows = Rows::default();
        for token in tokens {
            rows.push(&[*token]);
        }
        rows
    }

    #[test]
    fn the_one_with_most_in_common_is_found_and_stays_longest() {
        let mut kept = Snapshots::default();
        for nth in 0..MAX_KEPT as TokenId {
            kept.add(rows(&[1, nth, 5]), vec![nth as u8]);
        }
        assert_eq!(kept.longest(&rows(&[1, 0, 6])), Some((2, [0].as_slice())));
        kept.add(rows(&[2]), vec![99]);
        assert_eq!(kept.longest(&rows(&[1, 0, 6])), Some((2, [0].as_slice())));
        assert!(kept.has(&rows(&[2])));
        assert!(
            !kept.has(&rows(&[1, 1])),
            "the one that was idle for longest is gone"
        );
    }

    #[test]
    fn a_beginning_of_another_is_not_kept_twice() {
        let mut kept = Snapshots::default();
        kept.add(rows(&[1, 2]), vec![1]);
        kept.add(rows(&[1, 2, 3]), vec![2]);
        assert!(kept.has(&rows(&[1, 2])));
        assert_eq!(kept.0.len(), 1);
        assert_eq!(kept.longest(&rows(&[1, 2])), Some((2, [2].as_slice())));
    }

    #[test]
    fn memory_is_bounded() {
        let mut kept = Snapshots::default();
        kept.add(rows(&[1]), vec![0; MAX_BYTES / 2]);
        kept.add(rows(&[2]), vec![0; MAX_BYTES / 2]);
        kept.add(rows(&[3]), vec![0; MAX_BYTES / 2]);
        assert!(!kept.has(&rows(&[1])));
        assert!(kept.has(&rows(&[2])) && kept.has(&rows(&[3])));
    }
}
