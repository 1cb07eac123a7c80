//! What a value is worth: the schema's verdict, correctness, leaks and the cause of failure, never merged.

mod advice;
mod bounds;
mod branching;
mod cause;
mod common;
mod compare;
mod content;
mod dates;
mod defaults;
mod digits;
mod echo;
mod ending;
mod fold;
mod judgement;
mod languages;
mod leak;
mod loops;
mod names;
mod nothing;
mod numerals;
mod numerals_asia;
mod origin;
mod passage;
mod place;
mod renamed;
mod rescue;
mod schema;
mod shape;
mod subschema;
#[cfg(test)]
mod tests;
mod trace;
mod tree;
mod verdict;
mod wording;

pub use advice::{ADVICE_KINDS, Advice, advice};
pub use cause::{CAUSES, CauseRule, reply_cause};
pub use compare::correctness;
pub use defaults::{DefaultError, Defaults, after_defaults};
pub use judgement::{Ending, Judged, Judgement, judge};
pub use leak::{LeakSources, leaks};
pub use origin::{Leaf, Leak, MixedRecord, Origins, Place, PromptText, Source};
pub use schema::{Schema, SchemaError};
pub use trace::origins;
pub use verdict::{
    AfterDefaults, Branch, Cause, Correctness, Difference, Fault, Lamps, Span, Verdict,
};
