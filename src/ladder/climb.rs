//! What a climb yields: the rung that held, what failed below it, and every edit that was made.

use std::borrow::Cow;

use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
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
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(remote = "Self")]
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
    /// All values that could have been meant, in the order of the reply; none stands for the chosen one, so
    /// that it is held only once. [`Climb::candidates`] shows them all.
    #[serde(deserialize_with = "values")]
    pub candidates: Vec<Option<Value>>,
    pub whole_reply_valid: bool,
    pub first_object_recoverable: bool,
    /// What the model thought aloud before its answer, split off at rung 3.
    pub thinking: Option<String>,
}

impl Climb {
    /// All values that could have been meant, in the order of the reply; the chosen one among them.
    pub fn candidates(&self) -> impl Iterator<Item = &Value> {
        self.candidates
            .iter()
            .filter_map(|it| it.as_ref().or(self.value.as_ref()))
    }
}

/// Writes the chosen value among the candidates too.
impl Serialize for Climb {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let candidates: Vec<&Value> = self.candidates().collect();
        let mut fields = to.serialize_struct("Climb", 10)?;
        fields.serialize_field("rung", &self.rung)?;
        fields.serialize_field("value", &self.value)?;
        fields.serialize_field("flags", &self.flags)?;
        fields.serialize_field("notes", &self.notes)?;
        fields.serialize_field("repairs", &self.repairs)?;
        fields.serialize_field("attempts", &self.attempts)?;
        fields.serialize_field("candidates", &candidates)?;
        fields.serialize_field("whole_reply_valid", &self.whole_reply_valid)?;
        fields.serialize_field("first_object_recoverable", &self.first_object_recoverable)?;
        fields.serialize_field("thinking", &self.thinking)?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Climb {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // The derived reader, which knows nothing of the chosen value.
        let mut climb = Self::deserialize(from)?;
        let is_chosen = |it: &Option<Value>| *it == climb.value;
        if let Some(n) = climb.candidates.iter().position(is_chosen) {
            climb.candidates[n] = None;
        }
        Ok(climb)
    }
}

/// Reads candidates; null is a value like any other.
fn values<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Option<Value>>, D::Error> {
    let values = Vec::<Value>::deserialize(from)?;
    Ok(values.into_iter().map(Some).collect())
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
