//! The value under construction: a stack of open containers instead of recursion.

use serde_json::map::Entry;
use serde_json::{Map, Value};

/// The deepest nesting that is taken, as in `serde_json`.
pub(super) const MAX_DEPTH: usize = 128;

/// What an open container holds so far.
#[derive(Debug)]
pub(super) enum Node {
    Object {
        map: Map<String, Value>,
        key: Option<String>,
    },
    Array(Vec<Value>),
    /// Round brackets: a tuple of Python.
    Tuple {
        items: Vec<Value>,
        comma: bool,
        /// Which edit of the log tells of its opening bracket.
        edit: usize,
    },
    /// A call such as `ObjectId("…")`: its one argument is the value.
    Call(Vec<Value>),
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
#[derive(Debug, PartialEq)]
pub(super) enum Added {
    /// It went into the open container.
    Inside,
    /// A key came twice: the key and the value that is lost.
    Replaced(String, Value),
    /// Nothing was open, so it is the root.
    Root(Value),
}

/// The open containers, outermost first.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Node {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Object { .. } => Kind::Object,
            Self::Array(_) => Kind::Array,
            Self::Tuple { .. } | Self::Call(_) => Kind::Round,
        }
    }

    /// The brackets it has in JSON.
    pub(super) fn brackets(&self) -> (&'static str, &'static str) {
        match self {
            Self::Object { .. } => ("{", "}"),
            Self::Tuple { items, comma, .. } if items.len() == 1 && !comma => ("", ""),
            Self::Array(_) | Self::Tuple { .. } => ("[", "]"),
            Self::Call(_) => ("", ""),
        }
    }

    /// The finished value; none when a call had no or several arguments.
    fn into_value(self) -> Option<Value> {
        Some(match self {
            Self::Object { map, .. } => Value::Object(map),
            Self::Array(items) => Value::Array(items),
            Self::Tuple {
                mut items, comma, ..
            } => {
                if items.len() == 1 && !comma {
                    items.remove(0)
                } else {
                    Value::Array(items)
                }
            }
            Self::Call(mut items) => {
                if items.len() != 1 {
                    return None;
                }
                items.remove(0)
            }
        })
    }
}

impl Tree {
    pub(super) fn kind(&self) -> Kind {
        self.nodes.last().map_or(Kind::Root, Node::kind)
    }

    pub(super) fn parent_kind(&self) -> Kind {
        match self.nodes.len() {
            0 | 1 => Kind::Root,
            n => self.nodes[n - 2].kind(),
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.nodes.len()
    }

    /// Whether a container of this kind is open anywhere.
    pub(super) fn has(&self, kind: Kind) -> bool {
        // Looked at from the inside; the depth is bounded, so this is a constant.
        self.nodes.iter().rev().any(|it| it.kind() == kind)
    }

    pub(super) fn push(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// Whether the open container has no value yet.
    pub(super) fn is_empty(&self) -> bool {
        match self.nodes.last() {
            Some(Node::Object { map, .. }) => map.is_empty(),
            Some(Node::Array(items) | Node::Tuple { items, .. } | Node::Call(items)) => {
                items.is_empty()
            }
            None => true,
        }
    }

    /// Whether the last values of the open container, or of the one that has just closed in it, could as well
    /// stand in the one around them.
    pub(super) fn is_crowded(&self) -> bool {
        match self.nodes.last() {
            Some(Node::Object { map, .. }) => {
                let last = map.values().next_back().and_then(Value::as_object);
                last.is_some_and(|it| it.len() > 1)
                    || map.len() > 1 && self.parent_kind() == Kind::Object
            }
            Some(Node::Array(items)) => {
                let last = items.last().and_then(Value::as_array);
                last.is_some_and(|it| it.len() > 1)
                    || items.len() > 1 && self.parent_kind() == Kind::Array
            }
            _ => false,
        }
    }

    /// Whether a pair, a key with its end or a container has been read at all.
    pub(super) fn has_any(&self) -> bool {
        self.nodes.iter().any(|it| match it {
            Node::Object { map, key } => !map.is_empty() || key.is_some(),
            Node::Array(items) | Node::Tuple { items, .. } => {
                items.iter().any(|item| item.is_object() || item.is_array())
            }
            Node::Call(_) => false,
        })
    }

    pub(super) fn key(&self) -> Option<&str> {
        match self.nodes.last() {
            Some(Node::Object { key, .. }) => key.as_deref(),
            _ => None,
        }
    }

    pub(super) fn set_key(&mut self, name: String) {
        if let Some(Node::Object { key, .. }) = self.nodes.last_mut() {
            *key = Some(name);
        }
    }

    /// Forgets a key that gets no value.
    pub(super) fn take_key(&mut self) -> Option<String> {
        match self.nodes.last_mut() {
            Some(Node::Object { key, .. }) => key.take(),
            _ => None,
        }
    }

    /// Remembers a comma in round brackets: `(1,)` is a tuple, `(1)` is not.
    pub(super) fn saw_comma(&mut self) {
        if let Some(Node::Tuple { comma, .. }) = self.nodes.last_mut() {
            *comma = true;
        }
    }

    pub(super) fn add(&mut self, value: Value) -> Added {
        match self.nodes.last_mut() {
            None => return Added::Root(value),
            Some(Node::Array(items) | Node::Tuple { items, .. } | Node::Call(items)) => {
                items.push(value);
            }
            Some(Node::Object { map, key }) => {
                if map.is_empty() {
                    // Growing step by step costs more than a few free places.
                    *map = Map::with_capacity(4);
                }
                match map.entry(key.take().unwrap_or_default()) {
                    Entry::Vacant(entry) => {
                        entry.insert(value);
                    }
                    Entry::Occupied(mut entry) => {
                        return Added::Replaced(entry.key().clone(), entry.insert(value));
                    }
                }
            }
        }
        Added::Inside
    }

    /// Closes the innermost container; none when it is a call without its one argument.
    pub(super) fn pop(&mut self) -> Option<Value> {
        self.nodes.pop()?.into_value()
    }
}
