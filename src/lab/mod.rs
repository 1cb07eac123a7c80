//! Presets, the record of every reply, and what many records say together.

mod lint;
mod preset;
mod shipped;
mod stage_record;
mod summary;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod trial;

pub use lint::{Lint, LintKind, lint, structured_twin};
pub use preset::{ConstraintChoice, Preset};
pub use shipped::presets as shipped_presets;
pub use stage_record::{Holding, StageRecord};
pub use summary::{Share, Summary, SummaryRow};
pub use table::{Column, Table};
pub use terms::Terms;
pub use trial::{ForkedFrom, MaskSummary, ModelStamp, StageSummary, Timings, TraceSummary, Trial};
