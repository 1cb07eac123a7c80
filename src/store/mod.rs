//! Everything on disk: folders, documents saved atomically, trials, the library, and the models found.

mod aside;
mod bench;
mod bounded;
mod bundle;
mod cases;
mod crash_notes;
mod document;
mod folders;
mod keeper;
mod library;
mod lines;
mod merge;
mod models;
mod own_files;
mod picture;
mod speeds;
mod trials;
mod windows;

pub use bench::{BenchFolder, Opened, difference, free_folder};
pub use bounded::{
    Line, MAX_DOCUMENT, MAX_RECORDING, MAX_REPLY, at_most, next_line, read_bytes, read_given,
    read_text,
};
pub use bundle::{Differing, Exported, Imported, export, import};
pub use cases::append_case;
pub use crash_notes::keep_crash_note;
pub use document::{Loaded, load, peek, remove, save, save_bytes, save_text};
pub use folders::Folders;
pub use keeper::{Keeper, Saved};
pub use library::{Library, library};
pub use models::{
    Card, Elsewhere, Finding, FoundModel, Problem, Searching, Surroundings, System, find_models,
    search,
};
pub use own_files::Seen;
pub use picture::picture;
pub use speeds::speeds;
pub use trials::{ReadLines, Trials, parse_lines, read_trials};
pub use windows::WindowNumber;

use std::io;
use std::path::{Path, PathBuf};

/// A file that could not be used: what failed, where, and what can be done.
#[derive(Debug, thiserror::Error)]
#[error("{what}; {}; {advice}", path.display())]
pub struct StoreError {
    pub what: String,
    pub path: PathBuf,
    pub advice: String,
}

impl StoreError {
    fn new(what: &str, path: &Path, error: &io::Error) -> Self {
        Self {
            what: format!("{what}: {}", plain(error)),
            path: path.to_owned(),
            advice: advice(error).to_owned(),
        }
    }

    fn and(mut self, more: &str) -> Self {
        self.what = format!("{}; {more}", self.what);
        self
    }
}

fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        _ => error.to_string(),
    }
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "check who owns the file and its folder",
        io::ErrorKind::StorageFull => "free some space and try again",
        io::ErrorKind::ReadOnlyFilesystem => "set STEPLADDER_DATA to a folder that can be written",
        _ => "try again, or set STEPLADDER_DATA to another folder",
    }
}

#[cfg(test)]
mod shared_tests;
#[cfg(test)]
mod tests;
