//! How a reply ended, and what it took.

use serde::{Deserialize, Serialize};

use super::protocol::PromptView;
use crate::constraint::Held;
use crate::prompt::{Message, StageKind};
use crate::sampling::{KnobEffect, TokenId};

/// How a reply ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finish {
    pub stop: StopReason,
    /// The whole reply; a matched stop string is cut off.
    pub text: String,
    pub timings: RunTimings,
    /// What each knob that is set did over the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knobs: Vec<KnobEffect>,
    /// How the constraint fared.
    #[serde(default, skip_serializing_if = "Held::is_plain")]
    pub held: Held,
}

/// The first of two stages, as it was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageDone {
    pub kind: StageKind,
    pub messages: Vec<Message>,
    pub view: PromptView,
    pub tokens: Vec<TokenId>,
    pub finish: Finish,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StopReason {
    EndOfGeneration,
    TokenLimit,
    ContextFull,
    StopString {
        text: String,
    },
    ConstraintComplete,
    Cancelled,
    /// Every candidate was gone; names what met, such as "no-repeat n-gram" and "constraint mask".
    DeadEnd {
        stages: Vec<String>,
    },
    LoopGuard {
        what: String,
    },
    /// The engine was lost twice on this reply.
    EngineLost {
        reason: String,
    },
}

/// Milliseconds, measured in the engine's process.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunTimings {
    pub prefill_ms: f64,
    pub first_token_ms: f64,
    pub decode_ms: f64,
    pub mask_ms: f64,
    pub compile_ms: f64,
    pub n_prompt: u32,
    /// Of the prompt, what was evaluated for the run before and kept.
    #[serde(default)]
    pub n_kept: u32,
    pub n_reply: u32,
    /// Replies that were evaluated together with it at most, itself among them.
    #[serde(default = "alone", skip_serializing_if = "is_alone")]
    pub batch_width: u32,
}

fn alone() -> u32 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_alone(batch_width: &u32) -> bool {
    *batch_width == 1
}

impl Default for RunTimings {
    fn default() -> Self {
        Self {
            prefill_ms: 0.0,
            first_token_ms: 0.0,
            decode_ms: 0.0,
            mask_ms: 0.0,
            compile_ms: 0.0,
            n_prompt: 0,
            n_kept: 0,
            n_reply: 0,
            batch_width: 1,
        }
    }
}
