//! The value under construction: a flat document and a stack of open containers instead of recursion.

use std::collections::HashMap;
use std::hash::BuildHasher as _;

use super::document::{Document, Node, Size, Span, offset};
use super::marks::mark;

/// The deepest nesting that is taken, as in `serde_json`.
pub(super) const MAX_DEPTH: usize = 128;

/// So many keys are looked through one by one; more are found by their hash.
const FEW_KEYS: usize = 16;

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
    /// Its first key on the stack of keys.
    first_key: usize,
    /// Its keys by their hash, once they are many.
    #[expect(
        clippy::box_collection,
        reason = "few objects need it, and the stack of containers stays small"
    )]
    index: Option<Box<HashMap<u64, usize>>>,
}

/// A key of an open object.
#[derive(Clone, Copy, Debug)]
struct Key {
    /// Differs for most keys that differ.
    mark: u64,
    node: usize,
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
    Replaced(usize, usize),
    /// Nothing was open, so it is the root.
    Root,
}

/// The open containers, outermost first, and the document they grow in.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    source: &'a str,
    pub(super) document: Document,
    pub(super) open: Vec<Open>,
    /// The keys of all open objects.
    keys: Vec<Key>,
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
            keys: Vec::with_capacity(16),
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
            first_key: self.keys.len(),
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

    /// Puts in a scalar, which is then to be settled.
    #[inline]
    pub(super) fn put(&mut self, node: Node) {
        self.ensure_key();
        self.document.nodes.push(node);
    }

    /// Counts the scalar that was put in last.
    pub(super) fn settle_last(&mut self) -> Added {
        self.settle(self.document.nodes.len() - 1)
    }

    /// Closes the innermost container; none when it is a call without its one argument.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Added> {
        let open = self.open.pop()?;
        self.keys.truncate(open.first_key);
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
        Some(self.settle(open.node))
    }

    /// Counts a whole value in the container it stands in.
    #[inline]
    fn settle(&mut self, node: usize) -> Added {
        let Some(open) = self.open.last_mut() else {
            return Added::Root;
        };
        open.holds_container |= self.document.nodes[node].is_container();
        if open.container != Container::Object {
            open.n_items += 1;
            open.last = node;
            return Added::Inside;
        }
        open.has_key = false;
        let key_node = node - 1;
        let mark = mark(self.document.key_bytes(key_node, self.source));
        let earlier = &self.keys[open.first_key..];
        let found = if open.index.is_none() && !earlier.iter().any(|it| it.mark == mark) {
            None
        } else {
            self.find_key(mark, key_node)
        };
        let Some(open) = self.open.last_mut() else {
            return Added::Root;
        };
        let Some(found) = found else {
            self.keys.push(Key {
                mark,
                node: key_node,
            });
            open.n_items += 1;
            open.last = node;
            let n_items = open.n_items;
            if n_items > FEW_KEYS {
                self.index_key(key_node);
            }
            return Added::Inside;
        };
        let lost = std::mem::replace(&mut self.keys[found].node, key_node) + 1;
        if open.last == lost {
            open.last = node;
        }
        Added::Replaced(key_node, lost)
    }

    /// Where on the stack of keys the open object has this key.
    #[inline]
    fn find_key(&self, mark: u64, node: usize) -> Option<usize> {
        let open = self.open.last()?;
        let key = self.document.key_bytes(node, self.source);
        let is_same =
            |it: &Key| it.mark == mark && self.document.key_bytes(it.node, self.source) == key;
        let keys = &self.keys[open.first_key..];
        if let Some(index) = &open.index {
            let found = *index.get(&index.hasher().hash_one(key))?;
            if is_same(&self.keys[found]) {
                return Some(found);
            }
            // Two keys of one hash: so rare that a long search does no harm.
        }
        let found = keys.iter().position(is_same)?;
        Some(open.first_key + found)
    }

    /// Takes the key on top of the stack into the index, if its object has many.
    fn index_key(&mut self, node: usize) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let top = self.keys.len() - 1;
        if let Some(index) = &mut open.index {
            let key = self.document.key_bytes(node, self.source);
            let hash = index.hasher().hash_one(key);
            index.insert(hash, top);
            return;
        }
        let mut index = HashMap::new();
        for (n, key) in self.keys.iter().enumerate().skip(open.first_key) {
            let key = self.document.key_bytes(key.node, self.source);
            let hash = index.hasher().hash_one(key);
            index.insert(hash, n);
        }
        open.index = Some(Box::new(index));
    }
}
