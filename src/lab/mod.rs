//! Presets, the record of every reply, and what many records say together.

mod preset;
mod shipped;
mod summary;
mod table;
#[cfg(test)]
mod tests;
mod trial;

pub use preset::{ConstraintChoice, Preset};
pub use shipped::presets as shipped_presets;
pub use summary::{Share, Summary, SummaryRow};
pub use table::{Column, Table};
pub use trial::{ForkedFrom, MaskSummary, ModelStamp, StageSummary, Timings, TraceSummary, Trial};
