//! The search for models on this computer: how far it is, and what came of it.

use super::{Action, Effect, EnginePhase, Model, on_action};
use crate::gguf::Fit;
use crate::store::{Finding, Problem, Searching};

/// What is known of the search beside the models.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelSearch {
    /// How far it is, while it runs.
    pub running: Option<Searching>,
    /// What could not be used.
    pub problems: Vec<Problem>,
    /// Memory that was free when the search ended, in bytes.
    pub free_memory: Option<u64>,
}

/// The search goes on.
pub fn on_searching(model: &mut Model, searching: Searching) {
    model.search.running = Some(searching);
}

/// The search could not begin.
pub fn on_search_failed(model: &mut Model) {
    model.search.running = None;
}

/// The models that were found on this computer. If none is loaded, and none was asked for, the first that memory has
/// room for is.
pub fn on_found(model: &mut Model, found: Finding, loads_first: bool) -> Vec<Effect> {
    let n_ctx = model.settings.load.n_ctx;
    let room = model.room_beside(found.free_memory);
    let mut fitting = found.models.iter().filter(|it| {
        let fit = it.fit_in(n_ctx, &room);
        fit.is_none_or(|it| it == Fit::Fits)
    });
    let first = fitting.next().map(|it| it.path.clone());
    model.models = found.models;
    model.search = ModelSearch {
        running: None,
        problems: found.problems,
        free_memory: found.free_memory,
    };
    let is_idle = matches!(model.engine, EnginePhase::NoModel);
    match first {
        Some(path) if loads_first && is_idle => on_action(model, Action::LoadModel(path)),
        _ => Vec::new(),
    }
}
