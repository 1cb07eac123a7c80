//! Who may end the work, and what comes of it.

use crate::engine::{Cancel, RunId};
use crate::sampling::TokenId;

/// Looks whether the load or run that works here was cancelled; asked from within llama.cpp too.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    pub(super) cancel: Cancel,
    pub(super) id: RunId,
    /// The group that the run belongs to, with which it is cancelled.
    pub(super) group: Option<RunId>,
}

/// Why tokens could not be evaluated.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum DecodeError {
    #[error("cancelled")]
    Cancelled,
    #[error("{n_tokens} tokens at once; 1 to {n_batch} expected")]
    BatchSize { n_tokens: usize, n_batch: u32 },
    #[error("token {token} is not in the vocabulary of {n_vocab} tokens")]
    UnknownToken { token: TokenId, n_vocab: u32 },
    #[error("nothing fits behind {n_past} tokens in a context of {n_ctx}")]
    ContextFull { n_past: u32, n_ctx: u32 },
    #[error("sequence {sequence} is none of the {n_sequences} of this context")]
    UnknownSequence { sequence: u32, n_sequences: u32 },
    #[error("logits at more places than the {n_sequences} that there is room for")]
    TooManyOutputs { n_sequences: u32 },
    #[error("llama.cpp gave no logits for the last token")]
    NoLogits,
    /// The reply itself cannot go on.
    #[error("{0}")]
    Reply(String),
    #[error("llama.cpp could not evaluate the tokens (code {code}) {log}")]
    Failed { code: i32, log: String },
}

impl Watch {
    /// Whoever looks is at work, so each look is a sign of life.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.beat();
        let is_requested = |id| self.cancel.is_requested(id);
        is_requested(self.id) || self.group.is_some_and(is_requested)
    }
}
