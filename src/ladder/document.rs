//! A value as it was read: one flat list of nodes over its text, made into a `Value` when somebody asks.

use std::ops::Range;

use serde_json::{Map, Number, Value};

/// A place in a text. Half as wide as the machine's, because there are very many; replies are shorter than that.
pub(super) type Offset = u32;

/// The longest reply that is read, in bytes; a prefill comes on top of it.
pub(super) const LONGEST: usize = (OWN / 2) as usize;

/// A place of a text that is no longer than the longest.
#[inline]
pub(super) fn offset(at: usize) -> Offset {
    Offset::try_from(at).unwrap_or(Offset::MAX >> 1)
}

/// Where a string stands: in the text that was parsed, or in what was put together beside it.
///
/// The lower half is the start, with the bit of `OWN` when it stands beside the text; the upper half is the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span(u64);

/// No place is as large as this bit.
const OWN: Offset = 1 << 31;

/// A scalar, a key, or a container that the nodes behind it belong to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    /// A string, or the key of the node behind it.
    Text(Span),
    Array(Size),
    /// Its nodes are keys and values by turns; a key that comes twice is there twice.
    Object(Size),
}

/// How large a container is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// Items, or distinct keys.
    pub(super) n_items: u32,
    /// Nodes in it at any depth.
    pub(super) n_nodes: u32,
}

/// The nodes of a value, the root first, each container before what it holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Document {
    pub(super) nodes: Vec<Node>,
    /// The strings that do not stand in the text as they are meant.
    pub(super) own: String,
}

impl Document {
    /// A string of the document; `source` is the text that was parsed.
    #[inline]
    pub(super) fn text<'a>(&'a self, span: Span, source: &'a str) -> &'a str {
        let text = if span.is_own() { &self.own } else { source };
        text.get(span.place()).unwrap_or_default()
    }

    /// Keeps a string that does not stand in the text like this.
    pub(super) fn keep(&mut self, text: &str) -> Span {
        let start = self.own.len();
        self.own.push_str(text);
        Span::own(start, self.own.len())
    }

    /// Moves the stretches of the text by so many bytes.
    pub(super) fn shift(&mut self, by: usize) {
        for node in &mut self.nodes {
            if let Node::Text(span) = node
                && !span.is_own()
            {
                let place = span.place();
                *span = Span::source(place.start + by, place.end + by);
            }
        }
    }

    #[inline]
    pub(super) fn root(&self) -> &Node {
        self.nodes.first().unwrap_or(&Node::Null)
    }

    /// The nodes right inside an array at the root.
    pub(super) fn items(&self) -> impl Iterator<Item = &Node> {
        let mut at = 1;
        std::iter::from_fn(move || {
            let node = self.nodes.get(at)?;
            at += node.n_nodes();
            Some(node)
        })
    }

    /// The value of the node at a place.
    pub(super) fn value_at(&self, at: usize, source: &str) -> Value {
        self.next_value(&mut { at }, source)
    }

    pub(super) fn value(&self, source: &str) -> Value {
        self.value_at(0, source)
    }

    /// Makes the value at a place and moves the place behind it. The depth is bounded.
    fn next_value(&self, at: &mut usize, source: &str) -> Value {
        let Some(node) = self.nodes.get(*at) else {
            return Value::Null;
        };
        let end = *at + node.n_nodes();
        *at += 1;
        match node {
            Node::Null => Value::Null,
            Node::Bool(it) => Value::Bool(*it),
            Node::Unsigned(it) => Value::from(*it),
            Node::Signed(it) => Value::from(*it),
            Node::Float(it) => Value::from(*it),
            Node::Text(span) => Value::String(self.text(*span, source).to_owned()),
            Node::Array(size) => {
                let mut items = Vec::with_capacity(size.n_items as usize);
                while *at < end {
                    items.push(self.next_value(at, source));
                }
                Value::Array(items)
            }
            Node::Object(size) => {
                let mut map = Map::with_capacity(size.n_items as usize);
                while *at < end {
                    let key = self.key_at(*at, source).to_owned();
                    *at += 1;
                    map.insert(key, self.next_value(at, source));
                }
                Value::Object(map)
            }
        }
    }

    /// The last key before the one at a place that equals it; the first key of the object stands at `first`.
    pub(super) fn earlier_key(&self, first: usize, at: usize, source: &str) -> Option<usize> {
        let key = self.key_bytes(at, source);
        let is_same = |it: &usize| self.key_bytes(*it, source) == key;
        self.keys(first, at).filter(is_same).last()
    }

    /// The nodes of the keys in an object, from the first one on up to a place.
    pub(super) fn keys(&self, first: usize, end: usize) -> impl Iterator<Item = usize> {
        let mut at = first;
        std::iter::from_fn(move || {
            let key = at;
            at += 1 + self.nodes.get(at + 1).map_or(1, Node::n_nodes);
            (key < end).then_some(key)
        })
    }

    /// The bytes of the key at a place.
    #[inline]
    pub(super) fn key_bytes<'a>(&'a self, at: usize, source: &'a str) -> &'a [u8] {
        let Some(Node::Text(span)) = self.nodes.get(at) else {
            return &[];
        };
        let text = if span.is_own() { &self.own } else { source };
        text.as_bytes().get(span.place()).unwrap_or_default()
    }

    #[inline]
    pub(super) fn key_at<'a>(&'a self, at: usize, source: &'a str) -> &'a str {
        match self.nodes.get(at) {
            Some(Node::Text(span)) => self.text(*span, source),
            _ => "",
        }
    }
}

impl Span {
    #[inline]
    pub(super) fn source(start: usize, end: usize) -> Self {
        Self(u64::from(offset(start)) | u64::from(offset(end)) << 32)
    }

    #[inline]
    pub(super) fn own(start: usize, end: usize) -> Self {
        Self(Self::source(start, end).0 | u64::from(OWN))
    }

    #[inline]
    pub(super) fn is_own(self) -> bool {
        self.0 & u64::from(OWN) != 0
    }

    #[inline]
    pub(super) fn place(self) -> Range<usize> {
        (self.0 as Offset & !OWN) as usize..(self.0 >> 32) as usize
    }
}

impl From<Number> for Node {
    fn from(number: Number) -> Self {
        if let Some(it) = number.as_u64() {
            Self::Unsigned(it)
        } else if let Some(it) = number.as_i64() {
            Self::Signed(it)
        } else {
            Self::Float(number.as_f64().unwrap_or_default())
        }
    }
}

impl Node {
    /// How many nodes it is, with all that it holds.
    #[inline]
    fn n_nodes(&self) -> usize {
        match self {
            Self::Array(size) | Self::Object(size) => size.n_nodes as usize + 1,
            _ => 1,
        }
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    #[inline]
    pub(super) fn is_container(&self) -> bool {
        matches!(self, Self::Object(_) | Self::Array(_))
    }

    /// Whether it is a container that holds nothing.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Object(size) | Self::Array(size) if size.n_items == 0)
    }
}
