//! Answers the cells of a plan: each reply, the retries that its plan allows, the records of all of them.

use std::collections::HashSet;

use super::together::walk_together;
use super::{Assembly, Job, Progress, Text, WalkError, run_one};
use crate::engine::{Engine, ModelInfo};
use crate::lab::{Cell, CellStamp, Plan, RetryPolicy, Trial, is_usable};
use crate::prompt::{Task, TemplateChoice};
use crate::sampling::Knob;

/// What can be told while a cell is answered.
#[derive(Clone, Copy, Debug)]
pub enum BenchProgress<'a> {
    Reply(&'a Progress),
    /// A trial is finished; it is to be on the disk before the next one begins.
    Trial(&'a Trial),
}

/// Which cells are open, and what is told while they are answered.
pub struct Walk<'a> {
    pub plan: &'a Plan,
    pub cells: &'a [Cell],
    pub tasks: &'a [Task],
    pub grammars: &'a [(String, String)],
    /// Keys of the cells that are answered.
    pub done: &'a HashSet<String>,
    /// The last attempt of a cell that was broken off.
    pub broken_off: &'a dyn Fn(&str) -> Option<&'a Trial>,
}

/// What is told of a cell.
#[derive(Debug)]
pub enum CellNews<'a> {
    /// It is begun: how many of the open ones are behind it, of how many.
    Begun {
        n_done: usize,
        n_open: usize,
    },
    Within(BenchProgress<'a>),
    /// It cannot be run, for this reason; the others go on.
    Skipped {
        key: &'a str,
        reason: String,
    },
}

/// Answers every open cell with one model. Between two cells `tell` can end the walk by an error.
///
/// # Errors
/// The engine is gone for good, or what `tell` gave.
pub fn walk_cells(
    walk: &Walk<'_>,
    (engine, info): (&Engine, &ModelInfo),
    tell: &mut dyn FnMut(CellNews<'_>) -> Result<(), WalkError>,
) -> Result<(), WalkError> {
    if walk.plan.parallel > 1 {
        return walk_together(walk, (engine, info), tell);
    }
    let open = walk.open();
    let n_open = open.len();
    for (n_done, (idx, cell)) in open.into_iter().enumerate() {
        tell(CellNews::Begun { n_done, n_open })?;
        let answered = walk
            .turn(idx, cell, info)
            .and_then(|turn| turn.answer(engine, info, &mut |it| tell(CellNews::Within(it))));
        match answered {
            Err(WalkError::Run(reason)) => tell(CellNews::Skipped {
                key: &cell.key,
                reason,
            })?,
            other => other?,
        }
    }
    Ok(())
}

impl<'a> Walk<'a> {
    /// The cells that are not answered, each with its place in the plan.
    pub(super) fn open(&self) -> Vec<(usize, &'a Cell)> {
        let cells = self.cells.iter().enumerate();
        cells.filter(|it| !self.done.contains(&it.1.key)).collect()
    }

    /// What is asked for a cell next, behind what was recorded of it.
    pub(super) fn turn(
        &self,
        idx: usize,
        cell: &'a Cell,
        info: &ModelInfo,
    ) -> Result<Turn<'a>, WalkError> {
        let task = self.tasks.iter().find(|it| it.id == cell.task);
        let task =
            task.ok_or_else(|| WalkError::Run(format!("there is no task {} any more", cell.task)))?;
        // The plan was refused where values could not be swapped.
        let shown = cell.examples.put_into(task, cell.input);
        let shown = shown.as_ref().unwrap_or(task);
        let mut first = Job::new(&cell.preset, shown, &Text::Input(cell.input), self.grammars)
            .map_err(|it| WalkError::Run(it.to_string()))?;
        // A base model is asked in plain text: its file says of no other way.
        if info.chat_template.is_none() {
            first.request.prompt.template = TemplateChoice::Raw;
        }
        let failed = (self.broken_off)(&cell.key).cloned();
        let n_before = failed.as_ref().and_then(|it| it.cell.as_ref());
        Ok(Turn {
            cell,
            plan: self.plan,
            first_run: idx * self.plan.retry.n_attempts() as usize,
            first,
            attempt: n_before.map_or(0, |it| it.attempt) + 1,
            failed,
        })
    }
}

/// One attempt at a cell that is to be made.
pub(super) struct Turn<'a> {
    pub(super) cell: &'a Cell,
    plan: &'a Plan,
    /// Tells this cell's runs apart from those of other cells.
    first_run: usize,
    first: Job,
    /// From 1.
    attempt: u32,
    failed: Option<Trial>,
}

impl Turn<'_> {
    /// Makes attempts until one is good or was the last.
    fn answer(
        mut self,
        engine: &Engine,
        info: &ModelInfo,
        tell: &mut dyn FnMut(BenchProgress<'_>) -> Result<(), WalkError>,
    ) -> Result<(), WalkError> {
        loop {
            let mut told = Ok(());
            let (trial, _) = run_one(engine, self.assembly(info), &mut |it| {
                if told.is_ok() {
                    told = tell(BenchProgress::Reply(it));
                }
            })?;
            told?;
            let (trial, next) = self.take(trial);
            tell(BenchProgress::Trial(&trial))?;
            match next {
                Some(next) => self = next,
                None => return Ok(()),
            }
        }
    }

    pub(super) fn assembly(&self, info: &ModelInfo) -> Assembly {
        let nth = self.first_run + self.attempt as usize - 1;
        Assembly::nth(nth, self.asked(), info)
    }

    fn asked(&self) -> Job {
        let mut job = self.first.clone();
        let Some(failed) = &self.failed else {
            return job;
        };
        let retry = &self.plan.retry;
        job.request.prompt.messages = retry.messages(&self.first.request.prompt.messages, failed);
        if retry.policy == RetryPolicy::Same {
            let seed = self.first.request.knobs.get(Knob::Seed) + f64::from(self.attempt - 1);
            // A seed beyond the range stays as it is.
            if job.request.knobs.set(Knob::Seed, seed).is_err() {}
        }
        job
    }
}

impl Turn<'_> {
    /// Stamps the attempt's trial, and gives the next attempt if there is one.
    pub(super) fn take(self, mut trial: Trial) -> (Trial, Option<Self>) {
        let n_attempts = self.plan.retry.n_attempts();
        let is_good = is_usable(&trial);
        let is_last = is_good || self.attempt >= n_attempts;
        let gave_up = is_last && !is_good && n_attempts > 1;
        trial.cell = Some(CellStamp {
            plan: self.plan.name.clone(),
            key: self.cell.key.clone(),
            attempt: self.attempt,
            is_last,
            gave_up_with: self.plan.retry.default.clone().filter(|_| gave_up),
            examples: self.cell.examples,
        });
        let next = (!is_last).then(|| Self {
            attempt: self.attempt + 1,
            failed: Some(trial.clone()),
            ..self
        });
        (trial, next)
    }
}
