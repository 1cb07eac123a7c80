//! What follows when the engine is lost: which command is tried again, and when that is given up.

use std::collections::VecDeque;

use super::group::Rest;
use super::job::{Job, Losses, Origin};
use super::supervisor::Supervisor;
use super::{Command, Event, RunId, StopReason};

impl Supervisor {
    pub(super) fn end_lost(&mut self, job: Job, reason: &str) {
        let message = reason.to_owned();
        if let Some(event) = job.failure(reason) {
            self.tell_lost(reason);
            self.tell(event);
            self.recover(reason);
            return;
        }
        if let Some(again) = job.on_cpu(reason) {
            self.queue.push_front(again);
            return;
        }
        match job.command {
            Command::Load { .. } if job.is_comeback() && !self.losses.are_enough() => {
                self.queue.push_front(job);
            }
            Command::Load { id, .. } => {
                self.tell(Event::LoadFailed { id, message });
                self.give_up_retry(reason);
            }
            Command::Run { .. } if job.attempt == 1 => {
                self.tell_lost(reason);
                self.queue.push_front(Job { attempt: 2, ..job });
                self.recover(reason);
            }
            Command::Run { .. } => {
                self.tell_lost(reason);
                self.tell_all(job.end(StopReason::EngineLost { reason: message }));
                self.recover(reason);
            }
            Command::RunGroup { id, width, runs } => {
                self.tell_lost(reason);
                self.try_rest(job.group.rest(runs), (id, width));
                self.recover(reason);
            }
            _ => {
                self.model = None;
                if job.origin == Origin::User {
                    self.tell(Event::Unloaded);
                }
            }
        }
    }

    /// The replies that were being written come before those that had not begun.
    fn try_rest(&mut self, rest: Rest, (id, width): (RunId, u32)) {
        let (alone, others) = rest.into_commands(id, width);
        self.queue.push_front(Job::new(others, Origin::User));
        for command in alone.into_iter().rev() {
            let job = Job::new(command, Origin::User);
            self.queue.push_front(Job { attempt: 2, ..job });
        }
    }

    pub(super) fn tell_all(&mut self, events: impl IntoIterator<Item = Event>) {
        for event in events {
            self.tell(event);
        }
    }

    pub(super) fn tell_lost(&mut self, reason: &str) {
        let reason = reason.to_owned();
        self.tell(Event::EngineLost { reason });
    }

    /// Brings the model back, unless that was tried too often; without a model the next command starts the engine.
    pub(super) fn recover(&mut self, reason: &str) {
        let Some((id, _)) = self.model else {
            self.tell(Event::EngineRestarted);
            return;
        };
        if !self.losses.are_enough() {
            self.leave_gpu(reason);
            self.reload(Origin::ReloadAfterLoss);
            return;
        }
        self.model = None;
        let n = self.losses.n;
        self.losses = Losses::default();
        let message = format!(
            "the engine was lost {n} times in a row, so it is not started again; the last time: {reason}"
        );
        self.give_up_retry(&message);
        self.tell(Event::LoadFailed { id, message });
    }

    /// A graphics device may be gone, or its driver broken: after a second loss in a row the processor takes over.
    fn leave_gpu(&mut self, reason: &str) {
        if self.losses.n > 1
            && let Some((_, settings)) = &mut self.model
            && let Some(gpu) = self.gpu.take()
        {
            *settings = settings.on_cpu(&gpu, reason);
        }
    }

    pub(super) fn reload(&mut self, origin: Origin) {
        if let Some((id, settings)) = self.model.clone() {
            let command = Command::Load { id, settings };
            self.queue.push_front(Job::new(command, origin));
        }
    }

    /// Ends a run that waits for its second attempt: there will be no model for it.
    pub(super) fn give_up_retry(&mut self, reason: &str) {
        let reason = reason.to_owned();
        self.end_retry(&StopReason::EngineLost { reason });
    }

    pub(super) fn end_retry(&mut self, stop: &StopReason) {
        let retries: VecDeque<Job>;
        (retries, self.queue) = self.queue.drain(..).partition(|it| it.attempt > 1);
        for job in retries {
            self.tell_all(job.end(stop.clone()));
        }
    }
}
