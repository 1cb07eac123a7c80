//! One text of the prompt, and how a value is found in it.

use serde_json::Value;

use super::Place;
use super::dates::{Moment, find_moments, moments, only_moments};
use super::fold::{Folded, find_words, fold, is_ideograph, stem, words};
use super::numerals::{Numeral, is_same_number, numerals, whole_number};
use super::origin::PromptText;

/// Fewest digits of a text that is compared as a telephone number.
const MIN_PHONE_DIGITS: usize = 6;

/// A scalar as it is looked for.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) folded: String,
    pub(super) number: Option<f64>,
    moments: Vec<Moment>,
    phone: Option<String>,
}

/// A text of the prompt, read once for all values.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    text: PromptText,
    example: Option<usize>,
    folded: Folded,
    numerals: Vec<Numeral>,
    moments: Vec<Moment>,
    phones: Vec<(String, usize, usize)>,
}

impl Wanted {
    pub(super) fn new(value: &Value) -> Self {
        let (folded, number) = match value {
            Value::String(text) => {
                let folded = fold(text);
                let number = whole_number(&folded);
                (folded, number)
            }
            other => (other.to_string(), other.as_f64()),
        };
        let is_text = value.is_string();
        let moments = if is_text {
            only_moments(&folded).unwrap_or_default()
        } else {
            Vec::new()
        };
        let phone = if is_text { phone_digits(&folded) } else { None };
        Self {
            folded,
            number,
            moments,
            phone,
        }
    }

    /// Whether two scalars say the same, however they are written.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let same_number = match (self.number, other.number) {
            (Some(a), Some(b)) => is_same_number(a, b),
            _ => false,
        };
        let same_phone = match (&self.phone, &other.phone) {
            (Some(a), Some(b)) => is_same_phone(a, b),
            _ => false,
        };
        let same_moment = || {
            let hay = Folded::new(&other.folded);
            !self.moments.is_empty()
                && !other.moments.is_empty()
                && find_moments(&hay, &other.moments, &self.moments).is_some()
        };
        self.folded == other.folded || same_number || same_phone || same_moment()
    }
}

impl Passage {
    pub(super) fn new(text: PromptText, example: Option<usize>, original: &str) -> Self {
        let folded = Folded::new(original);
        Self {
            text,
            example,
            numerals: numerals(&folded),
            moments: moments(&folded.text),
            phones: phones(&folded),
            folded,
        }
    }

    pub(super) fn place(&self, (start, end): (usize, usize)) -> Place {
        Place {
            text: self.text,
            example: self.example,
            start,
            end,
        }
    }

    /// Where the value stands, as it is or written another way.
    pub(super) fn find(&self, wanted: &Wanted) -> Option<Place> {
        if wanted.folded.is_empty() {
            return None;
        }
        let by_text = || self.folded.find_words(&wanted.folded);
        let by_number = || {
            let number = wanted.number?;
            let found = self
                .numerals
                .iter()
                .find(|it| is_same_number(it.value, number))?;
            Some((found.start, found.end))
        };
        let by_moment = || {
            let some = Some(&wanted.moments).filter(|it| !it.is_empty())?;
            find_moments(&self.folded, &self.moments, some)
        };
        let by_phone = || {
            let phone = wanted.phone.as_ref()?;
            let found = self
                .phones
                .iter()
                .find(|(digits, _, _)| is_same_phone(digits, phone))?;
            Some((found.1, found.2))
        };
        // A text of digits is no number where its digits stand otherwise: `by_text` comes first.
        let found = by_text()
            .or_else(by_number)
            .or_else(by_moment)
            .or_else(by_phone);
        found.map(|it| self.place(it))
    }

    /// Where the first of the value's words stands, if all of them do: in another order, or in the plural.
    pub(super) fn find_words_of(&self, wanted: &Wanted) -> Option<Place> {
        let found = self.words_of(wanted);
        let first = *found.first()?.as_ref()?;
        let is_all = found.iter().all(Option::is_some);
        let says_something = words(&wanted.folded)
            .iter()
            .any(|it| it.chars().count() >= 3);
        let squeezed = || self.find_squeezed(&wanted.folded);
        (is_all && says_something)
            .then(|| self.place(first))
            .or_else(squeezed)
    }

    /// Whether most of the value's words stand here.
    pub(super) fn has_most_words_of(&self, wanted: &Wanted) -> bool {
        let found = self.words_of(wanted);
        let n = found.iter().filter(|it| it.is_some()).count();
        found.len() >= 3 && n * 3 >= found.len() * 2
    }

    fn words_of(&self, wanted: &Wanted) -> Vec<Option<(usize, usize)>> {
        let here = words(&self.folded.text);
        let base = self.folded.text.as_ptr() as usize;
        words(&wanted.folded)
            .into_iter()
            .map(|word| {
                let is_asian = word.contains(is_ideograph);
                let found = here
                    .iter()
                    .find(|it| stem(it) == stem(word) || (is_asian && it.contains(word)))?;
                let start = found.as_ptr() as usize - base;
                Some(self.folded.original(start, start + found.len()))
            })
            .collect()
    }

    /// Chinese and Korean are written with and without spaces.
    fn find_squeezed(&self, folded: &str) -> Option<Place> {
        let squeezed: String = folded.split_whitespace().collect();
        if squeezed.chars().filter(|it| is_ideograph(*it)).count() < 2 {
            return None;
        }
        let mut starts = Vec::new();
        let mut text = String::new();
        for (at, c) in self.folded.text.char_indices().filter(|it| it.1 != ' ') {
            text.push(c);
            starts.resize(text.len(), at);
        }
        let start = text.find(&squeezed)?;
        let last = start + squeezed.len() - squeezed.chars().next_back()?.len_utf8();
        let end = starts[last] + squeezed.chars().next_back()?.len_utf8();
        Some(self.place(self.folded.original(starts[start], end)))
    }
}

/// Whether a folded text stands as whole words inside a longer one.
pub(super) fn is_inside(text: &str, longer: &str) -> bool {
    text.len() < longer.len() && find_words(longer, text).is_some()
}

/// The digits of a text that is nothing but a telephone number.
fn phone_digits(folded: &str) -> Option<String> {
    let is_phone = folded
        .chars()
        .all(|it| it.is_ascii_digit() || is_phone_mark(it));
    let digits: String = folded.chars().filter(char::is_ascii_digit).collect();
    (is_phone && digits.len() >= MIN_PHONE_DIGITS).then_some(digits)
}

fn phones(text: &Folded) -> Vec<(String, usize, usize)> {
    let mut phones = Vec::new();
    let mut at = 0;
    for run in text
        .text
        .split(|c: char| !c.is_ascii_digit() && !is_phone_mark(c))
    {
        let end = at + run.len();
        let first = run.find(|c: char| c.is_ascii_digit());
        let last = run.rfind(|c: char| c.is_ascii_digit());
        if let (Some(digits), Some(first), Some(last)) = (phone_digits(run), first, last) {
            let (start, end) = text.original(at + first, at + last + 1);
            phones.push((digits, start, end));
        }
        at = end + text.text[end..].chars().next().map_or(0, char::len_utf8);
    }
    phones
}

fn is_phone_mark(c: char) -> bool {
    matches!(c, ' ' | '-' | '(' | ')' | '+' | '/' | '.')
}

/// The same digits, or one with the country in front.
fn is_same_phone(a: &str, b: &str) -> bool {
    a == b || (a.len().min(b.len()) > MIN_PHONE_DIGITS && (a.ends_with(b) || b.ends_with(a)))
}
