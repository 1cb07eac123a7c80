//! The columns' runs, one after the other through the window's engine; another model is loaded where one is asked for.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use super::{ColumnId, CompareDesk, Comparison, Playback};
use crate::app::on_action::begin_load;
use crate::app::{Effect, EnginePhase, Model, Reply, RunPhase};
use crate::engine::Command;
use crate::ladder::Stream;
use crate::prompt::TemplateChoice;
use crate::runner::{Assembly, Job};

/// A column that waits for its run. What it asks for is settled when the columns are run, so that all of them answer
/// one prompt, whatever is typed meanwhile.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) id: ColumnId,
    job: Job,
    model: PathBuf,
}

/// Begins with the columns on the loaded model, so that each model is loaded once.
pub(super) fn run(model: &mut Model) -> Vec<Effect> {
    let home = model.info().map(|it| it.path.clone());
    let (None, Some(home)) = (model.compare_obstacle(), home) else {
        return Vec::new();
    };
    let Model {
        compare: desk,
        library,
        ..
    } = model;
    let Some(task) = library.task(&desk.draft.task) else {
        return Vec::new();
    };
    desk.queue.clear();
    desk.runs.clear();
    desk.comparison = None;
    desk.playback = Playback::default();
    let text = desk.draft.text(library);
    for column in &desk.draft.columns {
        let path = column.model.clone().unwrap_or_else(|| home.clone());
        match Job::new(&column.preset, task, &text, &library.grammars) {
            Ok(mut job) => {
                job.request.prompt.thinking = column.thinking;
                let at = place(&desk.queue, &path, &home);
                let (id, model) = (column.id, path);
                desk.queue.insert(at, Waiting { id, job, model });
            }
            Err(error) => {
                let message = error.to_string();
                desk.runs.insert(column.id, RunPhase::Failed { message });
            }
        }
    }
    desk.home = Some(home);
    go_on(model)
}

/// Behind the last column of the same model; those of the loaded model come first.
fn place(queue: &VecDeque<Waiting>, path: &Path, home: &Path) -> usize {
    let behind = queue.iter().rposition(|it| it.model == path);
    match behind {
        Some(it) => it + 1,
        None if path == home => 0,
        None => queue.len(),
    }
}

/// Begins the next column's run, or the load before it, when the engine is free; and once all are done, compares
/// them. Called after every event: it does nothing where there is nothing to do.
pub(crate) fn go_on(model: &mut Model) -> Vec<Effect> {
    while let Some(next) = model.compare.queue.front() {
        if model.has_running_reply() {
            return Vec::new();
        }
        match &model.engine {
            EnginePhase::Loading { .. } | EnginePhase::Restarting { .. } => return Vec::new(),
            EnginePhase::Ready(info) if info.path == next.model => return start(model),
            EnginePhase::Failed { path, message } if *path == next.model => {
                let message = format!("The model could not be loaded: {message}");
                let id = next.id;
                model.compare.queue.pop_front();
                model.compare.runs.insert(id, RunPhase::Failed { message });
            }
            _ => {
                let path = next.model.clone();
                return vec![begin_load(model, path)];
            }
        }
    }
    settle(model)
}

/// Takes back what still waits for its run, as when the user ends it.
pub(crate) fn give_up(desk: &mut CompareDesk) {
    for waiting in std::mem::take(&mut desk.queue) {
        let message = "It was cancelled before its turn came.".to_owned();
        desk.runs.insert(waiting.id, RunPhase::Failed { message });
    }
}

fn start(model: &mut Model) -> Vec<Effect> {
    let Some(info) = model.info().cloned() else {
        return Vec::new();
    };
    let Some(Waiting { id, mut job, .. }) = model.compare.queue.pop_front() else {
        return Vec::new();
    };
    if info.chat_template.is_none() {
        job.request.prompt.template = TemplateChoice::Raw;
    }
    let request = Box::new(job.request.clone());
    let run = model.take_id();
    let reply = Box::new(Reply {
        assembly: Assembly::new(run, job, info),
        prefill: None,
        stream: Stream::default(),
        cancelling: false,
    });
    model.compare.runs.insert(id, RunPhase::Running { reply });
    vec![Effect::Send(Command::Run { id: run, request })]
}

/// All columns are done: they are compared, and the model of before comes back.
fn settle(model: &mut Model) -> Vec<Effect> {
    let desk = &mut model.compare;
    if desk.is_running() {
        return Vec::new();
    }
    if desk.comparison.is_none() {
        desk.compare();
    }
    if matches!(
        model.engine,
        EnginePhase::Loading { .. } | EnginePhase::Restarting { .. }
    ) {
        return Vec::new();
    }
    let Some(home) = desk.home.take() else {
        return Vec::new();
    };
    match &model.engine {
        EnginePhase::Ready(info) if info.path == home => Vec::new(),
        _ => vec![begin_load(model, home)],
    }
}

impl CompareDesk {
    /// Holds the replies that are there against each other.
    pub(super) fn compare(&mut self) {
        self.comparison = Comparison::of(self).map(Box::new);
        self.playback = match &self.comparison {
            Some(it) => Playback::at_end(it),
            None => Playback::default(),
        };
    }

    /// Takes a column's run away. Returns the run to be cancelled, if it is under way.
    pub(super) fn forget(&mut self, id: ColumnId) -> Option<crate::engine::RunId> {
        self.queue.retain(|it| it.id != id);
        let run = self.runs.remove(&id);
        self.comparison = None;
        match run {
            Some(RunPhase::Running { reply }) => Some(reply.assembly.id),
            _ => None,
        }
    }
}

impl Model {
    /// Whether the engine is writing a reply, for whichever view.
    fn has_running_reply(&self) -> bool {
        let other = self.branch.as_ref().map(|it| &it.run);
        let ours = self.compare.runs.values();
        let mut phases = std::iter::once(&self.run).chain(other).chain(ours);
        phases.any(|it| matches!(it, RunPhase::Running { .. }))
    }
}
