//! Whether the disk has room for what is still to come.

use std::path::Path;

use super::error::{FetchError, Trouble};

/// What is left free for everything else.
const SPARE: u64 = 64 << 20;

/// Bytes that may still be written on the disk of this folder; none where the system does not say.
pub(super) fn free_space(folder: &Path) -> Option<u64> {
    fs4::available_space(folder).ok()
}

/// Refuses what does not fit before a byte of it comes.
pub(super) fn check_room(needed: u64, free: Option<u64>, folder: &Path) -> Result<(), FetchError> {
    match free {
        Some(free) if free < needed.saturating_add(SPARE) => Err(FetchError::new(
            Trouble::NoRoom,
            format!(
                "{} are still to come, and {} are free",
                megabytes(needed),
                megabytes(free)
            ),
            folder.display().to_string(),
            "free some space, or set STEPLADDER_DATA to another disk",
        )),
        _ => Ok(()),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
