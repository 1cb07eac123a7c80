//! Replies that hold no bracket of their own to start from: a prefill not repeated, or a lone scalar.

use super::cut::{Candidate, Found};
use super::hint::Hint;
use super::log::FailKind;
use super::reading::Reading;
use super::repair::{Parsed, repair, repair_inside_object};
use super::scan::is_blank;
use super::strict::strict;
use super::tags::Split;
use super::trim::trim_blanks_before;
use super::unescape::Unescaped;
use super::{Flag, RepairKind};

/// Reads a reply that goes on where a prefill stopped.
pub(super) fn behind_prefill(reply: &str, split: &Split, hint: &Hint<'_>) -> Option<Candidate> {
    let region = split.regions().next()?;
    let text = &reply[region.clone()];
    if let Some(prefill) = hint.prefill {
        return after_known_prefill(text, prefill, region.start);
    }
    let start = text.len() - trim_blanks_before(text).len();
    if !starts_with_key(&text[start..]) {
        return None;
    }
    let parsed = repair_inside_object(&text[start..]).0.ok()?;
    let start = region.start + start;
    // Without a closing brace nothing says that an object was meant.
    let is_whole = !parsed.log.has(Flag::Truncated);
    is_whole.then(|| Candidate::of_reply(parsed, start))
}

/// Reads a reply that is one scalar of some language, or a string with all quotes escaped.
pub(super) fn scalar(reply: &str, split: &Split, found: &Found) -> Option<Candidate> {
    let region = split.regions().next_back()?;
    let text = &reply[region.clone()];
    let trimmed = text.trim_start_matches(is_blank);
    let start = region.start + (text.len() - trimmed.len());
    let trimmed = trimmed.trim_end_matches(is_blank);
    if found.fail.is_some() || trimmed.is_empty() {
        return None;
    }
    if let Ok(parsed) = strict(trimmed) {
        let mut found = Candidate::of_reply(parsed, start);
        found.end = start + trimmed.len();
        found.strict = true;
        return Some(found);
    }
    let parsed = match repair(trimmed).0 {
        Ok(parsed) => parsed,
        Err(fail) if fail.kind == FailKind::Escaped => {
            let unescaped = Unescaped::new(trimmed);
            let parsed = repair(&unescaped.text).0.ok()?;
            return is_one_scalar(&parsed, &unescaped.text)
                .then(|| Candidate::of_escaped(parsed, unescaped, start));
        }
        Err(_) => return None,
    };
    is_one_scalar(&parsed, trimmed).then(|| {
        let mut found = Candidate::of_reply(parsed, start);
        // Only a semicolon stood behind it.
        found.strict = found.log.edits.is_empty();
        found
    })
}

/// Whether nothing but a semicolon is left and nothing in it was guessed.
fn is_one_scalar(parsed: &Parsed, text: &str) -> bool {
    let rest = text[parsed.end..].trim_start_matches(is_blank);
    let guessed = parsed.log.flags().iter().any(|flag| {
        matches!(
            flag,
            Flag::AmbiguousQuotes | Flag::BadEscape | Flag::UnquotedValue
        )
    });
    let is_scalar = !parsed.document.root().is_container();
    (rest.is_empty() || rest == ";") && !guessed && is_scalar
}

/// Reads prefill and reply as one text; edits before the reply are not the reply's.
fn after_known_prefill(text: &str, prefill: &str, start: usize) -> Option<Candidate> {
    let prefill_text = prefill.trim_start();
    if prefill_text.is_empty() || text.trim_start().starts_with(prefill_text) {
        return None;
    }
    let whole = [prefill_text, text].concat();
    let parsed = repair(&whole).0.ok()?;
    if parsed.end <= prefill_text.len() {
        return None;
    }
    let shift = prefill_text.len();
    let moved = |at: usize| at.saturating_sub(shift) + start;
    let end = moved(parsed.end);
    let mut log = parsed.log.spelled_out(&whole).moved(moved);
    log.flag(Flag::Prefill);
    // What was put into the model's mouth comes before everything else.
    log.edit(RepairKind::Bracket, start..start, prefill_text.to_owned());
    log.edits.rotate_right(1);
    let reading = Reading::of_text(parsed.document, whole);
    Some(Candidate::new(reading, start..end, log))
}

/// Whether a text begins with a quoted key and its colon.
fn starts_with_key(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('"') else {
        return false;
    };
    let Some(end) = rest.find(['"', '\n']) else {
        return false;
    };
    let behind = rest[end..].strip_prefix('"').unwrap_or_default();
    behind.trim_start().starts_with(':')
}
