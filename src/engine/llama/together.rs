//! Replies that are evaluated together: each has a sequence of one context, and leaves it to the next when it ends.
//!
//! A logit depends on the shape of its batch, so near-ties may turn out otherwise than in a reply that is evaluated
//! alone. The width is told with each reply.

use std::collections::VecDeque;
use std::thread;
use std::time::Instant;

use crate::engine::{Event, GroupRun, MemoryGuard, RunId, RunRequest, StopReason};
use crate::machine;

use super::constraints::Constraints;
use super::context::Context;
use super::desk::Desk;
use super::load::Loaded;
use super::outbox::Gathered;
use super::reply::{self, Next, Reply, Unready};
use super::row::ContextSettings;
use super::run::{self, Written};
use super::seats::Seats;
use super::watch::{DecodeError, Watch};

/// Tokens of a prompt that are evaluated at once, where more are not asked for: nothing has to fall as it would alone.
const LEAST_BATCH: u32 = 256;

/// A sequence's memory has a multiple of this many tokens.
const N_CELLS: u32 = 256;

/// The replies of a group, and how many of them at most are evaluated together.
pub(super) struct Asked<'a> {
    pub(super) runs: &'a [GroupRun],
    pub(super) width: u32,
    /// Of the whole group.
    pub(super) watch: &'a Watch,
    pub(super) guard: &'a MemoryGuard,
}

/// Runs all of them and tells their events; the last is the end of the group.
pub(super) fn run_group(
    loaded: &mut Loaded,
    constraints: &mut Constraints,
    asked: &Asked<'_>,
    tell: &mut dyn FnMut(Event),
) {
    let id = asked.watch.id;
    // Two stages follow on each other, so such a reply has its turn alone.
    let (alone, together): (Vec<&GroupRun>, Vec<&GroupRun>) = asked
        .runs
        .iter()
        .partition(|it| it.request.first.is_some() || asked.width < 2);
    let left = if together.is_empty() {
        Vec::new()
    } else {
        run_together(loaded, constraints, (together, asked), tell)
    };
    for run in left.into_iter().chain(alone) {
        if asked.watch.is_cancelled() {
            tell(Written::Nothing.into_event(run.id));
            continue;
        }
        let watch = Watch {
            id: run.id,
            group: Some(id),
            ..asked.watch.clone()
        };
        run::run(loaded, constraints, (&run.request, &watch), tell);
    }
    tell(Event::GroupFinished { id });
}

/// Gives back what has to be run alone, since memory has no room for two.
fn run_together<'a>(
    loaded: &mut Loaded,
    constraints: &mut Constraints,
    (runs, asked): (Vec<&'a GroupRun>, &Asked<'_>),
    tell: &mut dyn FnMut(Event),
) -> Vec<&'a GroupRun> {
    let wanted = asked.width.min(runs.len() as u32);
    let settings = settings(loaded, &runs, (wanted, asked));
    let context = settings.map(|it| Context::new(loaded.model.clone(), it));
    let Some(Ok(context)) = context else {
        return runs;
    };
    let made = context.settings();
    let table = Table {
        desk: Desk {
            n_ctx: made.n_ctx_each().min(loaded.desk().n_ctx),
            ..loaded.desk()
        },
        width: made.n_sequences,
        n_threads: made.n_threads as usize,
        lanes: Vec::new(),
        seats: Seats::new(context),
        waiting: runs.into(),
        watch: asked.watch,
        guard: asked.guard,
    };
    table.serve(constraints, tell);
    Vec::new()
}

