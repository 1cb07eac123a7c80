//! What the window finds on the disk when it opens, and where it saves from then on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::app::{CompareDraft, Draft, GrammarsDraft, PlanDrafts, RepairDraft, Settings};
use crate::store::{self, Folders, Loaded};

/// Documents as they were left, and what must be said of them.
#[derive(Default)]
pub(super) struct Restored {
    pub(super) settings: Option<Settings>,
    pub(super) draft: Option<Draft>,
    pub(super) repair: Option<RepairDraft>,
    pub(super) grammars: Option<GrammarsDraft>,
    pub(super) compare: Option<CompareDraft>,
    pub(super) plans: Option<PlanDrafts>,
    pub(super) places: Places,
    pub(super) notices: Vec<String>,
}

/// Where documents are saved whose own file must be left as it is.
#[derive(Debug, Default)]
pub(super) struct Places {
    moved: BTreeMap<PathBuf, PathBuf>,
    closed: BTreeSet<PathBuf>,
    /// The settings as this window saved or read them last.
    pub(super) settings_base: Value,
}

impl Places {
    /// None if changes are not saved.
    pub(super) fn of(&self, path: &Path) -> Option<PathBuf> {
        if self.closed.contains(path) {
            return None;
        }
        Some(
            self.moved
                .get(path)
                .map_or(path, PathBuf::as_path)
                .to_owned(),
        )
    }
}

/// Reads all documents of a window.
pub(super) fn restore(folders: &Folders) -> Restored {
    let mut restored = Restored::default();
    restored.settings = restored.read(folders, Folders::settings, "settings");
    restored.draft = restored.read(folders, Folders::draft, "draft");
    restored.repair = restored.read(folders, Folders::repair_draft, "Repair draft");
    restored.grammars = restored.read(folders, Folders::grammars_draft, "Grammars draft");
    restored.compare = restored.read(folders, Folders::compare_draft, "Compare draft");
    restored.plans = restored.read(folders, Folders::plan_draft, "plan draft");
    let base = serde_json::to_value(restored.settings.clone().unwrap_or_default());
    restored.places.settings_base = base.unwrap_or_default();
    restored
}

impl Restored {
    fn read<T: DeserializeOwned>(
        &mut self,
        folders: &Folders,
        place: impl Fn(&Folders) -> PathBuf,
        what: &str,
    ) -> Option<T> {
        let path = place(folders);
        match store::load(&path) {
            Loaded::Found(it) => return Some(it),
            // A further window begins with what stands in the first.
            Loaded::Missing => return store::peek(&place(&folders.of_window(1))),
            Loaded::SetAside { now, reason } => {
                self.notices.push(format!(
                    "The saved {what} could not be read ({reason}). It was kept as {}; mend it there, or delete it.",
                    now.display()
                ));
                return None;
            }
            Loaded::Locked { reason } => self.notices.push(format!(
                "The saved {what} could not be read ({reason}). {} is left as it is.",
                path.display()
            )),
            Loaded::Newer { version } => self.notices.push(format!(
                "A newer version of Stepladder has written the saved {what} (version {version}). {} is left as it is; update Stepladder to use it.",
                path.display()
            )),
        }
        self.stand_in(path, what)
    }

    /// Reads what stands in for a file that is left as it is, and saves there from now on.
    fn stand_in<T: DeserializeOwned>(&mut self, path: PathBuf, what: &str) -> Option<T> {
        let own = path.with_extension("own.json");
        let found = match store::load(&own) {
            Loaded::Found(it) => Some(it),
            Loaded::Missing | Loaded::SetAside { .. } => None,
            Loaded::Locked { .. } | Loaded::Newer { .. } => {
                self.notices
                    .push(format!("Changes of the {what} are not saved."));
                self.places.closed.insert(path);
                return None;
            }
        };
        let name = own.file_name().unwrap_or_default().to_string_lossy();
        self.notices
            .push(format!("Changes of the {what} are saved as {name}."));
        self.places.moved.insert(path, own);
        found
    }
}
