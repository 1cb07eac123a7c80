//! JSON documents: saved atomically, and set aside, never overwritten, when they cannot be read.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;

use super::StoreError;

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
}

/// Reads a document. One that is broken is renamed, so that the next save does not destroy it.
pub fn load<T: DeserializeOwned>(path: &Path) -> Loaded<T> {
    let text = match fs::read(path) {
        Ok(it) => it,
        Err(it) if it.kind() == io::ErrorKind::NotFound => return Loaded::Missing,
        Err(it) => {
            return Loaded::Locked {
                reason: it.to_string(),
            };
        }
    };
    match serde_json::from_slice(&text) {
        Ok(it) => Loaded::Found(it),
        Err(it) => set_aside(path, it.to_string()),
    }
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

fn set_aside<T>(path: &Path, reason: String) -> Loaded<T> {
    for attempt in 1..1000 {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".broken-{attempt}"));
        let now = path.with_file_name(name);
        if now.exists() {
            continue;
        }
        return match fs::rename(path, &now) {
            Ok(()) => Loaded::SetAside { now, reason },
            Err(it) => Loaded::Locked {
                reason: format!("{reason}; and it cannot be moved: {it}"),
            },
        };
    }
    Loaded::Locked { reason }
}
