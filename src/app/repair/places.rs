//! Where in the reply each part of the value stands, so that faults can point into the text and the text at faults.

use std::ops::Range;

use serde_json::Value;

use super::spans::{MAX_NODES, Node, child, nodes};
use crate::ladder::{Climb, Repair, Rung};

/// Brackets at which the value is looked for.
const MAX_STARTS: usize = 400;
/// Bytes of text that are read for it, times the length of the text, and at least.
const MAX_PASSES: usize = 6;
const MIN_STEPS: usize = 100_000;

/// Byte ranges of the reply by JSON pointer, in the order of the value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    nodes: Vec<Node>,
}

impl Places {
    /// Applies the climb's edits to the reply, finds the value in the mended text, and maps its parts back.
    /// Where that fails the keys are looked for one after the other.
    pub fn of(reply: &str, climb: &Climb) -> Self {
        let Some(value) = climb.value() else {
            return Self::default();
        };
        Self::of_mended(reply, climb).unwrap_or_else(|| Self {
            nodes: by_keys(reply, edits(climb), value),
        })
    }

    /// None where the value does not stand in the mended text.
    pub(crate) fn of_mended(reply: &str, climb: &Climb) -> Option<Self> {
        let mended = Mended::new(reply, edits(climb));
        let found = mended.find(climb.value()?)?;
        Some(Self {
            nodes: found.into_iter().map(|it| mended.back(it)).collect(),
        })
    }

    /// Where a part of the value stands. For what is not in the text, such as a missing key, its nearest parent.
    pub fn range(&self, pointer: &str) -> Option<Range<usize>> {
        let mut pointer = pointer;
        loop {
            // Of a duplicate key the last one counts.
            if let Some(node) = self.nodes.iter().rev().find(|it| it.pointer == pointer) {
                return Some(node.value.clone());
            }
            pointer = &pointer[..pointer.rfind('/')?];
        }
    }

    /// The key of a part of the value, or the part itself where it has none.
    pub fn key_range(&self, pointer: &str) -> Option<Range<usize>> {
        let node = self.nodes.iter().rev().find(|it| it.pointer == pointer);
        node.and_then(|it| it.key.clone())
            .or_else(|| self.range(pointer))
    }

    /// The innermost part of the value at a place of the reply; a key belongs to its value.
    pub fn at(&self, offset: usize) -> Option<&str> {
        let holds = |it: &&Node| {
            let start = it.key.as_ref().map_or(it.value.start, |key| key.start);
            (start..it.value.end.max(start + 1)).contains(&offset)
        };
        self.nodes
            .iter()
            .rev()
            .find(holds)
            .map(|it| it.pointer.as_str())
    }

