//! Everything on disk: folders, documents saved atomically, trials, the library, and the models found.

mod bench;
mod cases;
mod document;
mod folders;
mod keeper;
mod library;
mod lines;
mod models;
mod trials;

pub use bench::{BenchFolder, Opened, difference};
pub use cases::append_case;
pub use document::{Loaded, load, remove, save, save_text};
pub use folders::Folders;
pub use keeper::Keeper;
pub use library::{Library, library};
pub use models::{
    Card, Elsewhere, Finding, FoundModel, Problem, Searching, Surroundings, System, find_models,
    search,
};
pub use trials::{ReadLines, Trials, parse_lines, read_trials};

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
mod tests;
