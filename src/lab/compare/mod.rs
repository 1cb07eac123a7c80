//! Replies to one prompt side by side: their values field by field, their tokens in lock step, and what parted them.

mod culprit;
mod fields;
mod lock_step;
mod setup;

pub use culprit::{Culprit, Parting, Side, Witness, parting};
pub use fields::{FieldRow, FieldTable, field_table};
pub use lock_step::{Divergence, LockStep, lock_step};
pub use setup::{Difference as SettingDifference, Setting, Setup, differences};
