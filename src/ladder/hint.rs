//! What the asker knows of the answer: the type of its root, a judge of its fit, and the prefill.

use serde_json::Value;

/// The JSON types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RootType {
    Object,
    Array,
    String,
    Number,
    Boolean,
    Null,
}

/// The types a root may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootTypes(u8);

/// What helps to choose between several values; the default knows nothing.
#[derive(Clone, Copy, Default)]
pub struct Hint<'a> {
    /// The types that the schema allows at the root.
    pub root: Option<RootTypes>,
    /// Says whether a value meets the schema.
    pub fits: Option<&'a dyn Fn(&Value) -> bool>,
    /// The text that was put into the model's mouth and that the reply does not repeat.
    pub prefill: Option<&'a str>,
}

impl RootType {
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Object(_) => Self::Object,
            Value::Array(_) => Self::Array,
            Value::String(_) => Self::String,
            Value::Number(_) => Self::Number,
            Value::Bool(_) => Self::Boolean,
            Value::Null => Self::Null,
        }
    }
}

impl RootTypes {
    pub fn only(root: RootType) -> Self {
        Self(1 << root as u8)
    }

    #[must_use]
    pub fn or(self, root: RootType) -> Self {
        Self(self.0 | 1 << root as u8)
    }

    pub fn holds(self, root: RootType) -> bool {
        self.0 & (1 << root as u8) != 0
    }
}

impl From<RootType> for RootTypes {
    fn from(root: RootType) -> Self {
        Self::only(root)
    }
}

impl FromIterator<RootType> for RootTypes {
    fn from_iter<I: IntoIterator<Item = RootType>>(roots: I) -> Self {
        roots.into_iter().fold(Self(0), Self::or)
    }
}

impl Hint<'_> {
    /// Whether the root may be of this type; true when nothing is known.
    pub(super) fn takes_root(&self, root: RootType) -> bool {
        self.root.is_none_or(|roots| roots.holds(root))
    }
}
