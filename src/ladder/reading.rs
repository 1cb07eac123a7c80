//! A value that was read, with the text it was read from; it becomes a `Value` when somebody asks, and once.

use std::sync::OnceLock;

use serde_json::Value;

use super::RootType;
use super::document::{Document, Node};

/// A value, made or still to be made.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    document: Document,
    source: Source,
    /// Boxed, so that a reading stays small.
    made: OnceLock<Box<Value>>,
}

/// The text a document's stretches lie in.
#[derive(Clone, Debug)]
enum Source {
    /// The reply from this offset on.
    Reply(usize),
    /// Another text: the reply without a layer of escapes, or with its prefill.
    Own(Box<str>),
}

impl Default for Source {
    fn default() -> Self {
        Self::Reply(0)
    }
}

impl Reading {
    /// A document read from the reply from this offset on.
    #[inline]
    pub(super) fn of_reply(document: Document, offset: usize) -> Self {
        Self {
            document,
            source: Source::Reply(offset),
            made: OnceLock::new(),
        }
    }

    /// A document read from another text than the reply.
    pub(super) fn of_text(document: Document, text: String) -> Self {
        Self {
            document,
            source: Source::Own(text.into()),
            made: OnceLock::new(),
        }
    }

    pub(super) fn value(&self, reply: &str) -> &Value {
        self.made.get_or_init(|| {
            let source = match &self.source {
                Source::Reply(offset) => reply.get(*offset..).unwrap_or_default(),
                Source::Own(text) => text,
            };
            Box::new(self.document.value(source))
        })
    }

    pub(super) fn document(&self) -> &Document {
        &self.document
    }

    pub(super) fn is_object(&self) -> bool {
        self.root_type() == RootType::Object
    }

    pub(super) fn root_type(&self) -> RootType {
        if let Some(made) = self.made.get() {
            return RootType::of(made);
        }
        match self.document.root() {
            Node::Null => RootType::Null,
            Node::Bool(_) => RootType::Boolean,
            Node::Unsigned(_) | Node::Signed(_) | Node::Float(_) => RootType::Number,
            Node::Text(_) => RootType::String,
            Node::Array(_) => RootType::Array,
            Node::Object(_) => RootType::Object,
        }
    }
}

impl From<Value> for Reading {
    fn from(value: Value) -> Self {
        Self {
            made: Box::new(value).into(),
            ..Self::default()
        }
    }
}
