//! Which characters may come next in a state, put together from the bytes that may.

use std::collections::HashMap;

use super::recognizer::{DEAD, Recognizer, StateId};

/// Ranges that are told apart; a set in more pieces is given in part.
const MAX_RANGES: usize = 4_000;
/// The bits of a byte that goes on with a character.
const TAIL_BITS: u32 = 6;

/// What may complete a character from a state on, as ranges of the bits that are still to come.
type Tails = HashMap<(StateId, u32), Vec<(u32, u32)>>;

impl Recognizer {
    /// The characters that may come next in a state, as code point ranges in rising order.
    ///
    /// Empty in the middle of a character.
    pub(crate) fn next_characters(&mut self, state: StateId) -> Vec<(u32, u32)> {
        let mut res = Vec::new();
        for (low, high, _) in self.byte_runs(state, 0x00, 0x7F) {
            res.push((u32::from(low), u32::from(high)));
        }
        let mut tails = Tails::new();
        for (n_more, first, last) in [(1, 0xC2, 0xDF), (2, 0xE0, 0xEF), (3, 0xF0, 0xF4)] {
            // A lead byte keeps six bits less one for each byte that follows it.
            let lead_mask = 0x3F >> n_more;
            for (low, high, to) in self.byte_runs(state, first, last) {
                let leads = (u32::from(low) & lead_mask, u32::from(high) & lead_mask);
                let inner = self.tails(to, n_more, &mut tails);
                append(&mut res, leads, n_more, &inner);
            }
        }
        res
    }

    fn tails(&mut self, state: StateId, n_more: u32, known: &mut Tails) -> Vec<(u32, u32)> {
        if n_more == 0 {
            return vec![(0, 0)];
        }
        if let Some(it) = known.get(&(state, n_more)) {
            return it.clone();
        }
        let mut res = Vec::new();
        for (low, high, to) in self.byte_runs(state, 0x80, 0xBF) {
            let bits = (u32::from(low) & 0x3F, u32::from(high) & 0x3F);
            let inner = self.tails(to, n_more - 1, known);
            append(&mut res, bits, n_more - 1, &inner);
        }
        known.insert((state, n_more), res.clone());
        res
    }

    /// Runs of bytes that lead to the same living state.
    fn byte_runs(&mut self, state: StateId, first: u8, last: u8) -> Vec<(u8, u8, StateId)> {
        let mut res: Vec<(u8, u8, StateId)> = Vec::new();
        for byte in first..=last {
            let to = self.step(state, byte);
            match res.last_mut() {
                Some(run) if run.2 == to && run.1 + 1 == byte => run.1 = byte,
                _ if to == DEAD => {}
                _ => res.push((byte, byte, to)),
            }
        }
        res
    }
}

/// Puts `inner`, ranges of the lowest `6 * n_more` bits, behind each of the values of `head`.
fn append(acc: &mut Vec<(u32, u32)>, head: (u32, u32), n_more: u32, inner: &[(u32, u32)]) {
    let n_bits = TAIL_BITS * n_more;
    let all = (1 << n_bits) - 1;
    if inner == [(0, all)] {
        push(acc, (head.0 << n_bits, head.1 << n_bits | all));
        return;
    }
    for head in head.0..=head.1 {
        for (low, high) in inner {
            push(acc, (head << n_bits | low, head << n_bits | high));
        }
    }
}

fn push(acc: &mut Vec<(u32, u32)>, range: (u32, u32)) {
    let has_room = acc.len() < MAX_RANGES;
    match acc.last_mut() {
        Some(last) if last.1 + 1 == range.0 => last.1 = range.1,
        _ if has_room => acc.push(range),
        _ => {}
    }
}
