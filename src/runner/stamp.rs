//! When and by what a trial was made.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::{Timestamp, Unit};

/// Trials of this process so far.
static N_IDS: AtomicU64 = AtomicU64::new(0);
/// Tells this process from all others, also when the clock is set back or a process number comes again.
static PROCESS: LazyLock<u64> = LazyLock::new(|| {
    let own = u64::from(std::process::id());
    RandomState::new().hash_one(own) & 0xffff_ffff_ffff
});

/// The moment a trial was finished.
#[derive(Clone, Copy, Debug)]
pub struct Moment(Timestamp);

impl Moment {
    pub fn now() -> Self {
        Self(Timestamp::now())
    }

    /// RFC 3339 in UTC, to the millisecond.
    pub fn text(self) -> String {
        self.0
            .round(Unit::Millisecond)
            .unwrap_or(self.0)
            .to_string()
    }

    /// An id for a trial: the moment in milliseconds, the run, and two numbers that no other trial has together,
    /// whatever the clock says.
    pub fn id(self, run: u64) -> String {
        let n = N_IDS.fetch_add(1, Ordering::Relaxed);
        format!("{:x}-{run:x}-{:x}-{n:x}", self.0.as_millisecond(), *PROCESS)
    }
}

/// What a crash note says of the time and of what ran.
pub fn crash_stamps(moment: Moment) -> Vec<String> {
    vec![
        format!("Time: {}", moment.text()),
        format!(
            "Stepladder {} on {} {}, llama.cpp {}",
            app_version(),
            std::env::consts::OS,
            std::env::consts::ARCH,
            crate::engine::llama_cpp_version()
        ),
    ]
}

/// This program's version, as it stands in records.
pub fn app_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_moment_and_one_run_differ() {
        let moment = Moment(Timestamp::UNIX_EPOCH);
        assert_ne!(moment.id(1), moment.id(1));
    }

    #[test]
    fn a_moment_before_1970_has_an_id_that_is_a_word() {
        let back = Moment(Timestamp::MIN);
        let id = back.id(7);
        assert!(
            id.chars().all(|it| it.is_ascii_hexdigit() || it == '-'),
            "{id}"
        );
    }
}
