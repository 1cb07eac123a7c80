//! What a value is worth: the schema's verdict, correctness, leaks and the cause of failure, never merged.
//!
//! # Causes
//! In this order: the first that holds is the first cause, the others are further ones. One of how the reply ended,
//! one of what it is as a whole; shape and content are only looked at in a reply that is an answer at all.
//!
//! | cause | says | when |
//! |---|---|---|
//! | `loop` | the reply repeats itself | it ends in white space, digits or a unit that repeats; or a closed list repeats one item |
//! | `echo_schema` | the reply repeats the schema | a value has `type` and `properties`, or is a type's name or a description where a value belongs |
//! | `echo_example` | the reply repeats an example | the value is an example's answer, and that is not right here |
//! | `echo_input` | the reply repeats the input | there is no value and the text is the input; or a wrong value has the whole input as a text |
//! | `dead_end` | every next token was forbidden | the run ended in a dead end before the value was closed |
//! | `truncated` | the reply was cut off | a bracket or text is open at the end |
//! | `reasoning_only` | JSON stands in the reasoning only | the answer holds no value and the thinking does |
//! | `refusal` | the model apologises or refuses | there is no value, or one with a key of its own, and the text begins with an apology |
//! | `code` | the reply is program code | there is no value that fits, and the text or its fence is written in a programming language |
//! | `no_json` | the reply holds no JSON at all | there is no value, and nothing in the text looks like one: prose, a table, YAML, XML, nothing |
//! | `nested` | the answer stands inside another value | what is under a key of its own, or the only item of a list, fits better than the whole |
//! | `renamed_key` | a key has another name | a key is missing and one that is not allowed looks like it, means it, or alone fits its type |
//! | `missing_key` | a key is missing | a required key is not there, and no other key stands for it |
//! | `wrong_type` | a value has the wrong type | `type` is broken: a number in quotes, a list for an object, a joined text for a list |
//! | `wrong_enum` | a value is not one of those allowed | `enum` or `const` is broken |
//! | `unknown_key` | a key is not allowed | `additionalProperties` or `unevaluatedProperties` is broken, and no missing key explains it |
//! | `wrong_shape` | the value breaks the schema otherwise | any other keyword is broken |
//! | `leak` | a value was copied from an example | a leaf stands in an example and not in the input, and is not right |
//! | `wrong_value` | a value is not the right one | a field differs from the known answer under its rule, and nothing above explains it |
//! | `wrapping` | text, fences or tags stand around the JSON | rung 2 or 3 held, or a byte order mark had to go |
//! | `syntax` | the JSON has small faults of syntax | rung 4 held, or no rung did although something like JSON is there |
//!
//! # Sources of a value
//! The first that holds: the input (numbers, dates, times and telephone numbers however they are written; words in
//! another order or number), the schema's own values, the known answer, too common to tell, an example, the
//! instruction, the input's words for the most part; else it is not in the input. Copied from an example is a leak.

mod advice;
mod bounds;
mod branching;
mod cause;
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
mod loop_watch;
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
mod trivial;
mod verdict;
mod wording;

pub use advice::{ADVICE_KINDS, Advice, advice};
pub use cause::{CAUSES, CauseRule, reply_cause};
pub use compare::correctness;
pub use defaults::{DefaultError, Defaults, after_defaults};
pub use judgement::{Ending, Judged, Judgement, judge};
pub use leak::{LeakSources, leaks};
pub use loop_watch::{LoopWatch, RunningLoop};
pub use origin::{Leaf, Leak, MixedRecord, Origins, Place, PromptText, Source};
pub use schema::{Schema, SchemaError};
pub use trace::origins;
pub use verdict::{
    AfterDefaults, Branch, Cause, Correctness, Difference, Fault, Lamps, Span, Verdict,
};
