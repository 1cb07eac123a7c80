//! Moves a file out of the way under a name of its own, so that nothing is written over.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// More files of one name are a sign of something else being wrong.
const MOST: u32 = 1000;

/// Renames the file to its name with `.WORD-1`, or the first number that is free, and gives the new place.
pub(super) fn set_aside(path: &Path, word: &str) -> io::Result<PathBuf> {
    for number in 1..MOST {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{word}-{number}"));
        let now = path.with_file_name(name);
        // A link that leads nowhere is a file too.
        if fs::symlink_metadata(&now).is_err() {
            fs::rename(path, &now)?;
            return Ok(now);
        }
    }
    Err(io::Error::other(format!(
        "{MOST} files of its name are there already"
    )))
}