/// A context with room for as many of the replies as wanted and as memory holds; none for fewer than two.
fn settings(
    loaded: &Loaded,
    runs: &[&GroupRun],
    (wanted, asked): (u32, &Asked<'_>),
) -> Option<ContextSettings> {
    let desk = loaded.desk();
    let alone = loaded.sequence.settings();
    let mut longest = 0;
    for run in runs {
        if asked.watch.is_cancelled() {
            return None;
        }
        longest = longest.max(room(desk, &run.request, asked.guard));
    }
    let n_batch = alone.n_batch.max(LEAST_BATCH);
    let free = machine::free_memory().into_iter().chain(asked.guard.left());
    let free = free.min();
    let fits = |n_sequences: &u32| {
        let n_ctx = longest * n_sequences;
        let footprint = loaded.footprint;
        let needed = footprint.cache_bytes(n_ctx) + footprint.compute_bytes(n_ctx, n_batch);
        free.is_none_or(|free| needed <= free / 5 * 4)
    };
    let n_sequences = (2..=wanted.min(n_batch)).rev().find(fits)?;
    Some(ContextSettings {
        n_ctx: longest * n_sequences,
        n_batch,
        n_sequences,
        ..alone
    })
}

/// Tokens that a reply may take with its prompt.
fn room(desk: Desk<'_>, request: &RunRequest, guard: &MemoryGuard) -> u32 {
    guard.begin_prompt();
    let view = reply::view(desk, request);
    guard.end_prompt();
    // What cannot be rendered is not written either.
    let n_prompt = view.map_or(0, |it| it.0.tokens.len());
    let n_max = request.knobs.count(crate::sampling::Knob::MaxTokens);
    let n_tokens = (n_prompt + request.prompt.prefill.len() + n_max) as u32;
    n_tokens.next_multiple_of(N_CELLS).min(desk.n_ctx)
}

/// The replies that are written at the moment, and those that wait for a seat.
struct Table<'a, 'r> {
    desk: Desk<'a>,
    seats: Seats,
    /// Sorted by their seats.
    lanes: Vec<Lane<'a>>,
    waiting: VecDeque<&'r GroupRun>,
    width: u32,
    n_threads: usize,
    watch: &'a Watch,
    guard: &'a MemoryGuard,
}

struct Lane<'a> {
    id: RunId,
    seat: usize,
    reply: Reply<'a>,
    gathered: Gathered,
}

