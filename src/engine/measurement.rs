//! How fast a model runs here with which threads and batches, and which of them are best.

use serde::{Deserialize, Serialize};

use crate::gguf::BATCH;

/// What was measured of one model on this computer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The model's name.
    pub model: String,
    pub device: String,
    /// One row a thread count, from the fewest on, each with the usual batch.
    pub threads: Vec<Speed>,
    /// One row a batch size, from the smallest on, each with the best thread count.
    pub batches: Vec<Speed>,
    /// The best thread count.
    pub n_threads: u32,
    /// The best batch size.
    pub n_batch: u32,
}

/// Tokens a second with so many threads and so many tokens at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    pub n_threads: u32,
    pub n_batch: u32,
    /// Reading a prompt.
    pub prefill: f64,
    /// Writing a reply; none where it was not measured, since batches do not change it.
    pub decode: Option<f64>,
}

/// A reply to weigh reading against writing by: tokens of its prompt, tokens of its own.
const TYPICAL: (f64, f64) = (512.0, 128.0);

/// Differences below this share are noise; then fewer threads win, since they leave cores to others.
const NOISE: f64 = 0.03;

/// Rounding, and so a reply, can depend on the batch: another one than the usual has to bring this share at least.
const WORTH: f64 = 0.1;

/// The batch sizes that are tried.
pub const BATCHES: [u32; 4] = [64, 128, 256, 512];

impl Speed {
    /// Seconds for a typical reply.
    fn seconds(&self) -> f64 {
        TYPICAL.0 / self.prefill + self.decode.map_or(0.0, |it| TYPICAL.1 / it)
    }
}

impl Measurement {
    /// Takes the rows of thread counts in and settles the best; false where no row can be told.
    pub fn settle_threads(&mut self) -> bool {
        let best = self.threads.iter().map(Speed::seconds).reduce(f64::min);
        let Some(best) = best.filter(|it| it.is_finite()) else {
            return false;
        };
        let enough = |it: &&Speed| it.seconds() <= best * (1.0 + NOISE);
        self.n_threads = self
            .threads
            .iter()
            .find(enough)
            .map_or(0, |it| it.n_threads);
        self.n_threads > 0
    }

    /// Settles the best batch size from the rows.
    pub fn settle_batches(&mut self) {
        let rate = |n: u32| {
            let row = self.batches.iter().find(|it| it.n_batch == n);
            row.map_or(0.0, |it| it.prefill)
        };
        let fastest = self.batches.iter().map(|it| it.prefill).fold(0.0, f64::max);
        let near = |it: &&Speed| it.prefill >= fastest * (1.0 - NOISE);
        self.n_batch = if rate(BATCH) * (1.0 + WORTH) >= fastest {
            BATCH
        } else {
            self.batches
                .iter()
                .find(near)
                .map_or(BATCH, |it| it.n_batch)
        };
    }
}

/// The thread counts that are worth a try on a processor with so many cores and so many hardware threads.
pub fn thread_counts(n_cores: u32, n_hardware_threads: u32) -> Vec<u32> {
    let n_cores = n_cores.max(1);
    let all = n_hardware_threads.max(n_cores);
    let steps = (0..16).flat_map(|it| [1 << it, 3 << it]);
    let mut counts: Vec<u32> = steps.filter(|it| *it < n_cores).collect();
    counts.extend([n_cores.saturating_sub(1), n_cores, all]);
    counts.retain(|it| *it > 0);
    counts.sort_unstable();
    counts.dedup();
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n_threads: u32, prefill: f64, decode: f64) -> Speed {
        Speed {
            n_threads,
            n_batch: BATCH,
            prefill,
            decode: Some(decode),
        }
    }

    #[track_caller]
    fn check_threads(rows: &[Speed], expected: u32) {
        let mut measured = Measurement {
            threads: rows.to_vec(),
            ..Measurement::default()
        };
        assert_eq!(measured.settle_threads(), expected > 0);
        assert_eq!(measured.n_threads, expected);
    }

    #[test]
    fn the_thread_count_with_the_shortest_typical_reply_wins() {
        check_threads(
            &[
                row(1, 100.0, 50.0),
                row(2, 190.0, 90.0),
                row(4, 200.0, 40.0),
            ],
            2,
        );
    }

    #[test]
    fn fewer_threads_win_where_more_bring_next_to_nothing() {
        check_threads(
            &[
                row(1, 100.0, 50.0),
                row(2, 200.0, 90.0),
                row(4, 202.0, 91.0),
            ],
            2,
        );
    }

    #[test]
    fn nothing_is_best_of_no_rows() {
        check_threads(&[], 0);
        check_threads(&[row(1, 0.0, 0.0)], 0);
    }

    #[track_caller]
    fn check_batch(rates: [f64; 4], expected: u32) {
        let rows = BATCHES.iter().zip(rates).map(|(n_batch, prefill)| Speed {
            n_threads: 1,
            n_batch: *n_batch,
            prefill,
            decode: None,
        });
        let mut measured = Measurement {
            batches: rows.collect(),
            ..Measurement::default()
        };
        measured.settle_batches();
        assert_eq!(measured.n_batch, expected);
    }

    #[test]
    fn the_usual_batch_stays_unless_another_is_a_tenth_faster() {
        check_batch([100.0, 109.0, 100.0, 110.0], 64);
        check_batch([100.0, 100.0, 100.0, 120.0], 512);
        check_batch([100.0, 130.0, 100.0, 131.0], 128);
    }

    #[test]
    fn thread_counts_reach_all_hardware_threads_and_skip_most_between() {
        assert_eq!(thread_counts(1, 1), [1]);
        assert_eq!(thread_counts(2, 2), [1, 2]);
        assert_eq!(thread_counts(8, 16), [1, 2, 3, 4, 6, 7, 8, 16]);
        assert_eq!(thread_counts(0, 0), [1]);
        assert_eq!(thread_counts(64, 128).len(), 14);
    }
}
