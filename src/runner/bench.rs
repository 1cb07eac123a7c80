//! Answers one cell of a plan: the reply, the retries that its plan allows, the records of all of them.

use std::collections::HashSet;

use super::{Assembly, Job, Progress, Text, WalkError, run_one};
use crate::engine::{Engine, ModelInfo};
use crate::lab::{Cell, CellStamp, Plan, Retry, RetryPolicy, Trial, is_usable};
use crate::prompt::{Task, TemplateChoice};
use crate::sampling::Knob;

/// What can be told while a cell is answered.
#[derive(Clone, Copy, Debug)]
pub enum BenchProgress<'a> {
    Reply(&'a Progress),
    /// A trial is finished; it is to be on the disk before the next one begins.
    Trial(&'a Trial),
}

/// All that a cell is answered with.
struct CellRun<'a> {
    engine: &'a Engine,
    info: &'a ModelInfo,
    plan: &'a Plan,
    task: &'a Task,
    grammars: &'a [(String, String)],
    /// Tells this cell's runs apart from those of other cells.
    first_run: usize,
    /// The last attempt that failed before the plan was broken off; retries go on behind it.
    failed: Option<&'a Trial>,
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
/// The engine's thread is gone, a trial could not be recorded, or `tell` ended it.
pub fn walk_cells(
    walk: &Walk<'_>,
    (engine, info): (&Engine, &ModelInfo),
    tell: &mut dyn FnMut(CellNews<'_>) -> Result<(), WalkError>,
) -> Result<(), WalkError> {
    let n_attempts = walk.plan.retry.n_attempts() as usize;
    let cells = walk.cells.iter().enumerate();
    let open: Vec<(usize, &Cell)> = cells.filter(|it| !walk.done.contains(&it.1.key)).collect();
    for (n_done, (idx, cell)) in open.iter().enumerate() {
        let n_open = open.len();
        tell(CellNews::Begun { n_done, n_open })?;
        let Some(task) = walk.tasks.iter().find(|it| it.id == cell.task) else {
            continue;
        };
        let run = CellRun {
            engine,
            info,
            plan: walk.plan,
            task,
            grammars: walk.grammars,
            first_run: idx * n_attempts,
            failed: (walk.broken_off)(&cell.key),
        };
        let ran = run_cell(cell, &run, &mut |it| tell(CellNews::Within(it)));
        match ran {
            Err(WalkError::Run(reason)) => tell(CellNews::Skipped {
                key: &cell.key,
                reason,
            })?,
            other => other?,
        }
    }
    Ok(())
}

/// Answers a cell. `tell` returns an error when a trial could not be recorded: then nothing more is run.
///
/// # Errors
/// The reply cannot be run, the engine's thread is gone, or a trial could not be recorded.
fn run_cell(
    cell: &Cell,
    run: &CellRun<'_>,
    tell: &mut dyn FnMut(BenchProgress<'_>) -> Result<(), WalkError>,
) -> Result<(), WalkError> {
    let text = Text::Input(cell.input);
    // The plan was refused where values could not be swapped.
    let task = cell.examples.put_into(run.task, cell.input);
    let task = task.as_ref().unwrap_or(run.task);
    let mut first = Job::new(&cell.preset, task, &text, run.grammars)
        .map_err(|it| WalkError::Run(it.to_string()))?;
    // A base model is asked in plain text: its file says of no other way.
    if run.info.chat_template.is_none() {
        first.request.prompt.template = TemplateChoice::Raw;
    }
    let retry = &run.plan.retry;
    let n_attempts = retry.n_attempts();
    let mut failed = run.failed.cloned();
    let n_before = failed.as_ref().and_then(|it| it.cell.as_ref());
    let n_before = n_before.map_or(0, |it| it.attempt);
    for attempt in n_before + 1..=n_attempts {
        let job = asked(&first, retry, (failed.as_ref(), attempt));
        let assembly = Assembly::nth(run.first_run + attempt as usize - 1, job, run.info);
        let mut told = Ok(());
        let (mut trial, _) = run_one(run.engine, assembly, &mut |it| {
            if told.is_ok() {
                told = tell(BenchProgress::Reply(it));
            }
        })?;
        told?;
        let is_good = is_usable(&trial);
        let is_last = is_good || attempt == n_attempts;
        let gave_up = is_last && !is_good && n_attempts > 1;
        trial.cell = Some(CellStamp {
            plan: run.plan.name.clone(),
            key: cell.key.clone(),
            attempt,
            is_last,
            gave_up_with: retry.default.clone().filter(|_| gave_up),
            examples: cell.examples,
        });
        tell(BenchProgress::Trial(&trial))?;
        if is_last {
            break;
        }
        failed = Some(trial);
    }
    Ok(())
}

/// The job of one attempt. A retry that says nothing new to the model takes the next seed.
fn asked(first: &Job, retry: &Retry, (failed, attempt): (Option<&Trial>, u32)) -> Job {
    let mut job = first.clone();
    let Some(failed) = failed else {
        return job;
    };
    job.request.prompt.messages = retry.messages(&first.request.prompt.messages, failed);
    if retry.policy == RetryPolicy::Same {
        let seed = first.request.knobs.get(Knob::Seed) + f64::from(attempt - 1);
        // A seed beyond the range stays as it is.
        if job.request.knobs.set(Knob::Seed, seed).is_err() {}
    }
    job
}
