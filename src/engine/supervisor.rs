//! Decides what follows from a command, an event, an end or the passing of time; does nothing itself.
//!
//! The engine gets one command at a time, and the rest waits here: so there is never a doubt which of them killed it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::job::{Job, Losses, Origin};
pub(super) use super::limits::Limits;
use super::limits::OVERSLEPT;
use super::{Command, Event, LoadSettings, RunId, StopReason};

/// What the worker is to do.
#[derive(Debug, PartialEq)]
pub(super) enum Order {
    Tell(Event),
    /// Starts an engine if none is there.
    Write(Command),
    Kill,
}

/// The state of the engine as seen from outside.
pub(super) struct Supervisor {
    pub(super) limits: Limits,
    pub(super) orders: VecDeque<Order>,
    pub(super) queue: VecDeque<Job>,
    current: Option<Current>,
    /// The load to repeat after a loss.
    pub(super) model: Option<(RunId, LoadSettings)>,
    /// The graphics device that the model is on.
    pub(super) gpu: Option<String>,
    /// Until when to wait for a killed engine to be gone, so that two never share the memory.
    pub(super) dying_until: Option<Instant>,
    pub(super) losses: Losses,
}

struct Current {
    job: Job,
    heard: Instant,
    kill_at: Option<Instant>,
    is_cancelled: bool,
}

/// A killed process that the system cannot end sooner (it may wait for a disk) is waited for no longer.
const DEATH_PATIENCE: Duration = Duration::from_secs(5);

