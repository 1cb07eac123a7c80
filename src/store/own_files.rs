//! Writes the user's own grammars, schemas and plans, and sees when somebody else has changed them in the meantime.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::aside::set_aside;
use super::bounded::read_bytes;
use super::{StoreError, remove, save_text};

/// Larger files are not ours: they are left alone.
const MAX_BYTES: u64 = 64 << 20;

/// Files that were read and understood, with a hash of what they held.
pub type Seen = BTreeMap<PathBuf, [u8; 32]>;

/// What a file holds, for [`Seen`].
pub(super) fn mark(text: &[u8]) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// What is known of the files on the disk.
#[derive(Debug)]
pub(super) struct OwnFiles {
    seen: Seen,
}

impl OwnFiles {
    pub(super) fn new(seen: Seen) -> Self {
        Self { seen }
    }

    pub(super) fn know(&mut self, seen: Seen) {
        self.seen.extend(seen);
    }

    /// Writes the text, or takes the file away. A file that does not hold what was read or written here, such as one
    /// that could not be understood or one that another window has changed, is set aside first, which is then said.
    pub(super) fn save(
        &mut self,
        path: &Path,
        text: Option<&str>,
    ) -> Result<Option<String>, StoreError> {
        let said = self.make_room(path, text)?;
        if let Some(text) = text {
            save_text(path, text)?;
            self.seen.insert(path.to_owned(), mark(text.as_bytes()));
        } else {
            remove(path)?;
            self.seen.remove(path);
        }
        Ok(said)
    }

    fn make_room(&self, path: &Path, text: Option<&str>) -> Result<Option<String>, StoreError> {
        let failed = |it: &io::Error| StoreError::new("cannot save", path, it);
        let here = match read_bytes(path, MAX_BYTES) {
            Ok(it) => it,
            Err(it)
                if matches!(
                    it.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(it) => return Err(failed(&it)),
        };
        let is_known = self.seen.get(path) == Some(&mark(&here));
        if is_known || text.is_some_and(|it| it.as_bytes() == here) {
            return Ok(None);
        }
        let kept = set_aside(path, "other").map_err(|it| failed(&it))?;
        Ok(Some(format!(
            "{} held something else than what this window knows: it was kept as {}.",
            path.display(),
            kept.display()
        )))
    }
}
