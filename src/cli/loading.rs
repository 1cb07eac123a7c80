//! Loads a model for the command line: says what is not as it was asked for, and in one line why there is none.

use std::num::NonZero;
use std::path::Path;
use std::thread;

use super::out::{self, Progress};
use super::table::counted;
use super::telling;
use crate::engine::{Engine, LoadSettings, ModelInfo};
use crate::runner;

/// What a message begins its advice with.
const ADVISING: [&str; 9] = [
    "choose ", "raise ", "rename ", "build ", "update ", "close ", "free ", "start ", "use ",
];

/// Loads the model, and waits for it.
pub(super) fn load(
    engine: &Engine,
    settings: LoadSettings,
    progress: &mut Progress,
) -> Result<ModelInfo, String> {
    let path = settings.path.clone();
    let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
    if let Some(it) = too_many(settings.n_threads, n_cores) {
        out::say(&it);
    }
    let loaded = runner::load(engine, settings, &mut |it| {
        telling::tell(progress, "", it);
    });
    progress.clear();
    let info = loaded.map_err(|it| failed("the model cannot be loaded", &path, &it.to_string()))?;
    if let Some(reason) = &info.device_fallback {
        out::say(&format!("warning: {reason}; computing on the processor"));
    }
    Ok(info)
}

/// Why something could not be done with a model: its path once, and advice where the message has none of its own.
pub(super) fn failed(what_failed: &str, path: &Path, message: &str) -> String {
    let place = path.display().to_string();
    let what = message.strip_prefix(&format!("{place}: "));
    let what = what.unwrap_or(message);
    let advising = what.match_indices("; ").find(|(at, sign)| {
        let rest = &what[at + sign.len()..];
        ADVISING.iter().any(|it| rest.starts_with(it))
    });
    let (what, advice) = match advising {
        Some((at, sign)) => (&what[..at], &what[at + sign.len()..]),
        None if what.contains("a context of") => (what, "choose a smaller --ctx"),
        None => (what, "choose another GGUF file"),
    };
    format!("{what_failed}: {what}; {place}; {advice}")
}

/// Threads wait for each other without sleeping: more of them than cores crawl.
fn too_many(n_threads: u32, n_cores: usize) -> Option<String> {
    (n_threads as usize > n_cores).then(|| {
        let cores = counted(n_cores as u64, "core");
        format!("warning: {n_threads} threads on {cores} are slower than {n_cores}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: &str) {
        let text = failed("it failed", Path::new("a.gguf"), message);
        assert_eq!(text, format!("it failed: {expected}"));
    }

    #[test]
    fn the_path_is_said_once_and_advice_is_given_where_there_is_none() {
        check(
            "a.gguf: there is no such file",
            "there is no such file; a.gguf; choose another GGUF file",
        );
        check(
            "a.gguf: it is a folder; choose the .gguf file in it",
            "it is a folder; a.gguf; choose the .gguf file in it",
        );
        check(
            "a.gguf: GGUF version 7; versions 2 and 3 can be read",
            "GGUF version 7; versions 2 and 3 can be read; a.gguf; choose another GGUF file",
        );
        check(
            "a.gguf: it needs 3 GB, and the memory limit is 1 GB; raise it, or choose a context of at most 256 tokens",
            "it needs 3 GB, and the memory limit is 1 GB; a.gguf; raise it, or choose a context of at most 256 tokens",
        );
    }

    #[test]
    fn a_context_that_is_too_large_is_no_fault_of_the_file() {
        check(
            "a.gguf: a context of 99 tokens is more than the 8 it was trained for",
            "a context of 99 tokens is more than the 8 it was trained for; a.gguf; choose a smaller --ctx",
        );
    }

    #[test]
    fn more_threads_than_cores_are_warned_of() {
        assert_eq!(too_many(0, 2), None);
        assert_eq!(too_many(2, 2), None);
        let text = "warning: 64 threads on 2 cores are slower than 2";
        assert_eq!(too_many(64, 2).as_deref(), Some(text));
        let text = "warning: 2 threads on 1 core are slower than 1";
        assert_eq!(too_many(2, 1).as_deref(), Some(text));
    }
}
