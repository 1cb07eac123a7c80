//! The one sequence of replies that are evaluated alone, always in rows of the same shape.

use super::context::Context;
use super::row::{ContextSettings, Place};
use super::rows::Rows;
use super::snapshots::{MAX_BYTES, Snapshots};
use super::watch::{DecodeError, Watch};
use crate::engine::MemoryGuard;
use crate::sampling::TokenId;

/// A prompt and its reply in a context of their own. A logit depends on the shape of the row that it is evaluated in,
/// so a prompt is always evaluated in the same rows. What it begins with may be kept from one before it, in whole rows
/// only: so a kept prompt and one that is evaluated anew give the same reply to the bit.
pub(super) struct Sequence {
    context: Context,
    n_past: u32,
    /// What of a prompt the sequence begins with.
    rows: Rows,
    /// So many tokens of it were those of a prompt before.
    n_shared: usize,
    /// The prompt that the sequence begins with; none where that is not known for sure.
    prompt: Option<Prompt>,
    /// The logits that count are the prompt's.
    is_at_prompt: bool,
    snapshots: Snapshots,
    guard: MemoryGuard,
}

/// A whole prompt with what follows from it.
struct Prompt {
    tokens: Vec<TokenId>,
    logits: Vec<f32>,
}

impl Sequence {
    pub(super) fn new(context: Context) -> Self {
        Self {
            context,
            n_past: 0,
            rows: Rows::default(),
            n_shared: 0,
            prompt: None,
            is_at_prompt: false,
            snapshots: Snapshots::default(),
            guard: MemoryGuard::default(),
        }
    }

    /// Keeps no more aside than this process may take.
    pub(super) fn stay_within(&mut self, guard: MemoryGuard) {
        self.guard = guard;
    }

    pub(super) fn settings(&self) -> ContextSettings {
        self.context.settings()
    }

    /// Makes the prompt the whole sequence, and gives how many of its tokens were kept from before. `tell` hears how
    /// many are evaluated.
    pub(super) fn prefill(
        &mut self,
        prompt: &Rows,
        watch: &Watch,
        tell: &mut dyn FnMut(usize),
    ) -> Result<usize, DecodeError> {
        let n_kept = self.keep(prompt);
        let n_tokens = prompt.tokens().len();
        let mut n_done = n_kept;
        for row in prompt.behind(n_kept) {
            n_done += row.len();
            self.decode(row, n_done == n_tokens, watch)?;
            self.rows.push(row);
            tell(n_done);
        }
        if n_kept < n_tokens {
            self.prompt = self.logits().map(|it| Prompt {
                logits: it.to_vec(),
                tokens: prompt.tokens().to_vec(),
            });
        }
        Ok(n_kept)
    }

    /// Evaluates the next token of the reply.
    pub(super) fn push(&mut self, token: TokenId, watch: &Watch) -> Result<(), DecodeError> {
        self.decode(&[token], true, watch)
    }

    /// Tokens that are evaluated.
    pub(super) fn n_past(&self) -> u32 {
        self.n_past
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.keep(&Rows::default());
    }

    /// The logits behind the last token.
    pub(super) fn logits(&mut self) -> Option<&[f32]> {
        match &self.prompt {
            Some(prompt) if self.is_at_prompt => Some(&prompt.logits),
            _ => self.context.logits().first().copied(),
        }
    }

    /// Evaluates tokens in one row behind the others.
    pub(super) fn decode(
        &mut self,
        tokens: &[TokenId],
        wants_logits: bool,
        watch: &Watch,
    ) -> Result<(), DecodeError> {
        let n_tokens = tokens.len() as u32;
        let place = |(nth, token): (u32, &TokenId)| Place {
            token: *token,
            position: self.n_past + nth,
            sequence: 0,
            wants_logits: wants_logits && nth + 1 == n_tokens,
        };
        let row: Vec<Place> = (0..).zip(tokens).map(place).collect();
        self.is_at_prompt = false;
        if let Err(error) = self.context.decode(&row, watch) {
            // What is evaluated now is not known.
            self.rows.clear();
            self.prompt = None;
            return Err(error);
        }
        self.n_past += n_tokens;
        Ok(())
    }

    /// Forgets all that the prompt does not begin with, and gives how many tokens of it are left.
    fn keep(&mut self, prompt: &Rows) -> usize {
        let n_tokens = prompt.tokens().len();
        let whole = self.prompt.take_if(|it| it.tokens == prompt.tokens());
        if whole.is_some() && self.context.forget(0, n_tokens as u32) {
            self.n_past = n_tokens as u32;
            self.prompt = whole;
            self.is_at_prompt = true;
            return n_tokens;
        }
        self.prompt = None;
        self.is_at_prompt = false;
        // The prompt's last row is never kept, since the logits behind it are asked for.
        let may_stay = prompt.within(n_tokens.saturating_sub(1));
        let n_own = self.rows.common(&may_stay);
        self.save_behind(n_own);
        let mut n_kept = n_own;
        if let Some((n_common, bytes)) = self.snapshots.longest(&may_stay)
            && n_common > n_own
        {
            self.context.clear();
            let is_back = self.context.restore(0, bytes);
            n_kept = if is_back { n_common } else { 0 };
        }
        if n_kept == 0 || !self.context.forget(0, n_kept as u32) {
            self.context.clear();
            n_kept = 0;
        }
        self.rows = prompt.within(n_kept);
        self.n_shared = n_kept;
        self.n_past = n_kept as u32;
        n_kept
    }

    /// What a later prompt may begin with: where a good part of this one was another's, no more than that.
    fn worth_saving(&self) -> Rows {
        /// Less than one token of so many may be no more than a system message, in front of examples that differ.
        const GOOD_PART: usize = 4;
        if self.n_shared * GOOD_PART >= self.rows.tokens().len() {
            self.rows.within(self.n_shared)
        } else {
            self.rows.clone()
        }
    }

    /// Takes the rows aside that are to be forgotten, for a later prompt that begins with them. The context keeps what a
    /// sliding window has passed, but llama.cpp does not save it, so no more than the window is saved: else a shorter
    /// beginning would lack a part of its own.
    fn save_behind(&mut self, n_kept: usize) {
        let window = self.context.window().map_or(usize::MAX, |it| it as usize);
        let rows = self.worth_saving().within(window);
        let n_saved = rows.tokens().len();
        if n_saved <= n_kept || self.snapshots.has(&rows) {
            return;
        }
        // Half of what is left is for others.
        let left = self.guard.left().map_or(MAX_BYTES, |it| it as usize / 2);
        if self.context.forget(0, n_saved as u32)
            && let Some(bytes) = self.context.save(0, left.min(MAX_BYTES))
        {
            self.snapshots.add(rows, bytes);
        }
    }
}
