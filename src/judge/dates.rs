//! Dates and times of day in a text, however they are written.

use super::fold::{Folded, words};

/// A day; the year may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) what: When,
    /// Bytes of the folded text.
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Day {
        year: Option<u32>,
        month: u32,
        day: u32,
    },
    /// Minutes since midnight; `is_exact` when morning and afternoon are told apart.
    Time { minutes: u32, is_exact: bool },
}

/// A piece of a folded text: a number, a word, or one other character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece<'a> {
    text: &'a str,
    start: usize,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Words that may stand beside a date without making it anything else.
const FILLERS: &[&str] = &[
    "t",
    "z",
    "at",
    "on",
    "the",
    "of",
    "um",
    "utc",
    "gmt",
    "00",
    "000",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "00z",
];

/// All days and times that a text names, each in every reading.
pub(super) fn moments(folded: &str) -> Vec<Moment> {
    let pieces = pieces(folded);
    let mut found = Vec::new();
    for idx in 0..pieces.len() {
        let rest = &pieces[idx..];
        for (what, n) in days(rest).into_iter().chain(times(rest, &pieces[..idx])) {
            let last = rest[n - 1];
            found.push(Moment {
                what,
                start: pieces[idx].start,
                end: last.start + last.text.len(),
            });
        }
    }
    found
}

/// The days and times of a text that names nothing else; none for any other text.
pub(super) fn only_moments(folded: &str) -> Option<Vec<Moment>> {
    let found = moments(folded);
    let is_inside = |at: usize| found.iter().any(|it| it.start <= at && at < it.end);
    let base = folded.as_ptr() as usize;
    let is_all = words(folded)
        .iter()
        .all(|it| is_inside(it.as_ptr() as usize - base) || FILLERS.contains(it));
    (is_all && !found.is_empty()).then_some(found)
}

/// Where a text first names one of these moments, in bytes of the original.
pub(super) fn find_moments(
    text: &Folded,
    known: &[Moment],
    wanted: &[Moment],
) -> Option<(usize, usize)> {
    let is_day = |it: &Moment| matches!(it.what, When::Day { .. });
    let matching = |wanted: &Moment| known.iter().find(|it| is_same(wanted.what, it.what));
    let day = wanted.iter().filter(|it| is_day(it)).find_map(matching);
    if day.is_none() && wanted.iter().any(is_day) {
        return None;
    }
    let time = wanted.iter().filter(|it| !is_day(it)).find_map(matching);
    let midnight = |it: &Moment| matches!(it.what, When::Time { minutes: 0, .. });
    let needs_time = wanted.iter().any(|it| !is_day(it) && !midnight(it));
    if time.is_none() && (needs_time || day.is_none()) {
        return None;
    }
    day.or(time).map(|it| text.original(it.start, it.end))
}

fn is_same(a: When, b: When) -> bool {
    match (a, b) {
        (
            When::Day { year, month, day },
            When::Day {
                year: other,
                month: m,
                day: d,
            },
        ) => month == m && day == d && (year == other || year.is_none() || other.is_none()),
        (
            When::Time { minutes, is_exact },
            When::Time {
                minutes: other,
                is_exact: exact,
            },
        ) => minutes == other || (!(is_exact && exact) && minutes % (12 * 60) == other % (12 * 60)),
        _ => false,
    }
}

fn pieces(folded: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let class = |c: char| {
        if c.is_ascii_digit() {
            1
        } else if c.is_ascii_alphabetic() {
            2
        } else {
            0
        }
    };
    let mut last = 0;
    for (at, c) in folded.char_indices() {
        let this = class(c);
        if this != 0
            && this == last
            && let Some(piece) = pieces.last_mut()
        {
            piece.text = &folded[piece.start..at + c.len_utf8()];
            continue;
        }
        last = this;
        if c != ' ' {
            pieces.push(Piece {
                text: &folded[at..at + c.len_utf8()],
                start: at,
            });
        } else {
            last = 0;
        }
    }
    pieces
}

