//! The value under construction: a flat document and a stack of open containers instead of recursion.

use std::collections::HashMap;
use std::hash::BuildHasher as _;

use super::document::{Document, Node, Offset, Size, Span, offset};

/// The deepest nesting that is taken, as in `serde_json`.
pub(super) const MAX_DEPTH: usize = 128;

/// So many pairs are looked through one by one; the keys of more are found by their hash.
const FEW_PAIRS: usize = 16;

/// What an open container is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    Object,
    Array,
    /// Round brackets: a tuple of Python.
    Tuple {
        comma: bool,
        /// Which edit of the log tells of its opening bracket.
        edit: u32,
    },
    /// A call such as `ObjectId("…")`: its one argument is the value.
    Call,
}

/// An open container and what it holds so far.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) container: Container,
    /// Its node in the document.
    node: usize,
    /// The value of a key is due; the key is the last node.
    has_key: bool,
    /// Items, or distinct keys.
    n_items: usize,
    /// The node of the value that is last in its order.
    last: usize,
    holds_container: bool,
    /// Pairs, of which several can have one key.
    n_pairs: usize,
    /// A bit for each of its keys; most keys have one of their own.
    seen: u64,
    /// The nodes of its keys by their hash, once they are many.
    #[expect(
        clippy::box_collection,
        reason = "few objects need it, and the stack of containers stays small"
    )]
    index: Option<Box<HashMap<u64, usize>>>,
}

/// The kinds of container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Root,
    Object,
    Array,
    Round,
}

/// What adding a value did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// It went into the open container.
    Inside,
    /// A key came twice: the nodes of the key and of the value that is lost.
    Replaced { key: Offset, lost: Offset },
    /// Nothing was open, so it is the root.
    Root,
}

/// The open containers, outermost first, and the document they grow in.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    source: &'a str,
    pub(super) document: Document,
    pub(super) open: Vec<Open>,
}

impl Container {
    #[inline]
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Object => Kind::Object,
            Self::Array => Kind::Array,
            Self::Tuple { .. } | Self::Call => Kind::Round,
        }
    }
}

impl Open {
    pub(super) fn kind(&self) -> Kind {
        self.container.kind()
    }

    /// The brackets it has in JSON.
    pub(super) fn brackets(&self) -> (&'static str, &'static str) {
        match self.container {
            _ if self.is_wrapper() => ("", ""),
            Container::Object => ("{", "}"),
            _ => ("[", "]"),
        }
    }

    /// Whether it only stands around its one value.
    fn is_wrapper(&self) -> bool {
        match self.container {
            Container::Tuple { comma, .. } => self.n_items == 1 && !comma,
            Container::Call => true,
            _ => false,
        }
    }
}

impl Open {
    /// Remembers a key; false when it cannot have come before.
    #[inline]
    fn sees(&mut self, key: &[u8]) -> bool {
        let byte = |at: usize| key.get(at).map_or(0, |it| usize::from(*it));
        let n_bytes = key.len();
        let mark = n_bytes + 5 * byte(n_bytes / 2) + 11 * byte(n_bytes.wrapping_sub(1));
        let bit = 1 << (mark % 64);
        let is_seen = self.seen & bit != 0;
        self.seen |= bit;
        is_seen
    }
}

