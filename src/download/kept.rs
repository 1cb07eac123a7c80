//! Downloads that were stopped or cut and can be gone on with.

use std::fs;
use std::path::Path;

use super::error::FetchError;
use super::listing::{choose, parts};
use super::part_file::{Note, note_at};
use super::place::Place;
use super::{Choice, Wanted};

/// How deep they lie below the folder of models: owner, name, and folders of the repository's own.
const MAX_DEPTH: usize = 5;
/// Most entries that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// A part that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub wanted: Wanted,
    pub bytes: u64,
    pub total: Option<u64>,
}

/// All of them below the folder of our own models.
pub fn kept(folder: &Path) -> Vec<Kept> {
    let mut res = Vec::new();
    let mut n_left = MAX_ENTRIES;
    visit(folder, MAX_DEPTH, &mut n_left, &mut res);
    res.sort_by_key(|it| it.wanted.to_string());
    res
}

/// Takes away what has come of this model; not while another window fetches it.
pub fn discard(folder: &Path, wanted: &Wanted) -> Result<(), FetchError> {
    for it in kept(folder) {
        let is_its = |file: &String| {
            let first = choose(wanted, std::slice::from_ref(file));
            first.is_ok_and(|it| parts(&it).contains(file))
        };
        if let Choice::File(file) = &it.wanted.choice
            && it.wanted.is_in_repository_of(wanted)
            && is_its(file)
        {
            let place = Place::of(folder, &it.wanted, file);
            let _lock = place.lock()?;
            place.remove_part()?;
        }
    }
    Ok(())
}

fn visit(folder: &Path, depth: usize, n_left: &mut usize, res: &mut Vec<Kept>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let Some(left) = n_left.checked_sub(1) else {
            return;
        };
        *n_left = left;
        let path = entry.path();
        // A link could lead anywhere; the parts of ours are files.
        match entry.file_type() {
            Ok(it) if it.is_dir() && depth > 0 => visit(&path, depth - 1, n_left, res),
            Ok(it) if it.is_file() && is_note(&path) => res.extend(kept_at(&path)),
            _ => {}
        }
    }
}

fn is_note(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|it| it.to_string_lossy().ends_with(".part.json"))
}

fn kept_at(note: &Path) -> Option<Kept> {
    let part = note.to_str()?.strip_suffix(".json")?;
    let bytes = fs::metadata(part).ok()?.len();
    let note = note_at(note).filter(Note::is_bound)?;
    Some(Kept {
        wanted: Wanted::parse(&note.wanted).ok()?,
        bytes,
        total: note.total,
    })
}
