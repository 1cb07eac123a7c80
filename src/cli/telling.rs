//! How the work of an engine is told on standard error: progress replaces itself, trouble stays.

use super::out::{self, Progress};
use super::table;
use crate::runner;

/// Shows progress where somebody watches; says what befalls the engine in any case.
pub(super) fn tell(progress: &mut Progress, label: &str, it: &runner::Progress) {
    let Some(trouble) = trouble(it) else {
        progress.show(&table::progress(label, it));
        return;
    };
    progress.clear();
    out::say(&format!("warning: {trouble}"));
}

/// What went wrong, in words; none for work that goes on.
fn trouble(it: &runner::Progress) -> Option<String> {
    match it {
        runner::Progress::Load(_) | runner::Progress::Prefill(..) | runner::Progress::Decode(_) => {
            None
        }
        runner::Progress::Lost(reason) => Some(format!(
            "the engine stopped: {reason}; it is started again and the reply is tried once more"
        )),
        runner::Progress::Silent(process) => Some(format!(
            "the engine does not respond{}; it goes on by itself if it was only stopped; end its process to have it started again",
            process.map_or(String::new(), |it| format!(" (process {it})"))
        )),
        runner::Progress::SilenceOver => Some("the engine responds again".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_process_is_named() {
        let text = trouble(&runner::Progress::Silent(Some(1_234))).unwrap();
        assert!(text.contains("does not respond (process 1234)"), "{text}");
        let text = trouble(&runner::Progress::Silent(None)).unwrap();
        assert!(text.contains("does not respond;"), "{text}");
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
