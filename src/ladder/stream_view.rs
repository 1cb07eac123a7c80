//! The value of a reply under way as a view draws it: closed fields firm, open ones faint.

use serde_json::Value;

use super::stream::Level;

/// A part of the value so far. Copying it is free; the tree is walked as deep as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'a> {
    pub value: &'a Value,
    /// The open containers from here inwards; empty when this part has closed.
    levels: &'a [Level],
    pending: Option<Pending<'a>>,
}

/// A key or a scalar that is being written; its text may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending<'a> {
    /// The key as far as it has come; empty in an array.
    pub key: &'a str,
    /// The value as far as it has come, without its quotes; empty before it begins.
    pub text: &'a str,
}

/// What leads from a container to one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> Branch<'a> {
    pub(super) fn new(value: &'a Value, levels: &'a [Level], pending: Option<Pending<'a>>) -> Self {
        Self {
            value,
            levels,
            pending,
        }
    }

    /// Whether nothing will be added to this part any more.
    pub fn closed(&self) -> bool {
        self.levels.is_empty()
    }

    /// The key or scalar that is being written right here.
    pub fn pending(&self) -> Option<Pending<'a>> {
        match self.levels {
            [_] => self.pending,
            _ => None,
        }
    }

    /// The parts of a container in their order; a scalar has none.
    pub fn children(&self) -> impl Iterator<Item = (Step<'a>, Branch<'a>)> + use<'a> {
        let branch = *self;
        let n_items = match branch.value {
            Value::Array(items) => items.len(),
            _ => 0,
        };
        let fields = branch.value.as_object().into_iter().flatten();
        let fields = fields.map(move |(key, value)| {
            let is_open = branch.open_key() == Some(key);
            (Step::Key(key), branch.inner(value, is_open))
        });
        let items = branch.value.as_array().into_iter().flatten();
        let items = items.enumerate().map(move |(index, value)| {
            let is_open = branch.levels.len() > 1 && index + 1 == n_items;
            (Step::Index(index), branch.inner(value, is_open))
        });
        fields.chain(items)
    }

    /// The key of the open container inside.
    fn open_key(&self) -> Option<&'a String> {
        match self.levels {
            [level, _, ..] => level.key.as_ref(),
            _ => None,
        }
    }

    fn inner(self, value: &'a Value, is_open: bool) -> Self {
        let levels = if is_open { &self.levels[1..] } else { &[] };
        Self {
            value,
            levels,
            pending: self.pending,
        }
    }
}
