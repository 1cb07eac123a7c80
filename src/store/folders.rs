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
    /// The window's number; its drafts have names of their own from the second on.
    window: u32,
    is_makeshift: bool,
}

impl Folders {
    /// `STEPLADDER_DATA`, else the place the system has for application data, else the current folder.
    pub fn of_user() -> Self {
        let asked = env::var_os("STEPLADDER_DATA").filter(|it| !it.is_empty());
        let data = asked
            .map(PathBuf::from)
            .or_else(|| ProjectDirs::from("", "", "stepladder").map(|it| it.data_dir().to_owned()));
        Self {
            is_makeshift: data.is_none(),
            ..Self::at(data.unwrap_or_else(|| PathBuf::from("stepladder-data")))
        }
    }

    pub fn at(data: impl Into<PathBuf>) -> Self {
        Self {
            data: data.into(),
            window: 1,
            is_makeshift: false,
        }
    }

    /// The same folders with the drafts of this window.
    #[must_use]
    pub fn of_window(&self, number: u32) -> Self {
        Self {
            window: number,
            ..self.clone()
        }
    }

    /// Whether the system named no place, so that the current folder had to do.
    pub fn is_makeshift(&self) -> bool {
        self.is_makeshift
    }

    pub fn window(&self) -> u32 {
        self.window
    }

    fn typed(&self, name: &str) -> PathBuf {
        self.data.join(match self.window {
            1 => format!("{name}.json"),
            number => format!("{name}.window-{number}.json"),
        })
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
        self.typed("draft")
    }

    /// What is typed in Repair, apart from the draft of Play: a pasted reply may be large.
    pub fn repair_draft(&self) -> PathBuf {
        self.typed("repair")
    }

    /// The prompt and the columns of Compare.
    pub fn compare_draft(&self) -> PathBuf {
        self.typed("compare")
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

    /// The plan that is put together in Bench.
    pub fn plan_draft(&self) -> PathBuf {
        self.typed("plan-draft")
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
        self.typed("grammars")
    }

    /// Notes of engines that were lost.
    pub fn crashes(&self) -> PathBuf {
        self.data.join("crashes")
    }

    pub fn models(&self) -> PathBuf {
        self.data.join("models")
    }
}
