//! Stepladder shows why a local model's JSON breaks and what mends it.

pub mod app;
pub mod constraint;
pub mod engine;
pub mod gguf;
pub mod judge;
pub mod lab;
pub mod ladder;
pub mod prompt;
pub mod sampling;
pub mod ui;
