//! How much memory a model takes with its context, and whether that fits: known before anything is loaded.

use super::AttentionShape;

/// The context that a model gets when none is asked for, in tokens, unless it was trained for less.
pub const DEFAULT_CONTEXT: u32 = 8_192;
/// Tokens of a prompt that are evaluated at once.
pub const BATCH: u32 = 64;

/// What decides how much memory a model takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Of all parts.
    pub weight_bytes: u64,
    pub n_vocab: u64,
    pub shape: AttentionShape,
}

/// Memory by what it is for, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryNeed {
    /// The weights as the file has them.
    pub weights: u64,
    /// Keys and values of the whole context, in two bytes a number.
    pub cache: u64,
    /// Room to compute in, the vocabulary, and the process itself; an estimate from above.
    pub compute: u64,
}

/// How a need stands to what is free, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    Fits,
    /// It fits with less than a fifth to spare.
    Tight,
    DoesNotFit,
}

impl Footprint {
    /// The context that is used when `wanted` tokens are asked for; 0 asks for the model's own, within bounds.
    pub fn context(&self, wanted: u32) -> u32 {
        match (wanted, self.shape.n_ctx_train) {
            (0, 0) => DEFAULT_CONTEXT,
            (0, trained) => trained.min(DEFAULT_CONTEXT),
            (wanted, _) => wanted,
        }
    }

    /// What it needs with a context of `n_ctx` tokens, evaluated `n_batch` at a time.
    pub fn need(&self, n_ctx: u32, n_batch: u32) -> MemoryNeed {
        MemoryNeed {
            weights: self.weight_bytes,
            cache: self.cache_bytes(n_ctx),
            compute: self.compute_bytes(n_ctx, n_batch),
        }
    }

    /// Heads of all layers × (numbers of a key + of a value) × 2 bytes × tokens, as llama.cpp lays its cache out.
    /// A layer that looks back through a window only is counted whole: so it is kept.
    pub fn cache_bytes(&self, n_ctx: u32) -> u64 {
        let per_head = u64::from(self.shape.key_length) + u64::from(self.shape.value_length);
        self.shape
            .n_head_kv_sum
            .saturating_mul(per_head * 2)
            .saturating_mul(u64::from(n_ctx))
    }

    /// Fitted from above to what llama.cpp reports and what the process grows by: 24 rows of 32-bit numbers for
    /// each token of a batch, two masks of 16 bits over the context, 128 bytes a token of the vocabulary, 16 MiB.
    pub fn compute_bytes(&self, n_ctx: u32, n_batch: u32) -> u64 {
        let n_batch = u64::from(n_batch);
        let rows = n_batch * u64::from(self.shape.embedding_length) * 4 * 24;
        let masks = n_batch * u64::from(n_ctx) * 2 * 2;
        let vocabulary = self.n_vocab.saturating_mul(128);
        (rows + masks + (16 << 20)).saturating_add(vocabulary)
    }
}

impl MemoryNeed {
    pub fn total(self) -> u64 {
        self.weights
            .saturating_add(self.cache)
            .saturating_add(self.compute)
    }
}

impl Fit {
    /// Judges a need, in bytes, by what is free.
    pub fn of(needed: u64, free: u64) -> Self {
        if needed > free {
            Self::DoesNotFit
        } else if needed > free / 5 * 4 {
            Self::Tight
        } else {
            Self::Fits
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::Tight => "tight",
            Self::DoesNotFit => "does not fit",
        }
    }
}