    /// Each part of the value with the places of its key and of itself.
    pub fn parts(&self) -> impl Iterator<Item = (&str, Option<&Range<usize>>, &Range<usize>)> {
        let nodes = self.nodes.iter();
        nodes.map(|it| (it.pointer.as_str(), it.key.as_ref(), &it.value))
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

fn edits(climb: &Climb) -> &[Repair] {
    match climb.rung {
        Some(Rung::Repair) => climb.repairs(),
        _ => &[],
    }
}

/// The reply with its edits made.
struct Mended {
    text: String,
    pieces: Vec<Piece>,
}

/// A stretch of the mended text: copied from the reply, or put in by an edit.
struct Piece {
    start: usize,
    end: usize,
    from: Range<usize>,
    is_edit: bool,
}

impl Mended {
    fn new(reply: &str, edits: &[Repair]) -> Self {
        let mut mended = Self {
            text: String::with_capacity(reply.len()),
            pieces: Vec::new(),
        };
        let mut sorted: Vec<&Repair> = edits.iter().collect();
        sorted.sort_by_key(|it| it.offset);
        let mut done = 0;
        for edit in sorted {
            let end = edit.offset + edit.before.len();
            if edit.offset < done || !reply.is_char_boundary(end.min(reply.len())) {
                continue;
            }
            mended.add(reply, done..edit.offset, None);
            mended.add(reply, edit.offset..end.min(reply.len()), Some(&edit.after));
            done = end.min(reply.len());
        }
        mended.add(reply, done..reply.len(), None);
        mended
    }

    fn add(&mut self, reply: &str, from: Range<usize>, after: Option<&str>) {
        let start = self.text.len();
        let copied = reply.get(from.clone()).unwrap_or_default();
        self.text.push_str(after.unwrap_or(copied));
        self.pieces.push(Piece {
            start,
            end: self.text.len(),
            from,
            is_edit: after.is_some(),
        });
    }

    /// The nodes of the first place where the text holds this value.
    fn find(&self, value: &Value) -> Option<Vec<Node>> {
        let mut n_left = (self.text.len() * MAX_PASSES).max(MIN_STEPS);
        let opens = |it: &(usize, char)| match value {
            Value::Object(_) => it.1 == '{',
            Value::Array(_) => it.1 == '[',
            Value::String(_) => it.1 == '"',
            _ => it.1.is_ascii_alphanumeric() || it.1 == '-',
        };
        let starts = self.text.char_indices().filter(opens).take(MAX_STARTS);
        for (start, _) in starts {
            let found = nodes(&self.text, start, &mut n_left);
            if let Some(found) = found
                && let Some(root) = found.first()
                && serde_json::from_str::<Value>(&self.text[root.value.clone()])
                    .is_ok_and(|it| it == *value)
            {
                return Some(found);
            }
            if n_left == 0 {
                return None;
            }
        }
        None
    }

    fn back(&self, node: Node) -> Node {
        Node {
            key: node.key.map(|it| self.range(&it)),
            value: self.range(&node.value),
            pointer: node.pointer,
        }
    }

    fn range(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.offset(range.start, true);
        start..self.offset(range.end, false).max(start)
    }

    /// The place in the reply. Within an edit it is the edit's own start or end.
    fn offset(&self, at: usize, is_start: bool) -> usize {
        let idx = if is_start {
            self.pieces.partition_point(|it| it.end <= at)
        } else {
            self.pieces.partition_point(|it| it.end < at)
        };
        let Some(piece) = self.pieces.get(idx).or(self.pieces.last()) else {
            return 0;
        };
        match (piece.is_edit, is_start) {
            (true, true) => piece.from.start,
            (true, false) => piece.from.end,
            (false, _) => (piece.from.start + at.saturating_sub(piece.start)).min(piece.from.end),
        }
    }
}

/// Looks for the value's keys in their order. An object reaches as far as the last thing that was found in it.
fn by_keys(reply: &str, edits: &[Repair], value: &Value) -> Vec<Node> {
    let first = edits.iter().map(|it| it.offset).min().unwrap_or(0);
    let open = reply[..floor(reply, first)].rfind(['{', '[']);
    let mut search = Search {
        reply,
        at: open.unwrap_or(0),
        nodes: Vec::new(),
    };
    search.add(value, "", None);
    search.nodes
}

struct Search<'a> {
    reply: &'a str,
    at: usize,
    nodes: Vec<Node>,
}

impl Search<'_> {
    fn add(&mut self, value: &Value, pointer: &str, key: Option<Range<usize>>) {
        if self.nodes.len() >= MAX_NODES {
            return;
        }
        let idx = self.nodes.len();
        let start = self.at;
        self.nodes.push(Node {
            pointer: pointer.to_owned(),
            key,
            value: start..start,
        });
        match value {
            Value::Object(map) => {
                for (name, field) in map {
                    let key = self.find(name);
                    self.add(field, &child(pointer, name), key);
                }
            }
            Value::Array(items) => {
                for (n, item) in items.iter().enumerate() {
                    self.add(item, &format!("{pointer}/{n}"), None);
                }
            }
            Value::String(text) => self.take(idx, text),
            other => self.take(idx, &other.to_string()),
        }
        let end = self.at.max(self.nodes[idx].value.start);
        self.nodes[idx].value.end = end;
    }

    fn take(&mut self, idx: usize, text: &str) {
        if let Some(range) = self.find(text) {
            self.nodes[idx].value = range;
        }
    }

    /// The next place of a text, not far from here.
    fn find(&mut self, text: &str) -> Option<Range<usize>> {
        const FAR: usize = 2_000;
        let end = floor(
            self.reply,
            (self.at + text.len() + FAR).min(self.reply.len()),
        );
        let start = self.at + self.reply.get(self.at..end)?.find(text)?;
        self.at = start + text.len();
        Some(start..self.at)
    }
}

/// The character boundary at or before a place.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|it| text.is_char_boundary(*it))
        .unwrap_or(0)
}
