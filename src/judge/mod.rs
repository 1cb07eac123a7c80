//! What a value is worth: the schema's verdict, correctness, leaks and the cause of failure, never merged.

mod advice;
mod bounds;
mod branching;
mod cause;
mod compare;
mod defaults;
mod digits;
mod judgement;
mod leak;
mod loops;
mod names;
mod origin;
mod place;
mod schema;
#[cfg(test)]
mod tests;
mod verdict;
mod wording;

pub use advice::{ADVICE_KINDS, Advice, advice};
pub use cause::{CAUSE_KINDS, reply_cause};
pub use compare::correctness;
pub use defaults::{DefaultError, Defaults, after_defaults};
pub use judgement::{Ending, Judged, Judgement, judge};
pub use leak::{LeakSources, leaks};
pub use origin::{Leaf, Leak, MixedRecord, Origins, Place, PromptText, Source};
pub use schema::{Schema, SchemaError};
pub use verdict::{
    AfterDefaults, Branch, Cause, Correctness, Difference, Fault, Lamps, Span, Verdict,
};
