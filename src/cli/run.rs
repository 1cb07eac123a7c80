//! `stepladder run`: presets on one input, or on all of a task's, side by side.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use serde_json::json;

use super::args::RunArguments;
use super::engine::recording;
use super::out::{self, Progress};
use super::{loading, models, table, telling};
use crate::constraint::{Badge, badge};
use crate::engine::{Engine, LoadSettings, ModelInfo, Source};
use crate::lab::{Preset, Trial};
use crate::prompt::{PromptStyle, Task, TemplateChoice};
use crate::runner::{self, Assembly, Job, Text, WalkError};
use crate::store::{self, Folders, Library, Trials};

/// `--input`: one of the task's, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputChoice {
    /// From 1, as people count.
    One(usize),
    All,
}

impl FromStr for InputChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(n) if n > 0 => Ok(Self::One(n)),
            _ if text == "all" => Ok(Self::All),
            _ => Err("a number from 1, or \"all\"".to_owned()),
        }
    }
}

/// What is needed to run a job and to tell of it.
struct Course<'a> {
    arguments: &'a RunArguments,
    engine: Engine,
    info: ModelInfo,
    trials: Trials,
    progress: Progress,
    n_jobs: usize,
}

/// Runs them all, records every trial, and prints what came. What fails is named and does not end the rest.
pub(super) fn run(arguments: &RunArguments) -> ExitCode {
    match try_run(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(out::UNUSABLE),
        Err(it) => out::error(&it),
    }
}

/// Whether all of them ran and were recorded.
fn try_run(arguments: &RunArguments) -> Result<bool, String> {
    let folders = Folders::of_user();
    let library = store::library(&folders);
    for problem in &library.problems {
        out::say(&format!("warning: {problem}"));
    }
    let jobs = jobs(arguments, &library)?;
    warn_of_constraints(&jobs);
    folders.create().map_err(|it| it.to_string())?;

    let settings = settings(arguments, &folders)?;
    let engine = Engine::start(source(arguments)?, || {});
    let mut progress = Progress::new();
    let info = loading::load(&engine, settings, &mut progress)?;
    let course = Course {
        arguments,
        engine,
        info,
        trials: Trials::at(match arguments.scripted {
            Some(_) => folders.scripted_trials(),
            None => folders.trials(),
        }),
        progress,
        n_jobs: jobs.len(),
    };
    Ok(course.run_all(jobs))
}

impl Course<'_> {
    fn run_all(mut self, jobs: Vec<Job>) -> bool {
        let mut done = Vec::new();
        let mut is_good = true;
        for (idx, job) in jobs.into_iter().enumerate() {
            if out::is_unread() {
                break;
            }
            let name = job.name.clone();
            let ran = self.run_one(idx, job);
            self.progress.clear();
            match ran {
                Ok((trial, assembly)) => {
                    is_good &= self.keep(&trial);
                    if self.arguments.json {
                        out::line(&line(&trial, &assembly, self.arguments.trace));
                    }
                    done.push(trial);
                }
                Err(it) => {
                    is_good = false;
                    out::error(&format!(
                        "preset {name} cannot be run: {it}; task {}; change the prompt, the preset or the model",
                        self.arguments.task
                    ));
                    if it == WalkError::Gone {
                        break;
                    }
                }
            }
        }
        if !self.arguments.json && !done.is_empty() {
            print(self.arguments, &self.info, &done);
        }
        is_good
    }

    fn run_one(&mut self, idx: usize, job: Job) -> Result<(Trial, Assembly), WalkError> {
        let label = format!("{} of {}: {}", idx + 1, self.n_jobs, job.name);
        let assembly = Assembly::nth(idx, job, &self.info);
        let progress = &mut self.progress;
        runner::run_one(&self.engine, assembly, &mut |it| {
            telling::tell(progress, &label, it);
        })
    }

    /// Records the trial. One that cannot be recorded is printed all the same.
    fn keep(&self, trial: &Trial) -> bool {
        let kept = self.trials.append(trial);
        if let Err(it) = &kept {
            out::error(&it.to_string());
        }
        kept.is_ok()
    }
}

/// Says which presets have a constraint that the mask cannot hold to in full.
fn warn_of_constraints(jobs: &[Job]) {
    let mut named: Vec<&str> = Vec::new();
    for job in jobs {
        let is_partly = badge(&job.request.constraint) == Badge::Partly;
        if is_partly && !named.contains(&job.name.as_str()) {
            named.push(&job.name);
        }
    }
    for name in named {
        out::say(&format!(
            "warning: the constraint of preset {name} is only partly enforced; the rest of the schema is judged afterwards"
        ));
    }
}