impl<'a> Table<'a, '_> {
    fn serve(mut self, constraints: &mut Constraints, tell: &mut dyn FnMut(Event)) {
        loop {
            while self.lanes.len() < self.width as usize
                && !self.watch.is_cancelled()
                && let Some(run) = self.waiting.pop_front()
            {
                self.seat(run, constraints, tell);
            }
            if self.watch.is_cancelled() {
                return self.cancel(tell);
            }
            if self.lanes.is_empty() {
                return;
            }
            self.close_ranks();
            match self.step(tell) {
                Ok(()) => (),
                Err(DecodeError::Cancelled) => return self.cancel(tell),
                Err(error) => self.fail(&error, tell),
            }
        }
    }

    /// Lets a reply join, once its prompt is evaluated.
    fn seat(&mut self, run: &GroupRun, constraints: &mut Constraints, tell: &mut dyn FnMut(Event)) {
        let id = run.id;
        self.guard.begin_prompt();
        let prepared = Reply::prepare(self.desk, constraints, (&run.request, self.watch));
        self.guard.end_prompt();
        let (mut reply, view) = match prepared {
            Ok(it) => it,
            Err(Unready::Cancelled) => return tell(Written::Nothing.into_event(id)),
            Err(Unready::Failed(message)) => return tell(Event::RunFailed { id, message }),
        };
        let view = Box::new(view);
        let n_total = view.tokens.len() as u32;
        tell(Event::Started {
            id,
            attempt: 1,
            view: view.clone(),
        });
        let is_taken = |seat: &usize| self.lanes.iter().any(|it| it.seat == *seat);
        let seat = (0..self.width as usize)
            .find(|it| !is_taken(it))
            .unwrap_or(0);
        let started = Instant::now();
        let evaluated = self
            .seats
            .begin((seat, &view.tokens), self.watch, &mut |n_done| {
                let n_done = n_done as u32;
                tell(Event::PrefillProgress {
                    id,
                    n_done,
                    n_total,
                });
            });
        match evaluated {
            Ok(n_kept) => reply.clock.n_kept = n_kept as u32,
            Err(error) => return tell(unseated(&reply, id, &error)),
        }
        reply.clock.prefill = started.elapsed();
        reply.clock.decode_started = Instant::now();
        reply.clock.batch_width = self.width;
        let lane = Lane {
            id,
            seat,
            reply,
            gathered: Gathered::new(id),
        };
        let idx = self.lanes.partition_point(|it| it.seat < seat);
        self.lanes.insert(idx, lane);
    }

    /// Fills the seats that nobody takes any more: sequences with one between them would be evaluated apart.
    fn close_ranks(&mut self) {
        while let Some(free) = (0..self.lanes.len()).find(|it| self.lanes[*it].seat != *it)
            && let Some(mut last) = self.lanes.pop()
        {
            self.seats.relocate(last.seat, free);
            last.seat = free;
            self.lanes.insert(free, last);
        }
    }

    /// Evaluates one token of each reply, and picks the next ones.
    fn step(&mut self, tell: &mut dyn FnMut(Event)) -> Result<(), DecodeError> {
        let seats: Vec<usize> = self.lanes.iter().map(|it| it.seat).collect();
        let logits = self.seats.step(&seats, self.watch)?;
        if logits.len() != self.lanes.len() {
            return Err(DecodeError::NoLogits);
        }
        let mut picks: Vec<Pick<'_, 'a>> = self
            .lanes
            .iter_mut()
            .zip(logits)
            .map(|(lane, logits)| Pick {
                lane,
                logits,
                next: None,
            })
            .collect();
        pick_all(&mut picks, self.n_threads);
        let nexts: Vec<_> = picks.into_iter().map(|it| it.next).collect();
        let mut lanes = Vec::new();
        for (mut lane, next) in std::mem::take(&mut self.lanes).into_iter().zip(nexts) {
            let settled = lane.reply.text.settled();
            lane.gathered.push(settled).into_iter().for_each(&mut *tell);
            match next {
                Some(Ok(Next::Token(token))) => {
                    self.seats.put(lane.seat, token);
                    lanes.push(lane);
                }
                Some(Ok(Next::End(stop))) => lane.end(stop, tell),
                Some(Err(message)) => tell(Event::RunFailed {
                    id: lane.id,
                    message,
                }),
                None => lane.end(StopReason::Cancelled, tell),
            }
        }
        self.lanes = lanes;
        Ok(())
    }

    fn cancel(self, tell: &mut dyn FnMut(Event)) {
        for lane in self.lanes {
            lane.end(StopReason::Cancelled, tell);
        }
        for run in self.waiting {
            tell(Written::Nothing.into_event(run.id));
        }
    }

    /// What is evaluated is not known any more, so none of these replies can go on.
    fn fail(&mut self, error: &DecodeError, tell: &mut dyn FnMut(Event)) {
        for lane in self.lanes.drain(..) {
            let message = error.to_string();
            tell(Event::RunFailed {
                id: lane.id,
                message,
            });
        }
        self.seats.clear();
    }
}

/// The end of a reply whose prompt was not evaluated.
fn unseated(reply: &Reply<'_>, id: RunId, error: &DecodeError) -> Event {
    match error {
        DecodeError::Cancelled => Event::Finished {
            id,
            finish: Box::new(reply.finish(StopReason::Cancelled)),
        },
        error => Event::RunFailed {
            id,
            message: error.to_string(),
        },
    }
}

impl Lane<'_> {
    fn end(mut self, stop: StopReason, tell: &mut dyn FnMut(Event)) {
        let last = self.reply.text.finish();
        let told = self.gathered.push(last);
        told.into_iter()
            .chain(self.gathered.take())
            .for_each(&mut *tell);
        tell(Event::Finished {
            id: self.id,
            finish: Box::new(self.reply.finish(stop)),
        });
    }
}

/// The choice of one reply's next token.
struct Pick<'l, 'a> {
    lane: &'l mut Lane<'a>,
    logits: &'l [f32],
    next: Option<Result<Next, String>>,
}

/// Each reply has a chain of its own, so the choices are made side by side.
fn pick_all(picks: &mut [Pick<'_, '_>], n_threads: usize) {
    let pick = |it: &mut Pick<'_, '_>| it.next = Some(it.lane.reply.next(it.logits));
    let n_each = picks.len().div_ceil(n_threads.max(1)).max(1);
    let mut chunks = picks.chunks_mut(n_each);
    let own = chunks.next();
    thread::scope(|scope| {
        for chunk in chunks {
            scope.spawn(move || chunk.iter_mut().for_each(pick));
        }
        own.into_iter().flatten().for_each(pick);
    });
}
