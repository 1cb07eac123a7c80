//! Reads the small texts in which other tools keep their settings.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

/// No setting, manifest or configuration of theirs comes near this.
const MAX_BYTES: u64 = 1 << 20;

/// The text of a regular file that is small; none if it is anything else. A byte order mark is dropped.
pub(super) fn read_small(path: &Path) -> Option<String> {
    // A pipe would wait for somebody to write into it.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    let mut file = File::open(path).ok()?.take(MAX_BYTES + 1);
    file.read_to_string(&mut text).ok()?;
    let is_small = text.len() as u64 <= MAX_BYTES;
    is_small.then(|| text.trim_start_matches('\u{feff}').to_owned())
}
