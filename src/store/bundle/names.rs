//! Documents that are known by a name inside them, and where each name stands: every folder is read once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::commit::read;
use super::parts::Part;

/// A document that is known by a name inside it.
pub(super) struct Named {
    pub(super) field: &'static str,
    pub(super) name: String,
    pub(super) value: Value,
}

impl Named {
    /// None for other parts, and for a text that has no name.
    pub(super) fn of(text: &[u8], part: Part) -> Option<Self> {
        let Part::Named(field) = part else {
            return None;
        };
        let value: Value = serde_json::from_slice(text).ok()?;
        let name = value.get(field)?.as_str()?.to_owned();
        Some(Self { field, name, value })
    }
}

/// The names of each folder, with the file that has each.
#[derive(Default)]
pub(super) struct Names(BTreeMap<PathBuf, BTreeMap<String, PathBuf>>);

impl Names {
    /// The file in the folder of this place that has the name.
    pub(super) fn find(&mut self, place: &Path, named: &Named) -> Option<&PathBuf> {
        self.of_folder(place, named.field).get(&named.name)
    }

    /// A file was put there.
    pub(super) fn add(&mut self, place: &Path, named: &Named) {
        self.of_folder(place, named.field)
            .insert(named.name.clone(), place.to_owned());
    }

    fn of_folder(&mut self, place: &Path, field: &'static str) -> &mut BTreeMap<String, PathBuf> {
        let folder = place.parent().unwrap_or(Path::new(""));
        self.0
            .entry(folder.to_owned())
            .or_insert_with(|| names_in(folder, field))
    }
}

fn names_in(folder: &Path, field: &'static str) -> BTreeMap<String, PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "json"));
    paths.sort();
    let mut names = BTreeMap::new();
    for path in paths {
        let text = read(&path).unwrap_or_default();
        if let Some(named) = Named::of(&text, Part::Named(field)) {
            // Of several, the first counts, as it does where they are read.
            names.entry(named.name).or_insert(path);
        }
    }
    names
}
