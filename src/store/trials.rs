//! The record of trials: JSON Lines, each flushed to the disk before anything else happens.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::StoreError;
use super::bounded::{Line, MAX_LINE, next_line};
use super::lines::append_line;
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

    /// Writes one line and waits until it is on the disk.
    pub fn append(&self, trial: &Trial) -> Result<(), StoreError> {
        append_line(&self.path, trial, "cannot record the trial")
    }
}

/// All trials of a file, and a sentence for each line that could not be read.
pub fn read_trials(path: &Path) -> Result<(Vec<Trial>, Vec<String>), StoreError> {
    let failed = |it: &io::Error| StoreError::new("cannot read the trials", path, it);
    let file = File::open(path).map_err(|it| failed(&it))?;
    let mut trials = Vec::new();
    let mut skipped = Vec::new();
    let mut reader = BufReader::new(file);
    for number in 1_u64.. {
        let line = match next_line(&mut reader).map_err(|it| failed(&it))? {
            None => break,
            Some(Line::Whole(line)) if line.is_empty() => continue,
            Some(Line::Whole(line)) => line,
            Some(Line::TooLong) => {
                let most = MAX_LINE >> 20;
                skipped.push(format!("line {number} skipped: it has more than {most} MB"));
                continue;
            }
        };
        match serde_json::from_slice(&line) {
            Ok(it) => trials.push(it),
            Err(it) => skipped.push(format!("line {number} skipped: {it}")),
        }
    }
    Ok((trials, skipped))
}
