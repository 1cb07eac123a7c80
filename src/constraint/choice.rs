//! The constraint as a user sets it.

use serde::{Deserialize, Serialize};

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
    },
}

/// How much white space a schema's mask lets through between tokens of JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhiteSpace {
    None,
    /// At most one character at a place.
    One,
    /// At most eight characters at a place: room for indentation, none for a loop.
    #[default]
    Eight,
    Free,
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
