//! Takes one layer of escapes off a text and remembers where each byte came from.

/// The text below the escapes and, for each of its bytes and its end, the offset in the original.
#[derive(Debug)]
pub(super) struct Unescaped {
    pub(super) text: String,
    offsets: Vec<usize>,
}

impl Unescaped {
    pub(super) fn new(escaped: &str) -> Self {
        let mut text = String::with_capacity(escaped.len());
        let mut offsets = Vec::with_capacity(escaped.len() + 1);
        let mut chars = escaped.char_indices();
        while let Some((at, c)) = chars.next() {
            let plain = if c == '\\' {
                match chars.clone().next().map(|(_, next)| next) {
                    Some(next @ ('"' | '\\' | '/')) => Some(next),
                    Some('n') => Some('\n'),
                    Some('r') => Some('\r'),
                    Some('t') => Some('\t'),
                    _ => None,
                }
            } else {
                None
            };
            if plain.is_some() {
                chars.next();
            }
            text.push(plain.unwrap_or(c));
            offsets.resize(text.len(), at);
        }
        offsets.push(escaped.len());
        Self { text, offsets }
    }

    /// Where a byte of the new text stood in the original.
    pub(super) fn offset(&self, at: usize) -> usize {
        self.offsets[at.min(self.offsets.len() - 1)]
    }
}
