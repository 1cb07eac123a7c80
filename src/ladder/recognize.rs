//! Tells strict JSON from the rest in one pass over the bytes, as `serde_json` would, and builds nothing.

use serde_json::Number;

/// Where a text stops being JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) at: usize,
    pub(super) reason: Reason,
}

/// Why it stops there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Syntax,
    /// Deeper than `serde_json` goes.
    Depth,
    /// A whole value, and something behind it.
    Trailing,
}

/// The deepest nesting that `serde_json` takes: one level less than ours.
const MAX_DEPTH: u32 = 127;

/// Bytes that end a plain stretch of a string.
const ENDS_STRETCH: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte < 0x20 || byte == b'"' as usize || byte == b'\\' as usize;
        byte += 1;
    }
    table
};

/// Whether the whole text is one value.
pub(super) fn recognize(text: &str) -> Result<(), Stop> {
    let mut reader = Reader::new(text);
    reader.value()?;
    reader.skip_blanks();
    if reader.at == text.len() {
        Ok(())
    } else {
        Err(reader.stop(Reason::Trailing))
    }
}

/// Where the value at the start of a text ends.
pub(super) fn recognize_prefix(text: &str) -> Result<usize, Stop> {
    let mut reader = Reader::new(text);
    reader.value()?;
    Ok(reader.at)
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: u32,
    /// A bit for each open container: whether it is an object.
    objects: u128,
}

type Read<T = ()> = Result<T, Stop>;

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            depth: 0,
            objects: 0,
        }
    }

    fn stop(&self, reason: Reason) -> Stop {
        Stop {
            at: self.at,
            reason,
        }
    }

    fn fail<T>(&self) -> Read<T> {
        Err(self.stop(Reason::Syntax))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Takes a byte after white space if it is this one.
    fn takes(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn value(&mut self) -> Read {
        loop {
            self.skip_blanks();
            let opened = match self.peek() {
                Some(b'{') => self.open(true)?,
                Some(b'[') => self.open(false)?,
                Some(b'"') => {
                    self.string()?;
                    false
                }
                Some(b'-' | b'0'..=b'9') => {
                    self.number()?;
                    false
                }
                _ => {
                    self.literal()?;
                    false
                }
            };
            if !opened && !self.goes_on()? {
                return Ok(());
            }
        }
    }

    /// Opens a container; true when a value is due in it, false when it has closed already.
    fn open(&mut self, is_object: bool) -> Read<bool> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.stop(Reason::Depth));
        }
        self.at += 1;
        self.objects = self.objects << 1 | u128::from(is_object);
        if self.takes(if is_object { b'}' } else { b']' }) {
            self.close();
            return Ok(false);
        }
        if is_object {
            self.key()?;
        }
        Ok(true)
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.objects >>= 1;
    }

    fn key(&mut self) -> Read {
        self.skip_blanks();
        if self.peek() != Some(b'"') {
            return self.fail();
        }
        self.string()?;
        if self.takes(b':') {
            Ok(())
        } else {
            self.fail()
        }
    }

    /// Behind a value: whether another one is due.
    fn goes_on(&mut self) -> Read<bool> {
        while self.depth > 0 {
            let is_object = self.objects & 1 == 1;
            if self.takes(b',') {
                if is_object {
                    self.key()?;
                }
                return Ok(true);
            }
            if !self.takes(if is_object { b'}' } else { b']' }) {
                return self.fail();
            }
            self.close();
        }
        Ok(false)
    }

    fn literal(&mut self) -> Read {
        for word in [&b"true"[..], b"false", b"null"] {
            if self.bytes[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(());
            }
        }
        self.fail()
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|it| it.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Read {
        /// Numbers of fewer bytes are within f64 unless they have an exponent.
        const SURELY_FINITE: usize = 300;
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let starts_with_zero = self.peek() == Some(b'0');
        let n_digits = self.digits();
        if n_digits == 0 || (starts_with_zero && n_digits > 1) {
            return self.fail();
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return self.fail();
            }
        }
        let has_exponent = matches!(self.peek(), Some(b'e' | b'E'));
        if has_exponent {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            if self.digits() == 0 {
                return self.fail();
            }
        }
        let is_certain = !has_exponent && self.at - start < SURELY_FINITE;
        if is_certain || serde_json::from_str::<Number>(&self.text[start..self.at]).is_ok() {
            Ok(())
        } else {
            self.fail()
        }
    }

    fn string(&mut self) -> Read {
        self.at += 1;
        loop {
            let rest = &self.bytes[self.at..];
            let n_plain = rest.iter().position(|it| ENDS_STRETCH[usize::from(*it)]);
            self.at += n_plain.unwrap_or(rest.len());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                _ => return self.fail(),
            }
        }
    }

    fn escape(&mut self) -> Read {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 1;
                Ok(())
            }
            Some(b'u') => self.unicode(),
            _ => self.fail(),
        }
    }

    /// A code unit of UTF-16, with its second half if it is a first one.
    fn unicode(&mut self) -> Read {
        let unit = self.unit()?;
        if (0xDC00..0xE000).contains(&unit) {
            return self.fail();
        }
        if !(0xD800..0xDC00).contains(&unit) {
            return Ok(());
        }
        if self.peek() != Some(b'\\') {
            return self.fail();
        }
        self.at += 1;
        if self.peek() != Some(b'u') || !(0xDC00..0xE000).contains(&self.unit()?) {
            return self.fail();
        }
        Ok(())
    }

    /// The four digits behind a `u`.
    fn unit(&mut self) -> Read<u32> {
        self.at += 1;
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|it| char::from(it).to_digit(16));
            let Some(digit) = digit else {
                return self.fail();
            };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }
}
