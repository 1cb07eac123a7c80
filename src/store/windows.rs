//! Tells windows on one data folder apart, so that none writes over what is typed in another.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::PathBuf;

use super::Folders;

/// Further windows share the drafts of this one.
const MOST: u32 = 32;

/// A window's number, held until it is dropped or its process ends.
#[derive(Debug)]
pub struct WindowNumber {
    number: u32,
    /// None where the disk knows no locks, or nothing can be written.
    _held: Option<File>,
}

impl WindowNumber {
    /// The lowest number that no other window has, from 1.
    pub fn take(folders: &Folders) -> Self {
        for number in 1..MOST {
            match hold(folders, number) {
                Ok(file) => {
                    return Self {
                        number,
                        _held: Some(file),
                    };
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(_)) => {
                    return Self {
                        number: 1,
                        _held: None,
                    };
                }
            }
        }
        Self {
            number: MOST,
            _held: None,
        }
    }

    /// Whether a window is open on the folder.
    pub fn is_taken(folders: &Folders) -> bool {
        let is_held = |number| matches!(hold(folders, number), Err(TryLockError::WouldBlock));
        lock_file(folders, 1).exists() && (1..MOST).any(is_held)
    }

    pub fn number(&self) -> u32 {
        self.number
    }
}

fn lock_file(folders: &Folders, number: u32) -> PathBuf {
    folders.data().join("windows").join(number.to_string())
}

/// The lock goes with the file, and with the process.
fn hold(folders: &Folders, number: u32) -> Result<File, TryLockError> {
    let path = lock_file(folders, number);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(TryLockError::Error)?;
    }
    let open = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path);
    let file = open.map_err(TryLockError::Error)?;
    file.try_lock()?;
    Ok(file)
}
