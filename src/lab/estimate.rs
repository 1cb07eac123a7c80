//! What a plan will take, from what earlier replies took.

use std::collections::BTreeMap;

use super::cells::Cell;

/// What an earlier reply took: all of its record that an estimate needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PastReply {
    /// The model file's name.
    pub model: String,
    pub task: String,
    pub preset: String,
    pub n_tokens: usize,
    pub prefill_ms: f64,
    pub decode_ms: f64,
}

/// What the earlier replies of each model took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Speeds {
    models: BTreeMap<String, ModelSpeed>,
}

/// What a plan will take on one model, if its replies are like the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Earlier replies that it is taken from.
    pub n_past: usize,
    pub tokens: f64,
    pub seconds: f64,
    pub tokens_per_second: f64,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct ModelSpeed {
    all: Sum,
    prefill_ms: f64,
    decode_ms: f64,
    /// By task.
    tasks: BTreeMap<String, Sum>,
    /// By task and preset.
    pairs: BTreeMap<(String, String), Sum>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    n: usize,
    n_tokens: usize,
}

impl Speeds {
    /// Takes in one earlier reply. Those that were not timed tell nothing.
    pub fn count(&mut self, past: &PastReply) {
        if past.decode_ms <= 0.0 || past.n_tokens == 0 {
            return;
        }
        let model = self.models.entry(past.model.clone()).or_default();
        model.prefill_ms += past.prefill_ms;
        model.decode_ms += past.decode_ms;
        let pair = (past.task.clone(), past.preset.clone());
        let task = model.tasks.entry(past.task.clone()).or_default();
        let pair = model.pairs.entry(pair).or_default();
        for sum in [&mut model.all, task, pair] {
            sum.n += 1;
            sum.n_tokens += past.n_tokens;
        }
    }

    /// For one reply to each cell, without retries. Each cell counts with the mean length of the replies to its task
    /// under its preset, else to its task, else of all. None for a model of which nothing is known.
    pub fn estimate(&self, model: &str, cells: &[Cell]) -> Option<Estimate> {
        let known = self.models.get(model)?;
        let tokens: f64 = cells.iter().map(|it| known.length(it)).sum();
        let per_second = known.all.n_tokens as f64 / known.decode_ms * 1e3;
        let prefill = known.prefill_ms / known.all.n as f64 / 1e3;
        Some(Estimate {
            n_past: known.all.n,
            tokens,
            seconds: tokens / per_second + prefill * cells.len() as f64,
            tokens_per_second: per_second,
        })
    }
}

impl ModelSpeed {
    fn length(&self, cell: &Cell) -> f64 {
        let pair = (cell.task.clone(), cell.preset.name.clone());
        let known = self.pairs.get(&pair).or(self.tasks.get(&cell.task));
        let sum = known.unwrap_or(&self.all);
        sum.n_tokens as f64 / sum.n as f64
    }
}
