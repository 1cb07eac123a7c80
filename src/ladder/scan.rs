//! Characters as the tolerant parser sees them, and a cursor that counts its steps.

use std::cell::Cell;

/// A text, a position in it and the steps taken so far.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
    steps: Cell<usize>,
}

/// What stands next after white space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) at: usize,
    /// None at the end of the text. Full-width structure comes as its ASCII twin.
    pub(super) ch: Option<char>,
    /// White space was skipped on the way.
    pub(super) spaced: bool,
    /// A line ended on the way.
    pub(super) new_line: bool,
}

/// Bytes with which a quote, an escape, a bracket or a control character begins.
const IS_SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte < 0x20
            || matches!(
                byte as u8,
                b'"' | b'\'' | b'`' | b'\\' | b'{' | b'}' | b'[' | b']' | 0xC2 | 0xE2 | 0xE3 | 0xEF
            );
        byte += 1;
    }
    table
};

/// How an opening quote may be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    Double,
    Single,
    Backtick,
    CurlyDouble,
    CurlySingle,
    Corner,
}

impl Quote {
    /// The kind of quote that a character opens.
    #[inline]
    pub(super) fn opened_by(c: char) -> Option<Self> {
        Some(match c {
            '"' | '＂' => Self::Double,
            '\'' | '＇' => Self::Single,
            '`' | '´' => Self::Backtick,
            '“' | '”' | '„' | '‟' | '«' | '»' => Self::CurlyDouble,
            '‘' | '’' | '‚' | '‛' => Self::CurlySingle,
            '「' | '『' => Self::Corner,
            _ => return None,
        })
    }

    /// Whether a character is its proper closing quote.
    #[inline]
    pub(super) fn is_own(self, c: char) -> bool {
        match self {
            Self::Double => c == '"' || c == '＂',
            Self::Single => c == '\'' || c == '＇',
            Self::CurlyDouble => matches!(c, '”' | '“' | '»' | '«' | '‟'),
            Self::CurlySingle => matches!(c, '’' | '‘' | '‛'),
            Self::Backtick | Self::Corner => self.may_close(c),
        }
    }

    /// The one byte that closes it, if all that else may is rare.
    #[inline]
    pub(super) fn ascii(self) -> Option<u8> {
        match self {
            Self::Double => Some(b'"'),
            Self::Single => Some(b'\''),
            Self::Backtick => Some(b'`'),
            Self::CurlyDouble | Self::CurlySingle | Self::Corner => None,
        }
    }

