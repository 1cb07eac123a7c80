//! When a constraint begins, how it ends, and what is watched meanwhile.

use serde::{Deserialize, Serialize};

/// What goes with a constraint beside its text. Neutral values are left out of files and records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hold {
    #[serde(skip_serializing_if = "Start::is_now")]
    pub start: Start,
    /// When the token limit comes near, only what can still be closed is let through.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub close_in_time: bool,
    /// Ends a reply that has fallen into a loop.
    #[serde(skip_serializing_if = "is_true")]
    pub guards: bool,
}

/// From where on the constraint holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// From the first token.
    #[default]
    Now,
    /// From behind the model's thoughts; from the first token where it has none.
    AfterThinking,
    /// From behind this text.
    After(String),
}

impl Default for Hold {
    fn default() -> Self {
        Self {
            start: Start::Now,
            close_in_time: false,
            guards: true,
        }
    }
}

impl Hold {
    pub fn is_neutral(&self) -> bool {
        *self == Self::default()
    }
}

impl Start {
    pub fn is_now(&self) -> bool {
        *self == Self::Now
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_true(it: &bool) -> bool {
    *it
}

/// How a constraint fared that was to begin late or to close in time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Held {
    /// It was to begin behind something that never came, so nothing was held to it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub never_began: bool,
    /// The token of the reply from which it held, from 0; none where it held from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub began_at: Option<u32>,
    /// What was given up so that the reply could close before its limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

impl Held {
    /// Whether there is nothing to say.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// Watches a reply for the text behind which its constraint begins.
#[derive(Clone, Debug)]
pub struct Trigger {
    text: Vec<u8>,
    /// The last bytes of the reply, fewer than the text has.
    recent: Vec<u8>,
}

impl Trigger {
    pub fn new(text: &str) -> Self {
        Self {
            text: text.as_bytes().to_vec(),
            recent: Vec::new(),
        }
    }

    /// What stands behind the text, once it is complete in what was taken and this piece. Takes nothing.
    pub fn behind<'p>(&self, piece: &'p [u8]) -> Option<&'p [u8]> {
        let n_recent = self.recent.len();
        let all = [self.recent.as_slice(), piece].concat();
        let n_text = self.text.len().max(1);
        let start = all.windows(n_text).position(|it| it == self.text)?;
        piece.get((start + n_text).saturating_sub(n_recent)..)
    }

    /// Takes a piece that does not complete the text.
    pub fn push(&mut self, piece: &[u8]) {
        self.recent.extend_from_slice(piece);
        let n_kept = self.text.len().saturating_sub(1);
        let n_over = self.recent.len().saturating_sub(n_kept);
        self.recent.drain(..n_over);
    }
}
