//! What the places of models depend on: the system, the home folder, and the environment.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// A system as other tools tell them apart when they choose their folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Linux,
    MacOs,
    Windows,
}

/// Everything that decides where tools keep their models. Given as a value, so that each system's places can be
/// computed on any other.
#[derive(Clone, Debug)]
pub struct Surroundings {
    pub system: System,
    pub home: PathBuf,
    /// What stands before the absolute paths of services: the file system's root.
    pub root: PathBuf,
    pub variables: BTreeMap<String, OsString>,
}

impl System {
    /// The system this program was built for; everything that is neither Windows nor macOS does as Linux does.
    pub const HERE: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::MacOs
    } else {
        Self::Linux
    };
}

impl Surroundings {
    /// Those of this process.
    pub fn here() -> Self {
        let readable = |(key, value): (OsString, OsString)| Some((key.into_string().ok()?, value));
        Self {
            system: System::HERE,
            home: env::home_dir().unwrap_or_default(),
            root: PathBuf::from("/"),
            variables: env::vars_os().filter_map(readable).collect(),
        }
    }

    /// A variable that holds one path; an empty one counts as not set.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        let value = self.variables.get(name)?;
        (!value.is_empty()).then(|| PathBuf::from(value))
    }

    /// A variable that holds several paths.
    pub(super) fn paths(&self, name: &str) -> Vec<PathBuf> {
        let Some(value) = self.variables.get(name) else {
            return Vec::new();
        };
        env::split_paths(value)
            .filter(|it| !it.as_os_str().is_empty())
            .collect()
    }

    /// `%LOCALAPPDATA%`.
    pub(super) fn local_app_data(&self) -> PathBuf {
        let usual = || self.home.join("AppData").join("Local");
        self.path("LOCALAPPDATA").unwrap_or_else(usual)
    }

    /// `%APPDATA%`.
    pub(super) fn app_data(&self) -> PathBuf {
        let usual = || self.home.join("AppData").join("Roaming");
        self.path("APPDATA").unwrap_or_else(usual)
    }

    /// `~/Library/Application Support`.
    pub(super) fn application_support(&self) -> PathBuf {
        self.home.join("Library").join("Application Support")
    }

    /// A folder of the XDG base directories: the variable, else its usual place in the home folder.
    pub(super) fn xdg(&self, name: &str, usual: &str) -> PathBuf {
        self.path(name).unwrap_or_else(|| self.home.join(usual))
    }
}
