//! The columns' runs, one after the other through the window's engine; another model is loaded where one is asked for.

use std::path::{Path, PathBuf};

use super::{ColumnId, CompareDesk, Comparison, Playback};
use crate::app::on_action::begin_load;
use crate::app::{Effect, EnginePhase, Model, Reply, RunPhase};
use crate::engine::Command;
use crate::ladder::Stream;
use crate::runner::{Assembly, Job};

/// Begins with the columns on the loaded model, so that each model is loaded once.
pub(super) fn run(model: &mut Model) -> Vec<Effect> {
    let home = model.info().map(|it| it.path.clone());
    let (None, Some(home)) = (model.compare_obstacle(), home) else {
        return Vec::new();
    };
    let desk = &mut model.compare;
    let mut order: Vec<(Option<&PathBuf>, ColumnId)> = Vec::new();
    for column in &desk.draft.columns {
        let path = column.model.as_ref().filter(|it| **it != home);
        let behind = order.iter().rposition(|it| it.0 == path);
        let at = match (behind, path) {
            (Some(it), _) => it + 1,
            (None, None) => 0,
            (None, Some(_)) => order.len(),
        };
        order.insert(at, (path, column.id));
    }
    desk.queue = order.into_iter().map(|it| it.1).collect();
    desk.runs.clear();
    desk.comparison = None;
    desk.playback = Playback::default();
    desk.home = Some(home);
    go_on(model)
}

/// Begins the next column's run, or the load before it, when the engine is free; and once all are done, compares
/// them. Called after every event: it does nothing where there is nothing to do.
pub(crate) fn go_on(model: &mut Model) -> Vec<Effect> {
    while let Some(id) = model.compare.queue.front().copied() {
        if model.has_running_reply() {
            return Vec::new();
        }
        let wanted = model.compare.wanted(id);
        match &model.engine {
            EnginePhase::Loading { .. } | EnginePhase::Restarting { .. } => return Vec::new(),
            EnginePhase::Ready(info) if info.path == wanted => return start(model, id),
            EnginePhase::Failed { path, message } if *path == wanted => {
                let message = format!("The model could not be loaded: {message}");
                fail(&mut model.compare, id, message);
            }
            _ => return vec![begin_load(model, wanted)],
        }
    }
    settle(model)
}

/// Takes back what still waits for its run, as when the user ends it or loads another model.
pub(crate) fn give_up(model: &mut Model) {
    let desk = &mut model.compare;
    desk.home = None;
    for id in std::mem::take(&mut desk.queue) {
        let message = "It was cancelled before its turn came.".to_owned();
        desk.runs.insert(id, RunPhase::Failed { message });
    }
}

fn start(model: &mut Model, id: ColumnId) -> Vec<Effect> {
    model.compare.queue.pop_front();
    let draft = &model.compare.draft;
    let (Some(column), Some(task)) = (draft.column(id), model.library.task(&draft.task)) else {
        return go_on(model);
    };
    let text = draft.text(&model.library);
    let job = match Job::new(&column.preset, task, &text, &model.library.grammars) {
        Ok(it) => it,
        Err(error) => {
            fail(&mut model.compare, id, error.to_string());
            return go_on(model);
        }
    };
    let Some(info) = model.info().cloned() else {
        return Vec::new();
    };
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

fn fail(desk: &mut CompareDesk, id: ColumnId, message: String) {
    desk.queue.retain(|it| *it != id);
    desk.runs.insert(id, RunPhase::Failed { message });
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
    let Some(home) = desk.home.take() else {
        return Vec::new();
    };
    let is_home = |path: &Path| path == home;
    match &model.engine {
        EnginePhase::Ready(info) if is_home(&info.path) => Vec::new(),
        EnginePhase::Loading { .. } | EnginePhase::Restarting { .. } => Vec::new(),
        _ => vec![begin_load(model, home)],
    }
}

impl CompareDesk {
    fn wanted(&self, id: ColumnId) -> PathBuf {
        let own = self.draft.column(id).and_then(|it| it.model.clone());
        own.or_else(|| self.home.clone()).unwrap_or_default()
    }

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
        self.queue.retain(|it| *it != id);
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
