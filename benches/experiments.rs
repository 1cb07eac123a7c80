//! An experiment of 10,000 trials: how long it takes to be read, counted and held against another one, and what a
//! frame of Bench costs while it is shown and while a plan adds to it; and what one of Compare costs.
//!
//! `cargo bench --profile dev --bench experiments` prints criterion's figures and, after them, what counts.

#![expect(clippy::print_stdout, reason = "a bench prints what it found")]

#[path = "experiments/columns.rs"]
mod columns;
#[path = "experiments/folder.rs"]
mod folder;
#[path = "experiments/frames.rs"]
mod frames;

use std::hint::black_box;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::Criterion;
use folder::N_TRIALS;
use stepladder::app::{Shown, two_runs};
use stepladder::lab::Plan;
use stepladder::store::BenchFolder;

/// Seconds in which an experiment is to be open.
const OPEN: f64 = 2.0;
/// Seconds in which its figures are to be counted anew.
const COUNT: f64 = 0.2;

fn main() -> io::Result<()> {
    let place = tempfile::tempdir()?;
    let folders = [place.path().join("one"), place.path().join("other")];
    folder::fill(&folders[0], false)?;
    folder::fill(&folders[1], true)?;
    let bytes = std::fs::metadata(folders[0].join("trials.jsonl"))?.len();
    println!(
        "{N_TRIALS} trials, {:.1} MB, {:.1} kB each",
        bytes as f64 / 1e6,
        bytes as f64 / 1e3 / N_TRIALS as f64
    );
    let mut criterion = Criterion::default()
        .measurement_time(Duration::from_secs(8))
        .warm_up_time(Duration::from_secs(1))
        .sample_size(10)
        .configure_from_args();
    let shown = opened(&folders[0])?;
    let other = opened(&folders[1])?;
    criterion.bench_function("open 10,000 trials", |it| {
        it.iter(|| opened(black_box(&folders[0])));
    });
    criterion.bench_function("count 10,000 trials", |it| {
        it.iter(|| black_box(&shown).to_count().count());
    });
    criterion.bench_function("two runs of 10,000 trials", |it| {
        it.iter(|| two_runs(black_box(&other.trials), &shown.trials));
    });
    criterion.final_summary();
    told("opened", OPEN, || opened(&folders[0]).map(drop));
    told("counted", COUNT, || {
        drop(shown.to_count().count());
        Ok(())
    });
    told("held against another run", COUNT, || {
        drop(two_runs(&other.trials, &shown.trials));
        Ok(())
    });
    frames::bench(shown, &other);
    frames::compare(columns::last_of_six());
    Ok(())
}

/// What the window does when an experiment is opened.
fn opened(path: &Path) -> io::Result<Shown> {
    let folder = BenchFolder::at(path);
    let begun = folder.plan().map_err(io::Error::other)?;
    let (plan, presets) = Plan::parse_resolved(&begun, "plan.json").map_err(io::Error::other)?;
    let reference = plan.reference(&presets).map_err(io::Error::other)?;
    let opened = folder.read().map_err(io::Error::other)?;
    let mut shown = Shown::new(path.to_owned(), (plan, reference), N_TRIALS)
        .with_tasks(Plan::resolved_tasks(&begun));
    shown.add(opened.trials);
    Ok(shown)
}

/// The median of a few times, beside the limit.
fn told(what: &str, limit: f64, work: impl Fn() -> io::Result<()>) {
    let mut seconds: Vec<f64> = (0..7)
        .map(|_| {
            let begun = Instant::now();
            drop(work());
            begun.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    println!(
        "{what}: {:.0} ms, {:.2} of the {:.0} ms that it may take",
        1e3 * seconds[3],
        seconds[3] / limit,
        1e3 * limit
    );
}
