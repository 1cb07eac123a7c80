//! The record of one reply: all that is needed to judge it again and to reproduce it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Holding, StageRecord};
use crate::judge::{AfterDefaults, Cause, Correctness, Lamps, Leak, Origins, Verdict};
use crate::ladder::Climb;
use crate::prompt::{ExampleValues, Message, PromptStyle};
use crate::sampling::{KnobEffect, Stage, TokenId};

/// One line of `trials.jsonl`, schema version 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    pub v: u32,
    pub id: String,
    /// RFC 3339, UTC.
    pub time: String,
    pub versions: Map<String, Value>,
    pub model: ModelStamp,
    pub preset: Value,
    pub style: PromptStyle,
    pub task: String,
    /// Index into the task's inputs; none for free text.
    pub input: Option<usize>,
    pub input_text: String,
    pub messages: Vec<Message>,
    /// The reply's beginning that was put into the model's mouth.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefill: String,
    /// The prompt as the model read it.
    pub prompt: String,
    pub prompt_tokens: Vec<TokenId>,
    pub constraint: Value,
    #[serde(default, skip_serializing_if = "Holding::is_plain")]
    pub holding: Holding,
    /// What was written before the reply, in prompts of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageRecord>,
    pub reply: String,
    pub reply_tokens: Vec<TokenId>,
    /// Name of the stop reason, such as `end_of_generation`.
    pub stop: String,
    /// What there is to say about the stop: the stages of a dead end, the reason of a lost engine.
    #[serde(default)]
    pub stop_detail: Option<String>,
    /// 1, or 2 when the engine was lost and the reply was tried again.
    pub attempt: u32,
    pub timings: Timings,
    pub trace: TraceSummary,
    pub climb: Climb,
    pub verdict: Option<Verdict>,
    pub correctness: Option<Correctness>,
    /// None without defaults in the preset, and in records from before there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_defaults: Option<AfterDefaults>,
    pub leaks: Vec<Leak>,
    /// Each leaf of the value with its source; empty in older records.
    #[serde(default, skip_serializing_if = "Origins::is_empty")]
    pub origins: Origins,
    pub lamps: Lamps,
    pub cause: Option<Cause>,
    /// Where the reply left another one, if its first tokens are that one's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<ForkedFrom>,
    /// Which cell of a plan it answers; none for a reply that no plan asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellStamp>,
    /// Fields this version does not know, kept as they were.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A trial's place in a plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellStamp {
    /// The plan's name.
    pub plan: String,
    /// The cell's key in the plan.
    pub key: String,
    /// 1 for the first reply, more for retries.
    pub attempt: u32,
    /// No retry follows.
    pub is_last: bool,
    /// What stands for the value because every attempt failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gave_up_with: Option<Value>,
    /// Which values stood in the few-shot examples.
    #[serde(default, skip_serializing_if = "ExampleValues::is_own")]
    pub examples: ExampleValues,
}

/// The reply that another one goes on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkedFrom {
    /// The trial's id.
    pub trial: String,
    /// Tokens that were taken over from it: the first one that may differ has this index.
    pub n_tokens: usize,
    /// What was changed, in words.
    pub change: String,
}

/// Which model wrote the reply, on what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelStamp {
    pub file: String,
    pub bytes: u64,
    /// SHA-256 of header and size.
    pub fingerprint: String,
    pub architecture: String,
    pub quantization: String,
    pub device: String,
    /// Why it is not the device that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_fallback: Option<String>,
    pub n_threads: u32,
    /// Tokens of a prompt that were evaluated at once; 0 in records that do not say.
    #[serde(default)]
    pub n_batch: u32,
    pub n_ctx: u32,
    /// Sequences decoded together with this one; 1 when it ran alone.
    pub batch_width: u32,
}

/// Milliseconds, and tokens a second from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    pub load_ms: f64,
    pub prefill_ms: f64,
    /// Tokens of the prompt that the run before had evaluated already.
    #[serde(default)]
    pub n_kept: u32,
    /// From the start of the run to the first token.
    pub first_token_ms: f64,
    pub decode_ms: f64,
    pub mask_ms: f64,
    pub tokens_per_second: f64,
}

/// What the chain did over the whole reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TraceSummary {
    pub stages: Vec<StageSummary>,
    pub mask: Option<MaskSummary>,
    /// What each knob that is set did, against the same chain without it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knobs: Vec<KnobEffect>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageSummary {
    pub stage: Stage,
    /// Tokens at which the stage changed the most likely candidate.
    pub n_changed: u32,
    /// Tokens at which it cost the model's favourite its place, for good.
    #[serde(default)]
    pub n_blamed: u32,
    /// Tokens at which it took something away.
    #[serde(default)]
    pub n_removing: u32,
    pub removed_mass_mean: f32,
    pub removed_mass_max: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MaskSummary {
    pub legal_median: u32,
    pub us_median: u32,
    pub us_p99: u32,
}
