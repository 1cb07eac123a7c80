//! Random actions on the whole program with real models: it neither hangs nor leaks, and loses no trial.
//!
//! Needs `STEPLADDER_MODEL`; with `STEPLADDER_MODEL_2` it also changes between two models. It lasts
//! `STEPLADDER_SOAK_SECONDS` (20 if not given: enough to see that it works); `STEPLADDER_SOAK_SEED` is another seed.
//! `scripts/soak.sh` runs it for longer and prints its figures.

#![cfg(all(feature = "llama", target_os = "linux"))]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod actions;
mod dice;
mod driver;
mod memory;
mod records;

use std::env;
use std::io::Write as _;
use std::time::Duration;

use driver::Driver;
use memory::Verdict;

/// Shorter runs have seen too little to say anything of memory.
const SHORTEST_FOR_MEMORY: Duration = Duration::from_mins(2);

#[test]
fn it_neither_hangs_nor_leaks_nor_loses_a_trial() {
    let seconds = number("STEPLADDER_SOAK_SECONDS", 20);
    let seed = number("STEPLADDER_SOAK_SEED", 7);
    let model = env::var_os("STEPLADDER_MODEL")
        .expect("set STEPLADDER_MODEL to a GGUF file: see scripts/soak.sh");
    let mut models = vec![model.into()];
    models.extend(env::var_os("STEPLADDER_MODEL_2").map(Into::into));
    let lasts = Duration::from_secs(seconds);
    let data = tempfile::tempdir().unwrap();
    let mut driver = Driver::open(data.path(), models, seed);
    driver.go_on_for(lasts);
    let report = driver.end();
    say(&format!("seed {seed}, {seconds} s\n{report}"));
    assert_eq!(report.lost, Vec::<String>::new(), "lost trials");
    assert_eq!(report.unreadable, Vec::<String>::new());
    if lasts >= SHORTEST_FOR_MEMORY {
        for (process, samples) in &report.memory {
            let verdict = Verdict::of(samples);
            assert!(verdict.is_flat(), "{process}: {verdict}");
        }
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    let text = env::var(name).unwrap_or_default();
    if text.is_empty() {
        return otherwise;
    }
    text.parse()
        .unwrap_or_else(|_| panic!("{name} is {text}; it must be a whole number"))
}

/// Past the test harness, which keeps what a passing test prints to itself.
fn say(text: &str) {
    let mut err = std::io::stderr().lock();
    writeln!(err, "{text}").unwrap();
}
