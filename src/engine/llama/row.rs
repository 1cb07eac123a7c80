//! A row of tokens that a context evaluates at once, and what a context may be asked for.

use super::watch::DecodeError;
use crate::engine::FlashAttention;
use crate::sampling::TokenId;

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) token: TokenId,
    /// From 0; all before it are evaluated, or stand before it in the same row.
    pub(super) position: u32,
    pub(super) sequence: u32,
    pub(super) wants_logits: bool,
}

/// How a context is made. Tokens and threads; all above 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContextSettings {
    /// Of all sequences together; each has its part.
    pub(super) n_ctx: u32,
    /// The longest row of tokens that one `decode` takes.
    pub(super) n_batch: u32,
    pub(super) n_sequences: u32,
    pub(super) n_threads: u32,
    pub(super) flash_attention: FlashAttention,
}

impl ContextSettings {
    /// The tokens that each sequence has room for.
    pub(super) fn n_ctx_each(&self) -> u32 {
        self.n_ctx / self.n_sequences.max(1)
    }

    /// Refuses a row that could end the process in llama.cpp.
    pub(super) fn check(&self, row: &[Place], n_vocab: u32) -> Result<(), DecodeError> {
        let Self {
            n_batch,
            n_sequences,
            ..
        } = *self;
        let n_ctx = self.n_ctx_each();
        let n_tokens = row.len();
        if n_tokens == 0 || n_tokens > n_batch as usize {
            return Err(DecodeError::BatchSize { n_tokens, n_batch });
        }
        if row.iter().filter(|it| it.wants_logits).count() > n_sequences as usize {
            return Err(DecodeError::TooManyOutputs { n_sequences });
        }
        for place in row {
            let (token, n_past) = (place.token, place.position);
            if n_past >= n_ctx {
                return Err(DecodeError::ContextFull { n_past, n_ctx });
            }
            if token >= n_vocab {
                return Err(DecodeError::UnknownToken { token, n_vocab });
            }
            if place.sequence >= n_sequences {
                let sequence = place.sequence;
                return Err(DecodeError::UnknownSequence {
                    sequence,
                    n_sequences,
                });
            }
        }
        Ok(())
    }
}
