//! Adds lines to JSON Lines files so that no crash, no full disk and no second window takes another line with it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde::Serialize;

use super::StoreError;

/// How often a file that another program writes to is tried again, and how long is waited in between.
const N_TRIES: u32 = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// Writes one line and waits until it is on the disk. A torn last line of an earlier crash is closed first,
/// and a line that could not be written whole is taken back. `what` begins the error.
pub(super) fn append_line(
    path: &Path,
    value: &impl Serialize,
    what: &str,
) -> Result<(), StoreError> {
    let line = serde_json::to_vec(value)
        .map_err(|it| StoreError::new(what, path, &io::Error::other(it)))?;
    append_lines(path, std::iter::once(Ok(line)), what)
}

/// Writes all of the lines or, when one fails, none of them.
pub(super) fn append_lines(
    path: &Path,
    lines: impl Iterator<Item = io::Result<Vec<u8>>>,
    what: &str,
) -> Result<(), StoreError> {
    let failed = |it: &io::Error| StoreError::new(what, path, it);
    let mut file = open(path).map_err(|it| failed(&it))?;
    // Without the lock, taking a line back could take one that another window has just written.
    lock(&file).map_err(|it| failed(&it))?;
    let end = file.seek(SeekFrom::End(0)).map_err(|it| failed(&it))?;
    let written = write(&mut file, end, lines).and_then(|()| file.sync_data());
    if let Err(error) = written {
        let is_torn = file.set_len(end).is_err();
        let error = failed(&error);
        return Err(if is_torn {
            error.and("part of the line may stand in the file")
        } else {
            error
        });
    }
    // The lock goes with the file.
    Ok(())
}

fn write(
    file: &mut File,
    end: u64,
    lines: impl Iterator<Item = io::Result<Vec<u8>>>,
) -> io::Result<()> {
    if !ends_with_a_line(file, end)? {
        file.write_all(b"\n")?;
    }
    for line in lines {
        let mut line = line?;
        line.push(b'\n');
        // One write for a line: a program that knows nothing of the lock does not get between its parts.
        file.write_all(&line)?;
    }
    Ok(())
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    OpenOptions::new()
        .create(true)
        .read(true)
        .append(true)
        .open(path)
}

/// Waits a while for other programs to finish their line. Where the disk knows no locks, it goes on without.
pub(super) fn lock(file: &File) -> io::Result<()> {
    for _ in 0..N_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::WouldBlock,
        "another program holds the file",
    ))
}

fn ends_with_a_line(file: &mut File, end: u64) -> io::Result<bool> {
    if end == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
