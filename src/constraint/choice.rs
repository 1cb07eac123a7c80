//! The constraint as a user sets it.

use serde::{Deserialize, Serialize};

use super::{SchemaSwitches, WhiteSpace};

/// What a reply is held to while it is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Constraint {
    #[default]
    None,
    /// A grammar in GBNF, llama.cpp's notation.
    Grammar { text: String },
    /// A JSON Schema, as text so that a draft with a fault in it is kept.
    Schema {
        text: String,
        #[serde(default)]
        white_space: WhiteSpace,
        #[serde(default, skip_serializing_if = "SchemaSwitches::is_neutral")]
        switches: SchemaSwitches,
    },
    /// A regular expression that the whole reply matches.
    Regex { text: String },
}

/// Why a constraint cannot be used. Lines and columns (characters) count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}", self.describe())]
pub struct ConstraintError {
    /// What is wrong and what was expected.
    pub message: String,
    /// Where in the grammar or schema text.
    pub place: Option<(usize, usize)>,
    /// The rule of a grammar, or the JSON pointer into a schema.
    pub within: Option<String>,
}

impl ConstraintError {
    fn describe(&self) -> String {
        let place = self
            .place
            .map(|(line, column)| format!("line {line}, column {column}: "))
            .unwrap_or_default();
        let within = self
            .within
            .as_ref()
            .map(|it| format!(" (in {it})"))
            .unwrap_or_default();
        format!("{place}{}{within}", self.message)
    }
}

impl ConstraintError {
    /// A fault of the whole text.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            place: None,
            within: None,
        }
    }

    /// A fault at a line and a column, from 1.
    pub(super) fn at(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self {
            place: Some((line, column)),
            ..Self::new(message)
        }
    }
}
