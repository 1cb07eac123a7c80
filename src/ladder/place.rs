//! Turns byte offsets of a reply into lines and columns.

/// Line and column of places that do not go back, found by going on from the last one.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
            column: 1,
        }
    }

    /// Line and column of an offset, both from 1, the column in characters; an offset that goes back starts anew.
    pub(super) fn of(&mut self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        if offset < self.at {
            *self = Self::new(self.text);
        }
        let mut line = &self.text.as_bytes()[self.at..offset];
        if let Some(end) = line.iter().rposition(|it| *it == b'\n') {
            self.line += line[..=end].split(|it| *it == b'\n').count() - 1;
            self.column = 1;
            line = &line[end + 1..];
        }
        self.column += line.iter().filter(|it| is_first(**it)).count();
        self.at = offset;
        (self.line, self.column)
    }
}

/// Whether a byte begins a character of UTF-8.
fn is_first(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}
