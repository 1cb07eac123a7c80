//! A model that was found, with the card that its header makes.

use std::path::PathBuf;

use crate::gguf::{BATCH, Fit, Footprint, Header, MemoryNeed, Room, SamplingDefault};

/// A model file that can be offered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundModel {
    /// What is to be loaded; the first part of a model that is split.
    pub path: PathBuf,
    /// What its tool calls it, else the file's name without its ending: what people know a model by.
    pub name: String,
    pub architecture: String,
    pub quantization: String,
    /// Of all parts.
    pub bytes: u64,
    /// Why it is listed: a tool, `STEPLADDER_MODEL`, a folder, "opened before".
    pub found_in: String,
    /// The same file by other names, and copies of it.
    pub also: Vec<Elsewhere>,
    /// None as long as the file was not looked into.
    pub card: Option<Box<Card>>,
}

/// Another place of the same model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    pub path: PathBuf,
    pub found_in: String,
}

/// What a model's header says of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// The name inside the file; often that of a training run.
    pub title: String,
    pub n_params: u64,
    pub has_chat_template: bool,
    pub license: Option<String>,
    /// What the file recommends to sample with.
    pub sampling: Vec<SamplingDefault>,
    pub n_parts: u32,
    /// Weights, vocabulary and shape: what its memory is worked out from.
    pub footprint: Footprint,
}

impl FoundModel {
    /// Memory for a context of `wanted` tokens, 0 for the model's own.
    pub fn need(&self, wanted: u32) -> Option<MemoryNeed> {
        let footprint = &self.card.as_ref()?.footprint;
        let n_ctx = footprint.context(wanted);
        Some(footprint.need(n_ctx, BATCH.min(n_ctx)))
    }

    /// Whether it fits into what is free; none where either is not known.
    pub fn fit(&self, wanted: u32, free: Option<u64>) -> Option<Fit> {
        self.fit_in(wanted, &Room::of_computer(free))
    }

    /// Whether it fits where its layers go; none where that is not known.
    pub fn fit_in(&self, wanted: u32, room: &Room) -> Option<Fit> {
        room.fit(&self.card.as_ref()?.footprint, self.need(wanted)?)
    }
}

impl Card {
    /// The number of parameters in three digits: `135M`, `7.62B`.
    pub fn parameters(&self) -> String {
        let n_params = self.n_params as f64;
        let (value, unit) = match self.n_params {
            0..1_000 => return self.n_params.to_string(),
            1_000..1_000_000 => (n_params / 1e3, "K"),
            1_000_000..1_000_000_000 => (n_params / 1e6, "M"),
            _ => (n_params / 1e9, "B"),
        };
        let n_digits = if value < 9.995 {
            2
        } else {
            usize::from(value < 99.95)
        };
        format!("{value:.n_digits$}{unit}")
    }

    pub(super) fn of(header: &Header) -> Self {
        Self {
            title: header.name.clone(),
            n_params: header.n_params,
            has_chat_template: header.chat_template.is_some(),
            license: header.license.clone(),
            sampling: header.sampling.clone(),
            n_parts: header.n_parts,
            footprint: header.footprint(),
        }
    }
}
