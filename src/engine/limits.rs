//! The patience that the supervisor has with an engine.

use std::time::Duration;

/// How long what may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// From a cancel to the kill; none for an engine that cannot be started again.
    pub(super) cancel: Option<Duration>,
    /// Silence while a command is executed; none for never.
    pub(super) silence: Option<Duration>,
}

impl Limits {
    /// For an engine that can be killed and started again.
    pub(super) const STRICT: Self = Self {
        cancel: Some(Duration::from_millis(80)),
        silence: Some(Duration::from_mins(2)),
    };

    /// For a backend in this process, which nothing can kill.
    pub(super) const PATIENT: Self = Self {
        cancel: None,
        silence: None,
    };
}
