//! Ends a reply that has fallen into a loop it will not leave, long before the token limit.

use std::collections::VecDeque;

use crate::sampling::TokenId;

/// Watches the tokens of one reply. It is slow to speak: an honest reply may repeat itself a good while.
#[derive(Debug, Default)]
pub(super) struct LoopGuard {
    recent: VecDeque<TokenId>,
    n_blank: u32,
    /// For each period from 1 on: how many tokens in a row are those one period before.
    n_repeated: [u32; MAX_PERIOD],
}

/// Tokens of white space and nothing else, one after another.
const MAX_BLANK: u32 = 64;
/// A cycle of up to this many tokens is looked for.
const MAX_PERIOD: usize = 8;
/// The same token this many times: longer than any ruler of dashes.
const MAX_SAME: u32 = 128;
/// The same cycle this many times.
const MAX_CYCLES: u32 = 64;

impl LoopGuard {
    /// Takes a token in and says what loops, once something does.
    pub(super) fn push(&mut self, token: TokenId, piece: &[u8]) -> Option<String> {
        let is_blank = !piece.is_empty() && piece.iter().all(u8::is_ascii_whitespace);
        self.n_blank = if is_blank { self.n_blank + 1 } else { 0 };
        if self.n_blank >= MAX_BLANK {
            return Some(format!("{MAX_BLANK} tokens of white space in a row"));
        }
        let mut res = None;
        for period in (1..=MAX_PERIOD).rev() {
            let before = self.recent.len().checked_sub(period);
            let repeats = before.is_some_and(|it| self.recent[it] == token);
            let n_repeated = &mut self.n_repeated[period - 1];
            *n_repeated = if repeats { *n_repeated + 1 } else { 0 };
            let n_allowed = if period == 1 { MAX_SAME } else { MAX_CYCLES };
            if *n_repeated >= (n_allowed - 1) * period as u32 {
                res = Some(describe(period, n_allowed));
            }
        }
        if self.recent.len() == MAX_PERIOD {
            self.recent.pop_front();
        }
        self.recent.push_back(token);
        res
    }
}

fn describe(period: usize, n_times: u32) -> String {
    match period {
        1 => format!("the same token {n_times} times in a row"),
        _ => format!("the same {period} tokens {n_times} times in a row"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At which token, counted from 1, the guard spoke, and what it said.
    fn first(tokens: impl IntoIterator<Item = TokenId>, piece: &[u8]) -> Option<(usize, String)> {
        let mut guard = LoopGuard::default();
        let mut numbered = (1..).zip(tokens);
        numbered.find_map(|(n, token)| Some((n, guard.push(token, piece)?)))
    }

    #[track_caller]
    fn check_cycle(period: u32, expected: Option<(usize, &str)>) {
        let tokens = (0..2_000).map(|it| it % period);
        let found = first(tokens, b"x");
        assert_eq!(found.as_ref().map(|(n, it)| (*n, it.as_str())), expected);
    }

    #[test]
    fn the_same_token_is_named_after_128() {
        check_cycle(1, Some((128, "the same token 128 times in a row")));
    }

    #[test]
    fn a_cycle_of_three_is_named_after_64_rounds() {
        check_cycle(3, Some((192, "the same 3 tokens 64 times in a row")));
    }

    #[test]
    fn a_cycle_of_eight_is_named_after_64_rounds() {
        check_cycle(8, Some((512, "the same 8 tokens 64 times in a row")));
    }

    #[test]
    fn a_cycle_of_nine_is_left_to_the_token_limit() {
        check_cycle(9, None);
    }

    #[test]
    fn white_space_is_named_after_64_tokens_whatever_they_are() {
        let said = "64 tokens of white space in a row".to_owned();
        assert_eq!(first(0..100, b" \n"), Some((64, said)));
    }

    #[test]
    fn tokens_without_bytes_are_no_white_space() {
        assert_eq!(first(0..100, b""), None);
    }

    #[test]
    fn one_other_token_begins_the_count_anew() {
        let tokens = (0..120).map(|_| 1).chain([2]).chain((0..120).map(|_| 1));
        assert_eq!(first(tokens, b"x"), None);
    }

    #[test]
    fn a_matrix_of_fifty_zeros_is_no_loop() {
        assert_eq!(first((0..100).map(|it| it % 2), b"x"), None);
    }
}
