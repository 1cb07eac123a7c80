//! Numbers in a text, however they are written: digits, English words, Chinese and Korean numerals.

use super::fold::{Folded, is_ideograph};
use super::numerals_asia;

/// A number that a text names, with its place in bytes. One passage may be read as several numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Numeral {
    pub(super) value: f64,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Words of English that name a number.
const UNITS: &[(&str, f64)] = &[
    ("zero", 0.0),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("half", 0.5),
    ("quarter", 0.25),
    ("couple", 2.0),
    ("pair", 2.0),
    ("once", 1.0),
    ("twice", 2.0),
    ("dozen", 12.0),
    ("dozens", 12.0),
    ("first", 1.0),
    ("second", 2.0),
    ("third", 3.0),
    ("fourth", 4.0),
    ("fifth", 5.0),
    ("sixth", 6.0),
    ("tenth", 10.0),
];

/// What follows a number and multiplies it.
const FACTORS: &[(&str, f64)] = &[
    ("k", 1e3),
    ("thousand", 1e3),
    ("m", 1e6),
    ("million", 1e6),
    ("billion", 1e9),
    ("dozen", 12.0),
    ("hundred", 100.0),
    ("백", 1e2),
    ("百", 1e2),
    ("천", 1e3),
    ("千", 1e3),
    ("만", 1e4),
    ("万", 1e4),
    ("萬", 1e4),
    ("억", 1e8),
    ("亿", 1e8),
    ("億", 1e8),
];

/// All numbers of a text, in every reading.
pub(super) fn numerals(text: &Folded) -> Vec<Numeral> {
    let mut found = Vec::new();
    digits(&text.text, &mut found);
    words(&text.text, &mut found);
    numerals_asia::numerals(&text.text, &mut found);
    for numeral in &mut found {
        (numeral.start, numeral.end) = text.original(numeral.start, numeral.end);
    }
    found
}

/// The number that a whole text is: `1,250`, `-3.5`, `50%`, `２`.
pub(super) fn whole_number(folded: &str) -> Option<f64> {
    let body = folded.trim().trim_start_matches(['+', '-']);
    let plain = body.trim_end_matches('%').trim_end();
    if plain.is_empty()
        || !plain
            .chars()
            .all(|it| it.is_ascii_digit() || is_separator(it))
    {
        return None;
    }
    let value = readings(plain).first().copied()?;
    Some(if folded.starts_with('-') {
        -value
    } else {
        value
    })
}

/// Whether two numbers are the same but for how they are rounded in binary.
pub(super) fn is_same_number(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn digits(text: &str, found: &mut Vec<Numeral>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || (is_separator(char::from(bytes[at]))
                    && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
        {
            at += 1;
        }
        let mut push = |value: f64, start: usize, end: usize| {
            found.push(Numeral { value, start, end });
        };
        for value in readings(&text[start..at]) {
            push(value, start, at);
            if is_negative(&text[..start]) {
                push(-value, start - 1, at);
            }
            if text[at..].trim_start().starts_with('%') {
                push(value / 100.0, start, at);
            }
            for factor in factors(&text[at..]) {
                push(value * factor, start, at);
            }
        }
        group_by_group(&text[start..at], start, &mut push);
    }
}

/// `3.5` names 3 and 5 too: a date, a score or a list without spaces.
fn group_by_group(run: &str, start: usize, push: &mut impl FnMut(f64, usize, usize)) {
    if !run.contains(is_separator) {
        return;
    }
    let mut at = start;
    for group in run.split(is_separator) {
        if let Ok(value) = group.parse() {
            push(value, at, at + group.len());
        }
        at += group.len() + 1;
    }
}

/// What digits with separators may mean: a comma or point parts thousands or the fraction.
fn readings(run: &str) -> Vec<f64> {
    let without = |c: char| run.replace([c, '\''], "");
    let mut readings: Vec<f64> = Vec::new();
    for text in [without(','), without('.').replace(',', ".")] {
        let value = text.parse().ok().filter(|it: &f64| it.is_finite());
        let is_new = value.is_some_and(|it| !readings.contains(&it));
        readings.extend(value.filter(|_| is_new));
    }
    readings
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | ',' | '\'')
}

/// Whether a minus sign stands before a number, and no hyphen between two.
fn is_negative(before: &str) -> bool {
    before
        .strip_suffix('-')
        .is_some_and(|it| !it.ends_with(char::is_alphanumeric))
}

fn factors(after: &str) -> impl Iterator<Item = f64> {
    let rest = after.trim_start();
    FACTORS.iter().filter_map(move |(word, factor)| {
        let end = rest.strip_prefix(word)?.chars().next();
        let is_whole = word.chars().all(is_ideograph) || !end.is_some_and(char::is_alphanumeric);
        is_whole.then_some(*factor)
    })
}

/// Reads `two hundred and five` as 205, and its parts alone too.
fn words(text: &str, found: &mut Vec<Numeral>) {
    let mut phrase = Phrase::default();
    let mut at = 0;
    for word in text.split(|c: char| !c.is_ascii_alphabetic()) {
        let end = at + word.len();
        if !word.is_empty() {
            phrase.step(word, (at, end), found);
        }
        at = end + text[end..].chars().next().map_or(0, char::len_utf8);
    }
    phrase.flush(found);
}

/// A number in words that is being read.
#[derive(Default)]
struct Phrase {
    total: f64,
    current: f64,
    span: Option<(usize, usize)>,
    n_words: usize,
}

impl Phrase {
    fn step(&mut self, word: &str, (start, end): (usize, usize), found: &mut Vec<Numeral>) {
        let unit = UNITS.iter().find(|it| it.0 == word).map(|it| it.1);
        let factor = match word {
            "hundred" => 100.0,
            "thousand" => 1e3,
            "million" => 1e6,
            "dozen" => 12.0,
            _ => 0.0,
        };
        if factor > 0.0 && self.current > 0.0 {
            self.current *= factor;
            if factor >= 1e3 {
                self.total += std::mem::take(&mut self.current);
            }
        } else if let Some(value) = unit.or((factor > 0.0).then_some(factor)) {
            let joins = self.current >= 20.0 && value < 10.0 && self.current % 10.0 == 0.0;
            if self.span.is_some() && !joins && self.current > 0.0 {
                self.flush(found);
            }
            found.push(Numeral { value, start, end });
            self.current += value;
        } else {
            if word != "and" {
                self.flush(found);
            }
            return;
        }
        self.n_words += 1;
        self.span = Some((self.span.map_or(start, |it| it.0), end));
    }

    fn flush(&mut self, found: &mut Vec<Numeral>) {
        let phrase = std::mem::take(self);
        if let Some((start, end)) = phrase.span.filter(|_| phrase.n_words > 1) {
            let value = phrase.total + phrase.current;
            found.push(Numeral { value, start, end });
        }
    }
}
