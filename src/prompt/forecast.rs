//! The forecast: which runs of tokens of the expected answer a no-repeat n-gram ban forbids, before anything is run.
//!
//! The ban knows tokens, not texts, so the forecast does too: the expected answer is cut into tokens by the model's own
//! tokenizer, and each structural token (punctuation, keys and what stands between) is looked up among the runs of the
//! prompt. Values of the answer are unknown before the run, so runs that would hold one are not forecast; they are
//! taken to be new.

use std::collections::HashMap;

use serde_json::Value;

use super::json::{indented, spaced};
use crate::sampling::{Span, TokenId};

/// A token with the bytes it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub token: TokenId,
    pub bytes: Vec<u8>,
}

/// What the ban will do to an answer of the expected shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// The n of the ban.
    pub size: usize,
    /// Structural tokens of the expected answer.
    pub n_structural: usize,
    /// Those that the prompt bans, in the order of the answer.
    pub banned: Vec<ForecastBan>,
    /// Those that the reply itself bans: it writes the run once and may not write it again, as with the keys of a
    /// list's second item. `earlier` counts from the begin of the reply.
    pub banned_by_reply: Vec<ForecastBan>,
    /// Those that the prompt bans where the answer is spelled in another way, and that are not in `banned`.
    pub banned_elsewhere: Vec<ForecastBan>,
}

/// A structural token that cannot be written in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForecastBan {
    pub token: TokenId,
    /// The token's text, with � for parts of characters.
    pub text: String,
    /// The whole run's text, the token last.
    pub run: String,
    /// Which token of the expected answer it is, from 0.
    pub position: usize,
    /// The run's tokens where they stood first: in the prompt, or in the reply.
    pub earlier: Span,
}

/// What an expected answer is made of.
struct Expected {
    pieces: Vec<Piece>,
    /// Whether each token holds nothing of a value.
    is_structural: Vec<bool>,
}

impl Forecast {
    /// Such as "with size 3, 11 of 14 structural tokens cannot be written in this spelling". The model may still write
    /// the answer with other white space, or a key cut into other tokens.
    pub fn sentence(&self) -> String {
        format!(
            "with size {}, {} of {} structural tokens cannot be written in this spelling",
            self.size,
            self.banned.len(),
            self.n_structural
        )
    }

    /// What the reply adds to it; none if it adds nothing.
    pub fn reply_sentence(&self) -> Option<String> {
        let n = self.banned_by_reply.len();
        let of = self.n_structural;
        (n > 0).then(|| {
            format!(
                "{n} more of {of} can be written once only: the reply's own first use bans the next"
            )
        })
    }

    /// What the prompt bans in other spellings; none if it bans nothing there.
    pub fn elsewhere_sentence(&self) -> Option<String> {
        let n = self.banned_elsewhere.len();
        (n > 0).then(|| {
            format!("in other spellings {n} more places of the prompt ban a key or a mark of JSON")
        })
    }

    /// Adds what the ban does to the same answer in another spelling.
    #[must_use]
    pub fn with_spelling(mut self, other: Self) -> Self {
        for it in other.banned {
            // Each run stands first at one place, so the place tells the run.
            let mut known = self.banned.iter().chain(&self.banned_elsewhere);
            if !known.any(|known| known.earlier == it.earlier) {
                self.banned_elsewhere.push(it);
            }
        }
        self
    }

    /// Adds runs of the prompt that end in structure, whatever spelling they belong to; see [`structural_runs`](super::structural_runs).
    #[must_use]
    pub fn with_runs(mut self, runs: Vec<ForecastBan>) -> Self {
        for it in runs {
            let mut known = self.banned.iter().chain(&self.banned_elsewhere);
            if !known.any(|known| known.earlier == it.earlier) {
                self.banned_elsewhere.push(it);
            }
        }
        self
    }

