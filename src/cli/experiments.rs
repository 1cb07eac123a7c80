//! Finds an experiment by its folder, or by a name that the data folder knows.

use std::fs;
use std::path::{Path, PathBuf};

use crate::store::{BenchFolder, Folders};

/// Most experiments that an error names.
const MOST_NAMED: usize = 10;

/// The experiment in that folder; else the one of the data folder whose folder or plan is called so, the newest of
/// several; else an error with those that there are.
pub(super) fn experiment(asked: &Path, folders: &Folders) -> Result<BenchFolder, String> {
    let here = BenchFolder::at(asked);
    if here.is_begun() {
        return Ok(here);
    }
    let known = known(folders);
    let by_folder = known.iter().find(|it| name(it) == asked.to_string_lossy());
    let by_plan = || known.iter().find(|it| is_of_plan(it, asked));
    if let Some(found) = by_folder.or_else(by_plan) {
        return Ok(BenchFolder::at(found));
    }
    let mut names: Vec<String> = known.iter().take(MOST_NAMED).map(|it| name(it)).collect();
    if known.len() > MOST_NAMED {
        names.push("…".to_owned());
    }
    let others = if names.is_empty() {
        String::new()
    } else {
        format!(", or one of: {}", names.join(", "))
    };
    Err(format!(
        "no experiment here; {}; name a folder that bench wrote{others}",
        asked.display()
    ))
}

/// The folders of the data folder's experiments, the newest first: their names begin with the time.
fn known(folders: &Folders) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folders.experiments()) else {
        return Vec::new();
    };
    let mut known: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
    known.retain(|it| BenchFolder::at(it).is_begun());
    known.sort();
    known.reverse();
    known
}

fn is_of_plan(folder: &Path, asked: &Path) -> bool {
    let plan = BenchFolder::at(folder).plan().ok();
    let name = plan
        .as_ref()
        .and_then(|it| it.pointer("/plan/name")?.as_str());
    name.is_some_and(|it| Path::new(it) == asked)
}

fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    name.to_string_lossy().into_owned()
}
