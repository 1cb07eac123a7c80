//! A strict walk over JSON text that remembers where each value stands.

use std::ops::Range;

/// Values that are remembered; a reply with more is past reading.
pub(super) const MAX_NODES: usize = 20_000;
/// As deep as the ladder reads.
const MAX_DEPTH: usize = 128;

/// A value in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// JSON pointer; empty for the root.
    pub(super) pointer: String,
    /// The key with its quotes; none for items and the root.
    pub(super) key: Option<Range<usize>>,
    pub(super) value: Range<usize>,
}

/// The nodes of the value that begins at a place, in the order of the text. None where no JSON begins there.
/// `n_left` is the number of bytes that may still be read.
pub(super) fn nodes(text: &str, start: usize, n_left: &mut usize) -> Option<Vec<Node>> {
    let mut walk = Walk {
        bytes: text.as_bytes(),
        text,
        at: start,
        nodes: Vec::new(),
        n_left,
    };
    walk.value("", None, 0)?;
    Some(walk.nodes)
}

struct Walk<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    nodes: Vec<Node>,
    n_left: &'a mut usize,
}

impl Walk<'_> {
    /// The depth is bounded, so this may call itself.
    fn value(&mut self, pointer: &str, key: Option<Range<usize>>, depth: usize) -> Option<()> {
        self.blank();
        let start = self.at;
        let idx = self.nodes.len();
        if depth > MAX_DEPTH {
            return None;
        }
        if idx < MAX_NODES {
            self.nodes.push(Node {
                pointer: pointer.to_owned(),
                key,
                value: start..start,
            });
        }
        match self.peek()? {
            b'{' => self.object(pointer, depth)?,
            b'[' => self.array(pointer, depth)?,
            b'"' => {
                self.string()?;
            }
            _ => self.word()?,
        }
        let end = self.at;
        if let Some(node) = self.nodes.get_mut(idx) {
            node.value.end = end;
        }
        Some(())
    }

    fn object(&mut self, pointer: &str, depth: usize) -> Option<()> {
        self.step()?;
        self.blank();
        if self.peek()? == b'}' {
            return self.step();
        }
        loop {
            self.blank();
            let key = self.string()?;
            let name: String = serde_json::from_str(self.text.get(key.clone())?).ok()?;
            self.blank();
            self.take(b':')?;
            self.value(&child(pointer, &name), Some(key), depth + 1)?;
            self.blank();
            if self.peek()? == b'}' {
                return self.step();
            }
            self.take(b',')?;
        }
    }

    fn array(&mut self, pointer: &str, depth: usize) -> Option<()> {
        self.step()?;
        self.blank();
        if self.peek()? == b']' {
            return self.step();
        }
        for idx in 0.. {
            self.value(&format!("{pointer}/{idx}"), None, depth + 1)?;
            self.blank();
            if self.peek()? == b']' {
                return self.step();
            }
            self.take(b',')?;
        }
        None
    }

    fn string(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        self.take(b'"')?;
        loop {
            match self.peek()? {
                b'"' => {
                    self.step()?;
                    return Some(start..self.at);
                }
                b'\\' => {
                    self.step()?;
                    self.step()?;
                }
                _ => self.step()?,
            }
        }
    }

    /// A number or a literal; whether it is one is for the comparison with the value to say.
    fn word(&mut self) -> Option<()> {
        let start = self.at;
        let is_part = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'+' | b'.');
        while self.peek().is_some_and(is_part) {
            self.step()?;
        }
        (self.at > start).then_some(())
    }

    fn blank(&mut self) {
        let is_blank = |it: u8| matches!(it, b' ' | b'\t' | b'\r' | b'\n');
        while self.peek().is_some_and(is_blank) {
            if self.step().is_none() {
                return;
            }
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.step())?
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn step(&mut self) -> Option<()> {
        *self.n_left = self.n_left.checked_sub(1)?;
        (self.at < self.bytes.len()).then(|| self.at += 1)
    }
}

/// The pointer of a key below a pointer.
pub(super) fn child(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}
