//! The ladder: a reply climbs from "as is" over fences and cutting to repair, until a rung holds.

mod bare;
mod brackets;
mod choose;
mod climb;
mod cut;
mod fences;
mod hint;
mod log;
mod numbers;
mod place;
mod quotes;
mod repair;
mod rungs;
mod scan;
mod states;
mod strict;
mod strings;
mod tags;
mod tree;
mod unescape;
mod values;
mod whole;
mod words;

#[cfg(test)]
mod tests;

pub use climb::{Attempt, Climb, Flag, Repair, RepairKind, Rung, SyntaxError};
pub use hint::{Hint, RootType, RootTypes};
pub use rungs::climb;
