//! One token of a reply: what may come, what the chain takes, and where that leads the constraint.

use std::time::Instant;

use crate::constraint::{Matcher, TokenMask};
use crate::engine::StopReason;
use crate::sampling::{Outcome, TokenId, TokenTrace};

use super::given;
use super::opening::{Opening, Step, completed};
use super::reply::Reply;
use super::vocabulary::tokenize;

impl Reply<'_> {
    /// The token that the chain takes, under the mask if there is one; or a dead end.
    pub(super) fn pick(
        &mut self,
        logits: &[f32],
    ) -> Result<Result<(TokenId, TokenTrace), StopReason>, String> {
        let mask_started = Instant::now();
        let mut mask = self.mask()?;
        let mut mask_time = mask_started.elapsed();
        let mut outcome = self.chain.step(logits, mask.as_ref());
        for _ in 0..MAX_REFUSED {
            let Outcome::Token { token, .. } = &outcome else {
                break;
            };
            let started = Instant::now();
            let other = self.other_mask((*token, logits), mask.as_ref())?;
            mask_time += started.elapsed();
            let Some(other) = other else {
                break;
            };
            outcome = self.chain.step(logits, Some(&other));
            mask = Some(other);
        }
        match outcome {
            Outcome::Token { token, mut trace } => {
                if let Some(test) = &mut self.self_test {
                    test.look(logits, mask.as_ref());
                }
                if mask.is_some() {
                    self.clock.mask += mask_time;
                    trace.mask_us = Some(mask_time.as_micros() as u32);
                }
                Ok(Ok((token, trace)))
            }
            Outcome::DeadEnd { stages } => Ok(Err(StopReason::DeadEnd {
                stages: stages.iter().map(|it| it.label().to_owned()).collect(),
            })),
            Outcome::BrokenLogits => Err(format!(
                "the model gives numbers that are no logits (NaN or infinite) at token {}; \
                 its file may be damaged",
                self.n_tokens()
            )),
        }
    }

    /// The tokens that may come next; none where all may.
    fn mask(&mut self) -> Result<Option<TokenMask>, String> {
        let Some(matcher) = &mut self.matcher else {
            return Ok(None);
        };
        if self.opening.has_begun() {
            return matcher.mask().map(Some).map_err(|it| it.to_string());
        }
        let vocabulary = (self.desk.vocabulary, self.late_prefill.as_str());
        self.opening.mask(matcher, vocabulary)
    }

    /// The mask to choose again under, where this token may not come after all.
    fn other_mask(
        &mut self,
        (token, logits): (TokenId, &[f32]),
        mask: Option<&TokenMask>,
    ) -> Result<Option<TokenMask>, String> {
        let n_left = self.n_left();
        let Some(matcher) = &mut self.matcher else {
            return Ok(None);
        };
        if self.opening.has_begun() {
            let counts = (self.clock.n_reply, n_left);
            return self.closing.narrow(matcher, (token, logits), counts);
        }
        let vocabulary = self.desk.vocabulary;
        let prefill = self.late_prefill.as_str();
        let fits = |begun: &[u8]| answer_behind(matcher, begun, prefill).is_some();
        let may_come = match self.opening.look(token, vocabulary.written(token), matcher) {
            Step::Begins(begun) => fits(&begun),
            Step::Before => true,
        };
        // What stands behind the trigger in the same token must belong to the answer.
        let is_refused = !may_come && mask.is_none();
        Ok(is_refused.then(|| self.opening.mask_before(vocabulary, fits)))
    }

    /// Tokens that the limit and the context still leave.
    fn n_left(&self) -> u32 {
        let by_context = self.desk.n_ctx.saturating_sub(self.n_tokens());
        self.n_max
            .saturating_sub(self.clock.n_reply)
            .min(by_context)
    }

    /// Leads the matcher behind a token, or towards the place where it begins.
    pub(super) fn follow(&mut self, token: TokenId) -> Result<(), String> {
        let Some(matcher) = &mut self.matcher else {
            return Ok(());
        };
        if self.opening.has_begun() {
            return matcher.accept(token).map_err(|it| it.to_string());
        }
        let written = self.desk.vocabulary.written(token);
        let begun = match self.opening.look(token, written, matcher) {
            Step::Before => {
                self.opening.push(written);
                return Ok(());
            }
            Step::Begins(begun) => begun,
        };
        let is_forked = !self.given.is_empty();
        let prefill = if is_forked {
            ""
        } else {
            self.late_prefill.as_str()
        };
        let Some((behind, rest)) = answer_behind(matcher, &begun, prefill) else {
            return Err(
                "the constraint does not allow what stands behind the model's thoughts".to_owned(),
            );
        };
        *matcher = behind;
        let rest = String::from_utf8_lossy(rest);
        let more = tokenize(self.desk.model, &rest);
        self.given.extend(more.into_iter().map(|it| (it, true)));
        self.opening = Opening::Begun;
        self.began_at = Some(self.clock.n_reply + u32::from(begun.is_empty()));
        self.loops.restart();
        Ok(())
    }

    /// A given token takes the place of a pick; the dice are thrown all the same, so that they go on as they did.
    pub(super) fn pass(&mut self, token: TokenId, logits: &[f32]) -> Result<TokenTrace, String> {
        match self.chain.step(logits, None) {
            Outcome::Token { trace, .. } => Ok(given::trace(token, logits, trace)),
            Outcome::DeadEnd { .. } => Ok(given::trace(token, logits, given::blank(token))),
            Outcome::BrokenLogits => Err(format!(
                "the model gives numbers that are no logits (NaN or infinite) at token {}",
                self.n_tokens()
            )),
        }
    }
}

/// Tokens that are refused at one place before the chain's own choice stands.
const MAX_REFUSED: usize = 16;

/// The matcher behind an answer that has begun so, and what the prefill adds to it.
fn answer_behind<'p>(
    matcher: &Matcher,
    begun: &[u8],
    prefill: &'p str,
) -> Option<(Matcher, &'p [u8])> {
    let rest = completed(begun, prefill)?;
    let mut matcher = matcher.clone();
    let whole = [begun, rest].concat();
    (matcher.accept_text(&whole) == whole.len()).then_some((matcher, rest))
}
