//! Keeps the end of a reply in reach of its token limit, and says what was given up for it.

use crate::constraint::{Matcher, TokenMask};
use crate::sampling::TokenId;

/// The watch over one reply's end.
pub(super) struct Closing {
    is_on: bool,
    /// Tokens that the chain had taken and that were refused.
    n_refused: u32,
    first_at: Option<u32>,
    /// Tokens that would be needed, and those that there were, where it was too late from the start.
    too_small: Option<(u32, u32)>,
}

/// Tokens beside the shortest way from which on each choice is looked at: one token may open much.
const MARGIN: u32 = 200;
/// The likeliest tokens that are tried one by one.
const N_CANDIDATES: usize = 48;

impl Closing {
    pub(super) fn new(is_on: bool) -> Self {
        Self {
            is_on,
            n_refused: 0,
            first_at: None,
            too_small: None,
        }
    }

    /// The narrower mask to choose under, where behind `token` the reply could no longer end with `n_left` tokens,
    /// this one among them.
    pub(super) fn narrow(
        &mut self,
        matcher: &mut Matcher,
        (token, logits): (TokenId, &[f32]),
        (n_written, n_left): (u32, u32),
    ) -> Result<Option<TokenMask>, String> {
        if !self.is_on {
            return Ok(None);
        }
        let Some(needed) = matcher.way_out() else {
            return Ok(None);
        };
        if n_left > needed + MARGIN {
            return Ok(None);
        }
        let after = n_left.saturating_sub(1);
        if matcher.stays_closable(token, after) {
            return Ok(None);
        }
        if needed > n_left {
            self.too_small.get_or_insert((needed, n_left));
            return Ok(None);
        }
        let mask = matcher.mask().map_err(|it| it.to_string())?;
        let candidates = likeliest(logits, &mask);
        let narrowed = matcher
            .closable(&candidates, after)
            .map_err(|it| it.to_string())?;
        if narrowed.n_legal() == 0 {
            return Ok(None);
        }
        self.n_refused += 1;
        self.first_at.get_or_insert(n_written);
        Ok(Some(narrowed))
    }

    /// What was given up; none where nothing was.
    pub(super) fn lost(&self) -> Option<String> {
        if let Some((needed, left)) = self.too_small {
            return Some(format!(
                "the limit left {left} tokens where closing takes {needed}; raise the limit"
            ));
        }
        let first = self.first_at?;
        Some(format!(
            "from token {} on, {} of the tokens that were chosen were given up for others so that the reply could close",
            first + 1,
            self.n_refused
        ))
    }
}

fn likeliest(logits: &[f32], mask: &TokenMask) -> Vec<TokenId> {
    let mut legal: Vec<TokenId> = (0..logits.len() as TokenId)
        .filter(|it| mask.allows(*it))
        .collect();
    let logit = |it: &TokenId| {
        logits
            .get(*it as usize)
            .copied()
            .unwrap_or(f32::NEG_INFINITY)
    };
    legal.sort_by(|a, b| logit(b).total_cmp(&logit(a)));
    legal.truncate(N_CANDIDATES);
    legal
}
