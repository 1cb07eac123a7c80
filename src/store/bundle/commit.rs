//! Puts what was staged into the data folder, each kind of file in its own way.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::MAX_TEXT;
use super::import::{Differing, Imported};
use super::names::{Named, Names};
use super::parts::{PLAN, PLAN_LINES, Part};
use crate::store::aside::set_aside;
use crate::store::bounded::{Line, next_line, read_bytes};
use crate::store::lines::append_lines;
use crate::store::{Folders, StoreError, save_text};

/// Most ways in which a name is changed before it is given up.
const MOST_NAMES: u32 = 1000;

pub(super) struct Commit<'a> {
    folders: &'a Folders,
    differing: Differing,
    pub(super) imported: Imported,
    /// Folders of experiments in the bundle, with the folder here that each goes to.
    experiments: BTreeMap<String, String>,
    names: Names,
}

type Staged = (String, Part, PathBuf);

impl<'a> Commit<'a> {
    pub(super) fn new(folders: &'a Folders, differing: Differing) -> Self {
        Self {
            folders,
            differing,
            imported: Imported::default(),
            experiments: BTreeMap::new(),
            names: Names::default(),
        }
    }

    /// Chooses a folder for each experiment: one with the same plan, else one that is free.
    pub(super) fn find_experiments(&mut self, documents: &[&Staged]) {
        for (name, _, staged) in documents.iter().filter(|it| it.1 == Part::Plan) {
            let own = experiment(name);
            let numbered = (2..MOST_NAMES).map(|n| format!("{own} ({n})"));
            let here = self.folders.experiments();
            let text = read(staged).unwrap_or_default();
            let fits = |it: &String| {
                exists(&here.join(it)).is_none() || is_same(&here.join(it).join(PLAN), &text)
            };
            let chosen = std::iter::once(own.to_owned()).chain(numbered).find(fits);
            if let Some(chosen) = chosen {
                self.experiments.insert(own.to_owned(), chosen);
            }
        }
    }

    pub(super) fn put_lines(
        &mut self,
        name: &str,
        part: Part,
        staged: &Path,
    ) -> Result<(), StoreError> {
        let Some(path) = self.place(name, part) else {
            let problem = format!("{name} was left out: the bundle has no plan for it");
            self.imported.problems.push(problem);
            return Ok(());
        };
        let failed = |it: &io::Error| StoreError::new("cannot import", &path, it);
        let mut seen = hashes(&path).map_err(|it| failed(&it))?;
        let (mut n_all, mut n_new) = (0, 0);
        let new = lines(staged).map_err(|it| failed(&it))?.filter(|line| {
            let is_new = line.as_ref().map_or(true, |it| seen.insert(hash(it)));
            n_all += 1;
            n_new += u64::from(is_new);
            is_new
        });
        put_new(&path, new.peekable())?;
        self.imported.n_lines += n_new;
        self.imported.n_same_lines += n_all - n_new;
        Ok(())
    }

    pub(super) fn put_document(
        &mut self,
        name: &str,
        part: Part,
        staged: &Path,
    ) -> Result<(), StoreError> {
        let Some(path) = self.place(name, part) else {
            let problem = format!("{name} was left out: there is no free name for it");
            self.imported.problems.push(problem);
            return Ok(());
        };
        let failed = |it: &io::Error| StoreError::new("cannot import", &path, it);
        let text = read(staged).map_err(|it| failed(&it))?;
        let named = Named::of(&text, part);
        let here = match &named {
            Some(it) => self.names.find(&path, it).cloned(),
            None => exists(&path),
        };
        let Some(here) = here else {
            let place = free_place(&path).map_err(|it| failed(&it))?;
            save_bytes(&place, &text)?;
            if let Some(it) = &named {
                self.names.add(&place, it);
            }
            self.imported.added.push(name.to_owned());
            return Ok(());
        };
        if is_same(&here, &text) {
            self.imported.n_same += 1;
            return Ok(());
        }
        if self.differing == Differing::Replace {
            let kept = set_aside(&here, "before").map_err(|it| failed(&it))?;
            self.imported
                .replaced
                .push((name.to_owned(), file_name(&kept)));
            return save_bytes(&here, &text);
        }
        match named {
            Some(named) => self.put_beside_named(name, &path, named),
            None => self.put_beside(name, &path, (&text, part)),
        }
    }

    /// Puts a document under another name beside the one that is here, unless it lies there already.
    fn put_beside_named(
        &mut self,
        name: &str,
        path: &Path,
        mut named: Named,
    ) -> Result<(), StoreError> {
        let failed = |it: &io::Error| StoreError::new("cannot import", path, it);
        let own = named.name.clone();
        for number in 2..MOST_NAMES {
            named.name = format!("{own}-{number}");
            named.value[named.field] = Value::String(named.name.clone());
            let text = serde_json::to_vec_pretty(&named.value);
            let text = text.map_err(|it| failed(&it.into()))?;
            match self.names.find(path, &named) {
                Some(it) if is_same(it, &text) => {
                    self.imported.n_same += 1;
                    return Ok(());
                }
                Some(_) => {}
                None => {
                    let place = numbered(path, "", |_| false).map_err(|it| failed(&it))?;
                    let Some(place) = place else { break };
                    save_bytes(&place, &text)?;
                    self.names.add(&place, &named);
                    let beside = (name.to_owned(), file_name(&place));
                    self.imported.beside.push(beside);
                    return Ok(());
                }
            }
        }
        let problem = format!("{name} was left out: there is no free name for it");
        self.imported.problems.push(problem);
        Ok(())
    }

