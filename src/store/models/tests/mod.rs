//! Fake homes of every tool on every system, and exactly what is found in them.

mod doubles;
mod faults;
mod own;
mod splits;
mod tools;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Finding, FoundModel, Surroundings, System, search};
use crate::gguf::tiny::Writer;

/// A computer of its own: a home folder, and nothing of the real environment.
pub(super) struct Home {
    folder: TempDir,
    pub(super) surroundings: Surroundings,
    pub(super) recent: Vec<PathBuf>,
}

impl Home {
    pub(super) fn new(system: System) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        fs::create_dir_all(&home).unwrap();
        let surroundings = Surroundings {
            system,
            home,
            root: folder.path().join("root"),
            variables: BTreeMap::new(),
        };
        Self {
            folder,
            surroundings,
            recent: Vec::new(),
        }
    }

    /// A path below the home folder.
    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.surroundings.home.join(path)
    }

    /// A path beside the home folder.
    pub(super) fn outside(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(super) fn set(&mut self, name: &str, value: &Path) {
        self.surroundings
            .variables
            .insert(name.to_owned(), value.as_os_str().to_owned());
    }

    pub(super) fn search(&self) -> Finding {
        let own = (&*self.outside("data"), self.recent.as_slice());
        search(&self.surroundings, own, &mut |_| {})
    }

    /// What is found, as (name, where, path below the folder of all), and that nothing was wrong.
    #[track_caller]
    pub(super) fn check(&self, expected: &[(&str, &str, PathBuf)]) {
        let finding = self.search();
        assert_eq!(finding.problems, []);
        check_models(&finding.models, expected);
    }
}

#[track_caller]
pub(super) fn check_models(models: &[FoundModel], expected: &[(&str, &str, PathBuf)]) {
    let found: Vec<_> = models
        .iter()
        .map(|it| (it.name.as_str(), it.found_in.as_str(), it.path.clone()))
        .collect();
    assert_eq!(found, expected);
}

/// A model that no other is taken for: its name stands in its header.
pub(super) fn model(name: &str) -> Vec<u8> {
    Writer::tiny().with_text("general.name", name).bytes()
}

/// Writes a file with the folders above it.
pub(super) fn put(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Writes a model that is called after its path.
pub(super) fn put_model(path: &Path) -> PathBuf {
    put(path, model(&path.display().to_string()));
    path.to_owned()
}
