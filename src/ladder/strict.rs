//! Strict parsing: `serde_json`'s word on a text, and where in the text it stopped.

use std::ops::Range;

use serde_json::Value;

use super::log::Log;
use super::repair::{facts, repair};

/// A value that needs no repair.
#[derive(Debug)]
pub(super) struct Strict {
    pub(super) value: Value,
    /// The offset behind the value.
    pub(super) end: usize,
    pub(super) log: Log,
}

/// The strict parser's message and the offset where it stopped.
#[derive(Clone, Debug)]
pub(super) struct StrictError {
    pub(super) message: String,
    pub(super) at: usize,
    pub(super) too_deep: bool,
    /// What was read, in bytes of the reply.
    pub(super) within: Range<usize>,
}

impl StrictError {
    /// The same with offsets of the text around the one that was read.
    pub(super) fn moved(mut self, by: usize) -> Self {
        self.at += by;
        self.within = self.within.start + by..self.within.end + by;
        self
    }

    /// Whether reading the value at the start of this text alone would stop at the same place.
    pub(super) fn stops_in_value(&self, within: &Range<usize>) -> bool {
        self.within == *within && !self.too_deep && self.message != "trailing characters"
    }
}

/// Parses a text that must be one value and nothing else.
pub(super) fn strict(text: &str) -> Result<Strict, StrictError> {
    let value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            let error = located(text, &error);
            return at_the_limit(text, &error).ok_or(error);
        }
    };
    Ok(Strict {
        value,
        end: text.len(),
        log: facts(text),
    })
}

/// Parses the value at the start of a text and leaves the rest alone.
pub(super) fn strict_prefix(text: &str) -> Result<Strict, serde_json::Error> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    let value = values.next().unwrap_or_else(|| serde_json::from_str(""))?;
    let end = values.byte_offset();
    Ok(Strict {
        value,
        end,
        log: facts(&text[..end]),
    })
}

/// `serde_json` stops one level before ours; at exactly the limit our own parser reads valid text alike.
fn at_the_limit(text: &str, error: &StrictError) -> Option<Strict> {
    if !error.too_deep {
        return None;
    }
    let parsed = repair(text.trim_start()).0.ok()?;
    let n_left = text.trim_start().len() - parsed.end;
    let is_whole = parsed.log.edits.is_empty() && text[text.len() - n_left..].trim().is_empty();
    is_whole.then_some(Strict {
        value: parsed.value,
        end: text.len(),
        log: parsed.log,
    })
}

/// Takes the place out of `serde_json`'s message and turns it into an offset.
pub(super) fn located(text: &str, error: &serde_json::Error) -> StrictError {
    let whole = error.to_string();
    let message = whole
        .rfind(" at line ")
        .map_or(whole.as_str(), |end| &whole[..end]);
    StrictError {
        too_deep: message.starts_with("recursion limit"),
        message: message.to_owned(),
        at: offset(text, error),
        within: 0..text.len(),
    }
}

/// The offset where the strict parser stopped.
pub(super) fn offset(text: &str, error: &serde_json::Error) -> usize {
    let line_start = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    (line_start + error.column().saturating_sub(1)).min(text.len())
}
