//! Memory of the window and of its engine, from what the system says of the processes.

use std::fmt;
use std::fs;

/// By how many hundredths the end may lie over the beginning.
const MOST_GROWTH: u64 = 5;
/// What comes and goes with every picture: the glyphs' atlas is copied whole (4 MB) when one is new in it, and the
/// window has little beside.
const NOISE: u64 = 8 << 20;

/// Memory that belongs to a process alone, in bytes; none if there is no such process. Pages of the model's file are
/// not in it: the system gives them and takes them as it likes.
pub(crate) fn own_bytes(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|it| it.starts_with("RssAnon:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The processes that this one has started, and that are alive.
pub(crate) fn children() -> Vec<u32> {
    let own = std::process::id();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|it| it.file_name().to_str()?.parse().ok());
    pids.filter(|pid| parent(*pid) == Some(own)).collect()
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    (state != "Z").then(|| fields.next()?.parse().ok())?
}

/// What the samples of one process say, taken at the same kind of rest: start, middle and end are medians of a fifth.
#[derive(Debug)]
pub(crate) struct Verdict {
    start: u64,
    middle: u64,
    end: u64,
}

impl Verdict {
    /// The first fifth is warming up: fonts, caches, the first of each kind of reply.
    pub(crate) fn of(samples: &[u64]) -> Self {
        let fifth = |n: usize| {
            let (from, to) = (samples.len() * n / 5, samples.len() * (n + 1) / 5);
            median(&samples[from..to.max(from)])
        };
        Self {
            start: fifth(1),
            middle: fifth(2).midpoint(fifth(3)),
            end: fifth(4),
        }
    }

    pub(crate) fn is_flat(&self) -> bool {
        let allowed = self.start / 100 * MOST_GROWTH;
        self.end <= self.start + allowed.max(NOISE)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mb = |it: u64| it as f64 / f64::from(1 << 20);
        write!(
            f,
            "{:.1} MB at the start, {:.1} in the middle, {:.1} at the end ({:+.1} %)",
            mb(self.start),
            mb(self.middle),
            mb(self.end),
            (self.end as f64 / (self.start as f64).max(1.0) - 1.0) * 100.0
        )
    }
}

fn median(samples: &[u64]) -> u64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
