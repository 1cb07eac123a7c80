//! The one place that prints: results to standard output, progress and errors to standard error.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// The reply or the check is bad.
pub(super) const BAD: u8 = 1;
/// Usage is wrong, or a file cannot be used.
pub(super) const UNUSABLE: u8 = 2;

/// Set once the reader of standard output has gone away.
static IS_UNREAD: AtomicBool = AtomicBool::new(false);

/// Writes one line to standard output, as [`whole`] does it.
pub(super) fn line(text: &str) {
    whole(format!("{text}\n").as_bytes());
}

/// Writes a text or a picture to standard output as it is. A reader that has gone away is no fault, and changes no
/// exit code: what is printed for nobody is dropped. Whatever else hinders is said, and ends the program.
pub(super) fn whole(bytes: &[u8]) {
    if is_unread() {
        return;
    }
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    if let Err(it) = written
        && is_fault(&it)
    {
        std::process::exit(i32::from(UNUSABLE));
    }
}

/// Whether nobody reads standard output any more: who prints line after line can stop.
pub(super) fn is_unread() -> bool {
    IS_UNREAD.load(Ordering::Relaxed)
}

/// Whether standard output takes no more although there is a reader; says why then.
fn is_fault(why: &io::Error) -> bool {
    if why.kind() == io::ErrorKind::BrokenPipe {
        IS_UNREAD.store(true, Ordering::Relaxed);
        return false;
    }
    say(&format!(
        "error: cannot write: {why}; standard output; free some space, or write to another place"
    ));
    true
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
    let printed = error.print().and_then(|()| io::stdout().flush());
    match printed {
        _ if error.use_stderr() => ExitCode::from(UNUSABLE),
        Err(it) if is_fault(&it) => ExitCode::from(UNUSABLE),
        _ => ExitCode::SUCCESS,
    }
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
