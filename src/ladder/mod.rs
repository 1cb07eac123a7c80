//! The ladder: a reply climbs from "as is" over fences and cutting to repair, until a rung holds.

mod climb;

pub use climb::{Attempt, Climb, Flag, Repair, RepairKind, Rung, SyntaxError};