    /// Whether a token that was banned behind this text is in the forecast: with the same run of tokens.
    pub fn has(&self, run: &[TokenId], prompt: &[TokenId]) -> bool {
        self.banned.iter().chain(&self.banned_elsewhere).any(|it| {
            let range = it.earlier.start as usize..it.earlier.end as usize;
            prompt.get(range) == Some(run)
        })
    }
}

/// Forecasts what a ban of this size does to an answer of this shape behind this prompt.
///
/// `answer` is the expected answer, as the prompt's example spells it ([`expected_text`]). `tokenize` gives a text's
/// tokens with their bytes, without a begin token. With `counts_prompt` false the ban looks at the reply alone.
pub fn forecast(
    (prompt, counts_prompt): (&[TokenId], bool),
    size: usize,
    answer: &str,
    tokenize: &mut dyn FnMut(&str) -> Vec<Piece>,
) -> Forecast {
    let expected = Expected::new(answer, tokenize);
    let mut res = Forecast {
        size,
        n_structural: expected.is_structural.iter().filter(|it| **it).count(),
        ..Forecast::default()
    };
    if size == 0 {
        return res;
    }
    let known = if counts_prompt {
        first_runs(prompt, size)
    } else {
        HashMap::new()
    };
    let tokens: Vec<TokenId> = expected.pieces.iter().map(|it| it.token).collect();
    let mut own: HashMap<&[TokenId], usize> = HashMap::new();
    for position in 0..tokens.len() {
        // A run may begin in the prompt's last tokens.
        let run = run_behind(prompt, &tokens[..=position], (size, counts_prompt));
        let inside = (position + 1)
            .checked_sub(size)
            .map(|it| &tokens[it..=position]);
        // What a run with a value in it will be is not known yet.
        if !expected.is_run_structural(position, size) {
            continue;
        }
        if let Some(start) = run.as_deref().and_then(|it| known.get(it)) {
            res.banned.push(expected.ban(position, span(*start, size)));
        } else if let Some(inside) = inside {
            if let Some(start) = own.get(inside) {
                res.banned_by_reply
                    .push(expected.ban(position, span(*start, size)));
            } else {
                own.insert(inside, position + 1 - size);
            }
        }
    }
    res
}

/// The expected answer's text: the example's own, as the prompt shows it, or one made of the schema's keys. An array
/// gets two items, so that what comes again is seen.
pub fn expected_text(schema: &Value, example: Option<&Value>) -> String {
    spaced(&expected_value(schema, example))
}

/// The same on several lines, as prompts show a schema and many models write.
pub fn expected_text_indented(schema: &Value, example: Option<&Value>) -> String {
    indented(&expected_value(schema, example), 2)
}

fn expected_value(schema: &Value, example: Option<&Value>) -> Value {
    match example {
        Some(answer) => with_two_items(answer),
        None => of_schema(schema, schema, 0),
    }
}

/// Deeper schemas are cut off: each level may double the text.
const MAX_DEPTH: usize = 8;

fn with_two_items(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(with_two_items).collect();
            if let [only] = items.as_slice() {
                items.push(only.clone());
            }
            Value::Array(items)
        }
        Value::Object(map) => {
            let entries = map
                .iter()
                .map(|(key, it)| (key.clone(), with_two_items(it)));
            Value::Object(entries.collect())
        }
        other => other.clone(),
    }
}

fn of_schema(schema: &Value, root: &Value, depth: usize) -> Value {
    let target = schema["$ref"]
        .as_str()
        .and_then(|it| root.pointer(it.strip_prefix('#')?));
    let schema = target.unwrap_or(schema);
    if depth > MAX_DEPTH {
        return Value::Null;
    }
    if let Some(properties) = schema["properties"].as_object() {
        let entries = properties
            .iter()
            .map(|(key, it)| (key.clone(), of_schema(it, root, depth + 1)));
        return Value::Object(entries.collect());
    }
    if schema["items"].is_object() {
        let item = of_schema(&schema["items"], root, depth + 1);
        return Value::Array(vec![item.clone(), item]);
    }
    match schema["type"].as_str() {
        Some("integer" | "number") => Value::from(0),
        Some("boolean") => Value::Bool(true),
        Some("null") => Value::Null,
        _ => Value::from("x"),
    }
}

