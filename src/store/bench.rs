//! The folder of one experiment: its plan as it was started, and every trial.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::bounded::{Line, next_line, read_text};
use super::{StoreError, Trials, read_trials, save};
use crate::lab::{ModelStamp, Trial};

/// A plan with its presets and tasks; larger files are none.
const MAX_PLAN: u64 = 64 << 20;

/// A folder with `plan.json` and `trials.jsonl`.
#[derive(Clone, Debug)]
pub struct BenchFolder {
    path: PathBuf,
}

/// What lay in the folder.
#[derive(Debug, Default)]
pub struct Opened {
    pub trials: Vec<Trial>,
    /// A sentence for each line that could not be read, such as one torn by a crash.
    pub problems: Vec<String>,
}

impl BenchFolder {
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn trials(&self) -> Trials {
        Trials::at(self.path.join("trials.jsonl"))
    }

    /// Makes the folder and writes down what is about to be run. A folder that holds an experiment already is taken
    /// up again if `resumes`, and only if it holds the same one.
    ///
    /// # Errors
    /// The folder cannot be written or holds another experiment, which the error names the difference to.
    pub fn begin(&self, plan: &Value, resumes: bool) -> Result<Opened, StoreError> {
        let place = self.plan_path();
        let is_begun = place.exists();
        if is_begun && !resumes {
            return Err(StoreError {
                what: "the folder holds an experiment already".to_owned(),
                path: self.path.clone(),
                advice: "resume it or choose another folder".to_owned(),
            });
        }
        if is_begun {
            let begun = self.plan()?;
            let pair = [&begun, plan].map(without_models);
            if let Some(difference) = difference(&pair[0], &pair[1], "") {
                return Err(StoreError {
                    what: format!("the plan has changed since it was begun: {difference}"),
                    path: place,
                    advice: "begin it anew in another folder".to_owned(),
                });
            }
        } else {
            save(&place, plan)?;
        }
        self.read()
    }

    /// Whether the folder holds an experiment.
    pub fn is_begun(&self) -> bool {
        self.plan_path().is_file()
    }

    /// The plan that was begun in the folder, resolved: with its presets and tasks.
    pub fn plan(&self) -> Result<Value, StoreError> {
        let place = self.plan_path();
        let text = read_text(&place, MAX_PLAN)
            .map_err(|it| StoreError::new("cannot read the plan", &place, &it))?;
        serde_json::from_str(&text).map_err(|it| StoreError {
            what: format!("the plan is not JSON: {it}"),
            path: place,
            advice: "begin it anew in another folder".to_owned(),
        })
    }

    /// All trials so far; none of a folder that has none yet. The end of a line that a crash cut off is mended by
    /// the next trial, which begins a line of its own.
    pub fn read(&self) -> Result<Opened, StoreError> {
        let path = self.path.join("trials.jsonl");
        if !path.exists() {
            return Ok(Opened::default());
        }
        let (trials, problems) = read_trials(&path)?;
        Ok(Opened { trials, problems })
    }

    /// How many trials there are, without taking them to memory.
    pub fn n_trials(&self) -> usize {
        let Ok(file) = File::open(self.path.join("trials.jsonl")) else {
            return 0;
        };
        let mut reader = BufReader::new(file);
        let lines = std::iter::from_fn(|| next_line(&mut reader).ok().flatten());
        lines.filter(|it| *it != Line::Whole(Vec::new())).count()
    }

    fn plan_path(&self) -> PathBuf {
        self.path.join("plan.json")
    }
}

/// A folder of this name, or with a number behind it where one is there already: a clock that was set back gives the
/// same time twice.
pub fn free_folder(within: &Path, name: &str) -> PathBuf {
    let mut place = within.join(name);
    let mut number = 1;
    while place.exists() {
        number += 1;
        place = within.join(format!("{name} ({number})"));
    }
    place
}

impl Opened {
    /// The cells that are answered for a model: those with a last attempt.
    pub fn done(&self, fingerprint: &str) -> HashSet<String> {
        self.done_by(|it| it.fingerprint == fingerprint)
    }

    /// The same for the models that are meant.
    pub fn done_by(&self, is_meant: impl Fn(&ModelStamp) -> bool) -> HashSet<String> {
        let cells = self
            .trials
            .iter()
            .filter(|it| is_meant(&it.model))
            .filter_map(|it| it.cell.as_ref());
        cells
            .filter(|it| it.is_last)
            .map(|it| it.key.clone())
            .collect()
    }

    /// The last attempt of a cell that was broken off before its last one.
    pub fn broken_off(&self, fingerprint: &str, key: &str) -> Option<&Trial> {
        let of_cell = self.trials.iter().rfind(|it| {
            let cell = it.cell.as_ref();
            it.model.fingerprint == fingerprint && cell.is_some_and(|it| it.key == key)
        })?;
        let cell = of_cell.cell.as_ref()?;
        (!cell.is_last).then_some(of_cell)
    }
}

/// An experiment can be gone on with on another model.
fn without_models(plan: &Value) -> Value {
    let mut plan = plan.clone();
    if let Some(inner) = plan.get_mut("plan").and_then(Value::as_object_mut) {
        inner.shift_remove("models");
    }
    plan
}

/// The first place at which two documents differ, in words; none when they are the same.
pub fn difference(old: &Value, new: &Value, place: &str) -> Option<String> {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => of_objects(old, new, place),
        (Value::Array(old), Value::Array(new)) => {
            let pairs = old.iter().zip(new).enumerate();
            let mut inner =
                pairs.filter_map(|(n, (old, new))| difference(old, new, &format!("{place}/{n}")));
            inner.next().or_else(|| {
                (old.len() != new.len()).then(|| {
                    format!(
                        "{place} has {} entries in place of {}",
                        new.len(),
                        old.len()
                    )
                })
            })
        }
        _ if old == new => None,
        _ => Some(format!(
            "{place} is {} in place of {}",
            short(new),
            short(old)
        )),
    }
}

fn of_objects(old: &Map<String, Value>, new: &Map<String, Value>, place: &str) -> Option<String> {
    for (key, value) in old {
        let here = format!("{place}/{key}");
        match new.get(key) {
            None => return Some(format!("{here} is gone")),
            Some(other) => {
                if let Some(inner) = difference(value, other, &here) {
                    return Some(inner);
                }
            }
        }
    }
    let added = new.keys().find(|it| !old.contains_key(*it))?;
    Some(format!("{place}/{added} is new"))
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
