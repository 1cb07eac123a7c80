//! One reply, from the prompt to the stop reason.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::constraint::{Constraint, Matcher, Start, TokenMask};
use crate::engine::{
    Event, Finish, Held, PromptView, RunId, RunRequest, RunTimings, StopReason, TokenEvent,
};
use crate::sampling::{Chain, Knob, Outcome, SelfTest, TokenId, TokenTrace};

use super::closing::Closing;
use super::constraints::Constraints;
use super::context::{DecodeError, Watch};
use super::given;
use super::load::{Loaded, N_BATCH};
use super::loops::Loops;
use super::opening::{Opening, Step, completed};
use super::outbox::Outbox;
use super::prompt;
use super::staging::run_staged;
use super::text::ReplyText;
use super::vocabulary::tokenize;

/// Runs one request and tells its events; the last is `Finished` or `RunFailed`.
pub(super) fn run(
    loaded: &mut Loaded,
    constraints: &mut Constraints,
    (request, watch): (&RunRequest, &Watch),
    tell: &mut dyn FnMut(Event),
) {
    let mut outbox = Outbox::new(watch.id, tell);
    let last = match request.first {
        Some(first) => {
            let asked = (request, first, watch);
            run_staged(loaded, constraints, asked, &mut outbox)
        }
        None => write(loaded, constraints, (request, watch), &mut outbox).into_event(watch.id),
    };
    outbox.tell(last);
}

/// What came of a reply.
pub(super) enum Written {
    Reply {
        view: Box<PromptView>,
        tokens: Vec<TokenId>,
        finish: Box<Finish>,
    },
    /// Cancelled before it began.
    Nothing,
    Failed(String),
}

impl Written {
    /// The event that ends a run.
    pub(super) fn into_event(self, id: RunId) -> Event {
        let finish = match self {
            Self::Reply { finish, .. } => finish,
            Self::Failed(message) => return Event::RunFailed { id, message },
            Self::Nothing => Box::new(Finish {
                stop: StopReason::Cancelled,
                text: String::new(),
                timings: RunTimings::default(),
                knobs: Vec::new(),
                held: Held::default(),
            }),
        };
        Event::Finished { id, finish }
    }
}

