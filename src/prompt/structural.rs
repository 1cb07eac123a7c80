//! What of a prompt and of an answer is structure: keys, marks of JSON, white space.

use std::collections::HashSet;

use serde_json::Value;

use super::forecast::{ForecastBan, Piece, span};
use crate::sampling::TokenId;

/// The runs of the prompt whose last token is nothing but keys, marks of JSON and white space. A reply that comes to
/// the tokens before it cannot go on with it, however it spells its answer.
pub fn structural_runs(prompt: &[Piece], size: usize, keys: &[&str]) -> Vec<ForecastBan> {
    if size == 0 {
        return Vec::new();
    }
    let tokens: Vec<TokenId> = prompt.iter().map(|it| it.token).collect();
    let mut seen = HashSet::new();
    let mut res = Vec::new();
    for (start, run) in tokens.windows(size).enumerate() {
        let pieces = &prompt[start..start + size];
        let text = |pieces: &[Piece]| {
            let bytes: Vec<u8> = pieces.iter().flat_map(|it| it.bytes.clone()).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let last = text(&pieces[size - 1..]);
        if seen.insert(run) && is_structure(&last, keys) {
            res.push(ForecastBan {
                token: run[size - 1],
                text: last,
                run: text(pieces),
                position: start + size - 1,
                earlier: span(start, size),
            });
        }
    }
    res
}

/// The keys of an answer, each once.
pub fn answer_keys(answer: &str) -> Vec<String> {
    let mut res = Vec::new();
    let mut open = vec![serde_json::from_str::<Value>(answer).unwrap_or_default()];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                for (key, inner) in map {
                    if !res.contains(&key) {
                        res.push(key);
                    }
                    open.push(inner);
                }
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    res
}

/// Whether a token's text is nothing but keys, marks of JSON and white space.
fn is_structure(text: &str, keys: &[&str]) -> bool {
    let rest = keys
        .iter()
        .filter(|it| !it.is_empty())
        .fold(text.to_owned(), |text, key| text.replace(key, ""));
    let is_mark = |it: char| "{}[]:,\"".contains(it) || it.is_whitespace();
    !text.is_empty() && rest.chars().all(is_mark)
}
