//! Tests of the lab.

mod presets;
mod records;
mod summary;
