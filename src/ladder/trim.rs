//! Takes off white space, at little cost where there is none, as at most places that are asked about.

use super::scan::is_blank;

/// The text without white space before it.
#[inline]
pub(super) fn trim_start(text: &str) -> &str {
    if is_mark(text.as_bytes().first()) {
        return text;
    }
    text.trim_start()
}

/// The text without white space behind it.
#[inline]
pub(super) fn trim_end(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    if is_mark(text.as_bytes().last()) {
        return text;
    }
    text.trim_end()
}

/// The text without white space around it.
#[inline]
pub(super) fn trim(text: &str) -> &str {
    trim_end(trim_start(text))
}

/// The text without white space before it, the kinds JSON does not know included.
#[inline]
pub(super) fn trim_blanks_before(text: &str) -> &str {
    if is_mark(text.as_bytes().first()) {
        return text;
    }
    text.trim_start_matches(is_blank)
}

/// Whether a byte is a character of ASCII that can be seen.
#[inline]
fn is_mark(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b'!'..=b'~'))
}
