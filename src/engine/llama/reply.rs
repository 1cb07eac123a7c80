//! A reply while it is written: what its next token is, and why it ends.

use std::collections::VecDeque;
use std::time::Instant;

use crate::constraint::{Constraint, Matcher, Start};
use crate::engine::{Finish, Held, PromptView, RunRequest, StopReason, TokenEvent};
use crate::prompt::PromptError;
use crate::sampling::{Chain, Knob, SelfTest, TokenId, TokenTrace};

use super::clock::Clock;
use super::closing::Closing;
use super::constraints::Constraints;
use super::desk::Desk;
use super::given;
use super::loops::Loops;
use super::opening::Opening;
use super::prompt;
use super::text::ReplyText;
use super::vocabulary::ModelVocabulary;
use super::watch::Watch;

/// Why a reply could not begin.
pub(super) enum Unready {
    Failed(String),
    Cancelled,
}

/// A reply while it is written.
pub(super) struct Reply<'a> {
    pub(super) desk: Desk<'a>,
    pub(super) watch: &'a Watch,
    pub(super) chain: Chain,
    pub(super) self_test: Option<SelfTest>,
    /// Stands behind the given tokens from the start.
    pub(super) matcher: Option<Matcher>,
    /// From where on the matcher holds.
    pub(super) opening: Opening,
    /// What begins the answer, where that comes behind the model's thoughts.
    pub(super) late_prefill: String,
    pub(super) began_at: Option<u32>,
    /// Given tokens that are still to be evaluated, each with whether the matcher is behind it already.
    pub(super) given: VecDeque<(TokenId, bool)>,
    pub(super) written: Vec<TokenId>,
    pub(super) text: ReplyText,
    pub(super) loops: Loops,
    pub(super) closing: Closing,
    pub(super) n_max: u32,
    pub(super) clock: Clock,
}

/// The prompt of a run, and from where on its reply is held.
pub(super) fn view(
    desk: Desk<'_>,
    request: &RunRequest,
) -> Result<(PromptView, Opening), PromptError> {
    let is_constrained = request.constraint != Constraint::None;
    let start = is_constrained.then_some(&request.hold.start);
    prompt::view((&request.prompt, start), desk)
}

/// What comes behind a token's logits.
pub(super) enum Next {
    /// It is the reply's, and is to be evaluated.
    Token(TokenId),
    End(StopReason),
}

