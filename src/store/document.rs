//! JSON documents: saved atomically, and set aside, never overwritten, when they cannot be read.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::StoreError;
use super::aside::set_aside;
use super::bounded::read_bytes;

/// The version of all documents that this program writes.
const VERSION: u32 = 1;
/// Larger files are no documents of ours: a reply in Repair has at most 64 MB.
const MAX_BYTES: u64 = 512 << 20;

/// The one field that every version has.
#[derive(Deserialize)]
struct Versioned {
    v: u32,
}

/// What was found where a document should be.
#[derive(Debug, PartialEq, Eq)]
pub enum Loaded<T> {
    Found(T),
    Missing,
    /// It could not be read; it lies under this other name now, for this reason.
    SetAside {
        now: PathBuf,
        reason: String,
    },
    /// It could not be read and could not be moved either; it must not be saved over.
    Locked {
        reason: String,
    },
    /// A newer version of the program wrote it; it must not be saved over.
    Newer {
        version: u32,
    },
}

/// Reads a document. One that is broken is renamed, so that the next save does not destroy it; one of a newer version
/// is left alone.
pub fn load<T: DeserializeOwned>(path: &Path) -> Loaded<T> {
    let text = match read_bytes(path, MAX_BYTES) {
        Ok(it) => it,
        Err(it) if is_missing(&it) => return Loaded::Missing,
        Err(it) => {
            return Loaded::Locked {
                reason: it.to_string(),
            };
        }
    };
    // Asked first: a newer version may mean other things by the same fields.
    if let Ok(Versioned { v }) = serde_json::from_slice(&text)
        && v > VERSION
    {
        return Loaded::Newer { version: v };
    }
    match serde_json::from_slice(&text) {
        Ok(it) => Loaded::Found(it),
        Err(it) => set_broken_aside(path, it.to_string()),
    }
}

/// Reads a document of somebody else's: a broken one stays where it is.
pub fn peek<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&read_bytes(path, MAX_BYTES).ok()?).ok()
}

/// Writes the whole document beside its place, flushes it to the disk, and renames it into place.
pub fn save<T: Serialize>(path: &Path, value: &T) -> Result<(), StoreError> {
    let failed = |it: &io::Error| StoreError::new("cannot save", path, it);
    let text = serde_json::to_vec_pretty(value).map_err(|it| failed(&io::Error::other(it)))?;
    write(path, &text)
}

/// Writes a text in the same way as a document.
pub fn save_text(path: &Path, text: &str) -> Result<(), StoreError> {
    write(path, text.as_bytes())
}

/// Writes a picture, or whatever else is no text, in the same way.
pub fn save_bytes(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write(path, bytes)
}

/// Takes a file away; none is as good.
pub fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(it) if it.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::new("cannot delete", path, &it))
        }
        _ => Ok(()),
    }
}

fn write(path: &Path, text: &[u8]) -> Result<(), StoreError> {
    let failed = |it: &io::Error| StoreError::new("cannot save", path, it);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|it| failed(&it))?;
    let mut file = NamedTempFile::new_in(folder).map_err(|it| failed(&it))?;
    file.write_all(text).map_err(|it| failed(&it))?;
    file.as_file().sync_all().map_err(|it| failed(&it))?;
    file.persist(path).map_err(|it| failed(&it.error))?;
    Ok(())
}

/// Also where the folder is a file: there is nothing that could be written over.
fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn set_broken_aside<T>(path: &Path, reason: String) -> Loaded<T> {
    match set_aside(path, "broken") {
        Ok(now) => Loaded::SetAside { now, reason },
        Err(it) => Loaded::Locked {
            reason: format!("{reason}; and it cannot be moved: {it}"),
        },
    }
}
