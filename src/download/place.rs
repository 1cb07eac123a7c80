//! Where a file, its part and their side files lie, and the lock that keeps two windows apart.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::Wanted;
use super::error::{FetchError, Trouble};
use crate::store;

/// The paths of one file. All that is not finished ends in `.part` or `.json`, so that no search for models, ours or
/// another tool's, takes it for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) model: PathBuf,
    pub(super) part: PathBuf,
    /// What the part is a part of.
    pub(super) note: PathBuf,
    /// A file whose hash was wrong.
    pub(super) set_aside: PathBuf,
    lock: PathBuf,
}

/// Held as long as a file is being fetched; the system gives it back however the program ends.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "it is held, not read")] File);

impl Place {
    /// `folder/owner/name/file`, as other tools lay their models out.
    pub(super) fn of(folder: &Path, wanted: &Wanted, file: &str) -> Self {
        let mut model = folder.join(&wanted.owner).join(&wanted.name);
        model.extend(file.split('/'));
        let beside = |ending: &str| {
            let mut name = model.file_name().unwrap_or_default().to_owned();
            name.push(ending);
            model.with_file_name(name)
        };
        let name = format!(
            "{}--{}--{}",
            wanted.owner,
            wanted.name,
            file.replace('/', "--")
        );
        Self {
            part: beside(".part"),
            note: beside(".part.json"),
            set_aside: beside(".wrong-hash.part"),
            lock: folder.join(".locks").join(format!("{name}.lock")),
            model,
        }
    }

    /// Takes part and note away.
    pub(super) fn remove_part(&self) -> Result<(), FetchError> {
        [&self.part, &self.note]
            .into_iter()
            .try_for_each(|it| remove(it))
    }

    /// Takes the file away that has come whole.
    pub(super) fn remove_model(&self) -> Result<(), FetchError> {
        remove(&self.model)
    }

    /// Makes the folders and takes the lock. Its file stays, empty: one that is taken away while another program
    /// waits for it would be two locks.
    pub(super) fn lock(&self) -> Result<Lock, FetchError> {
        for path in [&self.model, &self.lock] {
            let folder = path.parent().unwrap_or(Path::new("."));
            fs::create_dir_all(folder).map_err(|it| {
                FetchError::disk("the folder for models cannot be made", folder, &it)
            })?;
        }
        let failed = |it| FetchError::disk("the download cannot be locked", &self.lock, &it);
        let file = File::options()
            .create(true)
            .append(true)
            .open(&self.lock)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => Err(FetchError::new(
                Trouble::Busy,
                "it is being downloaded by another window or program",
                self.model.display().to_string(),
                "wait for it, or stop it there",
            )),
            Err(TryLockError::Error(it)) => Err(failed(it)),
        }
    }
}

fn remove(path: &Path) -> Result<(), FetchError> {
    store::remove(path).map_err(|it| {
        let error = io::Error::other(it.to_string());
        FetchError::disk("what has come cannot be deleted", path, &error)
    })
}
