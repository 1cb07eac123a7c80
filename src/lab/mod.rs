//! Presets, and the record of every reply.

mod preset;
mod trial;

pub use preset::{ConstraintChoice, Preset};
pub use trial::{MaskSummary, ModelStamp, StageSummary, Timings, TraceSummary, Trial};