/// Writes one reply and tells its beginning and its tokens.
pub(super) fn write(
    loaded: &mut Loaded,
    constraints: &mut Constraints,
    (request, watch): (&RunRequest, &Watch),
    outbox: &mut Outbox<'_>,
) -> Written {
    let (mut reply, view) = match Reply::prepare(loaded, constraints, (request, watch)) {
        Ok(it) => it,
        Err(Unready::Cancelled) => return Written::Nothing,
        Err(Unready::Failed(message)) => return Written::Failed(message),
    };
    let view = Box::new(view);
    outbox.tell(Event::Started {
        id: watch.id,
        attempt: 1,
        view: view.clone(),
    });
    let res = reply.write(&view.tokens, outbox);
    let last = reply.text.finish();
    outbox.push(last);
    match res {
        Ok(stop) => Written::Reply {
            view,
            finish: Box::new(reply.finish(stop)),
            tokens: reply.written,
        },
        Err(message) => Written::Failed(message),
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
    /// From where on the matcher holds.
    opening: Opening,
    /// What begins the answer, where that comes behind the model's thoughts.
    late_prefill: String,
    began_at: Option<u32>,
    /// Given tokens that are still to be evaluated, each with whether the matcher is behind it already.
    given: VecDeque<(TokenId, bool)>,
    written: Vec<TokenId>,
    text: ReplyText,
    loops: Loops,
    closing: Closing,
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
        let start = is_constrained.then_some(&request.hold.start);
        let (view, opening) = prompt::view(
            (&request.prompt, start),
            &loaded.context,
            &loaded.vocabulary,
        )
        .map_err(|it| Unready::Failed(it.to_string()))?;
        let is_late = !opening.has_begun();
        // Behind a trigger of its own, the constraint begins anew.
        let prefill = if is_late {
            ""
        } else {
            request.prompt.prefill.as_str()
        };
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
        let constraint = (&request.constraint, prefill);
        let mut matcher = constraints.matcher(constraint, &loaded.vocabulary, watch)?;
        let early = matcher.as_mut().filter(|_| !is_late);
        given::check(request, early, loaded, n_prompt)?;
        let now = Instant::now();
        let (chain, self_test) = chains(request, loaded, &view.tokens);
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
            Some((token, _)) => (token, self.pass(token)?),
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
        let mut mask = self.mask()?;
        let mut mask_time = mask_started.elapsed();
        let mut outcome = self.step(mask.as_ref())?;
        for _ in 0..MAX_REFUSED {
            let Outcome::Token { token, .. } = &outcome else {
                break;
            };
            let started = Instant::now();
            let other = self.other_mask(*token, mask.as_ref())?;
            mask_time += started.elapsed();
            let Some(other) = other else {
                break;
            };
            outcome = self.step(Some(&other))?;
            mask = Some(other);
        }
        match outcome {
            Outcome::Token { token, mut trace } => {
                let logits = self.loaded.context.logits();
                if let (Some(test), Some(logits)) = (&mut self.self_test, logits) {
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

    /// The tokens that may come next; none where all may.
    fn mask(&mut self) -> Result<Option<TokenMask>, String> {
        let Some(matcher) = &mut self.matcher else {
            return Ok(None);
        };
        if self.opening.has_begun() {
            return matcher.mask().map(Some).map_err(|it| it.to_string());
        }
        let vocabulary = (&self.loaded.vocabulary, self.late_prefill.as_str());
        self.opening.mask(matcher, vocabulary)
    }

    fn step(&mut self, mask: Option<&TokenMask>) -> Result<Outcome, String> {
        let logits = self.loaded.context.logits();
        let logits = logits.ok_or("llama.cpp gave no logits for the last token")?;
        Ok(self.chain.step(logits, mask))
    }

    /// The mask to choose again under, where this token may not come after all.
    fn other_mask(
        &mut self,
        token: TokenId,
        mask: Option<&TokenMask>,
    ) -> Result<Option<TokenMask>, String> {
        let n_left = self.n_left();
        let Some(matcher) = &mut self.matcher else {
            return Ok(None);
        };
        if self.opening.has_begun() {
            let logits = self.loaded.context.logits().unwrap_or_default();
            let counts = (self.clock.n_reply, n_left);
            return self.closing.narrow(matcher, (token, logits), counts);
        }
        let written = self.loaded.vocabulary.written(token);
        let begun = match self.opening.look(token, written, matcher) {
            Step::Begins(begun) => begun,
            Step::Before => return Ok(None),
        };
        if answer_behind(matcher, &begun, &self.late_prefill).is_some() {
            return Ok(None);
        }
        // What stands behind the trigger in the same token is no answer.
        Ok(Some(without(
            token,
            mask,
            self.loaded.vocabulary.n_tokens(),
        )))
    }

    /// Tokens that the limit and the context still leave.
    fn n_left(&self) -> u32 {
        let context = &self.loaded.context;
        let by_context = context.n_ctx().saturating_sub(context.n_past());
        self.n_max
            .saturating_sub(self.clock.n_reply)
            .min(by_context)
    }

    /// Leads the matcher behind a token, or towards the place where it begins.
    fn follow(&mut self, token: TokenId) -> Result<(), String> {
        let Some(matcher) = &mut self.matcher else {
            return Ok(());
        };
        if self.opening.has_begun() {
            return matcher.accept(token).map_err(|it| it.to_string());
        }
        let written = self.loaded.vocabulary.written(token);
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
        let more = tokenize(self.loaded.context.model(), &rest);
        self.given.extend(more.into_iter().map(|it| (it, true)));
        self.opening = Opening::Begun;
        self.began_at = Some(self.clock.n_reply + u32::from(begun.is_empty()));
        self.loops.restart();
        Ok(())
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

    fn finish(&self, stop: StopReason) -> Finish {
        let clock = &self.clock;
        let ms = |it: Duration| it.as_secs_f64() * 1_000.0;
        let decode = clock.decode_started.elapsed();
        Finish {
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
            held: Held {
                never_began: self.matcher.is_some() && !self.opening.has_begun(),
                began_at: self.began_at,
                lost: self.closing.lost(),
            },
        }
    }
}

/// Tokens that are refused at one place before the chain's own choice stands.
const MAX_REFUSED: usize = 16;

/// The prefill that cannot stand in the prompt, since the model may think first.
fn late_prefill(request: &RunRequest, opening: &Opening) -> String {
    match (&request.hold.start, opening) {
        (_, Opening::Begun) | (Start::Now | Start::After(_), _) => String::new(),
        (Start::AfterThinking, _) => request.prompt.prefill.clone(),
    }
}

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

/// The mask without one token; all others where there is none.
fn without(token: TokenId, mask: Option<&TokenMask>, n_tokens: u32) -> TokenMask {
    let n_words = (n_tokens as usize).div_ceil(32);
    let mut words = mask.map_or_else(|| vec![u32::MAX; n_words], |it| it.words().to_vec());
    if let Some(word) = words.get_mut(token as usize / 32) {
        *word &= !(1 << (token % 32));
    }
    TokenMask::from_words(words)
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
