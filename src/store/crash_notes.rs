//! Notes of engines that were lost, a text file each; the latest are kept.

use std::fs;
use std::path::{Path, PathBuf};

use super::{StoreError, save_text};

/// Notes that are kept.
const N_KEPT: usize = 20;

/// Writes a note into the folder and takes the oldest ones away. `when` is RFC 3339: names in order are in time's order.
pub fn keep_crash_note(folder: &Path, when: &str, text: &str) -> Result<PathBuf, StoreError> {
    let name: String = when
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() { it } else { '-' })
        .collect();
    let path = folder.join(format!("engine-{name}.txt"));
    fs::create_dir_all(folder)
        .map_err(|it| StoreError::new("cannot make the folder for crash notes", folder, &it))?;
    save_text(&path, text)?;
    let mut notes = notes(folder);
    notes.sort();
    let n_old = notes.len().saturating_sub(N_KEPT);
    for old in &notes[..n_old] {
        // One that cannot be taken away is tried again with the next note.
        drop(fs::remove_file(old));
    }
    Ok(path)
}

fn notes(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.flatten().map(|it| it.path());
    paths
        .filter(|it| {
            let name = it.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("engine-") && name.ends_with(".txt")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_notes_are_kept_and_other_files_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("crashes");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("mine.txt"), "mine").unwrap();
        for minute in 0..25 {
            let when = format!("2026-11-30T12:{minute:02}:00.5Z");
            let path = keep_crash_note(&folder, &when, &when).unwrap();
            assert_eq!(fs::read_to_string(path).unwrap(), when);
        }
        let mut left = notes(&folder);
        left.sort();
        assert_eq!(left.len(), N_KEPT);
        assert!(left[0].ends_with("engine-2026-11-30T12-05-00-5Z.txt"));
        assert!(folder.join("mine.txt").exists());
    }
}
