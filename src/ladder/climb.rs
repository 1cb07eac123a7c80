//! What a climb yields: the rung that held, what failed below it, and every edit that was made.

use std::borrow::Cow;

use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::findings::Findings;

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
///
/// Value, candidates, edits and attempts are read by methods: they are kept as they were found, and made when
/// they are asked for the first time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Climb {
    /// The rung that held; none when the reply yields no JSON.
    pub rung: Option<Rung>,
    pub flags: Vec<Flag>,
    /// What was lost or assumed, one sentence each.
    pub notes: Vec<String>,
    pub whole_reply_valid: bool,
    pub first_object_recoverable: bool,
    /// What the model thought aloud before its answer, split off at rung 3.
    pub thinking: Option<String>,
    pub findings: Findings,
}

impl Climb {
    pub fn value(&self) -> Option<&Value> {
        self.findings.value()
    }

    /// All values that could have been meant, in the order of the reply; the chosen one among them.
    pub fn candidates(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.findings.candidates()
    }

    /// Every edit that was made, in the order of the reply.
    pub fn repairs(&self) -> &[Repair] {
        self.findings.repairs()
    }

    /// The rungs below the one that held, lowest first.
    pub fn attempts(&self) -> &[Attempt] {
        self.findings.attempts()
    }
}

impl Serialize for Climb {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let candidates: Vec<&Value> = self.candidates().collect();
        let mut fields = to.serialize_struct("Climb", 10)?;
        fields.serialize_field("rung", &self.rung)?;
        fields.serialize_field("value", &self.value())?;
        fields.serialize_field("flags", &self.flags)?;
        fields.serialize_field("notes", &self.notes)?;
        fields.serialize_field("repairs", self.repairs())?;
        fields.serialize_field("attempts", self.attempts())?;
        fields.serialize_field("candidates", &candidates)?;
        fields.serialize_field("whole_reply_valid", &self.whole_reply_valid)?;
        fields.serialize_field("first_object_recoverable", &self.first_object_recoverable)?;
        fields.serialize_field("thinking", &self.thinking)?;
        fields.end()
    }
}

/// A climb as files have it.
#[derive(Deserialize)]
#[serde(rename = "Climb")]
struct Written {
    rung: Option<Rung>,
    value: Option<Value>,
    flags: Vec<Flag>,
    notes: Vec<String>,
    repairs: Vec<Repair>,
    attempts: Vec<Attempt>,
    candidates: Vec<Value>,
    whole_reply_valid: bool,
    first_object_recoverable: bool,
    thinking: Option<String>,
}

impl<'de> Deserialize<'de> for Climb {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(from)?;
        // A value that is null cannot be told from none but by its rung.
        let value = match written.value {
            None if written.rung.is_some() => Some(Value::Null),
            value => value,
        };
        let findings = value.map_or_else(Findings::default, Findings::of);
        Ok(Self {
            rung: written.rung,
            flags: written.flags,
            notes: written.notes,
            whole_reply_valid: written.whole_reply_valid,
            first_object_recoverable: written.first_object_recoverable,
            thinking: written.thinking,
            findings: findings
                .with_repairs(written.repairs)
                .with_attempts(written.attempts)
                .with_candidates(written.candidates),
        })
    }
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
