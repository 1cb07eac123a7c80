//! Measures how fast the loaded model reads and writes with each thread count and batch size.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::context::Context;
use super::load::{Loaded, N_BATCH};
use super::row::ContextSettings;
use super::sequence::Sequence;
use super::watch::{DecodeError, Watch};
use crate::engine::{BATCHES, MachineNews, Measurement, Speed, thread_counts};
use crate::sampling::TokenId;

/// Tokens of the prompt that is read.
const N_PROMPT: u32 = 512;
/// Tokens that are written.
const N_REPLY: u32 = 32;
/// Tokens that are written at least, however slow it is.
const N_LEAST: usize = 4;
/// How long one rate is measured; then it counts as it is.
const BUDGET: Duration = Duration::from_millis(1_500);

/// Runs through all rows, telling each, in contexts of their own: the loaded one stays as it is.
pub(super) fn measure(loaded: &Loaded, watch: &Watch, tell: &mut dyn FnMut(MachineNews)) {
    let end = match Course::new(loaded, watch).run(tell) {
        Ok(measurement) => MachineNews::Measured { measurement },
        Err(DecodeError::Cancelled) => MachineNews::Cancelled,
        Err(it) => MachineNews::Failed {
            message: it.to_string(),
        },
    };
    tell(end);
}

struct Course<'a> {
    loaded: &'a Loaded,
    watch: &'a Watch,
    counts: Vec<u32>,
    batches: Vec<u32>,
    n_done: u32,
}

impl<'a> Course<'a> {
    fn new(loaded: &'a Loaded, watch: &'a Watch) -> Self {
        let (n_cores, n_all) = (num_cpus::get_physical(), num_cpus::get());
        let mut batches = BATCHES.to_vec();
        batches.retain(|it| *it <= n_ctx(loaded).saturating_sub(N_REPLY));
        Self {
            loaded,
            watch,
            counts: thread_counts(n_cores as u32, n_all as u32),
            batches,
            n_done: 0,
        }
    }

    fn run(mut self, tell: &mut dyn FnMut(MachineNews)) -> Result<Measurement, DecodeError> {
        let mut measured = Measurement {
            model: self.loaded.info.name.clone(),
            device: self.loaded.info.device.clone(),
            ..Measurement::default()
        };
        for n_threads in self.counts.clone() {
            let n_batch = N_BATCH.min(n_ctx(self.loaded));
            let mut sequence = self.sequence(n_threads, n_batch)?;
            let speed = Speed {
                n_threads,
                n_batch,
                prefill: self.prefill(&mut sequence)?,
                decode: Some(self.decode(&mut sequence)?),
            };
            measured.threads.push(self.told(speed, tell));
        }
        if !measured.settle_threads() {
            return Err(DecodeError::Failed {
                code: 0,
                log: "no speed could be told".to_owned(),
            });
        }
        for n_batch in self.batches.clone() {
            let n_threads = measured.n_threads;
            let mut sequence = self.sequence(n_threads, n_batch)?;
            let speed = Speed {
                n_threads,
                n_batch,
                prefill: self.prefill(&mut sequence)?,
                decode: None,
            };
            measured.batches.push(self.told(speed, tell));
        }
        measured.settle_batches();
        Ok(measured)
    }

    fn told(&mut self, speed: Speed, tell: &mut dyn FnMut(MachineNews)) -> Speed {
        self.n_done += 1;
        tell(MachineNews::Measuring {
            n_done: self.n_done,
            n_total: (self.counts.len() + self.batches.len()) as u32,
            speed,
        });
        speed
    }

    /// A small sequence on the loaded weights, warmed up: the first pass reserves memory and wakes the threads.
    fn sequence(&self, n_threads: u32, n_batch: u32) -> Result<Sequence, DecodeError> {
        let settings = ContextSettings {
            n_ctx: n_ctx(self.loaded),
            n_batch,
            n_threads,
            ..self.loaded.sequence.settings()
        };
        let failed = |log| DecodeError::Failed { code: 0, log };
        let context = Context::new(Arc::clone(&self.loaded.model), settings).map_err(failed)?;
        let mut sequence = Sequence::new(context);
        sequence.decode(&self.tokens(n_batch), true, self.watch)?;
        sequence.clear();
        Ok(sequence)
    }

    /// Tokens a second of the row of the prompt that was disturbed least.
    fn prefill(&self, sequence: &mut Sequence) -> Result<f64, DecodeError> {
        let ContextSettings { n_ctx, n_batch, .. } = sequence.settings();
        let row = self.tokens(n_batch);
        let begun = Instant::now();
        let mut least = f64::INFINITY;
        let n_rows = (N_PROMPT.min(n_ctx - N_REPLY.min(n_ctx)) / n_batch).max(1);
        for _ in 0..n_rows {
            let row_begun = Instant::now();
            sequence.decode(&row, true, self.watch)?;
            least = least.min(row_begun.elapsed().as_secs_f64());
            if begun.elapsed() > BUDGET {
                break;
            }
        }
        Ok(f64::from(n_batch) / least.max(1e-9))
    }

    /// Tokens a second by the median token.
    fn decode(&self, sequence: &mut Sequence) -> Result<f64, DecodeError> {
        let begun = Instant::now();
        let mut seconds = Vec::new();
        for token in self.tokens(N_REPLY.min(sequence.settings().n_ctx - sequence.n_past())) {
            let token_begun = Instant::now();
            sequence.decode(&[token], true, self.watch)?;
            seconds.push(token_begun.elapsed().as_secs_f64());
            if seconds.len() >= N_LEAST && begun.elapsed() > BUDGET {
                break;
            }
        }
        seconds.sort_by(f64::total_cmp);
        let median = seconds.get(seconds.len() / 2).copied();
        Ok(1.0 / median.unwrap_or(f64::INFINITY).max(1e-9))
    }

    /// Some tokens of the vocabulary; which ones costs the same.
    fn tokens(&self, n: u32) -> Vec<TokenId> {
        let n_vocab = self.loaded.info.n_vocab.max(1);
        (0..n).map(|it| (it * 97 + 11) % n_vocab).collect()
    }
}

/// Room for prompt and reply, as far as the model was made for it.
fn n_ctx(loaded: &Loaded) -> u32 {
    (N_PROMPT + 2 * N_REPLY).min(loaded.info.n_ctx)
}
