//! One reply, from the prompt to the stop reason.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::constraint::{Constraint, Matcher};
use crate::engine::{Event, Finish, PromptView, RunRequest, RunTimings, StopReason, TokenEvent};
use crate::sampling::{Chain, Knob, Outcome, SelfTest, TokenId, TokenTrace};

use super::constraints::Constraints;
use super::context::{DecodeError, Watch};
use super::given;
use super::load::{Loaded, N_BATCH};
use super::loop_guard::LoopGuard;
use super::outbox::Outbox;
use super::prompt;
use super::text::ReplyText;

/// Runs one request and tells its events; the last is `Finished` or `RunFailed`.
pub(super) fn run(
    loaded: &mut Loaded,
    constraints: &mut Constraints,
    (request, watch): (&RunRequest, &Watch),
    tell: &mut dyn FnMut(Event),
) {
    let id = watch.id;
    let mut outbox = Outbox::new(id, tell);
    match Reply::prepare(loaded, constraints, (request, watch)) {
        Ok((mut reply, view)) => {
            let tokens = view.tokens.clone();
            let view = Box::new(view);
            outbox.tell(Event::Started {
                id,
                attempt: 1,
                view,
            });
            let res = reply.write(&tokens, &mut outbox);
            let last = reply.text.finish();
            outbox.push(last);
            outbox.tell(match res {
                Ok(stop) => reply.finished(stop),
                Err(message) => Event::RunFailed { id, message },
            });
        }
        Err(Unready::Cancelled) => outbox.tell(Event::Finished {
            id,
            finish: Box::new(Finish {
                stop: StopReason::Cancelled,
                text: String::new(),
                timings: RunTimings::default(),
                knobs: Vec::new(),
            }),
        }),
        Err(Unready::Failed(message)) => outbox.tell(Event::RunFailed { id, message }),
    }
}

/// Why a reply could not begin.
pub(super) enum Unready {
    Failed(String),
    Cancelled,
}

/// A reply while it is written.
struct Reply<'a> {
    loaded: &'a mut Loaded,
    watch: &'a Watch,
    chain: Chain,
    self_test: Option<SelfTest>,
    /// Stands behind the given tokens from the start.
    matcher: Option<Matcher>,
    /// Given tokens that are still to be evaluated.
    given: VecDeque<TokenId>,
    text: ReplyText,
    loop_guard: LoopGuard,
    n_max: u32,
    clock: Clock,
}

/// When what happened, for the timings.
struct Clock {
    started: Instant,
    compile: Duration,
    prefill: Duration,
    first_token: Option<Duration>,
    mask: Duration,
    decode_started: Instant,
    n_prompt: u32,
    n_reply: u32,
}

