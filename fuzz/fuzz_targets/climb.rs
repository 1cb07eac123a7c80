//! Any reply climbs without harm, and what the climb says of itself is true.

#![no_main]

#[allow(dead_code, unused_imports, reason = "the fuzzer calls only what it checks")]
#[path = "../../src/ladder/mod.rs"]
mod ladder;

use ladder::properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    properties::of_climb(&String::from_utf8_lossy(bytes));
});
