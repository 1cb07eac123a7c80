//! What a climb yields: the rung that held, what failed below it, and every edit that was made.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The four rungs, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Rung {
    AsIs = 1,
    Fences = 2,
    Cut = 3,
    Repair = 4,
}

/// A parser's message with its place; line and column (characters) count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyntaxError {
    pub message: String,
    pub line: usize,
    pub column: usize,
}

/// A rung that did not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    pub rung: Rung,
    pub error: SyntaxError,
}

/// One edit of rung 4. `offset` counts bytes of the reply from 0; line and column characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    pub kind: RepairKind,
    pub offset: usize,
    pub line: usize,
    pub column: usize,
    pub before: Cow<'static, str>,
    pub after: Cow<'static, str>,
}

/// What an edit mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairKind {
    Comment,
    BareKey,
    BareValue,
    Quote,
    Colon,
    Comma,
    Bracket,
    Literal,
    Number,
    Escape,
    ControlCharacter,
    WhiteSpace,
    Ellipsis,
    Concatenation,
    Wrapper,
    InnerQuote,
    Unescaped,
    Truncation,
}

/// Something about the value that its reader must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    Truncated,
    MultipleValues,
    DuplicateKey,
    Elided,
    NumberMaybeCut,
    NumberAsString,
    BigNumber,
    Nonfinite,
    LookalikeDigit,
    LoneSurrogate,
    BadEscape,
    Bom,
    DoubleEncoded,
    Prefill,
    Depth,
    UnquotedValue,
    AmbiguousQuotes,
    Thinking,
    ToolCallTag,
}

/// The whole climb of one reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Climb {
    /// The rung that held; none when the reply yields no JSON.
    pub rung: Option<Rung>,
    pub value: Option<Value>,
    pub flags: Vec<Flag>,
    /// What was lost or assumed, one sentence each.
    pub notes: Vec<String>,
    pub repairs: Vec<Repair>,
    /// The rungs below the one that held, lowest first.
    pub attempts: Vec<Attempt>,
    /// All values that could have been meant, in the order of the reply; the chosen one among them.
    pub candidates: Vec<Value>,
    pub whole_reply_valid: bool,
    pub first_object_recoverable: bool,
    /// What the model thought aloud before its answer, split off at rung 3.
    pub thinking: Option<String>,
}

impl From<Rung> for u8 {
    fn from(rung: Rung) -> Self {
        rung as Self
    }
}

impl TryFrom<u8> for Rung {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            1 => Ok(Self::AsIs),
            2 => Ok(Self::Fences),
            3 => Ok(Self::Cut),
            4 => Ok(Self::Repair),
            _ => Err(format!("rung {number}; there are rungs 1 to 4")),
        }
    }
}
