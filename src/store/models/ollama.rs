//! Ollama's store: manifests by name, which point to blobs without an ending.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::small_file::read_small;
use super::walk::{Walk, name_of};

/// `manifests/<host>/<namespace…>/<model>/<tag>`, with some room.
const MAX_DEPTH: usize = 8;
const MAX_MANIFESTS: usize = 5_000;
const MODEL: &str = "application/vnd.ollama.image.model";
const OWN_HOST: &str = "registry.ollama.ai";

#[derive(Deserialize)]
struct Manifest {
    #[serde(default)]
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
struct Layer {
    #[serde(default, rename = "mediaType")]
    media_type: String,
    #[serde(default)]
    digest: String,
}

/// Takes the model that each manifest of a store names.
pub(super) fn search(store: &Path, found_in: &str, walk: &mut Walk) {
    let mut manifests = Vec::new();
    let root = store.join("manifests");
    gather(&root, found_in, (&mut manifests, walk), 0);
    for path in manifests {
        let Some(name) = name(&root, &path) else {
            continue;
        };
        let parsed = read_small(&path).and_then(|it| serde_json::from_str::<Manifest>(&it).ok());
        let Some(manifest) = parsed else {
            walk.problem(&path, found_in, "the manifest cannot be read");
            continue;
        };
        let model = manifest.layers.iter().find(|it| it.media_type == MODEL);
        if let Some(blob) = model.and_then(|it| blob(store, &it.digest)) {
            walk.file(&blob, Some(name), found_in);
        }
    }
}

fn gather(folder: &Path, found_in: &str, acc: (&mut Vec<PathBuf>, &mut Walk), depth: usize) {
    let (manifests, walk) = acc;
    let entries = match fs::read_dir(folder) {
        Ok(it) => it,
        Err(error) => return walk.failure(folder, found_in, &error),
    };
    let mut paths: Vec<_> = entries.flatten().map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        // Finder and other programs leave files of their own here.
        if name_of(&path).starts_with('.') {
            continue;
        }
        if path.is_dir() {
            if depth < MAX_DEPTH {
                gather(&path, found_in, (&mut *manifests, &mut *walk), depth + 1);
            }
        } else if manifests.len() < MAX_MANIFESTS {
            manifests.push(path);
        }
    }
}

/// The name that Ollama's commands take: what is usual is left out of it.
fn name(root: &Path, manifest: &Path) -> Option<String> {
    let parts = manifest.strip_prefix(root).ok()?.iter();
    let parts: Vec<_> = parts.map(|it| it.to_string_lossy().into_owned()).collect();
    let [host, between @ .., model, tag] = parts.as_slice() else {
        return None;
    };
    let mut words: Vec<&str> = between.iter().map(String::as_str).collect();
    if host != OWN_HOST {
        words.insert(0, host);
    } else if words == ["library"] {
        words.clear();
    }
    words.push(model);
    Some(format!("{}:{tag}", words.join("/")))
}

/// The blob of a digest. Anything but a digest could lead out of the store and is refused.
fn blob(store: &Path, digest: &str) -> Option<PathBuf> {
    let digits = digest.strip_prefix("sha256:")?;
    let is_digest = digits.len() == 64 && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let blobs = store.join("blobs");
    let new = blobs.join(format!("sha256-{digits}"));
    let old = blobs.join(format!("sha256:{digits}"));
    is_digest.then(|| if new.exists() { new } else { old })
}
