//! Small good models that are offered by name. They are data: `assets/catalogue.json`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{Choice, Wanted};
use crate::gguf::{AttentionShape, BATCH, Fit, Footprint, MemoryNeed};

const DATA: &str = include_str!("../../assets/catalogue.json");

/// A model of the catalogue. Its revision is a fixed one wherever its hash is known, so that the two always agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// What is typed to get it.
    pub name: String,
    pub title: String,
    /// `owner/name` on the hub.
    pub repository: String,
    pub revision: String,
    pub file: String,
    pub quantization: String,
    /// As the hub has it; nearly so where no hash is known.
    pub bytes: u64,
    pub sha256: Option<String>,
    pub parameters: u64,
    pub licence: String,
    pub about: String,
    /// Whether the measurements behind this program were made with it.
    pub in_the_finding: bool,
    vocabulary: u64,
    context: u32,
    blocks: u32,
    embedding: u32,
    heads: u32,
    kv_heads: u32,
    head_length: u32,
}

#[derive(Deserialize)]
struct Document {
    models: Vec<Offer>,
}

/// All of them, the smallest first.
pub fn catalogue() -> &'static [Offer] {
    static OFFERS: LazyLock<Vec<Offer>> = LazyLock::new(|| {
        let document: Result<Document, _> = serde_json::from_str(DATA);
        document.map(|it| it.models).unwrap_or_default()
    });
    &OFFERS
}

/// The one of this name, in capitals or not.
pub fn offer(name: &str) -> Option<&'static Offer> {
    catalogue()
        .iter()
        .find(|it| it.name.eq_ignore_ascii_case(name))
}

impl Offer {
    pub fn wanted(&self) -> Wanted {
        let (owner, name) = self.repository.split_once('/').unwrap_or_default();
        Wanted {
            owner: owner.to_owned(),
            name: name.to_owned(),
            revision: self.revision.clone(),
            choice: Choice::File(self.file.clone()),
        }
    }

    /// Memory for a context of `wanted` tokens, 0 for the model's own within bounds, as for a model that is here.
    pub fn need(&self, wanted: u32) -> MemoryNeed {
        let footprint = Footprint {
            weight_bytes: self.bytes,
            n_vocab: self.vocabulary,
            shape: AttentionShape {
                n_ctx_train: self.context,
                block_count: self.blocks,
                embedding_length: self.embedding,
                n_head: self.heads,
                n_head_kv: self.kv_heads,
                n_head_kv_sum: u64::from(self.blocks) * u64::from(self.kv_heads),
                key_length: self.head_length,
                value_length: self.head_length,
            },
        };
        let n_ctx = footprint.context(wanted);
        footprint.need(n_ctx, BATCH.min(n_ctx))
    }

    /// Whether it would fit into what is free; none where that is not known.
    pub fn fit(&self, wanted: u32, free: Option<u64>) -> Option<Fit> {
        Some(Fit::of(self.need(wanted).total(), free?))
    }
}
