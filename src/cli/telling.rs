//! How the work of an engine is told on standard error: progress replaces itself, trouble stays.

use super::out::{self, Progress};
use super::table;
use crate::engine::{CrashNote, Silence};
use crate::runner::{self, Moment, crash_stamps};
use crate::store::{self, Folders};

/// Shows progress where somebody watches; says what befalls the engine in any case.
pub(super) fn tell(progress: &mut Progress, label: &str, it: &runner::Progress) {
    if let runner::Progress::Noted(note) = it {
        progress.clear();
        out::say(&kept(note));
        return;
    }
    let Some(trouble) = trouble(it) else {
        progress.show(&table::progress(label, it));
        return;
    };
    progress.clear();
    out::say(&format!("warning: {trouble}"));
}

/// Writes a crash note into the data folder, and says where it is.
fn kept(note: &CrashNote) -> String {
    let moment = Moment::now();
    let text = note.text(&crash_stamps(moment));
    match store::keep_crash_note(&Folders::of_user().crashes(), &moment.text(), &text) {
        Ok(path) => format!("crash note: {}", path.display()),
        Err(it) => format!("warning: the crash note could not be kept: {it}"),
    }
}

/// What went wrong, in words; none for work that goes on.
fn trouble(it: &runner::Progress) -> Option<String> {
    match it {
        runner::Progress::Load(_)
        | runner::Progress::Prefill(..)
        | runner::Progress::Decode(_)
        | runner::Progress::Noted(_) => None,
        runner::Progress::Lost(reason) => Some(format!(
            "the engine stopped: {reason}; it is started again and the reply is tried once more"
        )),
        runner::Progress::Silent(silence) => Some(silent(*silence)),
        runner::Progress::SilenceOver => Some("the engine responds again".to_owned()),
    }
}

fn silent(silence: Silence) -> String {
    let process = silence
        .process
        .map_or(String::new(), |it| format!(" (process {it})"));
    if silence.lives {
        format!(
            "the engine makes no progress{process}; it is busy with something long, or hangs and is then ended after two minutes; end its process to have it started again now"
        )
    } else {
        format!(
            "the engine does not respond{process}; it goes on by itself if it was only stopped; end its process to have it started again"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_process_is_named() {
        let text = |process, lives| {
            trouble(&runner::Progress::Silent(Silence { process, lives })).unwrap()
        };
        assert!(
            text(Some(1_234), false).starts_with("the engine does not respond (process 1234); ")
        );
        assert!(text(None, false).starts_with("the engine does not respond; "));
        assert!(text(Some(5), true).starts_with("the engine makes no progress (process 5); "));
    }

    #[test]
    fn progress_is_no_trouble() {
        for it in [
            runner::Progress::Load(0.5),
            runner::Progress::Prefill(1, 2),
            runner::Progress::Decode(3),
        ] {
            assert_eq!(trouble(&it), None);
        }
    }
}
