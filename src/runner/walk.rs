//! Loads a model and runs jobs one after the other, waiting for each: what the command line does.

use super::{Assembly, Job, Moment};
use crate::engine::{Command, CrashNote, Engine, Event, LoadSettings, ModelInfo, RunId, Silence};
use crate::lab::Trial;

/// What can be told while something runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// Share of the model that is loaded.
    Load(f32),
    /// Tokens of the prompt that are evaluated, of how many.
    Prefill(u32, u32),
    /// Tokens of the reply so far.
    Decode(usize),
    /// The engine was lost and is being started again, for this reason.
    Lost(String),
    /// Nothing is heard of the engine for seconds.
    Silent(Silence),
    /// What is known of an engine that is gone.
    Noted(Box<CrashNote>),
    /// It is heard again, or is gone.
    SilenceOver,
}

/// Why there is no trial.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    #[error("{0}")]
    Load(String),
    #[error("{0}")]
    Run(String),
    #[error("the engine's thread ended")]
    Gone,
    /// A trial is not on the disk, so nothing more is run.
    #[error("{0}")]
    Record(String),
    /// Who asked for it wants no more.
    #[error("it was stopped")]
    Stopped,
}

/// Loads a model and waits for it.
pub fn load(
    engine: &Engine,
    settings: LoadSettings,
    tell: &mut dyn FnMut(&Progress),
) -> Result<ModelInfo, WalkError> {
    let id = RunId(1);
    engine.send(Command::Load { id, settings });
    loop {
        match next(engine)? {
            Event::Loaded { info, .. } => return Ok(*info),
            Event::LoadFailed { message, .. } => return Err(WalkError::Load(message)),
            Event::LoadCancelled { .. } => return Err(WalkError::Stopped),
            Event::LoadProgress { fraction, .. } => tell(&Progress::Load(fraction)),
            other => tell_trouble(other, tell),
        }
    }
}

/// Runs one job to its end and judges the reply.
pub fn run_one(
    engine: &Engine,
    mut assembly: Assembly,
    tell: &mut dyn FnMut(&Progress),
) -> Result<(Trial, Assembly), WalkError> {
    let id = assembly.id;
    let request = Box::new(assembly.job.request.clone());
    engine.send(Command::Run { id, request });
    loop {
        let event = next(engine)?;
        assembly.on_event(&event);
        match event {
            Event::Finished { id: done, finish } if done == id => {
                let trial = assembly.finish(&finish, Moment::now());
                return Ok((trial, assembly));
            }
            Event::RunFailed { id: done, message } if done == id => {
                return Err(WalkError::Run(message));
            }
            Event::PrefillProgress {
                n_done, n_total, ..
            } => tell(&Progress::Prefill(n_done, n_total)),
            Event::Tokens { .. } => tell(&Progress::Decode(assembly.tokens.len())),
            other => tell_trouble(other, tell),
        }
    }
}

/// Tells what befell the engine itself.
pub(super) fn tell_trouble(event: Event, tell: &mut dyn FnMut(&Progress)) {
    match event {
        Event::EngineLost { reason } => tell(&Progress::Lost(reason)),
        Event::EngineSilent { silence } => tell(&Progress::Silent(silence)),
        Event::CrashNoted { note } => tell(&Progress::Noted(note)),
        Event::EngineSilenceOver => tell(&Progress::SilenceOver),
        _ => {}
    }
}

impl Assembly {
    /// The `n`th run of a walk; ids of runs come after that of the load.
    pub fn nth(n: usize, job: Job, model: &ModelInfo) -> Self {
        Self::new(Self::run_id(n), job, model.clone())
    }

    /// The id of the `n`th run of a walk.
    pub fn run_id(n: usize) -> RunId {
        RunId(n as u64 + 2)
    }
}

/// Waits as long as it takes: the engine's thread watches its process, and one that is stopped may be so on purpose.
pub(super) fn next(engine: &Engine) -> Result<Event, WalkError> {
    engine.events().recv().or(Err(WalkError::Gone))
}