    /// What closes it nearly always.
    #[inline]
    pub(super) fn closer(self) -> &'static str {
        match self {
            Self::Double => "\"",
            Self::Single => "'",
            Self::Backtick => "`",
            Self::CurlyDouble => "”",
            Self::CurlySingle => "’",
            Self::Corner => "」",
        }
    }

    /// Whether a character closes it as far as a look ahead can tell.
    #[inline]
    pub(super) fn likely_closes(self, c: char) -> bool {
        self.is_own(c) || (self == Self::CurlyDouble && c == '"')
    }

    /// Whether a character may close it; the neighbourhood decides whether it does.
    #[inline]
    pub(super) fn may_close(self, c: char) -> bool {
        match self {
            Self::Double => matches!(c, '"' | '＂' | '”'),
            Self::Single => matches!(c, '\'' | '＇' | '’'),
            Self::Backtick => matches!(c, '`' | '´'),
            Self::CurlyDouble => matches!(c, '”' | '“' | '"' | '»' | '«' | '‟'),
            Self::CurlySingle => matches!(c, '’' | '‘' | '\'' | '‛'),
            Self::Corner => matches!(c, '」' | '』'),
        }
    }
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            pos: 0,
            steps: Cell::new(0),
        }
    }

    #[inline]
    pub(super) fn steps(&self) -> usize {
        self.steps.get()
    }

    #[inline]
    pub(super) fn step(&self) {
        self.steps.set(self.steps.get() + 1);
    }

    /// Counts several steps at once.
    #[inline]
    pub(super) fn count(&self, n_steps: usize) {
        self.steps.set(self.steps.get() + n_steps);
    }

    #[inline]
    pub(super) fn byte_at(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    #[inline]
    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.step();
        let byte = *self.text.as_bytes().get(at)?;
        if byte < 0x80 {
            return Some(char::from(byte));
        }
        self.wide_char_at(at)
    }

    fn wide_char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    /// The offset behind the character at a place.
    #[inline]
    pub(super) fn after(&self, at: usize) -> usize {
        at + self.char_at(at).map_or(1, char::len_utf8)
    }

    #[inline]
    pub(super) fn starts_with(&self, at: usize, word: &str) -> bool {
        self.text.as_bytes()[at.min(self.text.len())..].starts_with(word.as_bytes())
    }

    #[inline]
    pub(super) fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    /// The next character that is no white space.
    #[inline]
    pub(super) fn next(&self, from: usize) -> Next {
        let mut at = from;
        let mut new_line = false;
        let bytes = self.text.as_bytes();
        while let Some(byte @ (b' ' | b'\n' | b'\r' | b'\t')) = bytes.get(at) {
            new_line |= *byte == b'\n';
            at += 1;
        }
        self.count(at - from + 1);
        if let Some(byte @ b'!'..=b'~') = bytes.get(at) {
            return Next {
                at,
                ch: Some(char::from(*byte)),
                spaced: at > from,
                new_line,
            };
        }
        self.wide_next(from, at, new_line)
    }

    /// The same where white space and structure may be of the kinds JSON does not know.
    fn wide_next(&self, from: usize, mut at: usize, mut new_line: bool) -> Next {
        let ch = loop {
            match self.char_at(at) {
                Some(c) if is_blank(c) => {
                    new_line |= c == '\n';
                    at += c.len_utf8();
                }
                other => break other,
            }
        };
        Next {
            at,
            ch: ch.map(|c| structure(c).unwrap_or(c)),
            spaced: at > from,
            new_line,
        }
    }

    /// How many bytes from a place on are nothing but content in every kind of string.
    #[inline]
    pub(super) fn plain_run(&self, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at..];
        let n_bytes = n_before(rest, &IS_SPECIAL);
        // Steps count work: what goes fast counts less.
        self.steps.set(self.steps.get() + n_bytes / 8);
        // Every special byte begins a character, so a run ends between two.
        n_bytes
    }

    /// The length of a mark of omission at a place: three or more dots, or the one character.
    #[inline]
    pub(super) fn ellipsis(&self, at: usize) -> Option<usize> {
        if !matches!(self.text.as_bytes().get(at), Some(b'.' | 0xE2)) {
            return None;
        }
        let rest = &self.text[at.min(self.text.len())..];
        let n_bytes = rest.len() - rest.trim_start_matches('…').len();
        if n_bytes > 0 {
            return Some(n_bytes);
        }
        let n_dots = rest
            .bytes()
            .take(64)
            .take_while(|&byte| byte == b'.')
            .count();
        (n_dots >= 3).then_some(n_dots)
    }

    /// The end of a comment that starts at a place; the end of the text when it is not closed. A slash that
    /// ends the text is half of its mark.
    pub(super) fn comment_end(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at.min(self.text.len())..];
        let found = if rest.starts_with("/*") {
            let ends = |it: &[u8]| it == b"*/";
            rest.as_bytes().windows(2).position(ends).map(|n| n + 2)
        } else if rest == "/" {
            None
        } else if rest.starts_with("//") || rest.starts_with('#') {
            rest.find('\n')
        } else {
            return None;
        };
        Some(at + found.unwrap_or(rest.len()))
    }
}

/// How many bytes come before the first one that is in a table.
#[inline]
pub(super) fn n_before(bytes: &[u8], table: &[bool; 256]) -> usize {
    let is_in = |byte: u8| table[usize::from(byte)];
    let mut n_bytes = 0;
    // Four at a time: that is one branch for all of them.
    while let Some([a, b, c, d]) = bytes.get(n_bytes..).and_then(<[u8]>::first_chunk) {
        if is_in(*a) | is_in(*b) | is_in(*c) | is_in(*d) {
            break;
        }
        n_bytes += 4;
    }
    let rest = &bytes[n_bytes..];
    n_bytes + rest.iter().position(|it| is_in(*it)).unwrap_or(rest.len())
}

/// White space between tokens, the kinds JSON does not know included.
#[inline]
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_zero_width(c)
}

/// Characters without ink that are not white space to Unicode.
pub(super) fn is_zero_width(c: char) -> bool {
    matches!(
        c,
        '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{180e}' | '\u{ad}'
    )
}

/// The ASCII twin of a character that can be structure.
#[inline]
pub(super) fn structure(c: char) -> Option<char> {
    Some(match c {
        '{' | '}' | '[' | ']' | '(' | ')' | ',' | ':' => c,
        '｛' => '{',
        '｝' => '}',
        '［' | '【' => '[',
        '］' | '】' => ']',
        '（' => '(',
        '）' => ')',
        '，' | '、' => ',',
        '：' => ':',
        _ => return None,
    })
}

/// Characters of a name as programs write them.
#[inline]
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '-')
}
