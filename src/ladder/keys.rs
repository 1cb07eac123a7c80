//! Looks ahead for the key of an object: what stands at a place, and whether a colon follows it.

use super::repair::Parser;
use super::scan::{Quote, is_word};

/// How far a look ahead goes at most, in characters; this keeps the whole linear.
pub(super) const LOOK_AHEAD: usize = 96;

/// Bytes that end the plain part of a key: quotes, backslashes, control characters, what is not ASCII.
const ENDS_PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'"' | b'\'' | b'`' | b'\\' | 0..0x20 | 0x80..);
        byte += 1;
    }
    table
};

/// How much a place looks like the key of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyLike {
    /// A key with its colon, or structure that ends the pair.
    Strong,
    /// The text ends before that can be said.
    Cut,
    /// A string without a colon behind it.
    Weak,
    No,
}

impl Parser<'_> {
    /// How much a place looks like where the next pair of an object begins or the object ends.
    pub(super) fn key_like(&self, from: usize) -> KeyLike {
        let next = self.scan.next(from);
        match next.ch {
            None => KeyLike::Cut,
            Some('}' | ']' | ')' | ',' | '#') => KeyLike::Strong,
            Some('`') if self.scan.starts_with(next.at, "```") => KeyLike::Strong,
            Some(_) if self.scan.ellipsis(next.at).is_some() => KeyLike::Strong,
            Some('/') if self.is_comment(next.at) => KeyLike::Strong,
            Some(c) => match Quote::opened_by(c) {
                Some(quote) => self.quoted_key(next.at, quote),
                None if is_word(c) => self.bare_key(next.at),
                None => KeyLike::No,
            },
        }
    }

    /// Whether a comment begins at a place.
    pub(super) fn is_comment(&self, at: usize) -> bool {
        let rest = &self.scan.text[at..];
        rest == "/" || ["//", "/*", "#"].iter().any(|it| rest.starts_with(it))
    }

    /// Judges a quoted key by the colon behind it.
    pub(super) fn quoted_key(&self, at: usize, quote: Quote) -> KeyLike {
        if let Some(end) = self.plain_key_end(at, quote) {
            return self.behind_key(end);
        }
        let mut pos = self.scan.after(at);
        for _ in 0..LOOK_AHEAD {
            let Some(c) = self.scan.char_at(pos) else {
                return KeyLike::Cut;
            };
            pos += c.len_utf8();
            if c == '\n' {
                return KeyLike::No;
            }
            if c == '\\' {
                pos = self.scan.after(pos);
                continue;
            }
            if !quote.likely_closes(c) {
                continue;
            }
            return self.behind_key(pos);
        }
        KeyLike::Weak
    }

    /// The offset behind the closing quote of a key that holds only plain ASCII.
    #[inline]
    fn plain_key_end(&self, at: usize, quote: Quote) -> Option<usize> {
        let closer = quote
            .ascii()
            .filter(|it| self.scan.byte_at(at) == Some(*it))?;
        let rest = &self.scan.text.as_bytes()[at + 1..];
        let ahead = &rest[..rest.len().min(LOOK_AHEAD)];
        let n_bytes = ahead.iter().position(|it| ENDS_PLAIN[usize::from(*it)])?;
        self.scan.count(n_bytes / 4 + 1);
        (ahead[n_bytes] == closer).then_some(at + n_bytes + 2)
    }

    /// Judges what follows on the closing quote of a key.
    #[inline]
    fn behind_key(&self, at: usize) -> KeyLike {
        let next = self.scan.next(at);
        match next.ch {
            None => KeyLike::Cut,
            Some(':' | '=') => KeyLike::Strong,
            Some('}' | '{' | '[' | '-' | '0'..='9') => KeyLike::Weak,
            Some(c) if Quote::opened_by(c).is_some() && next.spaced => KeyLike::Weak,
            Some(_) => KeyLike::No,
        }
    }

    /// Judges a bare key by the colon behind it.
    pub(super) fn bare_key(&self, at: usize) -> KeyLike {
        let mut pos = at;
        for _ in 0..LOOK_AHEAD {
            match self.scan.char_at(pos) {
                None => return KeyLike::Cut,
                Some(c) if is_word(c) || c == '.' => pos += c.len_utf8(),
                Some(_) => break,
            }
        }
        let next = self.scan.next(pos);
        match next.ch {
            None => KeyLike::Cut,
            Some(':') if pos > at && !self.scan.starts_with(next.at, "://") => KeyLike::Strong,
            // A key that lost its opening quote only.
            Some('"')
                if !next.spaced && self.scan.next(self.scan.after(next.at)).ch == Some(':') =>
            {
                KeyLike::Strong
            }
            _ => KeyLike::No,
        }
    }
}
