//! The record of trials: JSON Lines, each flushed to the disk before anything else happens.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::StoreError;
use crate::lab::Trial;

/// Appends trials to one file.
#[derive(Debug)]
pub struct Trials {
    path: PathBuf,
}

impl Trials {
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Writes one line and waits until it is on the disk. A torn last line of an earlier crash is closed first,
    /// and a line that could not be written whole is taken back, so that no other line is lost with it.
    pub fn append(&self, trial: &Trial) -> Result<(), StoreError> {
        let failed = |it: &io::Error| StoreError::new("cannot record the trial", &self.path, it);
        let mut line = serde_json::to_vec(trial).map_err(|it| failed(&io::Error::other(it)))?;
        line.push(b'\n');
        let mut file = self.open().map_err(|it| failed(&it))?;
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

    fn open(&self) -> io::Result<File> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(&self.path)?;
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
}

/// All trials of a file, and a sentence for each line that could not be read.
pub fn read_trials(path: &Path) -> Result<(Vec<Trial>, Vec<String>), StoreError> {
    let failed = |it: &io::Error| StoreError::new("cannot read the trials", path, it);
    let file = File::open(path).map_err(|it| failed(&it))?;
    let mut trials = Vec::new();
    let mut skipped = Vec::new();
    for (idx, line) in BufReader::new(file).split(b'\n').enumerate() {
        let line = line.map_err(|it| failed(&it))?;
        if line.is_empty() {
            continue;
        }
        match serde_json::from_slice(&line) {
            Ok(it) => trials.push(it),
            Err(it) => skipped.push(format!("line {} skipped: {it}", idx + 1)),
        }
    }
    Ok((trials, skipped))
}
