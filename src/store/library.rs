//! Tasks, presets and grammars: those shipped in the binary, and the user's own beside them.

use std::fs;
use std::path::{Path, PathBuf};

use super::Folders;
use crate::constraint;
use crate::lab::{self, Plan, Preset};
use crate::prompt::{self, Task};

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
    /// A sentence for each of the user's files that could not be used; the file itself is left as it is.
    pub problems: Vec<String>,
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
    for (path, text) in files(&folders.tasks(), "json", &mut library.problems) {
        library.take_task(&path.display().to_string(), &text);
    }
    for (path, text) in files(&folders.presets(), "json", &mut library.problems) {
        library.take_preset(&path.display().to_string(), &text);
    }
    for (path, text) in files(&folders.plans(), "json", &mut library.problems) {
        library.take_plan(&path.display().to_string(), &text);
    }
    for (path, text) in files(&folders.grammars(), "gbnf", &mut library.problems) {
        let name = name(&path, ".gbnf");
        let shipped = library.grammars.iter_mut().find(|it| it.0 == name);
        match shipped {
            Some(it) => it.1 = text,
            None => library.grammars.push((name, text)),
        }
    }
    for (path, text) in files(&folders.schemas(), "json", &mut library.problems) {
        library.schemas.push((name(&path, ".schema.json"), text));
    }
    library
}

impl Library {
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

    fn take_task(&mut self, file: &str, text: &str) {
        match Task::parse(text, file) {
            Ok(task) => {
                self.tasks.retain(|it| it.id != task.id);
                self.tasks.push(task);
            }
            Err(it) => self.problems.push(it.to_string()),
        }
    }

    fn take_plan(&mut self, file: &str, text: &str) {
        match Plan::parse(text, file) {
            Ok(plan) => {
                self.plans.retain(|it| it.name != plan.name);
                self.plans.push(plan);
            }
            Err(it) => self.problems.push(it.to_string()),
        }
    }

    fn take_preset(&mut self, file: &str, text: &str) {
        match Preset::parse(text, file) {
            Ok(preset) => {
                self.presets.retain(|it| it.name != preset.name);
                self.presets.push(preset);
            }
            Err(it) => self.problems.push(it.to_string()),
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
    for path in paths {
        match fs::read_to_string(&path) {
            Ok(text) => res.push((path, text)),
            Err(it) => problems.push(format!("cannot read {}: {it}", path.display())),
        }
    }
    res
}
