//! Which models `bench` runs on, and what is left for them to do.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::args::BenchArguments;
use super::out::{self, Progress};
use super::run::{named, own_process};
use super::table::counted;
use super::{engine, loading, models};
use crate::engine::{Engine, ModelInfo, Source};
use crate::lab::{Cell, Plan};
use crate::store::{Folders, Opened};

/// Those that are named on the command line, else those of the plan, else the one that is set, else the first that
/// is found.
pub(super) fn model_paths(
    arguments: &BenchArguments,
    of_plan: &[String],
    folders: &Folders,
) -> Result<Vec<PathBuf>, String> {
    if let Some(path) = &arguments.scripted {
        return Ok(vec![path.clone()]);
    }
    if !arguments.model.is_empty() {
        let paths = arguments.model.iter();
        return Ok(paths.map(|it| named(it, folders)).collect());
    }
    if !of_plan.is_empty() {
        let paths = of_plan.iter();
        return Ok(paths.map(|it| named(Path::new(it), folders)).collect());
    }
    let set = std::env::var_os("STEPLADDER_MODEL").filter(|it| !it.is_empty());
    let path = match set {
        Some(it) => named(Path::new(&it), folders),
        None => models::first(folders).ok_or(models::NONE)?,
    };
    Ok(vec![path])
}

/// Refuses models and recordings that are not there, before anything is begun.
pub(super) fn check(arguments: &BenchArguments, paths: &[PathBuf]) -> Result<(), String> {
    if arguments.scripted.is_some() {
        return source(arguments).map(drop);
    }
    let missing = paths.iter().find(|it| !it.exists());
    missing.map_or(Ok(()), |path| {
        let what = "the model cannot be loaded";
        Err(loading::failed(what, path, "there is no such file"))
    })
}

pub(super) fn source(arguments: &BenchArguments) -> Result<Source, String> {
    match &arguments.scripted {
        Some(path) => Ok(Source::Scripted(engine::recording(path)?)),
        None => own_process(),
    }
}

/// What the plan asks for, and of which models.
pub(super) fn estimate(plan: &Plan, cells: &[Cell], paths: &[PathBuf]) -> String {
    let n_models = paths.len() as u64;
    let names: Vec<String> = paths.iter().map(|it| file_name(it)).collect();
    format!(
        "{}: {} on {} ({}), at most {}",
        plan.title,
        counted(cells.len() as u64 * n_models, "reply"),
        counted(n_models, "model"),
        names.join(", "),
        counted(plan.n_tokens(cells) * n_models, "token")
    )
}

/// What of the plan is left for the models, when the folder is gone on with.
pub(super) fn left(
    (plan, cells): (&Plan, &[Cell]),
    (arguments, paths): (&BenchArguments, &[PathBuf]),
    opened: &Opened,
) -> Result<String, String> {
    let (mut n_replies, mut n_tokens) = (0, 0);
    for path in paths {
        let done = answered(arguments, path, opened)?;
        let open = cells.iter().filter(|it| !done.contains(&it.key));
        let open: Vec<Cell> = open.cloned().collect();
        n_replies += open.len() as u64;
        n_tokens += plan.n_tokens(&open);
    }
    let verb = if n_replies == 1 { "is" } else { "are" };
    Ok(format!(
        "{} {verb} left, at most {}",
        counted(n_replies, "reply"),
        counted(n_tokens, "token")
    ))
}

/// The cells that the model has answered. A model is known by its file's name and size, so that it need not be
/// loaded; what a recording plays is only known by playing it.
fn answered(
    arguments: &BenchArguments,
    path: &Path,
    opened: &Opened,
) -> Result<HashSet<String>, String> {
    if arguments.scripted.is_some() {
        let engine = Engine::start(source(arguments)?, || {});
        let settings = arguments.load.settings(path.to_owned());
        let info = loading::load(&engine, settings, &mut Progress::new())?;
        return Ok(opened.done(&info.fingerprint));
    }
    let name = file_name(path);
    let n_bytes = fs::metadata(path).map_or(0, |it| it.len());
    Ok(opened.done_by(|it| it.file == name && it.bytes == n_bytes))
}

/// Says what the folder holds of other models than the loaded one and the others that are asked for.
pub(super) fn say_others(opened: &Opened, info: &ModelInfo, paths: &[PathBuf]) {
    let asked: Vec<String> = paths.iter().map(|it| file_name(it)).collect();
    let mut others: BTreeMap<&str, u64> = BTreeMap::new();
    for trial in &opened.trials {
        let (file, cell) = (&trial.model.file, trial.cell.as_ref());
        let is_reply = cell.is_some_and(|it| it.is_last);
        let is_other = trial.model.fingerprint != info.fingerprint && !asked.contains(file);
        if is_reply && is_other {
            *others.entry(file).or_default() += 1;
        }
    }
    for (file, n) in others {
        let replies = counted(n, "reply");
        out::say(&format!("the folder also holds {replies} of {file}"));
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
