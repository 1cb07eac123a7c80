//! Whether a reply ends in a loop, and what it repeats.

use super::bounds::cut;
use super::place::open_path;

/// White space at the end that counts as a loop, in characters.
const MIN_WHITE_SPACE: usize = 30;

/// Digits in a row at the end that count as a loop; the longest honest ones (64-bit ids) have 20.
const MIN_DIGITS: usize = 24;

/// Longest unit that is looked for, in characters.
const MAX_UNIT: usize = 400;

/// How much of the reply's end is searched, in characters.
const MAX_TAIL: usize = 8_000;

/// A loop at the end of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    pub(super) what: Repeated,
    /// The open JSON path where it runs.
    pub(super) path: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Repeated {
    WhiteSpace { n: usize },
    Digits { n: usize },
    Text { unit: String, n: usize },
}

/// Finds the loop a reply ends in. A reply that ended by itself needs more repetitions to count.
pub(super) fn find_loop(reply: &str, is_cut: bool) -> Option<Loop> {
    let mut tail: Vec<char> = reply.chars().rev().take(MAX_TAIL).collect();
    tail.reverse();
    let what = white_space(&tail)
        .or_else(|| digits(&tail))
        .or_else(|| text(&tail, is_cut))?;
    Some(Loop {
        what,
        path: open_path(reply),
    })
}

impl Loop {
    /// What loops and where, without the reply's name.
    pub(super) fn describe(&self) -> String {
        let place = self
            .path
            .as_ref()
            .map(|it| format!(" at {it}"))
            .unwrap_or_default();
        match &self.what {
            Repeated::WhiteSpace { n } => {
                format!("white-space loop{place}: {n} blank characters at the end")
            }
            Repeated::Digits { n } => {
                format!("loop in a number{place}: {n} digits in a row")
            }
            Repeated::Text { unit, n } => {
                let unit = serde_json::Value::from(cut(unit));
                format!("loop{place}: {unit} {n} times")
            }
        }
    }
}

fn white_space(tail: &[char]) -> Option<Repeated> {
    let n = tail
        .iter()
        .rev()
        .take_while(|it| it.is_whitespace())
        .count();
    (n >= MIN_WHITE_SPACE).then_some(Repeated::WhiteSpace { n })
}

fn digits(tail: &[char]) -> Option<Repeated> {
    let n = tail
        .iter()
        .rev()
        .take_while(|it| it.is_ascii_digit())
        .count();
    (n >= MIN_DIGITS).then_some(Repeated::Digits { n })
}

/// The shortest unit that the tail repeats often enough; the last repetition may be unfinished.
fn text(tail: &[char], is_cut: bool) -> Option<Repeated> {
    let last = tail.len().checked_sub(1)?;
    (1..=MAX_UNIT.min(tail.len() / 2)).find_map(|period| {
        let n_same = (0..tail.len() - period)
            .take_while(|it| tail[last - it] == tail[last - it - period])
            .count();
        let n = (n_same + period) / period;
        if n < min_repetitions(period, is_cut) {
            return None;
        }
        let unit = from_word_start(tail, tail.len() - n_same - period, period);
        Some(Repeated::Text { unit, n })
    })
}

/// One unit of the loop that starts at `start`, turned so that it does not begin inside a word: `s jar` becomes `jars `.
fn from_word_start(tail: &[char], start: usize, period: usize) -> String {
    let begins_word = |it: &usize| {
        let is_inside = *it > 0 && tail[it - 1].is_alphanumeric() && tail[*it].is_alphanumeric();
        !tail[*it].is_whitespace() && !is_inside
    };
    let begin = (start..start + period)
        .find(begins_word)
        .filter(|it| it + period <= tail.len())
        .unwrap_or(start);
    tail[begin..begin + period].iter().collect()
}

/// How often a unit must come. Short units repeat by chance; a reply that was cut is under suspicion.
fn min_repetitions(period: usize, is_cut: bool) -> usize {
    match (period, is_cut) {
        (1, true) => 16,
        (2..=3, true) => 8,
        (4..=11, true) => 4,
        (_, true) => 3,
        (1, false) => 64,
        (2..=3, false) => 24,
        (4..=11, false) => 12,
        (_, false) => 6,
    }
}
