//! When what happened while a reply was written.

use std::time::{Duration, Instant};

use crate::engine::RunTimings;

/// When what happened, for the timings.
pub(super) struct Clock {
    pub(super) started: Instant,
    pub(super) compile: Duration,
    pub(super) prefill: Duration,
    pub(super) first_token: Option<Duration>,
    pub(super) mask: Duration,
    pub(super) decode_started: Instant,
    pub(super) n_prompt: u32,
    pub(super) n_kept: u32,
    pub(super) n_reply: u32,
    /// Replies that are evaluated together at most.
    pub(super) batch_width: u32,
}

impl Clock {
    /// Before the prompt is evaluated.
    pub(super) fn new(started: Instant, compile_started: Instant, n_prompt: u32) -> Self {
        let now = Instant::now();
        Self {
            started,
            compile: now - compile_started,
            prefill: Duration::ZERO,
            first_token: None,
            mask: Duration::ZERO,
            decode_started: now,
            n_prompt,
            n_kept: 0,
            n_reply: 0,
            batch_width: 1,
        }
    }

    pub(super) fn timings(&self) -> RunTimings {
        let ms = |it: Duration| it.as_secs_f64() * 1_000.0;
        let decode = self.decode_started.elapsed();
        RunTimings {
            prefill_ms: ms(self.prefill),
            first_token_ms: self.first_token.map_or(0.0, ms),
            decode_ms: if self.first_token.is_some() {
                ms(decode)
            } else {
                0.0
            },
            mask_ms: ms(self.mask),
            compile_ms: ms(self.compile),
            n_prompt: self.n_prompt,
            n_kept: self.n_kept,
            n_reply: self.n_reply,
            batch_width: self.batch_width,
        }
    }
}
