//! Ends the engine's process before it takes more memory than it may: a message, where the system would kill something.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::machine;

/// How often the memory is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// What the last line on standard error begins with when a process ended itself at its limit.
pub(super) const MARK: &str = "memory limit: ";

/// The limit of this process, in bytes, shared with the thread that watches.
#[derive(Clone, Debug, Default)]
pub struct MemoryGuard(Arc<AtomicU64>);

impl MemoryGuard {
    /// Watches this process from now on, and ends it with a last line on standard error when it is over its limit.
    /// Without a thread to watch on, nothing is watched.
    pub fn of_process() -> Self {
        let guard = Self::default();
        let watched = guard.clone();
        let watch = move || {
            loop {
                thread::sleep(LOOK);
                let last_words = machine::resident_memory().and_then(|it| watched.last_words(it));
                if let Some(text) = last_words {
                    // Without a reader of standard error, nobody can be told.
                    let _written = writeln!(std::io::stderr().lock(), "{MARK}{text}");
                    super::host::end_process();
                }
            }
        };
        let started = thread::Builder::new()
            .name("engine memory".to_owned())
            .spawn(watch);
        drop(started);
        guard
    }

    /// Sets the limit in bytes; none for no limit.
    pub fn set(&self, limit: Option<u64>) {
        self.0.store(limit.unwrap_or(0), Ordering::Relaxed);
    }

    /// Why the process is to end when it takes this much memory; none while it may go on.
    fn last_words(&self, resident: u64) -> Option<String> {
        let limit = self.0.load(Ordering::Relaxed);
        (limit > 0 && resident > limit).then(|| {
            format!(
                "it took {} of memory and may take {}; choose a smaller model or context, or raise the limit",
                in_gigabytes(resident),
                in_gigabytes(limit)
            )
        })
    }
}

/// Such as "1.25 GB".
fn in_gigabytes(n_bytes: u64) -> String {
    format!("{:.2} GB", n_bytes as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_may_take_what_its_limit_says() {
        let guard = MemoryGuard::default();
        assert_eq!(guard.last_words(u64::MAX), None);
        guard.set(Some(2_000_000_000));
        assert_eq!(guard.last_words(2_000_000_000), None);
        guard.set(None);
        assert_eq!(guard.last_words(u64::MAX), None);
    }

    #[test]
    fn a_process_over_its_limit_says_both_numbers() {
        let guard = MemoryGuard::default();
        guard.clone().set(Some(2_000_000_000));
        let text = guard.last_words(2_250_000_000).unwrap();
        assert!(
            text.starts_with("it took 2.25 GB of memory and may take 2.00 GB; "),
            "{text}"
        );
    }
}
