//! The record of what a model wrote freely before its reply, and of how the constraint fared.

use serde::{Deserialize, Serialize};

use super::Timings;
use crate::constraint::{Badge, Held, Hold};
use crate::judge::{Cause, Lamps, Verdict};
use crate::ladder::Rung;
use crate::prompt::{Message, StageKind};
use crate::sampling::TokenId;

/// The first of two stages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageRecord {
    pub kind: StageKind,
    pub messages: Vec<Message>,
    /// The prompt as the model read it.
    pub prompt: String,
    pub prompt_tokens: Vec<TokenId>,
    pub reply: String,
    pub reply_tokens: Vec<TokenId>,
    pub stop: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_detail: Option<String>,
    pub timings: Timings,
    pub rung: Option<Rung>,
    pub verdict: Option<Verdict>,
    pub lamps: Lamps,
    pub cause: Option<Cause>,
}

/// When the constraint held, and how it fared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Holding {
    #[serde(skip_serializing_if = "Hold::is_neutral")]
    pub hold: Hold,
    #[serde(flatten)]
    pub held: Held,
    /// What may be shown beside the run; [`Badge::None`] where the constraint never began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub badge: Option<Badge>,
}

impl Holding {
    /// Whether there is nothing to say.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}
