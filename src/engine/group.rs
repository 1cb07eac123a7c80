//! Replies that run together, as the supervisor sees them: which have begun, and which are still to be run.

use super::job::Reply;
use super::{Command, Event, GroupRun, RunId, StopReason};

/// What came of a group so far.
#[derive(Default)]
pub(super) struct Group {
    begun: Vec<(RunId, Reply)>,
    ended: Vec<RunId>,
}

/// What is left of a group whose engine was lost.
#[derive(Debug, PartialEq)]
pub(super) struct Rest {
    /// Were being written: each is tried again alone, so that the one that kills its engine is found.
    pub(super) in_flight: Vec<GroupRun>,
    pub(super) waiting: Vec<GroupRun>,
}

impl Group {
    /// Takes in what an event tells of one of the replies.
    pub(super) fn hear(&mut self, event: &Event) {
        let Some(id) = event.id() else { return };
        if event.is_end() {
            self.begun.retain(|it| it.0 != id);
            self.ended.push(id);
            return;
        }
        let idx = self.begun.iter().position(|it| it.0 == id);
        let idx = idx.unwrap_or_else(|| {
            self.begun.push((id, Reply::default()));
            self.begun.len() - 1
        });
        self.begun[idx].1.hear(event);
    }

    /// Parts what has not ended. One reply at least counts as in flight, since something lost the engine.
    pub(super) fn rest(&self, runs: Vec<GroupRun>) -> Rest {
        let has_begun = |it: &GroupRun| self.begun.iter().any(|begun| begun.0 == it.id);
        let open = runs.into_iter().filter(|it| !self.ended.contains(&it.id));
        let (mut in_flight, mut waiting): (Vec<_>, Vec<_>) = open.partition(has_begun);
        if in_flight.is_empty() && !waiting.is_empty() {
            in_flight.push(waiting.remove(0));
        }
        Rest { in_flight, waiting }
    }

    /// The ends of all replies that have none, and that of the group.
    pub(super) fn end(mut self, id: RunId, runs: &[GroupRun], stop: &StopReason) -> Vec<Event> {
        let open = runs.iter().filter(|it| !self.ended.contains(&it.id));
        let mut res: Vec<Event> = open
            .map(|run| {
                let begun = self.begun.iter_mut().find(|it| it.0 == run.id);
                let reply = begun.map(|it| std::mem::take(&mut it.1));
                reply.unwrap_or_default().finish(run.id, stop.clone())
            })
            .collect();
        res.push(Event::GroupFinished { id });
        res
    }
}

/// Whether an event is of one of these replies, or the end of all.
pub(super) fn is_of_group(event: &Event, (id, runs): (RunId, &[GroupRun])) -> bool {
    match event {
        Event::GroupFinished { id: of } => *of == id,
        Event::Started { id: of, .. }
        | Event::PrefillProgress { id: of, .. }
        | Event::Tokens { id: of, .. }
        | Event::Staged { id: of, .. }
        | Event::Finished { id: of, .. }
        | Event::RunFailed { id: of, .. } => runs.iter().any(|it| it.id == *of),
        _ => false,
    }
}

impl Rest {
    /// The commands that are to be run for it, in order.
    pub(super) fn into_commands(self, id: RunId, width: u32) -> (Vec<Command>, Command) {
        let alone = self.in_flight.into_iter().map(|it| Command::Run {
            id: it.id,
            request: Box::new(it.request),
        });
        let runs = self.waiting;
        (alone.collect(), Command::RunGroup { id, width, runs })
    }
}
