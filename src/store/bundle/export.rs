//! Writes a bundle: beside its place first, so that a full disk leaves no half of one.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use super::parts::{CASES, EXPERIMENTS, FOLDERS, PLAN, PLAN_LINES, Part, TRIALS, is_file_name};
use super::{MAX_TEXT, Row, TITLE, VERSION, counted, hex};
use crate::store::bounded::{Line, next_line, read_text};
use crate::store::{Folders, StoreError};

/// What went into a bundle.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Exported {
    pub n_documents: usize,
    /// Trials, and cases of the regression set.
    pub n_lines: u64,
    pub n_experiments: usize,
    /// A sentence for each thing that was left out.
    pub problems: Vec<String>,
}

/// Writes everything of the user's into a new file; trials and experiments only if asked for.
///
/// # Errors
/// There is a file of this name already, or it cannot be written. Then there is none.
pub fn export(folders: &Folders, to: &Path, with_trials: bool) -> Result<Exported, StoreError> {
    let failed = |it: &io::Error| StoreError::new("cannot export", to, it);
    if fs::symlink_metadata(to).is_ok() {
        return Err(taken(to));
    }
    let folder = match to.parent() {
        Some(it) if !it.as_os_str().is_empty() => it,
        _ => Path::new("."),
    };
    let file = NamedTempFile::new_in(folder).map_err(|it| failed(&it))?;
    let mut bundle = Writer {
        out: BufWriter::new(file),
        hash: Sha256::new(),
        n_rows: 0,
        exported: Exported::default(),
    };
    bundle
        .everything(folders, with_trials)
        .map_err(|it| failed(&it))?;
    let (file, exported) = bundle.end().map_err(|it| failed(&it))?;
    match file.persist_noclobber(to) {
        Ok(_) => Ok(exported),
        Err(it) if it.error.kind() == io::ErrorKind::AlreadyExists => Err(taken(to)),
        Err(it) => Err(failed(&it.error)),
    }
}

fn taken(path: &Path) -> StoreError {
    StoreError {
        what: "cannot export: there is a file of this name already".to_owned(),
        path: path.to_owned(),
        advice: "choose another name".to_owned(),
    }
}

impl Exported {
    /// What is in the file.
    pub fn sentence(&self) -> String {
        format!(
            "{}, {} and {}.",
            counted(self.n_documents as u64, "document"),
            counted(self.n_lines, "record"),
            counted(self.n_experiments as u64, "experiment"),
        )
    }
}

struct Writer {
    out: BufWriter<NamedTempFile>,
    hash: Sha256,
    n_rows: u64,
    exported: Exported,
}

impl Writer {
    fn everything(&mut self, folders: &Folders, with_trials: bool) -> io::Result<()> {
        let data = folders.data();
        self.row(&Row {
            bundle: Some(TITLE.to_owned()),
            v: Some(VERSION),
            app: Some(env!("CARGO_PKG_VERSION").to_owned()),
            ..Row::default()
        })?;
        for name in self.names(data)? {
            if Part::of(&name) == Some(Part::Single) {
                self.document(data, &name)?;
            }
        }
        for (folder, ending, _) in FOLDERS {
            for file in self.names(&data.join(folder))? {
                if file.ends_with(ending) {
                    self.document(data, &format!("{folder}/{file}"))?;
                }
            }
        }
        self.lines(data, CASES)?;
        if !with_trials {
            return Ok(());
        }
        for name in TRIALS {
            self.lines(data, name)?;
        }
        for folder in self.names(&data.join(EXPERIMENTS))? {
            let plan = format!("{EXPERIMENTS}/{folder}/{PLAN}");
            if self.document(data, &plan)? {
                self.exported.n_experiments += 1;
                self.lines(data, &format!("{EXPERIMENTS}/{folder}/{PLAN_LINES}"))?;
            }
        }
        Ok(())
    }

    /// The names in a folder that can be used on every system, in order; none of a folder that is not there.
    fn names(&mut self, folder: &Path) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(folder) {
            Ok(it) => it,
            Err(it) if it.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(it) => {
                self.leave_out(folder, &it);
                return Ok(Vec::new());
            }
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            match name.to_str() {
                Some(it) if it.starts_with('.') => {}
                Some(it) if is_file_name(it) => names.push(it.to_owned()),
                _ => self.leave_out(
                    &folder.join(&name),
                    &"its name cannot be used on every system",
                ),
            }
        }
        names.sort();
        Ok(names)
    }

    /// Whether there was one.
    fn document(&mut self, data: &Path, name: &str) -> io::Result<bool> {
        let path = data.join(name);
        let text = match read_text(&path, MAX_TEXT) {
            Ok(it) => it,
            Err(it) if it.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(it) => {
                self.leave_out(&path, &it);
                return Ok(false);
            }
        };
        self.exported.n_documents += 1;
        self.row(&Row {
            file: Some(name.to_owned()),
            text: Some(text),
            ..Row::default()
        })?;
        Ok(true)
    }

    fn lines(&mut self, data: &Path, name: &str) -> io::Result<()> {
        let path = data.join(name);
        let file = match File::open(&path) {
            Ok(it) => it,
            Err(it) if it.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(it) => {
                self.leave_out(&path, &it);
                return Ok(());
            }
        };
        let mut reader = BufReader::new(file);
        for number in 1_u64.. {
            let line = match next_line(&mut reader)? {
                None => break,
                Some(Line::Whole(line)) if line.is_empty() => continue,
                Some(Line::Whole(line)) => line,
                Some(Line::TooLong) => {
                    self.leave_out(&path, &format!("line {number} is too long"));
                    continue;
                }
            };
            match whole_line(line) {
                Ok(line) => self.line(name, line)?,
                Err(it) => self.leave_out(&path, &format!("line {number}: {it}")),
            }
        }
        Ok(())
    }

    fn line(&mut self, name: &str, line: String) -> io::Result<()> {
        self.exported.n_lines += 1;
        self.row(&Row {
            file: Some(name.to_owned()),
            line: Some(line),
            ..Row::default()
        })
    }

    fn leave_out(&mut self, path: &Path, why: &dyn std::fmt::Display) {
        let problem = format!("{} was left out: {why}", path.display());
        self.exported.problems.push(problem);
    }

    fn row(&mut self, row: &Row) -> io::Result<()> {
        let mut line = serde_json::to_vec(row)?;
        line.push(b'\n');
        self.hash.update(&line);
        self.n_rows += 1;
        self.out.write_all(&line)
    }

    fn end(mut self) -> io::Result<(NamedTempFile, Exported)> {
        let row = Row {
            end: Some(self.n_rows),
            sha256: Some(hex(&self.hash.finalize())),
            ..Row::default()
        };
        let mut line = serde_json::to_vec(&row)?;
        line.push(b'\n');
        self.out.write_all(&line)?;
        let file = self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        Ok((file, self.exported))
    }
}

/// A line that is a whole JSON value.
fn whole_line(line: Vec<u8>) -> Result<String, String> {
    let line = String::from_utf8(line).map_err(|it| it.to_string())?;
    serde_json::from_str::<Value>(&line).map_err(|it| it.to_string())?;
    Ok(line)
}
