//! The rows in which a prompt is evaluated: they depend on its tokens alone.

use crate::sampling::TokenId;

/// Tokens in the rows in which they are evaluated.
///
/// A row ends behind a paragraph or a turn, so prompts that begin in the same way are evaluated in the same rows
/// nearly as far as they are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rows {
    tokens: Vec<TokenId>,
    ends: Vec<usize>,
}

/// A row costs about as much as two tokens beside its own, so a paragraph that is shorter ends none.
const SHORTEST: usize = 16;

impl Rows {
    /// Rows of at most `longest` tokens.
    pub(super) fn of<'v>(
        prompt: &[TokenId],
        longest: usize,
        written: impl Fn(TokenId) -> &'v [u8],
        ends_turn: impl Fn(TokenId) -> bool,
    ) -> Self {
        let mut rows = Self {
            tokens: prompt.to_vec(),
            ends: Vec::new(),
        };
        let mut n_newlines = 0;
        for (idx, &token) in prompt.iter().enumerate() {
            let text = written(token);
            let n_last = text.iter().rev().take_while(|it| **it == b'\n').count();
            n_newlines = if n_last == text.len() {
                n_newlines + n_last
            } else {
                n_last
            };
            let n_tokens = idx + 1 - rows.end();
            let ends_part = n_newlines >= 2 || ends_turn(token);
            if n_tokens >= longest || (ends_part && n_tokens >= SHORTEST.min(longest)) {
                rows.ends.push(idx + 1);
            }
        }
        if rows.end() < prompt.len() {
            rows.ends.push(prompt.len());
        }
        rows
    }

    pub(super) fn tokens(&self) -> &[TokenId] {
        &self.tokens
    }

    /// The rows behind the first so many tokens.
    pub(super) fn behind(&self, n_tokens: usize) -> impl Iterator<Item = &[TokenId]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        let rows = begins.zip(&self.ends);
        rows.filter(move |it| it.0 >= n_tokens)
            .map(|(begin, end)| &self.tokens[begin..*end])
    }

    /// The rows that lie whole within the first so many tokens.
    pub(super) fn within(&self, n_tokens: usize) -> Self {
        let ends: Vec<usize> = self
            .ends
            .iter()
            .copied()
            .take_while(|it| *it <= n_tokens)
            .collect();
        let end = ends.last().copied().unwrap_or(0);
        Self {
            tokens: self.tokens[..end].to_vec(),
            ends,
        }
    }

    /// Tokens in the rows that both begin with.
    pub(super) fn common(&self, other: &Self) -> usize {
        let n_tokens = common(&self.tokens, &other.tokens);
        let pairs = self.ends.iter().zip(&other.ends);
        let ends = pairs.take_while(|it| it.0 == it.1 && *it.0 <= n_tokens);
        ends.last().map_or(0, |it| *it.0)
    }

    pub(super) fn starts_with(&self, other: &Self) -> bool {
        self.common(other) == other.tokens.len()
    }

    pub(super) fn push(&mut self, row: &[TokenId]) {
        self.tokens.extend_from_slice(row);
        self.ends.push(self.tokens.len());
    }

    pub(super) fn clear(&mut self) {
        self.tokens.clear();
        self.ends.clear();
    }

    fn end(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }
}

/// Tokens that both begin with.
pub(super) fn common(one: &[TokenId], other: &[TokenId]) -> usize {
    one.iter().zip(other).take_while(|it| it.0 == it.1).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Token 0 is a newline, 1 two of them, 2 ends a turn; others are words.
    fn rows(prompt: &[TokenId], longest: usize) -> Rows {
        let written = |token| match token {
            0 => b"\n".as_slice(),
            1 => b".\n\n".as_slice(),
            2 => b"<end>".as_slice(),
            _ => b" word".as_slice(),
        };
        Rows::of(prompt, longest, written, |it| it == 2)
    }

    fn words(n: usize) -> Vec<TokenId> {
        (10..10 + n as TokenId).collect()
    }

    fn lengths(rows: &Rows) -> Vec<usize> {
        rows.behind(0).map(<[TokenId]>::len).collect()
    }

    #[test]
    fn a_row_ends_behind_a_paragraph_or_a_turn_that_is_long_enough() {
        let of = |ends: &[TokenId]| rows(&[&words(20), ends, &words(10)].concat(), 64);
        assert_eq!(lengths(&of(&[1])), [21, 10]);
        assert_eq!(lengths(&of(&[0, 0])), [22, 10]);
        assert_eq!(lengths(&of(&[2])), [21, 10]);
        assert_eq!(lengths(&of(&[0])), [31], "one newline ends no paragraph");
        let short = [&words(5), [1].as_slice(), &words(20)].concat();
        assert_eq!(lengths(&rows(&short, 64)), [26]);
    }

    #[test]
    fn no_row_is_longer_than_asked_for() {
        assert_eq!(lengths(&rows(&words(150), 64)), [64, 64, 22]);
        assert_eq!(lengths(&rows(&words(5), 2)), [2, 2, 1]);
        assert_eq!(lengths(&rows(&[], 64)), [0; 0]);
    }

    #[test]
    fn what_both_begin_with_counts_in_whole_rows() {
        let of = |input: &[TokenId]| rows(&[&words(20), [1].as_slice(), input].concat(), 64);
        let (one, other) = (of(&[80, 81, 82]), of(&[80, 81, 83]));
        assert_eq!(one.common(&other), 21);
        assert_eq!(one.common(&one), 24);
        assert!(one.starts_with(&other.within(21)));
        assert!(!one.starts_with(&other));
        assert_eq!(other.within(20), Rows::default());
        let behind: Vec<&[TokenId]> = one.behind(21).collect();
        assert_eq!(behind, [[80, 81, 82]]);
    }

    #[test]
    fn the_same_tokens_in_other_rows_are_not_in_common() {
        let mut other = Rows::default();
        other.push(&words(10));
        let one = rows(&words(20), 64);
        assert_eq!(one.common(&other), 0);
        other.push(&words(20)[10..]);
        assert_eq!(one.common(&other), 0);
    }
}
