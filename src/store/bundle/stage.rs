//! Reads a bundle into a folder of its own beside the data, so that a broken one changes nothing.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::parts::Part;
use super::{MAX_BYTES, MAX_DOCUMENTS, MAX_ROW, MAX_ROWS, Row, TITLE, VERSION, hex};
use crate::store::{Folders, StoreError};

/// A bundle that was read to its end and found whole.
#[derive(Debug)]
pub(super) struct Stage {
    /// Removed when it is dropped.
    folder: TempDir,
    /// Documents and records in the order of the bundle: name in the data folder, kind, staged file.
    pub(super) files: Vec<(String, Part, PathBuf)>,
    pub(super) problems: Vec<String>,
    places: BTreeMap<String, PathBuf>,
    /// The record that rows are being added to.
    open: Option<(String, BufWriter<File>)>,
}

/// Why a bundle cannot be taken in.
enum Fault {
    /// Its own: what is wrong with it.
    Bundle(String),
    Newer(u32),
    Disk(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// Reads the whole bundle.
///
/// # Errors
/// It cannot be read, is no bundle, of a newer version, too large, cut, or changed; or the data folder has no room.
pub(super) fn stage(folders: &Folders, from: &Path) -> Result<Stage, StoreError> {
    let unreadable = |it: &io::Error| StoreError::new("cannot import", from, it);
    let about = fs::metadata(from).map_err(|it| unreadable(&it))?;
    if !about.is_file() || about.len() > MAX_BYTES {
        let what = format!("it is no file of at most {} GB", MAX_BYTES >> 30);
        return Err(refused(from, &what));
    }
    let file = File::open(from).map_err(|it| unreadable(&it))?;
    folders.create()?;
    let folder = tempfile::Builder::new()
        .prefix(".import-")
        .tempdir_in(folders.data())
        .map_err(|it| StoreError::new("cannot import", folders.data(), &it))?;
    let mut stage = Stage {
        folder,
        files: Vec::new(),
        problems: Vec::new(),
        places: BTreeMap::new(),
        open: None,
    };
    match stage.take_all(BufReader::new(file.take(MAX_BYTES))) {
        Ok(()) => Ok(stage),
        Err(Fault::Bundle(what)) => Err(refused(from, &what)),
        Err(Fault::Newer(version)) => Err(StoreError {
            what: format!(
                "cannot import: it is of version {version}, and this program knows {VERSION}"
            ),
            path: from.to_owned(),
            advice: "update Stepladder; nothing was changed".to_owned(),
        }),
        Err(Fault::Disk(it)) => Err(StoreError::new("cannot import", folders.data(), &it)),
    }
}

fn refused(from: &Path, what: &str) -> StoreError {
    StoreError {
        what: format!("cannot import: {what}"),
        path: from.to_owned(),
        advice: "export it again; nothing was changed".to_owned(),
    }
}

impl Stage {
    fn take_all(&mut self, mut reader: BufReader<io::Take<File>>) -> Result<(), Fault> {
        let mut hash = Sha256::new();
        let mut unknown = HashSet::new();
        for n_rows in 0..MAX_ROWS {
            let line = next_line(&mut reader, n_rows)?;
            let row: Row = serde_json::from_slice(&line)
                .map_err(|it| Fault::Bundle(format!("line {} is no row: {it}", n_rows + 1)))?;
            if n_rows == 0 {
                check_head(&row)?;
            } else if let Some(n) = row.end {
                check_end(&row, n == n_rows, &hex(&hash.finalize()))?;
                self.close()?;
                return Ok(());
            } else {
                self.take(row, &mut unknown)?;
            }
            hash.update(&line);
        }
        Err(Fault::Bundle(format!("it has more than {MAX_ROWS} rows")))
    }

    fn take(&mut self, row: Row, unknown: &mut HashSet<String>) -> Result<(), Fault> {
        let name = row.file.unwrap_or_default();
        let part = Part::of(&name);
        match (part, row.text, row.line) {
            (Some(part), None, Some(line)) if part.is_lines() => self.take_line(name, part, &line),
            (Some(part), Some(text), None) if !part.is_lines() => {
                self.take_document(name, part, &text)
            }
            _ => {
                // A newer version may have kinds of files that this one does not know.
                if unknown.len() < MAX_DOCUMENTS && unknown.insert(name.clone()) {
                    let problem = format!("{name:?} was left out: this version knows no such file");
                    self.problems.push(problem);
                }
                Ok(())
            }
        }
    }

    fn take_document(&mut self, name: String, part: Part, text: &str) -> Result<(), Fault> {
        if self.places.contains_key(&name) {
            return Err(Fault::Bundle(format!("{name:?} is in it twice")));
        }
        let place = self.place(name, part)?;
        let mut file = File::create(place)?;
        Ok(file.write_all(text.as_bytes())?)
    }

    fn take_line(&mut self, name: String, part: Part, line: &str) -> Result<(), Fault> {
        if line.contains('\n') || serde_json::from_str::<Value>(line).is_err() {
            return Err(Fault::Bundle(format!("a line of {name:?} is not JSON")));
        }
        let is_open = self.open.as_ref().is_some_and(|it| it.0 == name);
        if !is_open {
            self.close()?;
            let known = self.places.get(&name).cloned();
            let place = known.map_or_else(|| self.place(name.clone(), part), Ok)?;
            let file = OpenOptions::new().create(true).append(true).open(place)?;
            self.open = Some((name, BufWriter::new(file)));
        }
        if let Some((_, file)) = &mut self.open {
            file.write_all(line.as_bytes())?;
            file.write_all(b"\n")?;
        }
        Ok(())
    }

    fn place(&mut self, name: String, part: Part) -> Result<PathBuf, Fault> {
        if self.files.len() >= MAX_DOCUMENTS {
            let what = format!("it has more than {MAX_DOCUMENTS} files");
            return Err(Fault::Bundle(what));
        }
        let place = self.folder.path().join(self.files.len().to_string());
        self.places.insert(name.clone(), place.clone());
        self.files.push((name, part, place.clone()));
        Ok(place)
    }

    fn close(&mut self) -> io::Result<()> {
        match self.open.take() {
            Some((_, mut file)) => file.flush(),
            None => Ok(()),
        }
    }
}

/// The next line with its end, which must be there.
fn next_line(reader: &mut BufReader<io::Take<File>>, n_rows: u64) -> Result<Vec<u8>, Fault> {
    let mut line = Vec::new();
    let n = reader.take(MAX_ROW).read_until(b'\n', &mut line)? as u64;
    if line.last() == Some(&b'\n') {
        return Ok(line);
    }
    Err(Fault::Bundle(match n {
        MAX_ROW => format!("line {} has more than {} MB", n_rows + 1, MAX_ROW >> 20),
        _ if n_rows == 0 => "it is no export of Stepladder".to_owned(),
        _ => format!("it was cut off in line {}", n_rows + 1),
    }))
}

fn check_head(row: &Row) -> Result<(), Fault> {
    if row.bundle.as_deref() != Some(TITLE) {
        return Err(Fault::Bundle("it is no export of Stepladder".to_owned()));
    }
    match row.v {
        Some(VERSION) => Ok(()),
        Some(version) if version > VERSION => Err(Fault::Newer(version)),
        _ => Err(Fault::Bundle("its head names no version".to_owned())),
    }
}

fn check_end(row: &Row, counts: bool, sha256: &str) -> Result<(), Fault> {
    if counts && row.sha256.as_deref() == Some(sha256) {
        return Ok(());
    }
    Err(Fault::Bundle(
        "its content is not what was written: rows or signs of it were changed".to_owned(),
    ))
}