fn print(arguments: &RunArguments, info: &ModelInfo, trials: &[Trial]) {
    out::line(&table::heading(info, &arguments.task));
    match arguments.input {
        InputChoice::All if arguments.text.is_none() => out::line(&table::over_inputs(trials)),
        _ => out::line(&table::side_by_side(trials, table::terminal_width())),
    }
}

/// A trial as `--json` prints it: with the preset's name in front, and the trace when asked for.
fn line(trial: &Trial, assembly: &Assembly, with_trace: bool) -> String {
    let mut value = serde_json::to_value(trial).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.shift_insert(0, "name".to_owned(), json!(assembly.job.name));
        if with_trace {
            object.insert("tokens".to_owned(), json!(assembly.tokens));
        }
    }
    value.to_string()
}

fn jobs(arguments: &RunArguments, library: &Library) -> Result<Vec<Job>, String> {
    let task = task(&arguments.task, library)?;
    let mut jobs = Vec::new();
    for text in texts(arguments, task) {
        for name in &arguments.preset {
            let preset = preset(name, library)?;
            for preset in styled(preset, arguments) {
                let mut job = Job::new(&preset, task, &text, &library.grammars)
                    .map_err(|it| format!("{it}; --input; choose one of them"))?;
                job.request.prompt.template = if arguments.raw {
                    TemplateChoice::Raw
                } else {
                    arguments.template.into()
                };
                jobs.push(job);
            }
        }
    }
    Ok(jobs)
}

/// The task of that name, or which names there are.
pub(super) fn task<'a>(name: &str, library: &'a Library) -> Result<&'a Task, String> {
    library.task(name).ok_or_else(|| {
        let known: Vec<_> = library.tasks.iter().map(|it| it.id.as_str()).collect();
        format!("no task {name}; --task; choose one of {}", known.join(", "))
    })
}

/// The preset of that name, or which names there are.
pub(super) fn preset<'a>(name: &str, library: &'a Library) -> Result<&'a Preset, String> {
    library.preset(name).ok_or_else(|| {
        let known: Vec<_> = library.presets.iter().map(|it| it.name.as_str()).collect();
        format!(
            "no preset {name}; --preset; choose from {}",
            known.join(", ")
        )
    })
}

fn texts(arguments: &RunArguments, task: &Task) -> Vec<Text> {
    match (&arguments.text, arguments.input) {
        (Some(text), _) => vec![Text::Free(text.clone())],
        (None, InputChoice::One(n)) => vec![Text::Input(n - 1)],
        (None, InputChoice::All) => (0..task.inputs.len()).map(Text::Input).collect(),
    }
}

fn styled(preset: &Preset, arguments: &RunArguments) -> Vec<Preset> {
    if arguments.style.is_empty() {
        return vec![preset.clone()];
    }
    let styles = arguments.style.iter().map(|it| PromptStyle::from(*it));
    let several = arguments.style.len() > 1;
    styles
        .map(|style| {
            let mut preset = preset.clone();
            preset.style = style;
            if several {
                preset.name = format!("{} {}", preset.name, style.label());
            }
            preset
        })
        .collect()
}

fn source(arguments: &RunArguments) -> Result<Source, String> {
    match &arguments.scripted {
        Some(path) => Ok(Source::Scripted(recording(path)?)),
        None => own_process(),
    }
}

/// The engine in a process of its own: this same program.
pub(super) fn own_process() -> Result<Source, String> {
    let program = std::env::current_exe().map_err(|it| {
        format!("cannot find this program's own file: {it}; the system; start it by its full path")
    })?;
    Ok(Source::Isolated {
        program,
        args: vec!["engine".to_owned()],
        envs: Vec::new(),
    })
}

fn settings(arguments: &RunArguments, folders: &Folders) -> Result<LoadSettings, String> {
    let path = match (&arguments.model, &arguments.scripted) {
        (_, Some(path)) => path.clone(),
        (Some(path), None) => named(path, folders),
        (None, None) => models::first(folders).ok_or(models::NONE)?,
    };
    Ok(arguments.load.settings(path))
}

/// A path as it is, or the model that is called so; a folder of that name does not stand in its way.
pub(super) fn named(model: &Path, folders: &Folders) -> PathBuf {
    if model.exists() && !model.is_dir() {
        return model.to_owned();
    }
    let name = model.to_string_lossy();
    let found = models::found(folders)
        .models
        .into_iter()
        .find(|it| it.name == name);
    found.map_or_else(|| model.to_owned(), |it| it.path)
}
