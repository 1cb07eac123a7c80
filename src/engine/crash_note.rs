//! What is known of an engine that was lost: the reason, what it did, and the last lines of its log.

use serde::{Deserialize, Serialize};

use super::{Command, MachineAsk};

/// Told when an engine was lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrashNote {
    pub reason: String,
    /// Such as "reply 12".
    pub doing: String,
    /// The system's number of the process that is gone.
    pub process: Option<u32>,
    /// The last lines of its log and error output, the oldest first; none for an engine on a thread.
    pub log: Vec<String>,
}

/// What lines of llama.cpp's log begin with in an engine's error output; they are no last words.
pub(super) const LOG: &str = "log: ";

/// What an engine leaves behind, before the reason for its end is known.
pub(super) struct Parting {
    pub(super) doing: String,
    pub(super) process: Option<u32>,
    pub(super) log: Vec<String>,
}

impl Parting {
    pub(super) fn note(self, reason: &str) -> CrashNote {
        CrashNote {
            reason: reason.to_owned(),
            doing: self.doing,
            process: self.process,
            log: self.log,
        }
    }
}

impl CrashNote {
    /// The whole note, for people; `stamps` are further lines, such as the time and the versions.
    pub fn text(&self, stamps: &[String]) -> String {
        let mut lines = vec![format!("The engine stopped: {}", self.reason)];
        lines.push(format!("It was busy with: {}", self.doing));
        lines.extend(self.process.map(|it| format!("Process: {it}")));
        lines.extend(stamps.iter().cloned());
        if self.log.is_empty() {
            lines.push("It left no log.".to_owned());
        } else {
            lines.push(format!("Its last {} lines of log:", self.log.len()));
            lines.extend(self.log.iter().map(|it| format!("  {it}")));
        }
        lines.join("\n") + "\n"
    }
}

/// What a command has the engine do, in words.
pub(super) fn deed(command: &Command) -> String {
    match command {
        Command::Load { settings, .. } => format!("loading {}", settings.path.display()),
        Command::Unload => "taking the model out of memory".to_owned(),
        Command::Preview { .. } => "rendering a prompt".to_owned(),
        Command::Run { id, .. } => format!("reply {}", id.0),
        Command::RunGroup { width, runs, .. } => {
            format!("{} replies, {width} of them together", runs.len())
        }
        Command::Machine { ask, .. } => match ask {
            MachineAsk::Devices => "listing the devices".to_owned(),
            MachineAsk::Measure => "measuring the machine".to_owned(),
        },
        Command::Walk { .. } => "stepping a text under a constraint".to_owned(),
        Command::Cancel { id } => format!("ending {}", id.0),
    }
}

/// What an engine does that has no command.
pub(super) const NOTHING: &str = "nothing";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_the_reason_the_deed_and_the_last_lines() {
        let parting = Parting {
            doing: "reply 12".to_owned(),
            process: Some(4_711),
            log: vec!["first".to_owned(), "second".to_owned()],
        };
        let text = parting
            .note("aborted (signal 6)")
            .text(&["Time: now".to_owned()]);
        let expected = "The engine stopped: aborted (signal 6)\nIt was busy with: reply 12\nProcess: 4711\nTime: now\nIts last 2 lines of log:\n  first\n  second\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_note_without_a_log_says_so() {
        let note = CrashNote {
            reason: "killed".to_owned(),
            doing: NOTHING.to_owned(),
            ..CrashNote::default()
        };
        assert!(note.text(&[]).ends_with("nothing\nIt left no log.\n"));
    }
}
