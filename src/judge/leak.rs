//! Values that a reply copied from a few-shot example instead of reading them from the input.

use serde_json::Value;

use super::Leak;
use super::bounds::{child_path, children, is_too_deep};
use super::compare::folded;
use crate::prompt::Example;

/// Fewest characters of a text that can be a leak; shorter ones coincide too easily.
const MIN_CHARS: usize = 3;

/// The same for Chinese, Japanese and Korean, where two characters are a name.
const MIN_IDEOGRAPHS: usize = 2;

/// Fewest characters of a text that is looked for inside a longer one.
const MIN_CHARS_INSIDE: usize = 6;

/// Fewest significant digits of a number that can be a leak.
const MIN_DIGITS: usize = 3;

/// What leaks are judged by.
#[derive(Clone, Copy, Debug)]
pub struct LeakSources<'a> {
    /// The few-shot examples that stood in the prompt.
    pub examples: &'a [Example],
    pub input: &'a str,
    /// The right answer: what it holds is no leak.
    pub answer: Option<&'a Value>,
    /// The schema's own values (`enum`, `const`) are no leaks.
    pub schema: Option<&'a Value>,
}

/// All leaks of a value, in its order. Case and white space do not count.
pub fn leaks(value: &Value, sources: &LeakSources<'_>) -> Vec<Leak> {
    if sources.examples.is_empty() || is_too_deep(value) {
        return Vec::new();
    }
    let mut known = Known::new(sources);
    known.drop_harmless(sources);
    let mut leaks = Vec::new();
    known.search("", value, &mut leaks);
    leaks
}

/// Texts of the examples' answers, folded, each with its example's number from 1.
struct Known {
    texts: Vec<(String, usize)>,
}

impl Known {
    fn new(sources: &LeakSources<'_>) -> Self {
        let mut texts: Vec<(String, usize)> = Vec::new();
        for (idx, example) in sources.examples.iter().enumerate() {
            for scalar in scalars(&example.answer) {
                let text = distinctive(scalar).filter(|it| !texts.iter().any(|(t, _)| t == it));
                texts.extend(text.map(|it| (it, idx + 1)));
            }
        }
        Self { texts }
    }

    /// What stands in the input, in the right answer or in the schema was not copied from an example.
    fn drop_harmless(&mut self, sources: &LeakSources<'_>) {
        let input = folded(sources.input);
        let mut right: Vec<String> = sources
            .answer
            .map(scalars)
            .unwrap_or_default()
            .into_iter()
            .filter_map(distinctive)
            .collect();
        right.extend(sources.schema.map(schema_values).unwrap_or_default());
        self.texts
            .retain(|(text, _)| !input.contains(text.as_str()) && !right.contains(text));
    }

    fn search(&self, path: &str, value: &Value, leaks: &mut Vec<Leak>) {
        match value {
            Value::Array(items) => {
                for (idx, item) in items.iter().enumerate() {
                    self.search(&child_path(path, &idx.to_string()), item, leaks);
                }
            }
            Value::Object(fields) => {
                for (key, field) in fields {
                    self.search(&child_path(path, key), field, leaks);
                }
            }
            _ => leaks.extend(self.leak(path, value)),
        }
    }

    fn leak(&self, path: &str, value: &Value) -> Option<Leak> {
        let found = distinctive(value)?;
        let (_, example) = self
            .texts
            .iter()
            .find(|(text, _)| *text == found)
            .or_else(|| self.texts.iter().find(|(text, _)| is_inside(text, &found)))?;
        Some(Leak {
            path: path.to_owned(),
            value: value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned),
            example: *example,
            place: None,
        })
    }
}

/// A scalar as text, if it says enough to be recognised.
fn distinctive(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => {
            let text = folded(text);
            let n_ideographs = text.chars().filter(|it| is_ideograph(*it)).count();
            let enough = text.chars().count() >= MIN_CHARS || n_ideographs >= MIN_IDEOGRAPHS;
            enough.then_some(text)
        }
        Value::Number(number) => {
            let text = number.to_string();
            let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
            let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
            (digits.trim_start_matches('0').len() >= MIN_DIGITS).then_some(text)
        }
        _ => None,
    }
}

/// Whether an example's text stands as whole words inside a longer one.
fn is_inside(text: &str, found: &str) -> bool {
    if text.chars().count() < MIN_CHARS_INSIDE {
        return false;
    }
    found.match_indices(text).any(|(start, _)| {
        let before = found[..start].chars().next_back();
        let after = found[start + text.len()..].chars().next();
        [before, after]
            .into_iter()
            .flatten()
            .all(|it| !it.is_alphanumeric() || is_ideograph(it))
    })
}

/// Han, kana and Hangul, as far as names are written with them.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn scalars(value: &Value) -> Vec<&Value> {
    let mut scalars = Vec::new();
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        if value.is_array() || value.is_object() {
            left.extend(children(value).into_iter().rev());
        } else {
            scalars.push(value);
        }
    }
    scalars
}

/// All values that the schema itself names.
fn schema_values(schema: &Value) -> Vec<String> {
    let mut values = Vec::new();
    let mut left = vec![schema];
    while let Some(schema) = left.pop() {
        if let Value::Object(fields) = schema {
            let named = ["enum", "const", "default"]
                .iter()
                .filter_map(|it| fields.get(*it));
            values.extend(named.flat_map(scalars).filter_map(distinctive));
        }
        left.extend(children(schema));
    }
    values
}
