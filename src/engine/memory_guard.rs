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

/// Memory that may be taken beside the model to make a prompt and its constraint ready, in bytes. The template
/// engine counts what a template does, but not the items of lists that it joins.
const PROMPT_ROOM: u64 = 2_000_000_000;

/// The limits of this process, shared with the thread that watches.
#[derive(Clone, Debug, Default)]
pub struct MemoryGuard(Arc<Limits>);

/// In bytes; 0 for none.
#[derive(Debug, Default)]
struct Limits {
    always: AtomicU64,
    /// While a prompt is made ready.
    prompt: AtomicU64,
}

impl MemoryGuard {
    /// Watches this process from now on, and ends it with a last line on standard error when it is over its limit.
    /// Without a thread to watch on, nothing is watched.
    pub fn of_process() -> Self {
        let guard = Self::default();
        let watched = guard.clone();
        let watch = move || {
            loop {
                thread::sleep(LOOK);
                if let Some(text) = watched.excess() {
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
        self.0.always.store(limit.unwrap_or(0), Ordering::Relaxed);
    }

    /// What this process may still take, in bytes; none without a limit.
    pub fn left(&self) -> Option<u64> {
        let limit = Some(self.0.always.load(Ordering::Relaxed)).filter(|it| *it > 0)?;
        Some(limit.saturating_sub(machine::resident_memory()?))
    }

    /// A prompt is made ready from now on.
    pub fn begin_prompt(&self) {
        let limit = machine::resident_memory().map_or(0, |it| it + PROMPT_ROOM);
        self.0.prompt.store(limit, Ordering::Relaxed);
    }

    /// The prompt is ready, or will never be.
    pub fn end_prompt(&self) {
        self.0.prompt.store(0, Ordering::Relaxed);
    }

    /// Why this process is to end, or a model cannot stay that was just loaded; none while all is within the limits.
    pub fn excess(&self) -> Option<String> {
        self.last_words(machine::resident_memory()?)
    }

    /// The same for a process that takes this much memory.
    fn last_words(&self, resident: u64) -> Option<String> {
        let over = |it: &AtomicU64| {
            Some(it.load(Ordering::Relaxed)).filter(|it| (1..resident).contains(it))
        };
        let taken = amount(resident);
        if let Some(limit) = over(&self.0.always) {
            let limit = amount(limit);
            return Some(format!(
                "it took {taken} of memory and may take {limit}; choose a smaller model or context, or raise the limit"
            ));
        }
        over(&self.0.prompt).map(|limit| {
            let limit = amount(limit);
            format!(
                "it took {taken} of memory to make the prompt ready, and may take {limit}; the model's chat template may be at fault: choose ChatML or no template (raw)"
            )
        })
    }
}

/// Such as "1.25 GB" or "20 MB".
fn amount(n_bytes: u64) -> String {
    match n_bytes as f64 {
        it if it < 1e9 => format!("{:.0} MB", it / 1e6),
        it => format!("{:.2} GB", it / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_may_take_what_its_limit_says() {
        let guard = MemoryGuard::default();
        assert_eq!(guard.last_words(u64::MAX), None);
        assert_eq!(guard.left(), None);
        guard.set(Some(2_000_000_000));
        assert_eq!(guard.last_words(2_000_000_000), None);
        let left = guard.left().unwrap();
        assert!(left > 0 && left < 2_000_000_000, "{left}");
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

    #[test]
    fn a_prompt_has_a_limit_of_its_own_while_it_is_made() {
        let guard = MemoryGuard::default();
        guard.begin_prompt();
        let now = machine::resident_memory().unwrap();
        assert_eq!(guard.last_words(now), None);
        let text = guard.last_words(now + 2 * PROMPT_ROOM).unwrap();
        assert!(
            text.contains("the model's chat template may be at fault"),
            "{text}"
        );
        guard.end_prompt();
        assert_eq!(guard.last_words(now + 2 * PROMPT_ROOM), None);
    }
}
