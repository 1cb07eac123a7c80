//! What a value is worth: the schema's verdict, correctness, leaks and the cause of failure, never merged.

mod bounds;
mod branching;
mod cause;
mod compare;
mod digits;
mod judgement;
mod leak;
mod loops;
mod names;
mod place;
mod schema;
#[cfg(test)]
mod tests;
mod verdict;
mod wording;

pub use cause::{CAUSE_KINDS, reply_cause};
pub use compare::correctness;
pub use judgement::{Ending, Judged, Judgement, judge};
pub use leak::{LeakSources, leaks};
pub use schema::{Schema, SchemaError};
pub use verdict::{Cause, Correctness, Difference, Fault, Lamps, Leak, Verdict};