impl<'a> Reply<'a> {
    fn prepare(
        loaded: &'a mut Loaded,
        constraints: &mut Constraints,
        (request, watch): (&RunRequest, &'a Watch),
    ) -> Result<(Self, PromptView), Unready> {
        let started = Instant::now();
        let is_constrained = request.constraint != Constraint::None;
        let asked = (&request.prompt, is_constrained);
        let view = prompt::view(asked, &loaded.context, &loaded.vocabulary)
            .map_err(|it| Unready::Failed(it.to_string()))?;
        let n_prompt = view.tokens.len() as u32;
        let n_ctx = loaded.context.n_ctx();
        if n_prompt > n_ctx - 1 {
            return Err(Unready::Failed(format!(
                "the prompt has {n_prompt} tokens and the context takes {} of them; \
                 shorten the prompt or load the model with a larger context",
                n_ctx - 1
            )));
        }
        let compile_started = Instant::now();
        let constraint = (&request.constraint, request.prompt.prefill.as_str());
        let mut matcher = constraints.matcher(constraint, &loaded.vocabulary, watch)?;
        given::check(request, matcher.as_mut(), loaded, n_prompt)?;
        let now = Instant::now();
        let (chain, self_test) = chains(request, loaded, &view.tokens);
        let reply = Self {
            chain,
            self_test,
            matcher,
            given: request.given_tokens.iter().copied().collect(),
            text: ReplyText::new(&request.knobs.stop),
            loop_guard: LoopGuard::default(),
            n_max: request.knobs.count(Knob::MaxTokens) as u32,
            clock: Clock {
                started,
                compile: now - compile_started,
                prefill: Duration::ZERO,
                first_token: None,
                mask: Duration::ZERO,
                decode_started: now,
                n_prompt,
                n_reply: 0,
            },
            loaded,
            watch,
        };
        Ok((reply, view))
    }

    /// Evaluates the prompt and writes tokens until something ends the reply.
    fn write(&mut self, prompt: &[TokenId], outbox: &mut Outbox<'_>) -> Result<StopReason, String> {
        if let Some(stop) = self.prefill(prompt, outbox)? {
            return Ok(stop);
        }
        self.clock.decode_started = Instant::now();
        loop {
            if let Some(stop) = self.next_token(outbox)? {
                return Ok(stop);
            }
        }
    }

    /// Always in the same chunks from an empty context, since a logit depends on the shape of its batch.
    fn prefill(
        &mut self,
        prompt: &[TokenId],
        outbox: &mut Outbox<'_>,
    ) -> Result<Option<StopReason>, String> {
        let started = Instant::now();
        self.loaded.context.clear();
        let n_total = prompt.len();
        let mut n_done = 0;
        for chunk in prompt.chunks(N_BATCH as usize) {
            n_done += chunk.len();
            if let Some(stop) = self.decode(chunk, n_done == n_total)? {
                return Ok(Some(stop));
            }
            outbox.tell(Event::PrefillProgress {
                id: self.watch.id,
                n_done: n_done as u32,
                n_total: n_total as u32,
            });
        }
        self.clock.prefill = started.elapsed();
        Ok(None)
    }

    /// Picks one token, tells it and evaluates it; or says why the reply ends.
    fn next_token(&mut self, outbox: &mut Outbox<'_>) -> Result<Option<StopReason>, String> {
        if self.watch.is_cancelled() {
            return Ok(Some(StopReason::Cancelled));
        }
        let given = self.given.pop_front();
        let (token, trace) = match given {
            Some(token) => (token, self.pass(token)?),
            None => match self.pick()? {
                Ok(it) => it,
                Err(stop) => return Ok(Some(stop)),
            },
        };
        if self.loaded.vocabulary.ends_reply(token) {
            return Ok(Some(StopReason::EndOfGeneration));
        }
        self.chain.accept(token);
        if let Some(test) = &mut self.self_test {
            test.accept(token);
        }
        if let (Some(matcher), None) = (&mut self.matcher, given) {
            matcher.accept(token).map_err(|it| it.to_string())?;
        }
        self.clock.n_reply += 1;
        let event = TokenEvent {
            given: given.is_some(),
            ..self.event(token, trace)
        };
        let stop = self.text.push(event);
        outbox.push(self.text.settled());
        if self.clock.first_token.is_none() {
            self.clock.first_token = Some(self.clock.started.elapsed());
        }
        if let Some(text) = stop {
            return Ok(Some(StopReason::StopString { text }));
        }
        if let Some(stop) = self.why_end(token) {
            return Ok(Some(stop));
        }
        self.decode(&[token], true)
    }

    /// The token that the chain takes, under the mask if there is one; or a dead end.
    fn pick(&mut self) -> Result<Result<(TokenId, TokenTrace), StopReason>, String> {
        let mask_started = Instant::now();
        let mask = match &mut self.matcher {
            Some(matcher) => Some(matcher.mask().map_err(|it| it.to_string())?),
            None => None,
        };
        let mask_time = mask_started.elapsed();
        let logits = self.loaded.context.logits();
        let logits = logits.ok_or("llama.cpp gave no logits for the last token")?;
        match self.chain.step(logits, mask.as_ref()) {
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
                self.loaded.context.n_past()
            )),
        }
    }

    /// A given token takes the place of a pick; the dice are thrown all the same, so that they go on as they did.
    fn pass(&mut self, token: TokenId) -> Result<TokenTrace, String> {
        let logits = self.loaded.context.logits();
        let logits = logits.ok_or("llama.cpp gave no logits for a given token")?;
        match self.chain.step(logits, None) {
            Outcome::Token { trace, .. } => Ok(given::trace(token, logits, trace)),
            Outcome::DeadEnd { .. } => Ok(given::trace(token, logits, given::blank(token))),
            Outcome::BrokenLogits => Err(format!(
                "the model gives numbers that are no logits (NaN or infinite) at token {}",
                self.loaded.context.n_past()
            )),
        }
    }

    /// What ends the reply after a token that was told.
    fn why_end(&mut self, token: TokenId) -> Option<StopReason> {
        let piece = self.loaded.vocabulary.piece(token);
        if self.given.is_empty() && self.matcher.as_mut().is_some_and(Matcher::is_complete) {
            return Some(StopReason::ConstraintComplete);
        }
        if let Some(what) = self.loop_guard.push(token, piece) {
            return Some(StopReason::LoopGuard { what });
        }
        if self.clock.n_reply >= self.n_max {
            return Some(StopReason::TokenLimit);
        }
        if self.loaded.context.n_past() >= self.loaded.context.n_ctx() {
            return Some(StopReason::ContextFull);
        }
        None
    }

    fn decode(
        &mut self,
        tokens: &[TokenId],
        wants_logits: bool,
    ) -> Result<Option<StopReason>, String> {
        if self.watch.is_cancelled() {
            return Ok(Some(StopReason::Cancelled));
        }
        match self.loaded.context.decode(tokens, wants_logits, self.watch) {
            Ok(()) => Ok(None),
            Err(DecodeError::Cancelled) => Ok(Some(StopReason::Cancelled)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn event(&self, token: TokenId, trace: TokenTrace) -> TokenEvent {
        let vocabulary = &self.loaded.vocabulary;
        let shown = trace.before.iter().chain(&trace.after);
        let mut ids: Vec<TokenId> = shown.map(|it| it.token).collect();
        ids.extend([trace.wanted, token]);
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

    fn finished(&self, stop: StopReason) -> Event {
        let clock = &self.clock;
        let ms = |it: Duration| it.as_secs_f64() * 1_000.0;
        let decode = clock.decode_started.elapsed();
        Event::Finished {
            id: self.watch.id,
            finish: Box::new(Finish {
                stop,
                text: self.text.text().to_owned(),
                timings: RunTimings {
                    prefill_ms: ms(clock.prefill),
                    first_token_ms: clock.first_token.map_or(0.0, ms),
                    decode_ms: if clock.first_token.is_some() {
                        ms(decode)
                    } else {
                        0.0
                    },
                    mask_ms: ms(clock.mask),
                    compile_ms: ms(clock.compile),
                    n_prompt: clock.n_prompt,
                    n_reply: clock.n_reply,
                },
                knobs: self
                    .self_test
                    .as_ref()
                    .map_or_else(Vec::new, SelfTest::effects),
            }),
        }
    }
}

/// The chain of a reply and the self-test of its knobs, behind the prompt.
fn chains(request: &RunRequest, loaded: &Loaded, prompt: &[TokenId]) -> (Chain, Option<SelfTest>) {
    let n_vocab = loaded.vocabulary.n_tokens() as usize;
    let lexicon = loaded.vocabulary.lexicon();
    let mut chain = Chain::with_lexicon(&request.knobs, n_vocab, lexicon);
    chain.feed_prompt(prompt);
    let mut self_test = SelfTest::new(&request.knobs, n_vocab, lexicon);
    if let Some(test) = &mut self_test {
        test.feed_prompt(prompt);
    }
    (chain, self_test)
}
