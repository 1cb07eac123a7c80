//! GGUF models on this computer: found where other tools keep them, without copying or changing anything.

mod configurations;
mod doubles;
mod found;
mod look;
mod neighbours;
mod ollama;
mod places;
mod problem;
mod sift;
mod small_file;
mod splits;
mod surroundings;
#[cfg(test)]
mod tests;
mod walk;

use std::path::{Path, PathBuf};

use super::Folders;
use crate::machine;
use doubles::OPENED_BEFORE;
use places::{Layout, Place, tool_places};
use walk::Walk;

pub use found::{Card, Elsewhere, FoundModel};
pub use problem::Problem;
pub use surroundings::{Surroundings, System};

/// Most models that are listed: a picker with more is of no use.
const MAX_MODELS: usize = 500;

/// What a search found, and what it could not use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    pub models: Vec<FoundModel>,
    pub problems: Vec<Problem>,
    /// Memory that a model could have now, in bytes; none where it is not known.
    pub free_memory: Option<u64>,
}

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searching {
    /// Where it looks for files; empty once it looks into those it found.
    pub place: String,
    /// Files that were looked into, of those found so far.
    pub n_looked: usize,
    pub n_files: usize,
    pub n_models: usize,
}

/// `STEPLADDER_MODEL`, the files opened before, the folders of `STEPLADDER_MODELS` and `STEPLADDER_MODEL_DIRS`, the
/// models of the data folder, then those of every tool; each model once. What is no model is left out.
pub fn find_models(
    folders: &Folders,
    recent: &[PathBuf],
    tell: &mut dyn FnMut(&Searching),
) -> Finding {
    let found = search(&Surroundings::here(), (&folders.models(), recent), tell);
    Finding {
        free_memory: machine::free_memory(),
        ..found
    }
}

/// The same in any surroundings, without the memory; `own` is our own folder of models and the files opened before.
pub fn search(
    surroundings: &Surroundings,
    own: (&Path, &[PathBuf]),
    tell: &mut dyn FnMut(&Searching),
) -> Finding {
    let mut places = own_places(surroundings, own);
    places.extend(tool_places(surroundings));
    let mut walk = Walk::default();
    let mut state = Searching::default();
    for place in &places {
        state.place.clone_from(&place.label);
        state.n_files = walk.candidates.len();
        tell(&state);
        visit(place, &mut walk);
    }
    let Walk {
        candidates,
        mut problems,
        ..
    } = walk;
    state.place.clear();
    state.n_files = candidates.len();
    let mut models = sift::sift(candidates, &mut problems, &mut |n_looked, n_models| {
        (state.n_looked, state.n_models) = (n_looked, n_models);
        tell(&state);
    });
    if models.len() > MAX_MODELS {
        problems.push(Problem {
            path: models[MAX_MODELS].path.clone(),
            found_in: models[MAX_MODELS].found_in.clone(),
            what: format!(
                "more than {MAX_MODELS} models; this one and those behind it are left out"
            ),
        });
        models.truncate(MAX_MODELS);
    }
    problems.dedup();
    Finding {
        models,
        problems,
        free_memory: None,
    }
}

fn visit(place: &Place, walk: &mut Walk) {
    match place.layout {
        Layout::File if place.is_named && place.path.is_dir() => {
            let what = "it is a folder; STEPLADDER_MODELS takes folders";
            walk.problem(&place.path, &place.label, what);
        }
        Layout::File if place.is_named => walk.folder(&place.path, &place.label, true),
        Layout::File => walk.file(&place.path, None, &place.label),
        Layout::Folder => walk.folder(&place.path, &place.label, place.is_named),
        Layout::Ollama => ollama::search(&place.path, &place.label, walk),
        Layout::Jan => configurations::search_jan(&place.path, &place.label, walk),
        Layout::Kobold => configurations::search_kobold(&place.path, &place.label, walk),
    }
}

fn own_places(surroundings: &Surroundings, own: (&Path, &[PathBuf])) -> Vec<Place> {
    let (data, recent) = own;
    let place = |label: &str, path: PathBuf, layout, is_named| Place {
        label: label.to_owned(),
        path,
        layout,
        is_named,
    };
    let set = surroundings.path("STEPLADDER_MODEL");
    let set = set.map(|it| place("STEPLADDER_MODEL", it, Layout::File, true));
    let recent = recent
        .iter()
        .map(|it| place(OPENED_BEFORE, it.clone(), Layout::File, false));
    let named = ["STEPLADDER_MODELS", "STEPLADDER_MODEL_DIRS"]
        .iter()
        .flat_map(|it| surroundings.paths(it))
        .map(|it| place(&it.display().to_string(), it, Layout::Folder, true));
    let ours = place(
        &data.display().to_string(),
        data.to_owned(),
        Layout::Folder,
        false,
    );
    set.into_iter()
        .chain(recent)
        .chain(named)
        .chain([ours])
        .collect()
}
