//! The reply's first tokens where it goes on from another reply: checked before anything is evaluated.

use crate::constraint::Matcher;
use crate::engine::RunRequest;
use crate::sampling::{Standing, TokenId, TokenTrace};

use super::desk::Desk;
use super::reply::Unready;

/// Refuses tokens that the model does not have or that the constraint forbids, and leads the matcher behind them.
pub(super) fn check(
    request: &RunRequest,
    mut matcher: Option<&mut Matcher>,
    desk: Desk<'_>,
    n_prompt: u32,
) -> Result<(), Unready> {
    let tokens = &request.given_tokens;
    let room = desk.n_ctx.saturating_sub(n_prompt + 1);
    if tokens.len() > room as usize {
        return Err(Unready::Failed(format!(
            "the prompt and the {} tokens to go on from do not fit into the context; go on from an earlier token",
            tokens.len()
        )));
    }
    let vocabulary = desk.vocabulary;
    for (idx, &token) in tokens.iter().enumerate() {
        let place = format!(
            "token {} of the reply, {:?},",
            idx + 1,
            vocabulary.shown(token)
        );
        if token >= vocabulary.n_tokens() || vocabulary.ends_reply(token) {
            return Err(Unready::Failed(format!(
                "token {} of the reply has the id {token}, which is no text of this model; load the model that wrote it",
                idx + 1
            )));
        }
        let Some(matcher) = &mut matcher else {
            continue;
        };
        if let Err(error) = matcher.accept(token) {
            return Err(Unready::Failed(refusal(&place, &error.to_string())));
        }
        if idx + 1 < tokens.len() && matcher.is_complete() {
            let why = "the constraint is complete behind it, and the reply goes on";
            return Err(Unready::Failed(refusal(&place, why)));
        }
    }
    Ok(())
}

fn refusal(place: &str, why: &str) -> String {
    format!(
        "the constraint does not allow {place} which stands before the fork: {why}; \
         fork at or before it, or change the constraint"
    )
}

/// What is to be said of a token that nobody chose here: how likely the model finds it.
pub(super) fn trace(token: TokenId, logits: &[f32], mut trace: TokenTrace) -> TokenTrace {
    let logit = logits
        .get(token as usize)
        .copied()
        .unwrap_or(f32::NEG_INFINITY);
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|it| f64::from(it - max).exp()).sum();
    trace.probability = (f64::from(logit - max).exp() / sum) as f32;
    trace.rank = 1 + logits.iter().filter(|it| **it > logit).count() as u32;
    trace.after.clear();
    trace.effects.clear();
    trace.touches.clear();
    trace.chosen_after = Standing::default();
    trace.wanted_after = None;
    trace.n_legal = None;
    trace.mask_us = None;
    trace
}

/// A trace without anything in it, for a place where the chain leaves nothing.
pub(super) fn blank(token: TokenId) -> TokenTrace {
    TokenTrace {
        wanted: token,
        rank: 1,
        ..TokenTrace::default()
    }
}
