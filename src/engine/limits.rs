//! The patience that the supervisor has with an engine.

use std::time::Duration;

/// How long what may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// From a cancel to the kill; none for an engine that cannot be started again.
    pub(super) cancel: Option<Duration>,
    /// Without progress while a command is executed; none for never. Then the engine is killed.
    pub(super) silence: Option<Duration>,
    /// Without a sign of life of the process itself, which shows one each second; none for never. Then it is told,
    /// and nothing is done: the process may be stopped on purpose.
    pub(super) pulse: Option<Duration>,
    /// Without progress while a reply is written; none for never. Then it is told, and nothing is done.
    pub(super) progress: Option<Duration>,
}

impl Limits {
    /// For an engine that can be killed and started again.
    pub(super) const STRICT: Self = Self {
        cancel: Some(Duration::from_millis(80)),
        silence: Some(Duration::from_mins(2)),
        pulse: Some(Duration::from_secs(4)),
        progress: Some(Duration::from_secs(4)),
    };

    /// For a backend in this process, which nothing can kill.
    pub(super) const PATIENT: Self = Self {
        cancel: None,
        silence: None,
        pulse: None,
        progress: None,
    };
}

/// Silence that is longer than its limit by this much was not seen in time: the computer slept or all of us were
/// stopped, the engine too.
pub(super) const OVERSLEPT: Duration = Duration::from_secs(5);