    fn put_beside(
        &mut self,
        name: &str,
        path: &Path,
        (text, part): (&[u8], Part),
    ) -> Result<(), StoreError> {
        let failed = |it: &io::Error| StoreError::new("cannot import", path, it);
        // Drafts and settings that are not in use must not look like something that is.
        let word = if part == Part::Single {
            ".imported"
        } else {
            ""
        };
        match numbered(path, word, |it| is_same(it, text)).map_err(|it| failed(&it))? {
            None => self.imported.n_same += 1,
            Some(place) => {
                save_bytes(&place, text)?;
                let beside = (name.to_owned(), file_name(&place));
                self.imported.beside.push(beside);
            }
        }
        Ok(())
    }

    /// Where a file of the bundle belongs here.
    fn place(&self, name: &str, part: Part) -> Option<PathBuf> {
        let file = match part {
            Part::Plan => PLAN,
            Part::PlanLines => PLAN_LINES,
            _ => return Some(self.folders.data().join(name)),
        };
        let chosen = self.experiments.get(experiment(name))?;
        Some(self.folders.experiments().join(chosen).join(file))
    }
}

/// Appends lines, if there are any: a record that gains nothing is not touched.
fn put_new(
    path: &Path,
    mut lines: Peekable<impl Iterator<Item = io::Result<Vec<u8>>>>,
) -> Result<(), StoreError> {
    match lines.peek() {
        Some(_) => append_lines(path, lines, "cannot import"),
        None => Ok(()),
    }
}

/// The place itself if it is free, else one with a number.
fn free_place(path: &Path) -> io::Result<PathBuf> {
    if exists(path).is_none() {
        return Ok(path.to_owned());
    }
    numbered(path, "", |_| false)?.ok_or_else(no_name)
}

/// The first place with a number that is free; none if one before it `is_it` already.
fn numbered(path: &Path, word: &str, is_it: impl Fn(&Path) -> bool) -> io::Result<Option<PathBuf>> {
    let whole = file_name(path);
    let endings = [".schema.json", ".json", ".gbnf"];
    let ending = endings.into_iter().find(|it| whole.ends_with(it));
    let ending = ending.unwrap_or_default();
    let stem = whole.strip_suffix(ending).unwrap_or(&whole);
    for number in 2..MOST_NAMES {
        let place = path.with_file_name(format!("{stem}{word}-{number}{ending}"));
        if exists(&place).is_none() {
            return Ok(Some(place));
        }
        if is_it(&place) {
            return Ok(None);
        }
    }
    Err(no_name())
}

fn no_name() -> io::Error {
    io::Error::other("there is no free name for it")
}

fn exists(path: &Path) -> Option<PathBuf> {
    fs::symlink_metadata(path).is_ok().then(|| path.to_owned())
}

fn save_bytes(path: &Path, text: &[u8]) -> Result<(), StoreError> {
    save_text(path, &String::from_utf8_lossy(text))
}

fn experiment(name: &str) -> &str {
    let folder = name.rsplit_once('/').map_or(name, |it| it.0);
    folder.rsplit_once('/').map_or(folder, |it| it.1)
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Whether a file holds this text, or the same JSON.
fn is_same(path: &Path, text: &[u8]) -> bool {
    let Ok(here) = read(path) else {
        return false;
    };
    let value = |it: &[u8]| serde_json::from_slice::<Value>(it).ok();
    here == text || value(&here).is_some_and(|it| value(text) == Some(it))
}

fn lines(path: &Path) -> io::Result<impl Iterator<Item = io::Result<Vec<u8>>>> {
    let mut reader = BufReader::new(File::open(path)?);
    Ok(std::iter::from_fn(move || {
        loop {
            match next_line(&mut reader).transpose()? {
                Ok(Line::Whole(line)) if !line.is_empty() => return Some(Ok(line)),
                Ok(_) => {}
                Err(it) => return Some(Err(it)),
            }
        }
    }))
}

fn hashes(path: &Path) -> io::Result<HashSet<[u8; 32]>> {
    if exists(path).is_none() {
        return Ok(HashSet::new());
    }
    lines(path)?.map(|it| Ok(hash(&it?))).collect()
}

fn hash(line: &[u8]) -> [u8; 32] {
    Sha256::digest(line).into()
}

/// A staged or own file, which is no longer than documents may be.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_bytes(path, MAX_TEXT)
}
