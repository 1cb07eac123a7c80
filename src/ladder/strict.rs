//! Strict parsing: what `serde_json` takes, read into a document, and `serde_json`'s word on what it refuses.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::recognize::{Reason, Stop, recognize, recognize_prefix};
use super::repair::{Parsed, read_valid, repair};

/// That a text of the reply is no value, and where that showed, in bytes of the reply.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) stop: Stop,
    pub(super) within: Range<usize>,
}

impl Refusal {
    /// Whether reading the value at the start of this text alone would stop at the same place.
    pub(super) fn stops_in_value(&self, within: &Range<usize>) -> bool {
        self.within == *within && self.stop.reason == Reason::Syntax
    }
}

/// Parses a text that must be one value and nothing else.
pub(super) fn strict(text: &str) -> Result<Parsed, Stop> {
    match recognize(text) {
        Ok(()) => read(text),
        Err(stop) if stop.reason == Reason::Depth => at_the_limit(text).ok_or(stop),
        Err(stop) => Err(stop),
    }
}

/// Parses the value at the start of a text and leaves the rest alone.
pub(super) fn strict_prefix(text: &str) -> Result<Parsed, Stop> {
    let end = recognize_prefix(text)?;
    read(&text[..end])
}

/// The text without a byte order mark.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn read(text: &str) -> Result<Parsed, Stop> {
    read_valid(text).map_err(|fail| Stop {
        at: fail.at,
        reason: Reason::Syntax,
    })
}

/// `serde_json` stops one level before ours; at exactly the limit our own parser reads valid text alike.
fn at_the_limit(text: &str) -> Option<Parsed> {
    let trimmed = text.trim_start();
    let n_before = text.len() - trimmed.len();
    let mut parsed = repair(trimmed).0.ok()?;
    let is_whole = parsed.log.edits.is_empty() && trimmed[parsed.end..].trim().is_empty();
    parsed.document.shift(n_before);
    is_whole.then_some(parsed)
}

/// Where `serde_json` stops in a text that should be one value, as an offset, and its message.
pub(super) fn complaint(text: &str) -> (usize, String) {
    located(text, serde_json::from_str::<Unbuilt>(text).err())
}

/// The same for a text that should only begin with a value.
pub(super) fn complaint_of_prefix(text: &str) -> (usize, String) {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Unbuilt>();
    let value = values.next().unwrap_or_else(|| serde_json::from_str(""));
    located(text, value.err())
}

/// Takes the place out of `serde_json`'s message and turns it into an offset.
fn located(text: &str, error: Option<serde_json::Error>) -> (usize, String) {
    let Some(error) = error else {
        return (0, "another value fits better".to_owned());
    };
    let mut message = error.to_string();
    if let Some(end) = message.rfind(" at line ") {
        message.truncate(end);
    }
    (offset(text, &error), message)
}

/// The offset where the strict parser stopped.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let line_start = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    (line_start + error.column().saturating_sub(1)).min(text.len())
}

/// Reads any value as strictly as a `Value` is read and keeps nothing of it.
struct Unbuilt;

struct Anything;

impl<'de> Deserialize<'de> for Unbuilt {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Anything)
    }
}

impl<'de> Visitor<'de> for Anything {
    type Value = Unbuilt;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Unbuilt, E> {
        Ok(Unbuilt)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Unbuilt, E> {
        Ok(Unbuilt)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Unbuilt, E> {
        Ok(Unbuilt)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Unbuilt, E> {
        Ok(Unbuilt)
    }

    fn visit_str<E>(self, _: &str) -> Result<Unbuilt, E> {
        Ok(Unbuilt)
    }

    fn visit_unit<E>(self) -> Result<Unbuilt, E> {
        Ok(Unbuilt)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Unbuilt, A::Error> {
        while items.next_element::<Unbuilt>()?.is_some() {}
        Ok(Unbuilt)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Unbuilt, A::Error> {
        while fields.next_entry::<Unbuilt, Unbuilt>()?.is_some() {}
        Ok(Unbuilt)
    }
}
