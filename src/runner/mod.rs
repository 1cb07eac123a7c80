//! From a preset and a task to a run, and from a run's events to the trial that is recorded.

mod appraisal;
mod assembly;
mod bench;
mod job;
mod machine;
mod stamp;
mod together;
mod walk;

pub use appraisal::{Appraised, appraise};
pub use assembly::{Assembly, summarise};
pub use bench::{BenchProgress, CellNews, Walk, walk_cells};
pub use job::{Given, Job, JobError, Text, constraint};
pub use machine::{devices, measure};
pub use stamp::{Moment, app_version, crash_stamps};
use walk::next;
pub use walk::{Progress, WalkError, load, run_one};

#[cfg(test)]
mod tests;
