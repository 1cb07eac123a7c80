//! Walks folders for files that may be models: bounded, read-only, and once through each folder.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::problem::Problem;

/// How deep folders are searched.
const MAX_DEPTH: usize = 6;
/// Most entries of a place that are looked at.
const MAX_ENTRIES: usize = 50_000;
/// A header alone is larger.
const MIN_BYTES: u64 = 64;
/// Folders in which no model lies that is not found elsewhere.
const SKIPPED: &[&str] = &[".git", ".locks", ".no_exist", ".Trash", "node_modules"];
/// How tools name what they have not finished.
const UNFINISHED_ENDINGS: &[&str] = &[
    ".part",
    ".partial",
    ".incomplete",
    ".downloadinprogress",
    ".download",
    ".crdownload",
    ".ipull",
    ".aria2",
    ".opdownload",
    ".tmp",
    ".!ut",
    ".!qb",
];
const UNFINISHED_STARTS: &[&str] = &["incomplete-", "downloading_"];

/// A file that may be a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    /// What its tool calls it, if that is not the file's name.
    pub(super) name: Option<String>,
    pub(super) found_in: String,
}

/// What a walk has come by so far.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) candidates: Vec<Candidate>,
    pub(super) problems: Vec<Problem>,
    entered: BTreeSet<PathBuf>,
    n_entries: usize,
}

impl Walk {
    /// Takes all files below a folder.
    pub(super) fn folder(&mut self, folder: &Path, found_in: &str, is_named: bool) {
        self.n_entries = 0;
        if is_named && !folder.exists() {
            let what = "there is no such folder or file, or it cannot be reached";
            self.problem(folder, found_in, what);
            return;
        }
        if folder.is_file() {
            self.file(folder, None, found_in);
        } else {
            self.enter(folder, found_in, 0);
        }
        if self.n_entries > MAX_ENTRIES {
            let what = format!("more than {MAX_ENTRIES} files; the rest was not looked at");
            self.problem(folder, found_in, &what);
        }
    }

    /// Takes one file, if it is one and finished.
    pub(super) fn file(&mut self, path: &Path, name: Option<String>, found_in: &str) {
        match fs::metadata(path) {
            Ok(it) if it.is_file() && it.len() >= MIN_BYTES => self.candidates.push(Candidate {
                path: path.to_owned(),
                name,
                found_in: found_in.to_owned(),
            }),
            Ok(_) => {}
            Err(error) => self.failure(path, found_in, &error),
        }
    }

    /// What could not be read is a problem; what is not there, a link to nothing among it, is none.
    pub(super) fn failure(&mut self, path: &Path, found_in: &str, error: &io::Error) {
        if error.kind() != io::ErrorKind::NotFound {
            let what = match error.kind() {
                io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
                io::ErrorKind::NotADirectory => "it is no folder".to_owned(),
                _ => format!("it cannot be read: {error}"),
            };
            self.problem(path, found_in, &what);
        }
    }

    pub(super) fn problem(&mut self, path: &Path, found_in: &str, what: &str) {
        self.problems.push(Problem {
            path: path.to_owned(),
            found_in: found_in.to_owned(),
            what: what.to_owned(),
        });
    }

    fn enter(&mut self, folder: &Path, found_in: &str, depth: usize) {
        // The same folder by another way: a link to above would lead in circles.
        if let Ok(real) = fs::canonicalize(folder)
            && !self.entered.insert(real)
        {
            return;
        }
        let entries = match fs::read_dir(folder) {
            Ok(it) => it,
            Err(error) => return self.failure(folder, found_in, &error),
        };
        let room = (MAX_ENTRIES + 1).saturating_sub(self.n_entries);
        let mut paths: Vec<PathBuf> = entries.flatten().map(|it| it.path()).take(room).collect();
        self.n_entries += paths.len();
        paths.sort();
        let in_repository = name_of(folder).starts_with("models--");
        for path in &paths {
            let name = name_of(path);
            match fs::metadata(path) {
                Ok(it) if it.is_dir() => {
                    let is_wanted = !in_repository || name == "snapshots";
                    if depth < MAX_DEPTH && is_wanted && !is_skipped(&name) {
                        self.enter(path, found_in, depth + 1);
                    }
                }
                Ok(_) if is_unfinished(&name, path, &paths) => {}
                Ok(_) => self.file(path, None, found_in),
                Err(error) => self.failure(path, found_in, &error),
            }
        }
    }
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn is_skipped(folder: &str) -> bool {
    let of_hub = ["datasets--", "spaces--"];
    SKIPPED.contains(&folder) || of_hub.iter().any(|it| folder.starts_with(it))
}

/// By its name, or by the control file that a download keeps beside it.
fn is_unfinished(name: &str, path: &Path, beside: &[PathBuf]) -> bool {
    let lower = name.to_lowercase();
    let control = path.with_file_name(format!("{name}.aria2"));
    // macOS keeps attributes of files on foreign disks in files that begin so.
    lower.starts_with("._")
        || UNFINISHED_ENDINGS.iter().any(|it| lower.ends_with(it))
        || UNFINISHED_STARTS.iter().any(|it| lower.starts_with(it))
        || beside.binary_search(&control).is_ok()
}
