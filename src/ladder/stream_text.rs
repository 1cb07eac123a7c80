//! Strings and comments that arrive character by character.

use super::scan::Quote;

/// An open string.
#[derive(Clone, Debug)]
pub(super) struct Text {
    quote: Quote,
    content: String,
    escape: Escape,
    /// The first half of a surrogate pair.
    high: Option<u32>,
}

/// What a character did to an open string.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TextEnd {
    Open,
    Closed(String),
}

/// How far an escape has come.
#[derive(Clone, Copy, Debug)]
enum Escape {
    None,
    Backslash,
    Hex { n_digits: u8, unit: u32 },
}

/// How far a comment has come.
#[derive(Clone, Copy, Debug)]
pub(super) enum Comment {
    /// Its first slash.
    Slash,
    Line,
    Block {
        star: bool,
    },
}

impl Text {
    pub(super) fn new(quote: Quote) -> Self {
        Self {
            quote,
            content: String::new(),
            escape: Escape::None,
            high: None,
        }
    }

    /// The content so far.
    pub(super) fn so_far(&self) -> &str {
        &self.content
    }

    /// Takes the characters at the start of a piece that stand for themselves; returns how many bytes they are.
    pub(super) fn push_plain(&mut self, piece: &str) -> usize {
        if self.high.is_some() || !matches!(self.escape, Escape::None) {
            return 0;
        }
        let n_bytes = match self.quote {
            // Bytes are faster to look at, and only its full-width twin needs more than one.
            Quote::Double => piece
                .bytes()
                .position(|byte| matches!(byte, b'"' | b'\\' | 0xEF)),
            quote => piece.find(|c| c == '\\' || quote.is_own(c)),
        };
        let n_bytes = n_bytes.unwrap_or(piece.len());
        self.content.push_str(&piece[..n_bytes]);
        n_bytes
    }

    /// Takes the next character.
    pub(super) fn push(&mut self, c: char) -> TextEnd {
        match self.escape {
            Escape::None if c == '\\' => self.escape = Escape::Backslash,
            Escape::None => {
                self.end_half();
                if self.quote.is_own(c) {
                    return TextEnd::Closed(std::mem::take(&mut self.content));
                }
                self.content.push(c);
            }
            Escape::Backslash => self.escaped(c),
            Escape::Hex { n_digits, unit } => match c.to_digit(16) {
                Some(digit) if n_digits == 3 => {
                    self.escape = Escape::None;
                    self.unit(unit * 16 + digit);
                }
                Some(digit) => {
                    self.escape = Escape::Hex {
                        n_digits: n_digits + 1,
                        unit: unit * 16 + digit,
                    };
                }
                None => {
                    self.escape = Escape::None;
                    return self.push(c);
                }
            },
        }
        TextEnd::Open
    }

    fn escaped(&mut self, c: char) {
        self.escape = Escape::None;
        if c == 'u' {
            self.escape = Escape::Hex {
                n_digits: 0,
                unit: 0,
            };
            return;
        }
        self.end_half();
        match c {
            '"' | '\\' | '/' | '\'' => self.content.push(c),
            'b' => self.content.push('\u{8}'),
            'f' => self.content.push('\u{c}'),
            'n' => self.content.push('\n'),
            'r' => self.content.push('\r'),
            't' => self.content.push('\t'),
            _ => self.content.extend(['\\', c]),
        }
    }

    fn unit(&mut self, unit: u32) {
        if let Some(high) = self.high
            && (0xDC00..0xE000).contains(&unit)
        {
            self.high = None;
            let code = 0x1_0000 + ((high - 0xD800) << 10) + (unit - 0xDC00);
            self.content.extend(char::from_u32(code));
            return;
        }
        self.end_half();
        if (0xD800..0xDC00).contains(&unit) {
            self.high = Some(unit);
        } else {
            self.content
                .push(char::from_u32(unit).unwrap_or('\u{fffd}'));
        }
    }

    /// A half that found no partner.
    fn end_half(&mut self) {
        if self.high.take().is_some() {
            self.content.push('\u{fffd}');
        }
    }
}

impl Comment {
    /// The comment behind one more character; none when it has ended or was none.
    pub(super) fn after(self, c: char) -> Option<Self> {
        match (self, c) {
            (Self::Slash, '/') => Some(Self::Line),
            (Self::Slash, '*') => Some(Self::Block { star: false }),
            (Self::Slash, _) | (Self::Line, '\n') | (Self::Block { star: true }, '/') => None,
            (Self::Line, _) => Some(Self::Line),
            (Self::Block { .. }, _) => Some(Self::Block { star: c == '*' }),
        }
    }
}