impl Supervisor {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            orders: VecDeque::new(),
            queue: VecDeque::new(),
            current: None,
            model: None,
            dying_until: None,
            losses: Losses::default(),
            gpu: None,
        }
    }

    /// The next thing to do, in order.
    pub(super) fn next_order(&mut self) -> Option<Order> {
        self.orders.pop_front()
    }

    /// When `on_time` is due at the latest.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let current = self.current.as_ref();
        let silent_at = current.and_then(|it| Some(it.heard + self.limits.silence?));
        let kill_at = current.and_then(|it| it.kill_at);
        [silent_at, kill_at, self.dying_until]
            .into_iter()
            .flatten()
            .min()
    }

    pub(super) fn on_command(&mut self, command: Command, now: Instant) {
        match command {
            Command::Cancel { id } => self.cancel(id, now),
            Command::Preview { .. } => {
                self.drop_older_preview();
                self.queue.push_back(Job::new(command, Origin::User));
            }
            _ => self.queue.push_back(Job::new(command, Origin::User)),
        }
        self.dispatch(now);
    }

    pub(super) fn on_event(&mut self, event: Event, now: Instant) {
        let Some(current) = &mut self.current else {
            return;
        };
        current.heard = now;
        if !current.job.awaits(&event) {
            return;
        }
        if !current.job.is_ended_by(&event) {
            self.pass_on(event);
            return;
        }
        let Some(Current { job, .. }) = self.current.take() else {
            return;
        };
        self.end(job, event);
        self.dispatch(now);
    }

    /// The engine works, and has no event to tell of it.
    pub(super) fn on_alive(&mut self, now: Instant) {
        if let Some(current) = &mut self.current {
            current.heard = now;
        }
    }

    /// The engine ended, or could not be started, by no wish of ours.
    pub(super) fn on_lost(&mut self, reason: &str, now: Instant) {
        let current = self.current.take();
        self.losses.count(now);
        match current {
            Some(current) if current.is_cancelled => self.end_cancelled(current.job),
            Some(current) => self.end_lost(current.job, reason),
            None => {
                self.tell_lost(reason);
                self.recover(reason);
            }
        }
        self.dispatch(now);
    }

    /// An engine that we killed is gone.
    pub(super) fn on_gone(&mut self, now: Instant) {
        self.dying_until = None;
        self.dispatch(now);
    }

    pub(super) fn on_time(&mut self, now: Instant) {
        if self.dying_until.is_some_and(|it| it <= now) {
            self.on_gone(now);
        }
        let Some(current) = &mut self.current else {
            return;
        };
        let silent_for = now - current.heard;
        let silence = self.limits.silence.filter(|it| *it <= silent_for);
        if current.kill_at.is_some_and(|it| it <= now) {
            self.kill(now);
            if let Some(current) = self.current.take() {
                self.end_cancelled(current.job);
            }
            self.dispatch(now);
        } else if silence.is_some_and(|it| it + OVERSLEPT <= silent_for) {
            current.heard = now;
        } else if let Some(silence) = silence {
            self.give_up(&format!("hung: nothing heard for {silence:?}"), now);
        }
    }

    /// Ends the engine, and does what follows from its loss.
    pub(super) fn give_up(&mut self, reason: &str, now: Instant) {
        self.kill(now);
        self.on_lost(reason, now);
    }

    pub(super) fn tell(&mut self, event: Event) {
        self.orders.push_back(Order::Tell(event));
    }

    fn dispatch(&mut self, now: Instant) {
        self.drop_reloads(now);
        if self.current.is_some() || self.dying_until.is_some() {
            return;
        }
        let Some(job) = self.queue.pop_front() else {
            return;
        };
        if matches!(job.command, Command::Load { .. }) {
            self.model = None;
        }
        self.orders.push_back(Order::Write(job.command.clone()));
        self.current = Some(Current {
            job,
            heard: now,
            kill_at: None,
            is_cancelled: false,
        });
    }

    /// Nobody waits for a model to come back when the user wants another one, or none.
    fn drop_reloads(&mut self, now: Instant) {
        if !self.queue.iter().any(Job::is_change_of_model) {
            return;
        }
        let n_waiting = self.queue.len();
        self.queue.retain(|it| !it.is_reload());
        let mut is_dropped = self.queue.len() < n_waiting;
        let is_running = self.current.as_ref().is_some_and(|it| it.job.is_reload());
        if is_running && self.limits.cancel.is_some() {
            self.kill(now);
            self.current = None;
            is_dropped = true;
        }
        if is_dropped {
            self.model = None;
            self.end_retry(&StopReason::Cancelled);
        }
    }

    fn kill(&mut self, now: Instant) {
        self.orders.push_back(Order::Kill);
        self.dying_until = Some(now + DEATH_PATIENCE);
    }

    fn cancel(&mut self, id: RunId, now: Instant) {
        if let Some(current) = self.current.as_mut().filter(|it| it.job.can_cancel(id)) {
            if !current.is_cancelled {
                current.is_cancelled = true;
                current.kill_at = self.limits.cancel.map(|it| now + it);
                self.orders.push_back(Order::Write(Command::Cancel { id }));
            }
            return;
        }
        let Some(idx) = self.queue.iter().position(|it| it.can_cancel(id)) else {
            return;
        };
        let Some(job) = self.queue.remove(idx) else {
            return;
        };
        if let Command::Load { .. } = job.command {
            // A cancelled load leaves no model, so the one that is still loaded goes.
            self.queue
                .insert(idx, Job::new(Command::Unload, Origin::Quiet));
            self.tell(Event::LoadCancelled { id });
            self.end_retry(&StopReason::Cancelled);
        } else {
            self.tell_all(job.end(StopReason::Cancelled));
        }
    }

    /// Only the newest prompt is worth rendering.
    fn drop_older_preview(&mut self) {
        let is_preview = |it: &Job| matches!(it.command, Command::Preview { .. });
        let Some(idx) = self.queue.iter().position(is_preview) else {
            return;
        };
        if let Some(job) = self.queue.remove(idx) {
            self.tell_all(job.failure("a newer preview was asked for"));
        }
    }

    /// Tells an event in the middle of a command.
    fn pass_on(&mut self, mut event: Event) {
        let Some(current) = &mut self.current else {
            return;
        };
        let job = &mut current.job;
        job.hear(&event);
        if let Event::Started { attempt, .. } = &mut event {
            *attempt = job.attempt;
        }
        if job.origin == Origin::User {
            self.tell(event);
        }
    }

    /// Tells the event that ends a command, and takes in what it means.
    fn end(&mut self, job: Job, event: Event) {
        let gpu = job.gpu();
        match (&event, job.command) {
            (Event::Loaded { info, .. }, Command::Load { id, settings }) => {
                self.model = Some((id, settings));
                self.gpu = gpu.filter(|_| info.device_fallback.is_none());
            }
            (Event::Unloaded, _) => self.model = None,
            _ => (),
        }
        match (job.origin, &event) {
            (Origin::User, _) => {
                self.losses = Losses::default();
                self.tell(event);
            }
            (Origin::ReloadAfterLoss, Event::Loaded { .. }) => {
                self.tell(event);
                self.tell(Event::EngineRestarted);
            }
            (_, Event::LoadFailed { message, .. }) => {
                let message = message.clone();
                self.tell(event);
                self.give_up_retry(&message);
            }
            (_, Event::LoadCancelled { .. }) => {
                self.tell(event);
                self.end_retry(&StopReason::Cancelled);
            }
            _ => (),
        }
    }

    fn end_cancelled(&mut self, job: Job) {
        if let Command::Load { id, .. } = job.command {
            self.tell(Event::LoadCancelled { id });
            self.end_retry(&StopReason::Cancelled);
        } else {
            self.tell_all(job.end(StopReason::Cancelled));
            self.reload(Origin::Quiet);
        }
    }
}