impl<'a> Reply<'a> {
    pub(super) fn prepare(
        desk: Desk<'a>,
        constraints: &mut Constraints,
        (request, watch): (&RunRequest, &'a Watch),
    ) -> Result<(Self, PromptView), Unready> {
        let started = Instant::now();
        let (view, opening) = view(desk, request).map_err(|it| Unready::Failed(it.to_string()))?;
        let is_late = !opening.has_begun();
        // Behind a trigger of its own, the constraint begins anew.
        let prefill = Some(request.prompt.prefill.as_str());
        let prefill = prefill.filter(|_| !is_late).unwrap_or_default();
        let n_prompt = view.tokens.len() as u32;
        check_room(n_prompt, desk.n_ctx).map_err(Unready::Failed)?;
        let compile_started = Instant::now();
        let constraint = (&request.constraint, prefill);
        let mut matcher = constraints.matcher(constraint, desk.vocabulary, watch)?;
        let early = matcher.as_mut().filter(|_| !is_late);
        given::check(request, early, desk, n_prompt)?;
        let (chain, self_test) = chains(request, desk.vocabulary, &view.tokens);
        let reply = Self {
            chain,
            self_test,
            matcher,
            late_prefill: late_prefill(request, &opening),
            opening,
            began_at: None,
            given: request
                .given_tokens
                .iter()
                .map(|it| (*it, !is_late))
                .collect(),
            written: Vec::new(),
            text: ReplyText::new(&request.knobs.stop),
            loops: Loops::new(request.hold.guards, prefill),
            closing: Closing::new(request.hold.close_in_time),
            n_max: request.knobs.count(Knob::MaxTokens) as u32,
            clock: Clock::new(started, compile_started, n_prompt),
            desk,
            watch,
        };
        Ok((reply, view))
    }

    /// Picks the token behind these logits, the last that were computed; or says why the reply ends. What is settled
    /// of the reply's text is in `text`.
    pub(super) fn next(&mut self, logits: &[f32]) -> Result<Next, String> {
        if self.watch.is_cancelled() {
            return Ok(Next::End(StopReason::Cancelled));
        }
        let given = self.given.pop_front();
        let (token, trace) = match given {
            Some((token, _)) => (token, self.pass(token, logits)?),
            None => match self.pick(logits)? {
                Ok(it) => it,
                Err(stop) => return Ok(Next::End(stop)),
            },
        };
        if self.desk.vocabulary.ends_reply(token) {
            return Ok(Next::End(StopReason::EndOfGeneration));
        }
        self.chain.accept(token);
        if let Some(test) = &mut self.self_test {
            test.accept(token);
        }
        if !given.is_some_and(|it| it.1) {
            self.follow(token)?;
        }
        self.written.push(token);
        self.clock.n_reply += 1;
        let event = TokenEvent {
            given: given.is_some(),
            ..self.event(token, trace)
        };
        let stop = self.text.push(event);
        if self.clock.first_token.is_none() {
            self.clock.first_token = Some(self.clock.started.elapsed());
        }
        if let Some(text) = stop {
            return Ok(Next::End(StopReason::StopString { text }));
        }
        Ok(match self.why_end(token) {
            Some(stop) => Next::End(stop),
            None => Next::Token(token),
        })
    }

    /// Tokens of prompt and reply.
    pub(super) fn n_tokens(&self) -> u32 {
        self.clock.n_prompt + self.clock.n_reply
    }

    /// What ends the reply after a token that was told.
    fn why_end(&mut self, token: TokenId) -> Option<StopReason> {
        let piece = self.desk.vocabulary.piece(token);
        let may_be_complete = self.given.is_empty() && self.opening.has_begun();
        if may_be_complete && self.matcher.as_mut().is_some_and(Matcher::is_complete) {
            return Some(StopReason::ConstraintComplete);
        }
        if let Some(what) = self.loops.push(token, piece) {
            return Some(StopReason::LoopGuard { what });
        }
        if self.clock.n_reply >= self.n_max {
            return Some(StopReason::TokenLimit);
        }
        if self.n_tokens() > self.desk.n_ctx {
            return Some(StopReason::ContextFull);
        }
        None
    }

    fn event(&self, token: TokenId, trace: TokenTrace) -> TokenEvent {
        let vocabulary = self.desk.vocabulary;
        let shown = trace.before.iter().chain(&trace.after);
        let mut ids: Vec<TokenId> = shown.map(|it| it.token).collect();
        ids.extend([trace.wanted, token]);
        ids.extend(trace.effects.iter().filter_map(|it| it.new_top));
        ids.sort_unstable();
        ids.dedup();
        TokenEvent {
            given: false,
            token,
            bytes: vocabulary.piece(token).to_vec(),
            text: String::new(),
            trace,
            names: ids
                .into_iter()
                .map(|it| (it, vocabulary.shown(it)))
                .collect(),
        }
    }

    pub(super) fn finish(&self, stop: StopReason) -> Finish {
        Finish {
            stop,
            text: self.text.text().to_owned(),
            timings: self.clock.timings(),
            knobs: self
                .self_test
                .as_ref()
                .map_or_else(Vec::new, SelfTest::effects),
            held: Held {
                never_began: self.matcher.is_some() && !self.opening.has_begun(),
                began_at: self.began_at,
                lost: self.closing.lost(),
            },
        }
    }
}

fn check_room(n_prompt: u32, n_ctx: u32) -> Result<(), String> {
    if n_prompt < n_ctx {
        return Ok(());
    }
    Err(format!(
        "the prompt has {n_prompt} tokens and the context takes {} of them; \
         shorten the prompt or load the model with a larger context",
        n_ctx - 1
    ))
}

/// The prefill that cannot stand in the prompt, since the model may think first.
fn late_prefill(request: &RunRequest, opening: &Opening) -> String {
    match (&request.hold.start, opening) {
        (_, Opening::Begun) | (Start::Now | Start::After(_), _) => String::new(),
        (Start::AfterThinking, _) => request.prompt.prefill.clone(),
    }
}

/// The chain of a reply and the self-test of its knobs, behind the prompt.
fn chains(
    request: &RunRequest,
    vocabulary: &ModelVocabulary,
    prompt: &[TokenId],
) -> (Chain, Option<SelfTest>) {
    let n_vocab = vocabulary.n_tokens() as usize;
    let lexicon = vocabulary.lexicon();
    let mut chain = Chain::with_lexicon(&request.knobs, n_vocab, lexicon);
    chain.feed_prompt(prompt);
    let mut self_test = SelfTest::new(&request.knobs, n_vocab, lexicon);
    if let Some(test) = &mut self_test {
        test.feed_prompt(prompt);
    }
    (chain, self_test)
}
