//! Tests of the lab.

mod comparing;
mod counterfactual;
mod drawings;
mod estimates;
mod lint;
mod plans;
mod presets;
mod records;
mod results;
mod row_order;
mod runs;
mod statistics;
mod summary;
