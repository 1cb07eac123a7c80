//! `stepladder run`: presets on one input, or on all of a task's, side by side.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use serde_json::json;

use super::args::RunArguments;
use super::engine::recording;
use super::out::{self, Progress};
use super::{models, table};
use crate::engine::{Engine, LoadSettings, ModelInfo, Source};
use crate::lab::{Preset, Trial};
use crate::prompt::{PromptStyle, Task, TemplateChoice};
use crate::runner::{self, Assembly, Job, Text};
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

/// Runs them all, records every trial, and prints what came.
pub(super) fn run(arguments: &RunArguments) -> ExitCode {
    match try_run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(it) => out::error(&it),
    }
}

fn try_run(arguments: &RunArguments) -> Result<(), String> {
    let folders = Folders::of_user();
    let library = store::library(&folders);
    for problem in &library.problems {
        out::say(&format!("warning: {problem}"));
    }
    let jobs = jobs(arguments, &library)?;
    let trials = Trials::at(folders.trials());
    folders.create().map_err(|it| it.to_string())?;

    let engine = Engine::start(source(arguments)?, || {});
    let mut progress = Progress::new();
    let settings = settings(arguments, &folders)?;
    let path = settings.path.clone();
    let info = runner::load(&engine, settings, &mut |it| {
        progress.show(&table::progress("", it));
    })
    .map_err(|it| {
        format!(
            "the model cannot be loaded: {it}; {}; choose another GGUF file",
            path.display()
        )
    })?;
    let mut done = Vec::new();
    let n_jobs = jobs.len();
    for (idx, job) in jobs.into_iter().enumerate() {
        let label = format!("{} of {n_jobs}: {}", idx + 1, job.name);
        let assembly = Assembly::nth(idx, job, &info);
        let (trial, assembly) = runner::run_one(&engine, assembly, &mut |it| progress.show(&table::progress(&label, it)))
            .map_err(|it| {
                progress.clear();
                format!("preset {} cannot be run: {it}; task {}; change the prompt, the preset or the model", label, arguments.task)
            })?;
        trials.append(&trial).map_err(|it| it.to_string())?;
        if arguments.json {
            progress.clear();
            out::line(&line(&trial, &assembly, arguments.trace));
        }
        done.push(trial);
    }
    progress.clear();
    if !arguments.json {
        print(arguments, &info, &done);
    }
    Ok(())
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
    let task = library.task(&arguments.task).ok_or_else(|| {
        let known: Vec<_> = library.tasks.iter().map(|it| it.id.as_str()).collect();
        format!(
            "no task {}; --task; choose one of {}",
            arguments.task,
            known.join(", ")
        )
    })?;
    let mut jobs = Vec::new();
    for text in texts(arguments, task) {
        for name in &arguments.preset {
            let preset = library.preset(name).ok_or_else(|| {
                let known: Vec<_> = library.presets.iter().map(|it| it.name.as_str()).collect();
                format!(
                    "no preset {name}; --preset; choose from {}",
                    known.join(", ")
                )
            })?;
            for preset in styled(preset, arguments) {
                let mut job = Job::new(&preset, task, &text, &library.grammars)
                    .map_err(|it| format!("{it}; --input; choose one of them"))?;
                if arguments.raw {
                    job.request.prompt.template = TemplateChoice::Raw;
                }
                jobs.push(job);
            }
        }
    }
    Ok(jobs)
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
        (None, None) => {
            let found = models::found(folders);
            let first = found.into_iter().next();
            first
                .map(|it| it.path)
                .ok_or("no model; --model; name a GGUF file, or set STEPLADDER_MODEL")?
        }
    };
    let load = &arguments.load;
    Ok(LoadSettings {
        path,
        n_ctx: load.ctx,
        n_threads: load.threads,
        n_gpu_layers: load.gpu_layers,
        flash_attention: load.flash_attention.into(),
    })
}

/// A path as it is, or the model that is called so.
fn named(model: &Path, folders: &Folders) -> PathBuf {
    if model.exists() {
        return model.to_owned();
    }
    let name = model.to_string_lossy();
    let found = models::found(folders)
        .into_iter()
        .find(|it| it.name == name);
    found.map_or_else(|| model.to_owned(), |it| it.path)
}
