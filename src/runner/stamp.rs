//! When and by what a trial was made.

use jiff::{Timestamp, Unit};

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

    /// An id for a trial: the moment in milliseconds, and a number that tells runs of one moment apart.
    pub fn id(self, run: u64) -> String {
        format!(
            "{:x}-{run:x}-{:x}",
            self.0.as_millisecond(),
            std::process::id()
        )
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
