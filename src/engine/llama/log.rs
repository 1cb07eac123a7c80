//! llama.cpp's log on its way to the process that drives this one: its last lines tell of a crash.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::crash_note::LOG;

static IS_PASSED_ON: AtomicBool = AtomicBool::new(false);

/// From now on the log goes to standard error: this process is an engine's own.
pub(super) fn begin() {
    IS_PASSED_ON.store(true, Ordering::Relaxed);
}

/// Passes a line on. It is called from within C++, so nothing here may panic.
pub(super) fn pass_on(line: &str) {
    if IS_PASSED_ON.load(Ordering::Relaxed) && !line.trim().is_empty() {
        // Without a reader of standard error, nobody wants it.
        let _written = writeln!(std::io::stderr().lock(), "{LOG}{}", line.trim_end());
    }
}