/// The readings of the day that begins here, each with how many pieces it takes.
fn days(rest: &[Piece<'_>]) -> Vec<(When, usize)> {
    let texts: Vec<&str> = rest.iter().take(8).map(|it| it.text).collect();
    let mut found = Vec::new();
    let mut push = |year: Option<&str>, month: &str, day: &str, n: usize| {
        found.extend(day_of(year, month, day).map(|it| (it, n)));
    };
    match texts.as_slice() {
        [a, s, b, z, c, ..] if s == z && matches!(*s, "-" | "/" | ".") && is_number(c) => {
            if a.len() == 4 {
                push(Some(a), b, c, 5);
            } else {
                push(Some(c), b, a, 5);
                push(Some(c), a, b, 5);
            }
        }
        [y, "年" | "년", m, "月" | "월", d, "日" | "号" | "일", ..] => {
            push(Some(y), m, d, 6)
        }
        [m, "月" | "월", d, "日" | "号" | "일", ..] => push(None, m, d, 4),
        _ => {}
    }
    found.extend(named_day(&texts));
    found
}

/// `May 3rd, 2026`, `3 May 2026`, `the 3rd of May`.
fn named_day(texts: &[&str]) -> Option<(When, usize)> {
    let is_ordinal = |it: &&&str| matches!(**it, "st" | "nd" | "rd" | "th");
    let year_at = |mut at: usize| {
        if texts.get(at) == Some(&",") {
            at += 1;
        }
        let year = texts.get(at).filter(|it| it.len() == 4 && is_number(it));
        year.map(|it| (*it, at + 1))
    };
    let first = texts.first()?;
    let (month, day, mut n) = if let Some(month) = month_named(first) {
        let after = 2 + usize::from(texts.get(2).filter(is_ordinal).is_some());
        (month, *texts.get(1)?, after)
    } else {
        let mut at = 1 + usize::from(texts.get(1).filter(is_ordinal).is_some());
        at += usize::from(texts.get(at) == Some(&"of"));
        (month_named(texts.get(at)?)?, *first, at + 1)
    };
    let year = year_at(n);
    n = year.map_or(n, |it| it.1);
    let when = day_of(year.map(|it| it.0), &month.to_string(), day)?;
    Some((when, n))
}

fn month_named(word: &str) -> Option<u32> {
    let is_short = word.len() == 3 || word == "sept";
    let idx = MONTHS
        .iter()
        .position(|it| *it == word || (is_short && it.starts_with(word)))?;
    Some(idx as u32 + 1)
}

fn day_of(year: Option<&str>, month: &str, day: &str) -> Option<When> {
    let short = |text: &str| text.parse::<u32>().ok().filter(|_| text.len() <= 2);
    let month = short(month).filter(|it| (1..=12).contains(it))?;
    let day = short(day).filter(|it| (1..=31).contains(it))?;
    let year = match year {
        Some(text) => {
            let year: u32 = text
                .parse()
                .ok()
                .filter(|_| text.len() == 4 || text.len() == 2)?;
            Some(if text.len() == 2 { year + 2000 } else { year })
        }
        None => None,
    };
    Some(When::Day { year, month, day })
}

/// The time that begins here: `15:00`, `3 pm`, `下午3点半`, `오후 3시 30분`.
fn times(rest: &[Piece<'_>], before: &[Piece<'_>]) -> Vec<(When, usize)> {
    let texts: Vec<&str> = rest.iter().take(6).map(|it| it.text).collect();
    let hour = texts
        .first()
        .filter(|it| it.len() <= 2)
        .and_then(|it| it.parse::<u32>().ok())
        .filter(|it| *it <= 24);
    let Some(hour) = hour else {
        return Vec::new();
    };
    let minute = |it: &str| it.parse::<u32>().ok().filter(|m| it.len() == 2 && *m < 60);
    let (minutes, mut n) = match texts.as_slice() {
        [_, ":", m, ..] if minute(m).is_some() => (minute(m).unwrap_or(0), 3),
        [_, "点" | "點" | "시" | "时", "半" | "반", ..] => (30, 3),
        [_, "点" | "點" | "시" | "时", m, "分" | "분", ..] => {
            (m.parse().unwrap_or(0) % 60, 4)
        }
        [_, "点" | "點" | "시" | "时", ..] => (0, 2),
        [_, "am" | "pm", ..] | [_, "a" | "p", ".", "m", ..] | [_, "o", "'", "clock", ..] => (0, 1),
        _ => return Vec::new(),
    };
    let half = half_of_day(texts.get(n..).unwrap_or_default(), before);
    if matches!(texts.get(n), Some(&("am" | "pm"))) {
        n += 1;
    }
    let hour = match half {
        Some(is_late) => hour % 12 + if is_late { 12 } else { 0 },
        None => hour % 24,
    };
    let when = When::Time {
        minutes: hour * 60 + minutes,
        is_exact: half.is_some() || hour >= 13 || hour == 0,
    };
    vec![(when, n)]
}

/// Whether a time is in the afternoon, from the words around it.
fn half_of_day(after: &[&str], before: &[Piece<'_>]) -> Option<bool> {
    match after.first() {
        Some(&("am" | "a")) => return Some(false),
        Some(&("pm" | "p")) => return Some(true),
        _ => {}
    }
    let n = before.len();
    let last: Vec<&str> = before[n.saturating_sub(2)..]
        .iter()
        .map(|it| it.text)
        .collect();
    match last.as_slice() {
        ["下" | "오", "午" | "후"] | ["晚", "上"] => Some(true),
        ["上", "午"] | ["오", "전"] | ["早", "上"] => Some(false),
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_digit())
}
