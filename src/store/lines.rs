//! Adds lines to JSON Lines files so that no crash and no full disk takes another line with it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::Serialize;

use super::StoreError;

/// Writes one line and waits until it is on the disk. A torn last line of an earlier crash is closed first,
/// and a line that could not be written whole is taken back. `what` begins the error.
pub(super) fn append_line(
    path: &Path,
    value: &impl Serialize,
    what: &str,
) -> Result<(), StoreError> {
    let failed = |it: &io::Error| StoreError::new(what, path, it);
    let mut line = serde_json::to_vec(value).map_err(|it| failed(&io::Error::other(it)))?;
    line.push(b'\n');
    let mut file = open(path).map_err(|it| failed(&it))?;
    let end = file.seek(SeekFrom::End(0)).map_err(|it| failed(&it))?;
    let written = file.write_all(&line).and_then(|()| file.sync_data());
    if let Err(error) = written {
        let is_torn = file.set_len(end).is_err();
        let error = failed(&error);
        return Err(if is_torn {
            error.and("part of the line may stand in the file")
        } else {
            error
        });
    }
    Ok(())
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new()
        .create(true)
        .read(true)
        .append(true)
        .open(path)?;
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}
