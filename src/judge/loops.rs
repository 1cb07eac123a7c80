//! Whether a reply ends in a loop, and what it repeats.

use serde_json::Value;

use super::bounds::{child_path, cut, dotted, quoted};
use super::place::{Inside, enclosing, open_path};

/// White space at the end that counts as a loop, in characters.
const MIN_WHITE_SPACE: usize = 30;

/// Digits in a row at the end that count as a loop; the longest honest ones (64-bit ids) have 20.
const MIN_DIGITS: usize = 24;

/// The same in a reply that is still written.
const MIN_RUNNING_SPACE: usize = 80;
const MIN_RUNNING_DIGITS: usize = 40;
/// How much of its end is searched, in characters.
const MAX_RUNNING_TAIL: usize = 2_000;

/// Longest unit that is looked for, in characters.
const MAX_UNIT: usize = 400;

/// How much of the reply's end is searched, in characters.
const MAX_TAIL: usize = 8_000;

/// Fewest units in a row that differ in their numbers alone, and how long such a unit must be.
const MIN_COUNTING: usize = 6;
const MIN_COUNTING_UNIT: usize = 8;

/// Most items that take turns in a loop.
const MAX_TURN: usize = 4;

/// Fewest equal items in a row that make a closed list a loop; numbers repeat more readily.
const MIN_ITEMS: usize = 6;
const MIN_NUMBERS: usize = 20;

/// A loop, with where it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    pub(super) what: Repeated,
    /// JSON pointer to what it runs in; none outside of all brackets.
    pub(super) path: Option<String>,
    /// Where in the reply it begins, in bytes.
    pub(super) start: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Repeated {
    WhiteSpace {
        n: usize,
    },
    Digits {
        n: usize,
    },
    Text {
        unit: String,
        n: usize,
        inside: &'static str,
    },
}

/// The end of a reply, as characters.
struct Tail {
    chars: Vec<char>,
    /// Bytes of the reply before it.
    skipped: usize,
}

/// Finds the loop a reply ends in. A reply that ended by itself needs more repetitions to count.
pub(super) fn find_loop(reply: &str, is_cut: bool) -> Option<Loop> {
    let tail = Tail::of(reply, MAX_TAIL);
    white_space(&tail, reply)
        .or_else(|| digits(&tail, reply))
        .or_else(|| text(&tail, reply, is_cut))
        .or_else(|| counting(&tail, reply).filter(|_| is_cut))
}

/// Finds the loop that a reply runs in while it is written. Far more repetitions count than in one that was cut: a
/// list may be long and dull, and what ends here could have gone on well.
pub(super) fn find_running_loop(reply: &str) -> Option<Loop> {
    let tail = Tail::of(reply, MAX_RUNNING_TAIL);
    let enough = |it: &Loop| match it.what {
        Repeated::WhiteSpace { n } => n >= MIN_RUNNING_SPACE,
        Repeated::Digits { n } => n >= MIN_RUNNING_DIGITS,
        Repeated::Text { .. } => true,
    };
    white_space(&tail, reply)
        .or_else(|| digits(&tail, reply))
        .filter(enough)
        .or_else(|| {
            let (start, period, n) = shortest_period(&tail.chars, min_running)?;
            let unit = from_word_start(&tail.chars, start, period);
            Some(tail.repeated(reply, (start, n), unit))
        })
}

/// Finds a closed list or text that says the same again and again.
pub(super) fn find_repeated_items(value: &Value) -> Option<Loop> {
    let mut left = vec![(String::new(), value)];
    while let Some((path, value)) = left.pop() {
        match value {
            Value::Array(items) => {
                if let Some((unit, n)) = repeated_items(items) {
                    return Some(closed("list", path, unit, n));
                }
                let items = items.iter().enumerate().rev();
                left.extend(items.map(|(idx, it)| (child_path(&path, &idx.to_string()), it)));
            }
            Value::Object(fields) => {
                left.extend(
                    fields
                        .iter()
                        .rev()
                        .map(|(key, it)| (child_path(&path, key), it)),
                );
            }
            Value::String(text) => {
                if let Some((unit, n)) = repeated_words(text) {
                    return Some(closed("string", path, unit, n));
                }
            }
            _ => {}
        }
    }
    None
}

fn closed(inside: &'static str, path: String, unit: String, n: usize) -> Loop {
    Loop {
        what: Repeated::Text { unit, n, inside },
        path: Some(path),
        start: 0,
    }
}

impl Loop {
    /// What loops and where.
    pub(super) fn describe(&self) -> String {
        let place = self
            .path
            .as_ref()
            .map(|it| format!(" at {}", dotted(it)))
            .unwrap_or_default();
        match &self.what {
            Repeated::WhiteSpace { n } => {
                format!("loop in white space{place}: {n} blank characters in a row")
            }
            Repeated::Digits { n } => {
                format!("loop in a number{place}: {n} digits in a row")
            }
            Repeated::Text { unit, n, inside } => {
                let article = if *inside == "object" { "an" } else { "a" };
                let unit = Value::from(cut(unit));
                format!("loop in {article} {inside}{place}: {unit} {n} times")
            }
        }
    }
}

impl Tail {
    fn of(reply: &str, n_chars: usize) -> Self {
        let mut chars: Vec<char> = reply.chars().rev().take(n_chars).collect();
        chars.reverse();
        let len: usize = chars.iter().map(|it| it.len_utf8()).sum();
        Self {
            skipped: reply.len() - len,
            chars,
        }
    }

