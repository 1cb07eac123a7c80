//! Turns byte offsets of a reply into lines and columns in O(log n).

/// Bytes between two remembered character counts.
const STRIDE: usize = 256;

/// The line table of one text, with a character count every 256 bytes.
#[derive(Debug)]
pub(super) struct Places<'a> {
    text: &'a str,
    line_starts: Vec<usize>,
    n_chars_before: Vec<usize>,
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut line_starts = vec![0];
        let mut n_chars_before = Vec::with_capacity(text.len() / STRIDE + 1);
        let mut n_chars = 0;
        for (offset, byte) in text.bytes().enumerate() {
            if offset % STRIDE == 0 {
                n_chars_before.push(n_chars);
            }
            n_chars += usize::from(is_first(byte));
            if byte == b'\n' {
                line_starts.push(offset + 1);
            }
        }
        n_chars_before.push(n_chars);
        Self {
            text,
            line_starts,
            n_chars_before,
        }
    }

    /// Line and column of an offset, both from 1, the column in characters.
    pub(super) fn of(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        (line, self.chars(offset) - self.chars(start) + 1)
    }

    fn chars(&self, offset: usize) -> usize {
        let block = offset / STRIDE;
        let rest = &self.text.as_bytes()[(block * STRIDE).min(offset)..offset];
        self.n_chars_before[block.min(self.n_chars_before.len() - 1)]
            + rest.iter().filter(|&&byte| is_first(byte)).count()
    }
}

/// Whether a byte begins a character of UTF-8.
fn is_first(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}
