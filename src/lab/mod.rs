//! Presets, the record of every reply, and what many records say together.

mod ablation;
mod attempts;
mod cells;
mod compare;
mod copied;
mod counterfactual;
mod estimate;
mod grouping;
mod lint;
mod plan;
mod preset;
mod report;
mod results;
mod retry;
mod row_order;
mod runs;
mod shipped;
mod slips;
mod stage_record;
mod statistics;
mod summary;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod trial;
mod visible;

pub use ablation::Ablation;
pub use attempts::{last_attempts, last_places};
pub use cells::Cell;
pub use compare::{
    Culprit, Divergence, FieldRow, FieldTable, LockStep, Parting, Setting, SettingDifference,
    Setup, Side, Witness, differences, field_table, lock_step, parting,
};
pub use copied::{Copied, LeakRow, StandIns};
pub use counterfactual::{Copies, counterfactual};
pub use estimate::{Estimate, PastReply, Speeds};
pub use grouping::Grouping;
pub use lint::{Lint, LintKind, lint, structured_twin};
pub use plan::{Inputs, MAX_PARALLEL, Plan, PlanError, PresetChoice};
pub use preset::{ConstraintChoice, Preset};
pub use report::{
    Chart, ModelPart, Report, RunsReport, csv, drawing, fenced_markdown, html, markdown,
    plain_markdown, runs_csv, runs_html, runs_markdown,
};
pub use results::{Bucket, Measure, ResultRow, Results};
pub use retry::{MOST_RETRIES, Retry, RetryPolicy, is_usable};
pub use runs::{Flip, RunDifference, Turn, TwoRuns};
pub use shipped::{plans as shipped_plans, presets as shipped_presets};
pub use stage_record::{Holding, StageRecord};
pub use statistics::{Decision, Interval, Pairs, quantile, wilson};
pub use summary::{Share, Summary, SummaryRow};
pub use table::{Column, Table};
pub use terms::Terms;
pub use trial::{
    CellStamp, ForkedFrom, MaskSummary, ModelStamp, StageSummary, Timings, TraceSummary, Trial,
};
