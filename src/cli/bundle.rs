//! `stepladder export` and `import`: everything of the user's in one file.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::out;
use crate::store::{Differing, Folders, WindowNumber, export as write, import as take_in};

#[derive(Debug, Args)]
pub(super) struct ExportArguments {
    /// The file to write; there must be none of its name.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Leaves trials and experiments out.
    #[arg(long)]
    pub(super) no_trials: bool,
}

#[derive(Debug, Args)]
pub(super) struct ImportArguments {
    /// A file that `export` has written.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// What differs takes the place of what is here, which is kept under another name.
    #[arg(long)]
    pub(super) replace: bool,
}

/// Writes everything into a new file and says what is in it.
pub(super) fn export(arguments: &ExportArguments) -> ExitCode {
    let exported = write(&Folders::of_user(), &arguments.file, !arguments.no_trials);
    match exported {
        Ok(it) => {
            warn(&it.problems);
            let place = arguments.file.display();
            out::line(&format!("{} Written to {place}.", it.sentence()));
            ExitCode::SUCCESS
        }
        Err(it) => out::error(&it.to_string()),
    }
}

/// Takes everything in that a file holds and says what became of it.
pub(super) fn import(arguments: &ImportArguments) -> ExitCode {
    let folders = Folders::of_user();
    let differing = if arguments.replace {
        // What it has in memory would go over what comes in.
        if WindowNumber::is_taken(&folders) {
            return out::error(&format!(
                "a window is open; {}; close it, or import without --replace",
                folders.data().display()
            ));
        }
        Differing::Replace
    } else {
        Differing::Beside
    };
    match take_in(&folders, &arguments.file, differing) {
        Ok(it) => {
            warn(&it.problems);
            for sentence in it.sentences() {
                out::line(&sentence);
            }
            ExitCode::SUCCESS
        }
        Err(it) => out::error(&it.to_string()),
    }
}

fn warn(problems: &[String]) {
    for it in problems {
        out::say(&format!("warning: {it}"));
    }
}
