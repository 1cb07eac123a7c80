//! GGUF models on this computer: where to look, and what each file says of itself.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Folders;
use crate::gguf;

/// How deep folders are searched.
const MAX_DEPTH: usize = 6;
/// Most files that are listed: a picker with more is of no use.
const MAX_MODELS: usize = 500;

/// A model file that can be offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundModel {
    pub path: PathBuf,
    /// The file's name without its ending: what people know a model by.
    pub name: String,
    pub architecture: String,
    pub quantization: String,
    pub bytes: u64,
    /// Why it is listed: `STEPLADDER_MODEL`, a folder, "opened before".
    pub found_in: String,
}

/// `STEPLADDER_MODEL`, the files opened before, `STEPLADDER_MODEL_DIRS`, and the models of the data folder;
/// each file once. Files that are no GGUF model are left out.
pub fn find_models(folders: &Folders, recent: &[PathBuf]) -> Vec<FoundModel> {
    let mut search = Search::default();
    if let Some(path) = env::var_os("STEPLADDER_MODEL") {
        search.take(Path::new(&path), "STEPLADDER_MODEL");
    }
    for path in recent {
        search.take(path, "opened before");
    }
    let dirs = env::var_os("STEPLADDER_MODEL_DIRS").unwrap_or_default();
    for folder in env::split_paths(&dirs).filter(|it| !it.as_os_str().is_empty()) {
        search.walk(&folder, &folder.display().to_string(), 0);
    }
    let own = folders.models();
    search.walk(&own, &own.display().to_string(), 0);
    search.found
}

/// What a file says of itself; the reason when it is no model that could be loaded.
pub fn inspect(path: &Path) -> Result<FoundModel, String> {
    let file = File::open(path).map_err(|it| it.to_string())?;
    let bytes = file.metadata().map_err(|it| it.to_string())?.len();
    let header = gguf::read_header(BufReader::new(file)).map_err(|it| it.to_string())?;
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Ok(FoundModel {
        path: path.to_owned(),
        name: stem,
        architecture: header.architecture,
        quantization: header.quantization,
        bytes,
        found_in: String::new(),
    })
}

#[derive(Default)]
struct Search {
    found: Vec<FoundModel>,
    seen: BTreeSet<PathBuf>,
}

impl Search {
    fn take(&mut self, path: &Path, found_in: &str) {
        let Ok(real) = fs::canonicalize(path) else {
            return;
        };
        if self.found.len() >= MAX_MODELS || !self.seen.insert(real) {
            return;
        }
        if let Ok(mut model) = inspect(path) {
            found_in.clone_into(&mut model.found_in);
            self.found.push(model);
        }
    }

    fn walk(&mut self, folder: &Path, found_in: &str, depth: usize) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                if depth < MAX_DEPTH {
                    self.walk(&path, found_in, depth + 1);
                }
            } else if path
                .extension()
                .is_some_and(|it| it.eq_ignore_ascii_case("gguf"))
            {
                self.take(&path, found_in);
            }
        }
    }
}
