//! Where things are kept: one data folder, `STEPLADDER_DATA` or the system's own place.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

use super::StoreError;

/// The data folder and the files in it.
#[derive(Clone, Debug)]
pub struct Folders {
    data: PathBuf,
}

impl Folders {
    /// `STEPLADDER_DATA`, else the place the system has for application data, else the current folder.
    pub fn of_user() -> Self {
        let data = env::var_os("STEPLADDER_DATA")
            .map(PathBuf::from)
            .or_else(|| ProjectDirs::from("", "", "stepladder").map(|it| it.data_dir().to_owned()))
            .unwrap_or_else(|| PathBuf::from("stepladder-data"));
        Self { data }
    }

    pub fn at(data: impl Into<PathBuf>) -> Self {
        Self { data: data.into() }
    }

    /// Makes the folder, so that the first save does not fail for want of it.
    pub fn create(&self) -> Result<(), StoreError> {
        fs::create_dir_all(&self.data)
            .map_err(|it| StoreError::new("cannot make the data folder", &self.data, &it))
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    pub fn draft(&self) -> PathBuf {
        self.data.join("draft.json")
    }

    /// What is typed in Repair, apart from the draft of Play: a pasted reply may be large.
    pub fn repair_draft(&self) -> PathBuf {
        self.data.join("repair.json")
    }

    /// The prompt and the columns of Compare.
    pub fn compare_draft(&self) -> PathBuf {
        self.data.join("compare.json")
    }

    /// The regression set of the ladder: one case a line.
    pub fn cases(&self) -> PathBuf {
        self.data.join("regression.jsonl")
    }

    pub fn settings(&self) -> PathBuf {
        self.data.join("settings.json")
    }

    pub fn trials(&self) -> PathBuf {
        self.data.join("trials.jsonl")
    }

    /// What recordings played: kept apart, so that no model is credited with a reply that it did not write.
    pub fn scripted_trials(&self) -> PathBuf {
        self.data.join("scripted-trials.jsonl")
    }

    /// The user's own presets; tasks lie in `tasks` below it.
    pub fn presets(&self) -> PathBuf {
        self.data.join("presets")
    }

    /// The user's own plans.
    pub fn plans(&self) -> PathBuf {
        self.presets().join("plans")
    }

    pub fn tasks(&self) -> PathBuf {
        self.presets().join("tasks")
    }

    pub fn grammars(&self) -> PathBuf {
        self.data.join("grammars")
    }

    /// Experiments that were run in the window, a folder each.
    pub fn experiments(&self) -> PathBuf {
        self.data.join("experiments")
    }

    /// The user's own schemas.
    pub fn schemas(&self) -> PathBuf {
        self.data.join("schemas")
    }

    /// What is typed in Grammars; the grammars themselves lie in a folder each kind.
    pub fn grammars_draft(&self) -> PathBuf {
        self.data.join("grammars.json")
    }

    /// Notes of engines that were lost.
    pub fn crashes(&self) -> PathBuf {
        self.data.join("crashes")
    }

    pub fn models(&self) -> PathBuf {
        self.data.join("models")
    }
}
