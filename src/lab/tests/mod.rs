//! Tests of the lab.

mod plans;
mod presets;
mod records;
mod results;
mod statistics;
mod summary;
