//! What a value is worth: the schema's verdict, correctness, leaks and the cause of failure, never merged.

mod verdict;

pub use verdict::{Cause, Correctness, Difference, Fault, Lamps, Leak, Verdict};
