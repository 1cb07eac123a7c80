//! Makes characters visible that would hide, reorder or end the text around them in a report.

use std::borrow::Cow;

/// The text with control characters as their pictures and marks of direction as their numbers. Line breaks and tabs
/// stay. In a report, one reply must not turn the rest of the page around.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut res = String::with_capacity(text.len());
    for sign in text.chars() {
        if !is_hidden(sign) {
            res.push(sign);
            continue;
        }
        let picture = match sign {
            '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(sign)),
            '\u{7f}' => Some('\u{2421}'),
            _ => None,
        };
        match picture {
            Some(it) => res.push(it),
            None => res.extend(format!("⟨U+{:04X}⟩", u32::from(sign)).chars()),
        }
    }
    Cow::Owned(res)
}

fn is_hidden(sign: char) -> bool {
    match sign {
        '\n' | '\t' => false,
        // Marks, embeddings, overrides and isolates of direction; separators; the byte order mark.
        '\u{200e}'
        | '\u{200f}'
        | '\u{061c}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{feff}' => true,
        _ => sign.is_control(),
    }
}
