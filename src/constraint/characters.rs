//! A set of characters, and how it is said to people.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The highest code point.
const LAST: u32 = 0x0010_FFFF;
/// How many parts of a set are named before the rest is counted.
const MAX_NAMED: usize = 12;
/// From so many characters on a range is named by its numbers.
const WIDE: u32 = 2_000;

/// Sorted code point ranges that neither touch nor overlap, both ends included.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Characters {
    ranges: Vec<(u32, u32)>,
}

impl Characters {
    /// Takes ranges in any order.
    pub fn new(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut res: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match res.last_mut() {
                // Surrogates are no characters, so a set that has both sides of them is in one piece.
                Some(last)
                    if low <= last.1.saturating_add(1) || (last.1, low) == (0xD7FF, 0xE000) =>
                {
                    last.1 = last.1.max(high);
                }
                _ => res.push((low, high)),
            }
        }
        Self { ranges: res }
    }

    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub fn contains(&self, it: char) -> bool {
        let point = u32::from(it);
        self.ranges
            .iter()
            .any(|(low, high)| (*low..=*high).contains(&point))
    }

    fn complement(&self) -> Self {
        let mut res = Vec::new();
        let mut from = 0;
        for (low, high) in &self.ranges {
            if from < *low {
                res.push((from, low - 1));
            }
            from = high + 1;
        }
        if from <= LAST {
            res.push((from, LAST));
        }
        Self { ranges: res }
    }

    fn count(&self) -> u64 {
        self.ranges
            .iter()
            .map(|(low, high)| u64::from(high - low) + 1)
            .sum()
    }

    fn parts(&self) -> String {
        let mut parts = Vec::new();
        for (low, high) in &self.ranges {
            push_parts(&mut parts, *low, *high);
        }
        let n_left = parts.len().saturating_sub(MAX_NAMED);
        parts.truncate(MAX_NAMED);
        if n_left > 0 {
            parts.push(format!("{n_left} more"));
        }
        parts.join(", ")
    }
}

/// Such as ``a digit, `,`, space`` or ``any character but `"`, `\`, control characters``.
impl fmt::Display for Characters {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return out.write_str("no character");
        }
        let others = self.complement();
        if others.is_empty() {
            return out.write_str("any character");
        }
        if others.count() < self.count() {
            return write!(out, "any character but {}", others.parts());
        }
        out.write_str(&self.parts())
    }
}

/// A range in the words that people have for it; those that it holds only in part are cut up.
fn push_parts(acc: &mut Vec<String>, low: u32, high: u32) {
    const WHOLE: &[(u32, u32, &str)] = &[
        (0x00, 0x1F, "control characters"),
        (0x30, 0x39, "a digit"),
        (0x41, 0x5A, "A–Z"),
        (0x61, 0x7A, "a–z"),
        (0x80, LAST, "any character beyond ASCII"),
    ];
    if low > high {
        return;
    }
    for (first, last, words) in WHOLE {
        if low <= *first && *last <= high {
            if *first > low {
                push_parts(acc, low, first - 1);
            }
            acc.push((*words).to_owned());
            if *last < high {
                push_parts(acc, last + 1, high);
            }
            return;
        }
    }
    match high - low {
        0 => acc.push(name(low)),
        1 => acc.extend([name(low), name(high)]),
        // Of a wide range the ends are often characters that no font has.
        span if span > WIDE => acc.push(format!("U+{low:04X}–U+{high:04X}")),
        _ => acc.push(format!("{}–{}", name(low), name(high))),
    }
}

fn name(point: u32) -> String {
    match point {
        0x09 => "tab".to_owned(),
        0x0A => "line break".to_owned(),
        0x0D => "carriage return".to_owned(),
        0x20 => "space".to_owned(),
        _ => match char::from_u32(point) {
            Some(it) if !it.is_control() && !it.is_whitespace() => format!("`{it}`"),
            _ => format!("U+{point:04X}"),
        },
    }
}
