//! Tests of the lab.

mod lint;
mod presets;
mod records;
mod summary;