impl Expected {
    fn new(answer: &str, tokenize: &mut dyn FnMut(&str) -> Vec<Piece>) -> Self {
        let is_value = value_bytes(answer);
        let pieces = tokenize(answer);
        let mut start = 0;
        let is_structural = pieces
            .iter()
            .map(|piece| {
                let end = start + piece.bytes.len();
                let range = start.min(is_value.len())..end.min(is_value.len());
                start = end;
                !is_value[range].contains(&true)
            })
            .collect();
        Self {
            pieces,
            is_structural,
        }
    }

    /// Whether the last so many tokens up to this one, as far as they are the answer's, hold nothing of a value.
    fn is_run_structural(&self, position: usize, size: usize) -> bool {
        let start = (position + 1).saturating_sub(size);
        self.is_structural[start..=position].iter().all(|it| *it)
    }

    fn ban(&self, position: usize, earlier: Span) -> ForecastBan {
        let start = (position + 1).saturating_sub((earlier.end - earlier.start) as usize);
        let bytes: Vec<u8> = self.pieces[start..=position]
            .iter()
            .flat_map(|it| it.bytes.iter().copied())
            .collect();
        let piece = &self.pieces[position];
        ForecastBan {
            token: piece.token,
            text: String::from_utf8_lossy(&piece.bytes).into_owned(),
            run: String::from_utf8_lossy(&bytes).into_owned(),
            position,
            earlier,
        }
    }
}

pub(super) fn span(start: usize, size: usize) -> Span {
    Span {
        start: start as u32,
        end: (start + size) as u32,
    }
}

/// Each run of this many tokens with the place where it stands first.
fn first_runs(tokens: &[TokenId], size: usize) -> HashMap<&[TokenId], usize> {
    let mut runs = HashMap::new();
    for (start, run) in tokens.windows(size).enumerate() {
        runs.entry(run).or_insert(start);
    }
    runs
}

/// The last `size` tokens of prompt and reply together; none while there are fewer.
fn run_behind(
    prompt: &[TokenId],
    reply: &[TokenId],
    (size, counts_prompt): (usize, bool),
) -> Option<Vec<TokenId>> {
    let n_missing = size.saturating_sub(reply.len());
    let from_prompt = if n_missing == 0 {
        &[]
    } else if counts_prompt {
        &prompt[prompt.len().checked_sub(n_missing)?..]
    } else {
        return None;
    };
    let from_reply = &reply[reply.len() - (size - n_missing)..];
    Some([from_prompt, from_reply].concat())
}

/// For each byte of a JSON text whether it is part of a value: the inside of a text that is no key, a number, a word.
/// Quotes count as structure.
fn value_bytes(json: &str) -> Vec<bool> {
    let bytes = json.as_bytes();
    let mut marks = vec![false; bytes.len()];
    let mut place = 0;
    while place < bytes.len() {
        if bytes[place] == b'"' {
            let end = end_of_text(bytes, place);
            let next = bytes[end..].iter().find(|it| !it.is_ascii_whitespace());
            if next != Some(&b':') && end > place + 2 {
                marks[place + 1..end - 1].fill(true);
            }
            place = end;
        } else {
            let is_sign = b"{}[]:,".contains(&bytes[place]) || bytes[place].is_ascii_whitespace();
            marks[place] = !is_sign;
            place += 1;
        }
    }
    marks
}

/// The place behind the closing quote of a text that begins at `start`.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut place = start + 1;
    while let Some(&byte) = bytes.get(place) {
        match byte {
            b'\\' => place += 2,
            b'"' => return place + 1,
            _ => place += 1,
        }
    }
    bytes.len()
}
