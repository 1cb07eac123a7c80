//! Answers the cells of a plan with several replies evaluated together, their retries in rounds behind them.

use std::collections::HashMap;

use super::bench::{BenchProgress, CellNews, Turn, Walk};
use super::walk::tell_trouble;
use super::{Assembly, Moment, Progress, WalkError, next};
use crate::engine::{Command, Engine, Event, Finish, GroupRun, ModelInfo, RunId};

/// Replies that are asked for by one command, for each that is evaluated with others at a time. A pause holds behind
/// those that were asked for.
const ASKED_EACH: usize = 6;
/// What all requests of one command may come to, in bytes of JSON: far less than a message may have.
const MOST_BYTES: usize = 16 << 20;

/// What is told while a walk goes on.
type Tell<'t> = &'t mut dyn FnMut(CellNews<'_>) -> Result<(), WalkError>;

/// The replies of one command.
struct Round<'a, 'e> {
    engine: &'e Engine,
    id: RunId,
    open: HashMap<RunId, (Turn<'a>, Assembly)>,
    /// Attempts that are to be made in the next round.
    next: Vec<Turn<'a>>,
    n_done: usize,
    n_open: usize,
}

/// Answers every open cell, `parallel` of them at a time.
pub(super) fn walk_together(
    walk: &Walk<'_>,
    (engine, info): (&Engine, &ModelInfo),
    tell: Tell<'_>,
) -> Result<(), WalkError> {
    let n_attempts = walk.plan.retry.n_attempts() as usize;
    let n_asked = walk.plan.parallel as usize * ASKED_EACH;
    // Ids only grow, and those of the runs come first.
    let mut last_id = (walk.cells.len() * n_attempts) as u64 + 2;
    let open = walk.open();
    let (mut n_done, n_open) = (0, open.len());
    let mut turns = Vec::new();
    for (idx, cell) in open {
        match walk.turn(idx, cell, info) {
            Ok(turn) => turns.push(turn),
            Err(WalkError::Run(reason)) => {
                n_done += 1;
                let key = &cell.key;
                tell(CellNews::Skipped { key, reason })?;
            }
            Err(other) => return Err(other),
        }
    }
    while !turns.is_empty() {
        let mut next = Vec::new();
        while !turns.is_empty() {
            let open = next_round(&mut turns, (n_asked, info));
            last_id += 1;
            let mut round = Round {
                engine,
                id: RunId(last_id),
                open,
                next: Vec::new(),
                n_done,
                n_open,
            };
            round.run(walk.plan.parallel, tell)?;
            n_done = round.n_done;
            next.extend(round.next);
        }
        turns = next;
    }
    Ok(())
}

/// Takes off the first replies, as many as one command asks for.
fn next_round<'a>(
    turns: &mut Vec<Turn<'a>>,
    (n_asked, info): (usize, &ModelInfo),
) -> HashMap<RunId, (Turn<'a>, Assembly)> {
    let asked = turns.iter().take(n_asked).map(|it| it.assembly(info));
    let asked = within(asked.collect(), MOST_BYTES);
    let rest = turns.split_off(asked.len());
    let turns = std::mem::replace(turns, rest);
    let open = turns.into_iter().zip(asked);
    open.map(|(it, assembly)| (assembly.id, (it, assembly)))
        .collect()
}

/// As many of the first ones as come to no more than so many bytes; one at least.
fn within(mut asked: Vec<Assembly>, most: usize) -> Vec<Assembly> {
    let bytes = |it: &Assembly| serde_json::to_vec(&it.job.request).map_or(most, |it| it.len());
    let n_fit = n_within(asked.iter().map(bytes), most);
    asked.truncate(n_fit);
    asked
}

fn n_within(sizes: impl Iterator<Item = usize>, most: usize) -> usize {
    let sums = sizes.scan(0_usize, |sum, it| {
        *sum = sum.saturating_add(it);
        Some(*sum)
    });
    sums.take_while(|it| *it <= most).count().max(1)
}

impl Round<'_, '_> {
    fn run(&mut self, width: u32, tell: Tell<'_>) -> Result<(), WalkError> {
        let mut runs: Vec<GroupRun> = self
            .open
            .iter()
            .map(|(id, (_, assembly))| GroupRun {
                id: *id,
                request: assembly.job.request.clone(),
            })
            .collect();
        runs.sort_by_key(|it| it.id);
        let id = self.id;
        self.engine.send(Command::RunGroup { id, width, runs });
        loop {
            let event = next(self.engine)?;
            if let Some((_, assembly)) = event.id().and_then(|it| self.open.get_mut(&it)) {
                assembly.on_event(&event);
            }
            match event {
                Event::GroupFinished { id } if id == self.id => return Ok(()),
                Event::Finished { id, finish } => self.finish(id, &finish, tell)?,
                Event::RunFailed { id, message } => self.skip(id, message, tell)?,
                Event::Started { .. } => tell(CellNews::Begun {
                    n_done: self.n_done,
                    n_open: self.n_open,
                })?,
                Event::Tokens { .. } => {
                    let written = self.open.values().map(|it| it.1.tokens.len());
                    let progress = Progress::Decode(written.sum());
                    tell(CellNews::Within(BenchProgress::Reply(&progress)))?;
                }
                other => {
                    let mut told = Ok(());
                    tell_trouble(other, &mut |it| {
                        told = tell(CellNews::Within(BenchProgress::Reply(it)));
                    });
                    told?;
                }
            }
        }
    }

    fn finish(&mut self, id: RunId, finish: &Finish, tell: Tell<'_>) -> Result<(), WalkError> {
        let Some((turn, assembly)) = self.open.remove(&id) else {
            return Ok(());
        };
        let trial = assembly.finish(finish, Moment::now());
        let (trial, next) = turn.take(trial);
        self.n_done += usize::from(next.is_none());
        self.next.extend(next);
        tell(CellNews::Within(BenchProgress::Trial(&trial)))
    }

    fn skip(&mut self, id: RunId, reason: String, tell: Tell<'_>) -> Result<(), WalkError> {
        let Some((turn, _)) = self.open.remove(&id) else {
            return Ok(());
        };
        self.n_done += 1;
        let key = &turn.cell.key;
        tell(CellNews::Skipped { key, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::n_within;

    #[test]
    fn one_command_asks_for_what_a_message_has_room_for() {
        let of = |sizes: &[usize]| n_within(sizes.iter().copied(), 100);
        assert_eq!(of(&[40, 60, 1]), 2);
        assert_eq!(of(&[40, 61, 1]), 1);
        assert_eq!(of(&[101, 1]), 1, "one goes on its own, however large");
        assert_eq!(of(&[usize::MAX, usize::MAX]), 1);
    }
}
