//! Every knob by name, and a set of values for them that is valid by its type.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::table::{KnobSpec, TABLE};
use super::{CharClass, LogitBias, Order, Scope};

/// A numeric knob. `Knob::spec` has everything else there is to say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Knob {
    Temperature,
    DynatempRange,
    DynatempExponent,
    TopK,
    TopP,
    MinP,
    TypicalP,
    TopNSigma,
    XtcProbability,
    XtcThreshold,
    MirostatTau,
    MirostatEta,
    RepetitionPenalty,
    PresencePenalty,
    FrequencyPenalty,
    PenaltyLastN,
    DryMultiplier,
    DryBase,
    DryAllowedLength,
    #[serde(rename = "dry_penalty_last_n")]
    DryLastN,
    NoRepeatNgramSize,
    Seed,
    MinTokens,
    MaxTokens,
}

/// A value for every knob, each within its range. `sampling::file` reads it from and writes it to JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Knobs {
    values: [f64; Knob::COUNT],
    pub penalty_scope: Scope,
    pub ngram_scope: Scope,
    pub order: Order,
    /// Texts that end the reply as soon as they stand in it.
    pub stop: Vec<String>,
    /// What is added to the logits of single tokens.
    pub logit_bias: Vec<LogitBias>,
    /// Tokens that hold a character of one of these classes never come.
    pub token_ban: Vec<CharClass>,
    /// Texts over which DRY looks for no repetition.
    pub dry_breakers: Vec<String>,
}

/// A value that a knob cannot take; names the knob, the value and the range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} is {value}; it must be {range}")]
pub struct KnobError {
    pub key: String,
    pub value: String,
    pub range: String,
}

impl Knob {
    pub const COUNT: usize = 24;

    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Temperature; Self::COUNT];
        let mut row = 0;
        while row < Self::COUNT {
            all[row] = TABLE[row].knob;
            assert!(
                all[row] as usize == row,
                "the table has another order than the enum"
            );
            row += 1;
        }
        all
    };

    pub fn spec(self) -> &'static KnobSpec {
        static ROWS: [KnobSpec; Knob::COUNT] = TABLE;
        &ROWS[self as usize]
    }

    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.spec().key == key)
    }
}

impl KnobSpec {
    pub fn is_whole(&self) -> bool {
        self.decimals == 0
    }

    /// The values that the knob takes, in words: "a number from 0 to 2".
    pub fn range(&self) -> String {
        let kind = if self.is_whole() {
            "whole number"
        } else {
            "number"
        };
        format!("a {kind} from {} to {}", self.min, self.max)
    }

    /// Hands the value back if the knob can take it.
    pub(super) fn checked(&self, value: f64) -> Result<f64, KnobError> {
        let whole_enough = !self.is_whole() || value.fract() == 0.0;
        if (self.min..=self.max).contains(&value) && whole_enough {
            // Turns a negative zero into zero.
            Ok(value + 0.0)
        } else {
            Err(self.error(value.to_string()))
        }
    }

    pub(super) fn error(&self, value: String) -> KnobError {
        KnobError {
            key: self.key.to_owned(),
            value,
            range: self.range(),
        }
    }
}

impl Knobs {
    /// All knobs at the value that changes nothing, in Transformers' order.
    pub fn neutral() -> Self {
        Self {
            values: Knob::ALL.map(|it| it.spec().neutral),
            penalty_scope: Scope::default(),
            ngram_scope: Scope::default(),
            order: Order::transformers(),
            stop: Vec::new(),
            logit_bias: Vec::new(),
            token_ban: Vec::new(),
            dry_breakers: Self::usual_breakers(),
        }
    }

    /// DRY's breakers in llama.cpp and text-generation-webui.
    pub fn usual_breakers() -> Vec<String> {
        ["\n", ":", "\"", "*"].map(str::to_owned).to_vec()
    }

    pub fn get(&self, knob: Knob) -> f64 {
        self.values[knob as usize]
    }

    /// The value of a whole-numbered knob; a negative one counts as 0.
    #[expect(
        clippy::cast_sign_loss,
        reason = "the cast saturates at 0, as documented"
    )]
    pub fn count(&self, knob: Knob) -> usize {
        self.get(knob) as usize
    }

    /// Fails on a value out of the knob's range, and leaves the old one then.
    pub fn set(&mut self, knob: Knob, value: f64) -> Result<(), KnobError> {
        self.values[knob as usize] = knob.spec().checked(value)?;
        Ok(())
    }

    /// The same knobs with one of them changed.
    pub fn with(mut self, knob: Knob, value: f64) -> Result<Self, KnobError> {
        self.set(knob, value)?;
        Ok(self)
    }

    #[expect(clippy::float_cmp, reason = "values are stored, not computed")]
    pub fn is_neutral(&self, knob: Knob) -> bool {
        self.get(knob) == knob.spec().neutral
    }

    /// Whether the most likely token is always taken: temperature is 0, and in the order.
    pub fn is_greedy(&self) -> bool {
        self.order.contains(super::Stage::Temperature)
            && self.is_neutral(Knob::DynatempRange)
            && self.get(Knob::Temperature) < super::stages::LEAST_TEMPERATURE
    }
}

impl Default for Knobs {
    fn default() -> Self {
        Self::neutral()
    }
}

impl fmt::Display for Knob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spec().name)
    }
}