    /// The byte of the reply at which this character begins.
    fn byte(&self, idx: usize) -> usize {
        self.skipped
            + self.chars[..idx]
                .iter()
                .map(|it| it.len_utf8())
                .sum::<usize>()
    }

    fn n_last(&self, is_it: impl Fn(&char) -> bool) -> usize {
        self.chars.iter().rev().take_while(|it| is_it(it)).count()
    }

    /// A text that is repeated from a character on.
    fn repeated(&self, reply: &str, (start, n): (usize, usize), unit: String) -> Loop {
        let start = self.byte(start);
        let (inside, path) = match enclosing(reply, start) {
            Inside::Text(path) => ("string", Some(path)),
            Inside::List(path) => ("list", Some(path)),
            Inside::Object(path) => ("object", Some(path)),
            Inside::Nothing => ("text", None),
        };
        Loop {
            what: Repeated::Text { unit, n, inside },
            path,
            start,
        }
    }
}

fn white_space(tail: &Tail, reply: &str) -> Option<Loop> {
    let n = tail.n_last(|it| it.is_whitespace());
    (n >= MIN_WHITE_SPACE).then(|| Loop {
        what: Repeated::WhiteSpace { n },
        path: open_path(reply),
        start: tail.byte(tail.chars.len() - n),
    })
}

fn digits(tail: &Tail, reply: &str) -> Option<Loop> {
    let n = tail.n_last(char::is_ascii_digit);
    if n < MIN_DIGITS {
        return None;
    }
    let first = tail.chars.len() - n;
    let start = tail.byte(first);
    if let Inside::Text(_) = enclosing(reply, start) {
        // Digits inside quotes loop as a text does.
        let unit = tail.chars[first..].iter().take(1).collect();
        return Some(tail.repeated(reply, (first, n), unit));
    }
    Some(Loop {
        what: Repeated::Digits { n },
        path: open_path(reply),
        start,
    })
}

/// The shortest unit that the tail repeats often enough; the last repetition may be unfinished.
fn text(tail: &Tail, reply: &str, is_cut: bool) -> Option<Loop> {
    let fewest = |period: usize| min_repetitions(period, is_cut);
    let (start, period, n) = shortest_period(&tail.chars, fewest)?;
    let unit = from_word_start(&tail.chars, start, period);
    Some(tail.repeated(reply, (start, n), unit))
}

/// Units that differ in their numbers alone: `{"name": "milk", "qty": 1}, {"name": "milk", "qty": 2}, …`.
/// They must hold a text, since a table of numbers is nothing but such units.
fn counting(tail: &Tail, reply: &str) -> Option<Loop> {
    let mut plain: Vec<char> = Vec::new();
    let mut starts = Vec::new();
    for (idx, c) in tail.chars.iter().enumerate() {
        let is_digit = c.is_ascii_digit();
        if is_digit && plain.last() == Some(&'#') {
            continue;
        }
        plain.push(if is_digit { '#' } else { *c });
        starts.push(idx);
    }
    let (start, period, n) = shortest_period(&plain, |period| {
        if period < MIN_COUNTING_UNIT {
            usize::MAX
        } else {
            MIN_COUNTING
        }
    })?;
    let unit: String = plain[start..start + period].iter().collect();
    let squeezed: String = unit.split_whitespace().collect();
    let is_prose = !squeezed.contains(':') && squeezed.contains(char::is_alphabetic);
    if !squeezed.contains('#') || !(squeezed.contains(":\"") || is_prose) {
        return None;
    }
    let first: String = tail.chars[starts[start]..starts[start + period]]
        .iter()
        .collect();
    Some(tail.repeated(reply, (starts[start], n), first))
}

/// The shortest period of the end, as its start, its length and how often it comes.
fn shortest_period(
    chars: &[char],
    fewest: impl Fn(usize) -> usize,
) -> Option<(usize, usize, usize)> {
    let last = chars.len().checked_sub(1)?;
    (1..=MAX_UNIT.min(chars.len() / 2)).find_map(|period| {
        let n_same = (0..chars.len() - period)
            .take_while(|it| chars[last - it] == chars[last - it - period])
            .count();
        let n = (n_same + period) / period;
        (n >= fewest(period)).then(|| (chars.len() - n_same - period, period, n))
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

/// How often a unit must come in a reply that is still written.
fn min_running(period: usize) -> usize {
    match period {
        1 => 128,
        2..=3 => 64,
        4..=11 => 32,
        12..=40 => 16,
        _ => 10,
    }
}

/// The items that a list repeats, one or a few in turn, and how often they come.
fn repeated_items(items: &[Value]) -> Option<(String, usize)> {
    (1..=MAX_TURN).find_map(|period| {
        let mut since = 0;
        for idx in period..=items.len() {
            if items.get(idx).is_some_and(|it| *it == items[idx - period]) {
                continue;
            }
            let n = (idx - since) / period;
            let is_plain = !items[since].is_object() && !items[since].is_string();
            if n >= if is_plain { MIN_NUMBERS } else { MIN_ITEMS } {
                let turn: Vec<_> = items[since..since + period].iter().map(quoted).collect();
                return Some((turn.join(", "), n));
            }
            since = idx + 1 - period;
        }
        None
    })
}

/// What a text repeats up to its end, and how often.
fn repeated_words(text: &str) -> Option<(String, usize)> {
    let mut chars: Vec<char> = text.chars().rev().take(MAX_TAIL).collect();
    chars.reverse();
    let (start, period, n) = shortest_period(&chars, |it| min_repetitions(it, false))?;
    Some((from_word_start(&chars, start, period), n))
}
