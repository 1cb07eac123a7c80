//! A reply that comes in any pieces gives what it gives at once.

#![no_main]

#[allow(dead_code, unused_imports, reason = "the fuzzer calls only what it checks")]
#[path = "../../src/ladder/mod.rs"]
mod ladder;

use ladder::properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // The first bytes say where the pieces end.
    let (cuts, text) = bytes.split_at(bytes.len().min(8));
    properties::of_stream(&String::from_utf8_lossy(text), cuts);
});
