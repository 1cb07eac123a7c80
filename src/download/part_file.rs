//! The part of a file that has come, its running hash, and the note that says what it is a part of.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Control;
use super::error::FetchError;
use super::place::Place;
use super::progress::{Reporter, Stage};
use crate::store;

/// Read and written at once.
pub(super) const CHUNK: usize = 256 << 10;
/// Longer notes are not ours.
const MAX_NOTE: u64 = 64 << 10;

/// What a part is a part of: only with this may a later try go on with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) v: u32,
    /// `owner/name@revision:file`.
    pub(super) wanted: String,
    /// What the server that sent it calls this version; only if it is a strong name.
    pub(super) etag: Option<String>,
    /// What the hub, or the catalogue, says that the whole hashes to.
    pub(super) sha256: Option<String>,
    pub(super) total: Option<u64>,
}

impl Note {
    /// Whether the rest of it can be told from the rest of something else.
    pub(super) fn is_bound(&self) -> bool {
        self.etag.is_some() || self.sha256.is_some()
    }
}

/// An open part. The disk may fail at any of its methods; they say so.
#[derive(Debug)]
pub(super) struct PartFile {
    file: File,
    hasher: Sha256,
    n_bytes: u64,
    pub(super) note: Note,
    /// The server does not go on with what is there: the next try is to ask for the whole. What is there stays until
    /// something better comes.
    pub(super) asks_whole: bool,
    place: Place,
}

impl PartFile {
    /// Opens what is there and hashes it; what cannot be gone on with is emptied.
    pub(super) fn open(
        place: &Place,
        wanted: &str,
        (reporter, control): (&mut Reporter<'_>, &Control),
    ) -> Result<Self, FetchError> {
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&place.part).map_err(|it| failed(place, &it))?;
        let kept = read_note(place).filter(|it| it.wanted == wanted && it.is_bound());
        let mut res = Self {
            file,
            hasher: Sha256::new(),
            n_bytes: 0,
            note: kept.clone().unwrap_or_default(),
            asks_whole: false,
            place: place.clone(),
        };
        if kept.is_some() {
            reporter.progress.total = res.note.total;
            reporter.enter(Stage::Reading);
            res.hash_all(reporter, control)?;
        }
        if res.note.total.is_some_and(|it| res.n_bytes > it) || kept.is_none() {
            res.start_over()?;
            wanted.clone_into(&mut res.note.wanted);
        }
        Ok(res)
    }

    /// How many bytes have come.
    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), FetchError> {
        self.file
            .write_all(bytes)
            .map_err(|it| failed(&self.place, &it))?;
        self.hasher.update(bytes);
        self.n_bytes += bytes.len() as u64;
        Ok(())
    }

    /// Forgets all that has come.
    pub(super) fn start_over(&mut self) -> Result<(), FetchError> {
        let emptied = self.file.set_len(0).and_then(|()| self.file.rewind());
        emptied.map_err(|it| failed(&self.place, &it))?;
        self.hasher = Sha256::new();
        self.n_bytes = 0;
        self.asks_whole = false;
        self.note = Note {
            wanted: std::mem::take(&mut self.note.wanted),
            ..Note::default()
        };
        Ok(())
    }

    /// Remembers what it is a part of, on the disk.
    pub(super) fn bind(&mut self, note: Note) -> Result<(), FetchError> {
        if self.note != note {
            let saved = store::save(&self.place.note, &note);
            saved.map_err(|it| failed(&self.place, &io::Error::other(it.to_string())))?;
            self.note = note;
        }
        Ok(())
    }

    /// The hash of all that has come, once it is on the disk.
    pub(super) fn finish(&mut self) -> Result<String, FetchError> {
        self.file
            .sync_all()
            .map_err(|it| failed(&self.place, &it))?;
        let digest = self.hasher.clone().finalize();
        Ok(hex(&digest))
    }

    /// Takes part and note away.
    pub(super) fn discard(self) -> Result<(), FetchError> {
        drop(self.file);
        self.place.remove_part()
    }

    fn hash_all(
        &mut self,
        reporter: &mut Reporter<'_>,
        control: &Control,
    ) -> Result<(), FetchError> {
        let mut chunk = vec![0; CHUNK];
        loop {
            if control.is_stopped() {
                return Err(FetchError::cancelled(self.place.part.display().to_string()));
            }
            match self.file.read(&mut chunk) {
                Ok(0) => break,
                Ok(n_read) => {
                    self.hasher.update(&chunk[..n_read]);
                    self.n_bytes += n_read as u64;
                    reporter.advance(self.n_bytes);
                }
                Err(it) if it.kind() == io::ErrorKind::Interrupted => {}
                Err(it) => return Err(failed(&self.place, &it)),
            }
        }
        let end = self.file.seek(SeekFrom::Start(self.n_bytes));
        end.map(|_| ()).map_err(|it| failed(&self.place, &it))
    }
}

/// The note beside a part, if it is one.
pub(super) fn read_note(place: &Place) -> Option<Note> {
    note_at(&place.note)
}

pub(super) fn note_at(path: &std::path::Path) -> Option<Note> {
    let is_small = fs::metadata(path).ok()?.len() <= MAX_NOTE;
    let text = is_small.then(|| fs::read(path).ok())??;
    serde_json::from_slice(&text).ok()
}

fn hex(bytes: &[u8]) -> String {
    let digit = |it: u8| char::from_digit(u32::from(it), 16).unwrap_or('?');
    bytes
        .iter()
        .flat_map(|it| [digit(it >> 4), digit(it & 15)])
        .collect()
}

fn failed(place: &Place, error: &io::Error) -> FetchError {
    FetchError::disk("the download cannot be written", &place.part, error)
}
