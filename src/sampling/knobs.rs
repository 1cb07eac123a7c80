//! Every knob as one row of a table, and a set of values for them that is valid by its type.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A numeric knob. `Knob::spec` has everything else there is to say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Knob {
    Temperature,
    TopK,
    TopP,
    MinP,
    RepetitionPenalty,
    PenaltyLastN,
    NoRepeatNgramSize,
    Seed,
    MaxTokens,
}

/// One row of the table of knobs.
#[derive(Debug)]
pub struct KnobSpec {
    pub knob: Knob,
    /// The key in a preset file, and the long name on the command line.
    pub key: &'static str,
    /// What the window calls it.
    pub name: &'static str,
    pub min: f64,
    pub max: f64,
    pub step: f64,
    /// Digits after the decimal point; 0 for a whole number.
    pub decimals: usize,
    /// The value that changes nothing (for seed and token limit: the value a new preset starts with).
    pub neutral: f64,
    /// One or two sentences for the tooltip.
    pub help: &'static str,
    /// Where the definition comes from.
    pub source: &'static str,
    /// Names of the same knob in other tools.
    pub aliases: &'static [&'static str],
}

/// Which tokens a penalty or ban counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Prompt and reply, as Hugging Face counts.
    #[default]
    PromptAndReply,
    /// The reply alone.
    Reply,
}

/// One step of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Mask,
    RepetitionPenalty,
    NoRepeatNgram,
    Temperature,
    TopK,
    TopP,
    MinP,
}

/// The stages in the order in which they work; a stage that is missing is off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Order(Vec<Stage>);

/// A value for every knob, each within its range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knobs {
    values: [f64; Knob::COUNT],
    pub penalty_scope: Scope,
    pub ngram_scope: Scope,
    pub order: Order,
    pub stop: Vec<String>,
}

/// A value that a knob cannot take; names the knob, the value and the range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{key} is {value}; it must be {range}")]
pub struct KnobError {
    pub key: String,
    pub value: String,
    pub range: String,
}

impl Knob {
    pub const COUNT: usize = 9;
}

impl Order {
    /// Hugging Face Transformers: penalties, temperature, then the truncations.
    pub fn transformers() -> Self {
        Self(vec![
            Stage::Mask,
            Stage::RepetitionPenalty,
            Stage::NoRepeatNgram,
            Stage::Temperature,
            Stage::TopK,
            Stage::TopP,
            Stage::MinP,
        ])
    }

    /// llama.cpp: temperature comes last.
    pub fn llama_cpp() -> Self {
        Self(vec![
            Stage::Mask,
            Stage::RepetitionPenalty,
            Stage::NoRepeatNgram,
            Stage::TopK,
            Stage::TopP,
            Stage::MinP,
            Stage::Temperature,
        ])
    }

    pub fn stages(&self) -> &[Stage] {
        &self.0
    }
}

impl Knobs {
    /// All knobs at the value that changes nothing.
    pub fn neutral() -> Self {
        Self {
            values: [0.0; Knob::COUNT],
            penalty_scope: Scope::default(),
            ngram_scope: Scope::default(),
            order: Order::transformers(),
            stop: Vec::new(),
        }
    }

    pub fn get(&self, knob: Knob) -> f64 {
        self.values[knob as usize]
    }
}

impl fmt::Display for Knob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