impl<'a> Tree<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        // Enough for a small reply; a large one pays for its own growth.
        let n_nodes = (source.len() / 4).clamp(4, 128);
        Self {
            source,
            document: Document {
                nodes: Vec::with_capacity(n_nodes),
                own: String::new(),
            },
            open: Vec::with_capacity(4),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        self.open.last().map_or(Kind::Root, Open::kind)
    }

    #[inline]
    pub(super) fn parent_kind(&self) -> Kind {
        match self.open.len() {
            0 | 1 => Kind::Root,
            n => self.open[n - 2].kind(),
        }
    }

    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether a container of this kind is open anywhere.
    #[inline]
    pub(super) fn has(&self, kind: Kind) -> bool {
        // Looked at from the inside; the depth is bounded, so this is a constant.
        self.open.iter().rev().any(|it| it.kind() == kind)
    }

    #[inline]
    pub(super) fn push(&mut self, container: Container) {
        self.ensure_key();
        let node = self.document.nodes.len();
        self.document.nodes.push(match container {
            Container::Object => Node::Object(Size::default()),
            _ => Node::Array(Size::default()),
        });
        self.open.push(Open {
            container,
            node,
            has_key: false,
            n_items: 0,
            last: 0,
            holds_container: false,
            n_pairs: 0,
            seen: 0,
            index: None,
        });
    }

    /// Whether the open container has no value yet.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.open.last().is_none_or(|it| it.n_items == 0)
    }

    /// Whether the last values of the open container, or of the one that has just closed in it, could as well
    /// stand in the one around them.
    pub(super) fn is_crowded(&self) -> bool {
        let Some(open) = self.open.last() else {
            return false;
        };
        let kind = open.kind();
        let is_large = match (&self.document.nodes[open.last], kind) {
            (Node::Object(size), Kind::Object) | (Node::Array(size), Kind::Array) => {
                open.n_items > 0 && size.n_items > 1
            }
            _ => false,
        };
        let can_move = matches!(kind, Kind::Object | Kind::Array)
            && open.n_items > 1
            && self.parent_kind() == kind;
        is_large || can_move
    }

    /// Whether a pair, a key with its end or a container has been read at all.
    pub(super) fn has_any(&self) -> bool {
        self.open.iter().any(|it| match it.container {
            Container::Object => it.n_items > 0 || it.has_key,
            Container::Array | Container::Tuple { .. } => it.holds_container,
            Container::Call => false,
        })
    }

    #[inline]
    pub(super) fn key(&self) -> Option<&str> {
        let has_key = self.open.last()?.has_key;
        let last = self.document.nodes.len().checked_sub(1)?;
        has_key.then(|| self.document.key_at(last, self.source))
    }

    #[inline]
    pub(super) fn set_key(&mut self, span: Span) {
        self.drop_key();
        if let Some(open) = self.open.last_mut() {
            open.has_key = true;
            self.document.nodes.push(Node::Text(span));
        }
    }

    /// Forgets a key that gets no value; returns it.
    pub(super) fn take_key(&mut self) -> Option<String> {
        let key = self.key()?.to_owned();
        self.drop_key();
        Some(key)
    }

    #[inline]
    fn drop_key(&mut self) {
        if let Some(open) = self.open.last_mut()
            && std::mem::take(&mut open.has_key)
        {
            self.document.nodes.pop();
        }
    }

    /// A value in an object has a key, if only an empty one.
    #[inline]
    fn ensure_key(&mut self) {
        if let Some(open) = self.open.last()
            && open.container == Container::Object
            && !open.has_key
        {
            self.set_key(Span::own(0, 0));
        }
    }

    /// Remembers a comma in round brackets: `(1,)` is a tuple, `(1)` is not.
    #[inline]
    pub(super) fn saw_comma(&mut self) {
        if let Some(Container::Tuple { comma, .. }) =
            self.open.last_mut().map(|it| &mut it.container)
        {
            *comma = true;
        }
    }

    /// Puts in a scalar and counts it.
    pub(super) fn add_scalar(&mut self, node: Node) -> Added {
        self.ensure_key();
        let at = self.document.nodes.len();
        self.document.nodes.push(node);
        self.settle(at)
    }

    /// Closes the innermost container; none when it is a call without its one argument.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Added> {
        let open = self.open.pop()?;
        if open.is_wrapper() {
            if open.n_items != 1 {
                return None;
            }
            self.document.nodes.remove(open.node);
        } else {
            let size = Size {
                n_items: offset(open.n_items),
                n_nodes: offset(self.document.nodes.len() - open.node - 1),
            };
            self.document.nodes[open.node] = match open.container {
                Container::Object => Node::Object(size),
                _ => Node::Array(size),
            };
        }
        if let Some(outer) = self.open.last_mut() {
            outer.holds_container |= self.document.nodes[open.node].is_container();
        }
        Some(self.settle(open.node))
    }

    /// Counts a whole value in the container it stands in.
    #[inline]
    fn settle(&mut self, node: usize) -> Added {
        let Some(open) = self.open.last_mut() else {
            return Added::Root;
        };
        if open.container != Container::Object {
            open.n_items += 1;
            open.last = node;
            return Added::Inside;
        }
        open.has_key = false;
        open.n_pairs += 1;
        let key = self.document.key_bytes(node - 1, self.source);
        let is_seen = open.sees(key);
        if open.n_pairs <= FEW_PAIRS && !is_seen {
            open.n_items += 1;
            open.last = node;
            return Added::Inside;
        }
        self.settle_pair(node)
    }

    /// Counts a whole pair whose key may have come before; the key is the node before its value.
    #[cold]
    fn settle_pair(&mut self, node: usize) -> Added {
        let key = node - 1;
        let earlier = match self.open.last() {
            Some(open) if open.n_pairs <= FEW_PAIRS => {
                let first = open.node + 1;
                self.document.earlier_key(first, key, self.source)
            }
            _ => self.indexed_key(key),
        };
        let Some(open) = self.open.last_mut() else {
            return Added::Root;
        };
        let Some(earlier) = earlier else {
            open.n_items += 1;
            open.last = node;
            return Added::Inside;
        };
        let lost = earlier + 1;
        if open.last == lost {
            open.last = node;
        }
        Added::Replaced {
            key: offset(key),
            lost: offset(lost),
        }
    }

    /// The last key before this one that equals it, in an object of many pairs. Takes the key into the index.
    fn indexed_key(&mut self, key: usize) -> Option<usize> {
        let document = &self.document;
        let open = self.open.last_mut()?;
        let first = open.node + 1;
        let bytes = |node| document.key_bytes(node, self.source);
        let index = open.index.get_or_insert_with(|| {
            let mut index = HashMap::new();
            for node in document.keys(first, key) {
                index.insert(index.hasher().hash_one(bytes(node)), node);
            }
            Box::new(index)
        });
        let found = index.insert(index.hasher().hash_one(bytes(key)), key)?;
        if bytes(found) == bytes(key) {
            return Some(found);
        }
        // Two keys of one hash: so rare that a long search does no harm.
        document.earlier_key(first, key, self.source)
    }
}
