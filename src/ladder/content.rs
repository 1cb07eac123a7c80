//! The content of a string under way: a stretch of the text as long as that will do, a copy afterwards.

/// What a string holds so far.
#[derive(Debug)]
pub(super) struct Content<'a> {
    source: &'a str,
    /// The stretch of the text, while nothing in it had to be changed.
    start: usize,
    end: usize,
    copy: String,
    is_copied: bool,
    /// The place behind the last escape that came out shorter than it is.
    escape_end: usize,
}

impl<'a> Content<'a> {
    /// Nothing yet, at a place of the text; the buffer serves if a copy is needed.
    pub(super) fn new(source: &'a str, start: usize, mut buffer: String) -> Self {
        buffer.clear();
        Self {
            source,
            start,
            end: start,
            copy: buffer,
            is_copied: false,
            escape_end: 0,
        }
    }

    /// Takes bytes of the text as they are; they follow on what was taken before.
    #[inline]
    pub(super) fn take(&mut self, from: usize, n_bytes: usize) {
        if self.is_copied {
            self.copy.push_str(&self.source[from..from + n_bytes]);
        } else if n_bytes > 0 {
            self.end = from + n_bytes;
        }
    }

    /// What follows does not stand in the text like this.
    pub(super) fn depart(&mut self) {
        if !self.is_copied {
            self.is_copied = true;
            self.copy.push_str(&self.source[self.start..self.end]);
        }
    }

    pub(super) fn push(&mut self, c: char) {
        self.depart();
        self.copy.push(c);
    }

    /// Says that an escape has been read that ends at this place of the text.
    pub(super) fn saw_escape(&mut self, end: usize) {
        self.escape_end = end;
    }

    /// Whether from a place of the text on everything was taken as it is.
    pub(super) fn is_plain_from(&self, at: usize) -> bool {
        self.escape_end <= at
    }

    /// Takes bytes off the end, where everything was taken as it is.
    pub(super) fn shorten(&mut self, n_bytes: usize) {
        if self.is_copied {
            let n_left = self.copy.len().saturating_sub(n_bytes);
            self.copy.truncate(n_left);
        } else {
            self.end = self.end.saturating_sub(n_bytes).max(self.start);
        }
    }

    /// Puts a character in the place of the last one.
    pub(super) fn replace_last(&mut self, c: char) {
        self.depart();
        self.copy.pop();
        self.copy.push(c);
    }

    pub(super) fn as_str(&self) -> &str {
        if self.is_copied {
            &self.copy
        } else {
            &self.source[self.start..self.end]
        }
    }

    /// The stretch of the text, if it needed no copy; the buffer comes back.
    pub(super) fn finish(self) -> (Option<(usize, usize)>, String) {
        let stretch = (!self.is_copied).then_some((self.start, self.end));
        (stretch, self.copy)
    }
}
