//! Models that a tool's configuration points to: Jan's `model.yml`, `KoboldCpp`'s `.kcpps`.

use std::fs;
use std::path::{Path, PathBuf};

use super::small_file::read_small;
use super::walk::{Walk, name_of};

/// `llamacpp/models/<org>/<repository>/model.yml`, with some room.
const MAX_DEPTH: usize = 5;
const MAX_FILES: usize = 5_000;

/// Takes the models of Jan's data folder by the name that their `model.yml` gives them, then what lies beside.
pub(super) fn search_jan(data: &Path, found_in: &str, walk: &mut Walk) {
    let root = data.join("llamacpp").join("models");
    let mut files = Vec::new();
    gather(&root, "yml", MAX_DEPTH, &mut files);
    for file in files.iter().filter(|it| name_of(it) == "model.yml") {
        let Some(text) = read_small(file) else {
            walk.problem(file, found_in, "the description cannot be read");
            continue;
        };
        let folder = file.parent().unwrap_or(data);
        let path = scalar(&text, "model_path").map_or_else(
            || folder.join("model.gguf"),
            // Relative to the data folder; an absolute path stays what it is.
            |it| data.join(it),
        );
        let usual = || {
            let name = folder.strip_prefix(&root).unwrap_or(folder);
            name.to_string_lossy().replace('\\', "/")
        };
        let name = scalar(&text, "name").unwrap_or_else(usual);
        if scalar(&text, "embedding").as_deref() != Some("true") {
            walk.file(&path, Some(name), found_in);
        }
    }
    walk.folder(&root, found_in, false);
}

/// Takes the models that the configurations in a folder name.
pub(super) fn search_kobold(folder: &Path, found_in: &str, walk: &mut Walk) {
    let mut files = Vec::new();
    gather(folder, "kcpps", 0, &mut files);
    for file in files {
        let parsed = read_small(&file);
        let parsed = parsed.and_then(|it| serde_json::from_str::<serde_json::Value>(&it).ok());
        let Some(value) = parsed else {
            walk.problem(&file, found_in, "the configuration cannot be read");
            continue;
        };
        let first = |it: &serde_json::Value| match it {
            serde_json::Value::Array(items) => items.first()?.as_str().map(str::to_owned),
            it => it.as_str().map(str::to_owned),
        };
        let named = ["model_param", "model"]
            .iter()
            .find_map(|key| first(value.get(*key)?).filter(|it| !it.is_empty()));
        if let Some(model) = named {
            walk.file(&folder.join(model), None, found_in);
        }
    }
}

/// Files with an ending, down to a depth. What cannot be read is left to the walk to report.
fn gather(folder: &Path, ending: &str, depth: usize, acc: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        let is_it = path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case(ending));
        if is_it && acc.len() < MAX_FILES {
            acc.push(path);
        } else if depth > 0 && path.is_dir() {
            gather(&path, ending, depth - 1, acc);
        }
    }
}

/// A value of one line at the top of a YAML text; quotes are taken off.
fn scalar(text: &str, key: &str) -> Option<String> {
    let line = text.lines().find_map(|it| {
        let rest = it.strip_prefix(key)?.strip_prefix(':')?;
        Some(rest.trim())
    })?;
    let quoted = ['"', '\'']
        .iter()
        .find_map(|it| line.strip_prefix(*it)?.strip_suffix(*it));
    let plain = line.split(" #").next().unwrap_or_default().trim();
    let value = quoted.unwrap_or(plain);
    (!value.is_empty()).then(|| value.to_owned())
}
