//! Where each tool keeps its models, by system. Only looks at the few small files that move such a place.

use std::path::{Path, PathBuf};

use super::neighbours;
use super::small_file::read_small;
use super::surroundings::{Surroundings, System};

/// A place to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The tool, or what the user calls it.
    pub(super) label: String,
    pub(super) path: PathBuf,
    pub(super) layout: Layout,
    /// The user named it: that it is missing is worth a word.
    pub(super) is_named: bool,
}

/// How models lie in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// One file.
    File,
    /// Files in folders.
    Folder,
    /// Manifests that name blobs.
    Ollama,
    /// Folders with a `model.yml` that may point elsewhere; the path is the data folder.
    Jan,
    /// Configurations that name a model file; only the folder itself is searched for them.
    Kobold,
}

/// The places of all tools, in the order in which they are searched.
pub(super) fn tool_places(surroundings: &Surroundings) -> Vec<Place> {
    let mut res = Vec::new();
    let mut add = |label: &str, layout, paths: Vec<PathBuf>| {
        for path in paths {
            if res.iter().all(|it: &Place| it.path != path) {
                res.push(Place {
                    label: label.to_owned(),
                    path,
                    layout,
                    is_named: false,
                });
            }
        }
    };
    add("LM Studio", Layout::Folder, lm_studio(surroundings));
    add("Ollama", Layout::Ollama, ollama(surroundings));
    let hub = hugging_face(surroundings);
    add("Hugging Face cache", Layout::Folder, hub);
    add("llama.cpp", Layout::Folder, llama_cpp(surroundings));
    add("GPT4All", Layout::Folder, gpt4all(surroundings));
    add("Jan", Layout::Jan, vec![jan(surroundings)]);
    let node = surroundings.home.join(".node-llama-cpp").join("models");
    add("node-llama-cpp", Layout::Folder, vec![node]);
    let webui = neighbours::text_generation_webui(surroundings);
    add("text-generation-webui", Layout::Folder, webui);
    add(
        "KoboldCpp",
        Layout::Kobold,
        neighbours::kobold(surroundings),
    );
    res
}

/// The pointer file's text, else the old cache folder if it is there, else `.lmstudio`; and the folder that was
/// chosen for downloads.
fn lm_studio(surroundings: &Surroundings) -> Vec<PathBuf> {
    let home = &surroundings.home;
    let pointed = read_small(&home.join(".lmstudio-home-pointer"))
        .map(|it| PathBuf::from(it.trim()))
        .filter(|it| it.is_absolute() || has_drive(it));
    let old = home.join(".cache").join("lm-studio");
    let base = pointed.unwrap_or_else(|| {
        if old.is_dir() {
            old
        } else {
            home.join(".lmstudio")
        }
    });
    let settings = read_small(&base.join("settings.json"));
    let chosen = settings.and_then(|it| {
        let value: serde_json::Value = serde_json::from_str(&it).ok()?;
        let folder = value.get("downloadsFolder")?.as_str()?;
        (!folder.is_empty()).then(|| PathBuf::from(folder))
    });
    [Some(base.join("models")), chosen]
        .into_iter()
        .flatten()
        .collect()
}

/// A path of Windows, which is not absolute to other systems.
fn has_drive(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().get(1) == Some(&b':')
}

/// `OLLAMA_MODELS` alone if it is set; else the user's own folder, and that of the service on Linux.
fn ollama(surroundings: &Surroundings) -> Vec<PathBuf> {
    if let Some(path) = surroundings.path("OLLAMA_MODELS") {
        return vec![path];
    }
    let mut res = vec![surroundings.home.join(".ollama").join("models")];
    if surroundings.system == System::Linux {
        let service = "usr/share/ollama/.ollama/models";
        res.push(surroundings.root.join(service));
    }
    res
}

/// The first that is set: the two names of the cache's own variable, then the home of Hugging Face, then the cache of
/// the system; new versions of llama.cpp download there too.
fn hugging_face(surroundings: &Surroundings) -> Vec<PathBuf> {
    let own = || surroundings.path("HF_HUB_CACHE");
    let older = || surroundings.path("HUGGINGFACE_HUB_CACHE");
    let home = || surroundings.path("HF_HOME").map(|it| it.join("hub"));
    let cache = surroundings.xdg("XDG_CACHE_HOME", ".cache");
    let usual = || cache.join("huggingface").join("hub");
    vec![own().or_else(older).or_else(home).unwrap_or_else(usual)]
}

/// `LLAMA_CACHE`, in which old versions keep files and new ones keep repositories; and the old default.
fn llama_cpp(surroundings: &Surroundings) -> Vec<PathBuf> {
    let old = match surroundings.system {
        System::Windows => surroundings.local_app_data().join("llama.cpp"),
        System::MacOs => surroundings.home.join("Library/Caches/llama.cpp"),
        System::Linux => surroundings
            .xdg("XDG_CACHE_HOME", ".cache")
            .join("llama.cpp"),
    };
    let set = surroundings.path("LLAMA_CACHE");
    set.into_iter().chain([old]).collect()
}

/// The folder chosen in its settings, its default, and that of its Python package.
fn gpt4all(surroundings: &Surroundings) -> Vec<PathBuf> {
    let (data, settings) = match surroundings.system {
        System::Windows => (surroundings.local_app_data(), surroundings.app_data()),
        System::MacOs => (
            surroundings.application_support(),
            surroundings.home.join(".config"),
        ),
        System::Linux => (
            surroundings.xdg("XDG_DATA_HOME", ".local/share"),
            surroundings.xdg("XDG_CONFIG_HOME", ".config"),
        ),
    };
    let settings = read_small(&settings.join("nomic.ai").join("GPT4All.ini"));
    let chosen = settings.and_then(|text| {
        let value = text.lines().find_map(|it| it.strip_prefix("modelPath="))?;
        let value = value.trim().trim_matches('"');
        (!value.is_empty()).then(|| PathBuf::from(value))
    });
    let usual = data.join("nomic.ai").join("GPT4All");
    let python = surroundings.home.join(".cache").join("gpt4all");
    chosen.into_iter().chain([usual, python]).collect()
}

fn jan(surroundings: &Surroundings) -> PathBuf {
    let base = match surroundings.system {
        System::Windows => surroundings.app_data(),
        System::MacOs => surroundings.application_support(),
        System::Linux => surroundings.xdg("XDG_DATA_HOME", ".local/share"),
    };
    base.join("Jan").join("data")
}
