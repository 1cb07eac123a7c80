//! Tools that have no folder of their own in the system: they lie wherever they were unpacked.

use std::fs;
use std::path::{Path, PathBuf};

use super::surroundings::{Surroundings, System};

/// Most folders of a home that are looked at.
const MAX_CHILDREN: usize = 2_000;

/// The model folders of every text-generation-webui in the usual places, of today's layout and of the old one.
pub(super) fn text_generation_webui(surroundings: &Surroundings) -> Vec<PathBuf> {
    let is_webui = |it: &str| {
        ["text-generation-webui", "textgen", "oobabooga"]
            .iter()
            .any(|name| it.contains(name))
    };
    let mut res = Vec::new();
    for folder in unpacked(surroundings, is_webui) {
        // The one-click installer puts the tool into a folder within its own.
        let inner = folder.join("text-generation-webui");
        for base in [folder, inner] {
            res.push(base.join("user_data").join("models"));
            res.push(base.join("models"));
        }
    }
    res.retain(|it| it.is_dir());
    res
}

/// Folders that may hold configurations of `KoboldCpp`: where people keep files, and every folder named after it.
pub(super) fn kobold(surroundings: &Surroundings) -> Vec<PathBuf> {
    let mut res = usual_folders(surroundings);
    res.extend(unpacked(surroundings, |it| it.contains("kobold")));
    res
}

fn unpacked(surroundings: &Surroundings, is_it: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let folders = usual_folders(surroundings);
    let children = folders.iter().flat_map(|it| children(it));
    children
        .filter(|it| {
            let name = it.file_name().unwrap_or_default().to_string_lossy();
            is_it(&name.to_lowercase()) && it.is_dir()
        })
        .collect()
}

/// The home folder and those in it where downloads end up. macOS asks the user before a program may look into the
/// latter, and a search for models is no reason to be asked.
fn usual_folders(surroundings: &Surroundings) -> Vec<PathBuf> {
    let home = &surroundings.home;
    let mut res = vec![home.clone()];
    if surroundings.system != System::MacOs {
        res.extend(["Desktop", "Documents", "Downloads"].map(|it| home.join(it)));
    }
    res
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut res: Vec<_> = entries
        .flatten()
        .take(MAX_CHILDREN)
        .map(|it| it.path())
        .collect();
    res.sort();
    res
}
