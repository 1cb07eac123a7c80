//! Downloads that were stopped or cut and can be gone on with.

use std::fs;
use std::path::Path;

use super::error::FetchError;
use super::listing::parts;
use super::part_file::{Note, note_at};
use super::place::Place;
use super::{Choice, Wanted};

/// How deep they lie below the folder of models: owner, name, and folders of the repository's own.
const MAX_DEPTH: usize = 5;
/// Most entries that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// A model whose rest waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub wanted: Wanted,
    /// Of the file that is not whole.
    pub bytes: u64,
    pub total: Option<u64>,
}

/// All of them below the folder of our own models.
pub fn kept(folder: &Path) -> Vec<Kept> {
    let mut res = Vec::new();
    let mut n_left = MAX_ENTRIES;
    visit(folder, MAX_DEPTH, &mut n_left, &mut res);
    res.sort_by_key(|it| it.wanted.to_string());
    res.dedup_by(|one, other| one.wanted == other.wanted);
    res
}

/// Takes away what has come of the model whose file this names; not while another window fetches it. A model that is
/// whole stays.
pub fn discard(folder: &Path, wanted: &Wanted) -> Result<(), FetchError> {
    let Choice::File(file) = &wanted.choice else {
        return Ok(());
    };
    let places: Vec<Place> = parts(file)
        .iter()
        .map(|it| Place::of(folder, wanted, it))
        .collect();
    let is_whole = places.iter().all(|it| it.model.exists());
    for place in places {
        let _lock = place.lock()?;
        place.remove_part()?;
        if !is_whole {
            place.remove_model()?;
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
    let wanted = Wanted::parse(&note.wanted).ok()?;
    Some(Kept {
        wanted: wanted.of_file(wanted.file()),
        bytes,
        total: note.total,
    })
}
