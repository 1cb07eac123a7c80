//! Tasks, presets and grammars: those shipped in the binary, and the user's own beside them.

use std::fs;
use std::path::{Path, PathBuf};

use super::bounded::{MAX_DOCUMENT, read_text};
use super::own_files::mark;
use super::{Folders, Seen};
use crate::constraint;
use crate::lab::{self, Plan, Preset};
use crate::prompt::{self, Task};

/// Most files of a kind.
const MAX_FILES: usize = 10_000;

/// What there is to choose from, each list with the shipped ones first.
#[derive(Debug, Default)]
pub struct Library {
    pub tasks: Vec<Task>,
    pub presets: Vec<Preset>,
    pub plans: Vec<Plan>,
    /// Name and text.
    pub grammars: Vec<(String, String)>,
    /// Name and text of the user's own schemas; those that ship stand in the tasks.
    pub schemas: Vec<(String, String)>,
    /// A sentence for each of the user's files that could not be used, or has a name in it that nobody reads; the
    /// file itself is left as it is.
    pub problems: Vec<String>,
    /// The user's files that are in use, as they were read.
    pub seen: Seen,
}

/// Reads the whole library. A file of the user's with the name of a shipped one takes its place.
pub fn library(folders: &Folders) -> Library {
    let mut library = Library::default();
    for (file, text) in prompt::shipped_tasks() {
        library.take_task(file, text);
    }
    for (file, text) in lab::shipped_presets() {
        library.take_preset(file, text);
    }
    for (file, text) in lab::shipped_plans() {
        library.take_plan(file, text);
    }
    for (name, text) in constraint::grammars() {
        library
            .grammars
            .push(((*name).to_owned(), (*text).to_owned()));
    }
    library.take_own(folders);
    library
}

impl Library {
    /// Reads the user's own files.
    fn take_own(&mut self, folders: &Folders) {
        type Take = fn(&mut Library, &str, &str) -> Option<String>;
        let kinds: [(PathBuf, Take); 3] = [
            (folders.tasks(), Self::take_task),
            (folders.presets(), Self::take_preset),
            (folders.plans(), Self::take_plan),
        ];
        for (folder, take) in kinds {
            for (path, text) in files(&folder, "json", &mut self.problems) {
                let taken = take(self, &path.display().to_string(), &text);
                // A file of another name is not the one that is saved to.
                if taken.is_some_and(|it| it == name(&path, ".json")) {
                    self.seen.insert(path, mark(text.as_bytes()));
                }
            }
        }
        for (path, text) in files(&folders.grammars(), "gbnf", &mut self.problems) {
            self.seen.insert(path.clone(), mark(text.as_bytes()));
            let name = name(&path, ".gbnf");
            let shipped = self.grammars.iter_mut().find(|it| it.0 == name);
            match shipped {
                Some(it) => it.1 = text,
                None => self.grammars.push((name, text)),
            }
        }
        for (path, text) in files(&folders.schemas(), "json", &mut self.problems) {
            self.seen.insert(path.clone(), mark(text.as_bytes()));
            self.schemas.push((name(&path, ".schema.json"), text));
        }
    }

    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|it| it.id == id)
    }

    pub fn preset(&self, name: &str) -> Option<&Preset> {
        self.presets.iter().find(|it| it.name == name)
    }

    pub fn grammar(&self, name: &str) -> Option<&str> {
        self.grammars
            .iter()
            .find(|it| it.0 == name)
            .map(|it| it.1.as_str())
    }

    /// The name inside, if the file could be used.
    fn take_task(&mut self, file: &str, text: &str) -> Option<String> {
        match Task::parse(text, file) {
            Ok(task) => {
                self.tasks.retain(|it| it.id != task.id);
                let name = task.id.clone();
                self.tasks.push(task);
                Some(name)
            }
            Err(it) => {
                self.problems.push(it.to_string());
                None
            }
        }
    }

    /// The name inside, if the file could be used.
    fn take_plan(&mut self, file: &str, text: &str) -> Option<String> {
        match Plan::parse(text, file) {
            Ok(plan) => {
                let slips = plan.slips().into_iter();
                self.problems
                    .extend(slips.map(|it| format!("{file}: {it}")));
                self.plans.retain(|it| it.name != plan.name);
                let name = plan.name.clone();
                self.plans.push(plan);
                Some(name)
            }
            Err(it) => {
                self.problems.push(it.to_string());
                None
            }
        }
    }

    /// The name inside, if the file could be used.
    fn take_preset(&mut self, file: &str, text: &str) -> Option<String> {
        match Preset::parse(text, file) {
            Ok(preset) => {
                let slips = preset.slips().into_iter();
                self.problems
                    .extend(slips.map(|it| format!("{file}: {it}")));
                self.presets.retain(|it| it.name != preset.name);
                let name = preset.name.clone();
                self.presets.push(preset);
                Some(name)
            }
            Err(it) => {
                self.problems.push(it.to_string());
                None
            }
        }
    }
}

/// A file's name without its ending.
fn name(path: &Path, ending: &str) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(ending).unwrap_or(&name).to_owned()
}

fn files(folder: &Path, extension: &str, problems: &mut Vec<String>) -> Vec<(PathBuf, String)> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == extension));
    paths.sort();
    let mut res = Vec::new();
    if paths.len() > MAX_FILES {
        let place = folder.display();
        problems.push(format!(
            "{place} has {} files; the first {MAX_FILES} by name are read. Move some elsewhere.",
            paths.len()
        ));
        paths.truncate(MAX_FILES);
    }
    for path in paths {
        match read_text(&path, MAX_DOCUMENT) {
            Ok(text) => res.push((path, text)),
            Err(it) => problems.push(format!("cannot read {}: {it}", path.display())),
        }
    }
    res
}
