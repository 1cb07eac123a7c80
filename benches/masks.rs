//! What masks cost: ours, llguidance on the same grammar character by character, and llama.cpp's apply over all tokens.
//!
//! `STEPLADDER_MODEL=… STEPLADDER_MODEL_2=… cargo bench --bench masks`. Beside the table, each way of making masks is a
//! benchmark of its own along a reply of three hundred tokens.

#![cfg_attr(
    feature = "llama",
    expect(clippy::unwrap_used, reason = "a bench may panic"),
    expect(clippy::print_stdout, reason = "the table is for people who run it")
)]

#[cfg(feature = "llama")]
#[path = "masks/measure.rs"]
mod measure;

#[cfg(feature = "llama")]
fn main() {
    measure::main();
}

#[cfg(not(feature = "llama"))]
fn main() {}
