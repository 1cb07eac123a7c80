//! The one place that prints: results to standard output, progress and errors to standard error.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

/// The reply or the check is bad.
pub(super) const BAD: u8 = 1;
/// Usage is wrong, or a file cannot be used.
pub(super) const UNUSABLE: u8 = 2;

/// Writes one line to standard output. A reader that has gone away ends the program quietly.
pub(super) fn line(text: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Writes a text or a picture to standard output as it is.
pub(super) fn whole(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// `error: what; where; what to do`, and the exit code for it.
pub(super) fn error(text: &str) -> ExitCode {
    say(&format!("error: {text}"));
    ExitCode::from(UNUSABLE)
}

/// Writes one line to standard error; a closed standard error has nobody to tell.
pub(super) fn say(text: &str) {
    let mut err = io::stderr().lock();
    if writeln!(err, "{text}").is_err() {}
}

/// What clap has to say: help and version are good, all else is wrong usage.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    if error.print().is_err() || error.use_stderr() {
        return ExitCode::from(UNUSABLE);
    }
    ExitCode::SUCCESS
}

/// A line of progress that replaces itself; silent where nobody watches.
#[derive(Debug)]
pub(super) struct Progress {
    is_watched: bool,
    width: usize,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self {
            is_watched: io::stderr().is_terminal(),
            width: 0,
        }
    }

    pub(super) fn show(&mut self, text: &str) {
        if !self.is_watched {
            return;
        }
        let padded = format!("\r{text:<width$}", width = self.width);
        self.width = text.chars().count();
        let mut err = io::stderr().lock();
        if err
            .write_all(padded.as_bytes())
            .and_then(|()| err.flush())
            .is_err()
        {
            self.is_watched = false;
        }
    }

    pub(super) fn clear(&mut self) {
        self.show("");
        self.show("");
        self.width = 0;
    }
}
