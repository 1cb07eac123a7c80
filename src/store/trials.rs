//! The record of trials: JSON Lines, each flushed to the disk before anything else happens.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use super::StoreError;
use super::bounded::{MAX_LINE, MAX_RECORDING, read_bytes};
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

/// Smaller files are not worth a second thread.
const WORTH_A_THREAD: usize = 1 << 20;

/// All trials of a file, and a sentence for each line that could not be read.
pub fn read_trials(path: &Path) -> Result<(Vec<Trial>, Vec<String>), StoreError> {
    let text = read_bytes(path, MAX_RECORDING)
        .map_err(|it| StoreError::new("cannot read the trials", path, &it))?;
    let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
    let n_threads = n_cores.min(text.len() / WORTH_A_THREAD + 1);
    let read = parse_lines(&text, n_threads);
    Ok((read.trials, read.problems))
}

/// What stands in the lines of a record.
#[derive(Debug, Default)]
pub struct ReadLines {
    pub trials: Vec<Trial>,
    /// A sentence for each line that could not be read.
    pub problems: Vec<String>,
    /// Bytes that were parsed: every line once.
    pub n_bytes: usize,
}

/// Parses lines side by side on so many threads; what comes of it does not depend on their number.
pub fn parse_lines(text: &[u8], n_threads: usize) -> ReadLines {
    let lines: Vec<(usize, &[u8])> = (1..)
        .zip(text.split(|it| *it == b'\n'))
        .filter(|it| !it.1.is_empty())
        .collect();
    let share = lines.len().div_ceil(n_threads.max(1)).max(1);
    let mut read = ReadLines::default();
    thread::scope(|scope| {
        let mut rest = lines.chunks(share);
        let own = rest.next().unwrap_or_default();
        let others: Vec<_> = rest
            .map(|it| {
                let named = thread::Builder::new().name("trials".to_owned());
                (it, named.spawn_scoped(scope, || parse(it)))
            })
            .collect();
        read.extend(parse(own));
        for (lines, handle) in others {
            // Without a thread, or behind a panic in one, it is done here.
            let parsed = handle.ok().and_then(|it| it.join().ok());
            read.extend(parsed.unwrap_or_else(|| parse(lines)));
        }
    });
    read
}

impl ReadLines {
    fn extend(&mut self, more: Self) {
        self.trials.extend(more.trials);
        self.problems.extend(more.problems);
        self.n_bytes += more.n_bytes;
    }
}

fn parse(lines: &[(usize, &[u8])]) -> ReadLines {
    let mut read = ReadLines::default();
    for (number, line) in lines {
        read.n_bytes += line.len();
        if line.len() as u64 > MAX_LINE {
            let most = MAX_LINE >> 20;
            let problem = format!("line {number} skipped: it has more than {most} MB");
            read.problems.push(problem);
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(it) => read.trials.push(it),
            Err(it) => read.problems.push(format!("line {number} skipped: {it}")),
        }
    }
    read
}
