//! `stepladder bench`: runs a plan, one record a reply, and tells what came of it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use super::args::BenchArguments;
use super::out::{self, Progress};
use super::requirement::Requirement;
use super::run::{named, own_process};
use super::{engine, models, report, telling};
use crate::engine::{Engine, ModelInfo, Source};
use crate::lab::{Ablation, Cell, Inputs, Plan, PlanError, PresetChoice, Retry, Trial, markdown};
use crate::prompt::PromptStyle;
use crate::runner::{self, BenchProgress, CellNews, Walk, WalkError, walk_cells};
use crate::store::{self, BenchFolder, Folders, Library, MAX_DOCUMENT, Opened, Trials, read_given};

/// Everything that is the same for all models.
struct Course<'a> {
    arguments: &'a BenchArguments,
    library: &'a Library,
    plan: Plan,
    cells: Vec<Cell>,
    folder: BenchFolder,
    opened: Opened,
    progress: Progress,
    begun: Instant,
    /// Replies that this call has to write, and those that it has written.
    n_todo: usize,
    n_done: usize,
}

/// Runs the plan on each model, then prints the tables.
pub(super) fn bench(arguments: &BenchArguments) -> ExitCode {
    match try_bench(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(out::BAD),
        Err(it) => out::error(&it),
    }
}

/// Whether every requirement is met.
fn try_bench(arguments: &BenchArguments) -> Result<bool, String> {
    let folders = Folders::of_user();
    let library = store::library(&folders);
    warn(&library.problems);
    let requirements = arguments.require.iter().map(|it| Requirement::parse(it));
    let requirements = requirements.collect::<Result<Vec<_>, _>>()?;
    let said = |it: PlanError| it.to_string();
    let mut plan = plan(arguments, &library)?;
    plan.parallel = arguments.parallel.unwrap_or(plan.parallel);
    let presets = plan.presets(&library.presets).map_err(said)?;
    let cells = plan.cells(&library.tasks, &presets).map_err(said)?;
    let paths = model_paths(arguments, &plan.models, &folders)?;
    say_estimate(&plan, &cells, paths.len());
    if arguments.dry_run {
        return Ok(true);
    }
    let reference = plan.reference(&presets).map_err(said)?;
    let folder = arguments.out.clone();
    let folder = BenchFolder::at(folder.unwrap_or_else(|| plan.name.clone().into()));
    let opened = folder
        .begin(&plan.resolved(&presets, &library.tasks), arguments.resume)
        .map_err(|it| it.to_string())?;
    warn(&opened.problems);
    let mut course = Course {
        n_todo: cells.len() * paths.len(),
        arguments,
        library: &library,
        plan,
        cells,
        folder,
        opened,
        progress: Progress::new(),
        begun: Instant::now(),
        n_done: 0,
    };
    for path in &paths {
        course.run_model(path)?;
    }
    course.progress.clear();
    course.tell(&reference, &requirements)
}

fn warn(problems: &[String]) {
    for problem in problems {
        out::say(&format!("warning: {problem}"));
    }
}

impl Course<'_> {
    fn run_model(&mut self, path: &Path) -> Result<(), String> {
        let engine = Engine::start(source(self.arguments)?, || {});
        let settings = self.arguments.load.settings(path.to_owned());
        let progress = &mut self.progress;
        let info = runner::load(&engine, settings, &mut |it| {
            telling::tell(progress, "", it);
        })
        .map_err(|it| {
            format!(
                "the model cannot be loaded: {it}; {}; choose another GGUF file",
                path.display()
            )
        })?;
        let done = self.opened.done(&info.fingerprint);
        let is_done = |it: &&Cell| done.contains(&it.key);
        self.n_todo -= self.cells.iter().filter(is_done).count();
        self.run_cells(&engine, &info, &done)
    }

    fn run_cells(
        &mut self,
        engine: &Engine,
        info: &ModelInfo,
        done: &HashSet<String>,
    ) -> Result<(), String> {
        let trials = self.folder.trials();
        let (opened, n_before) = (&self.opened, self.n_done);
        let walk = Walk {
            plan: &self.plan,
            cells: &self.cells,
            tasks: &self.library.tasks,
            grammars: &self.library.grammars,
            done,
            broken_off: &|key| opened.broken_off(&info.fingerprint, key),
        };
        let (begun, n_todo, progress) = (self.begun, self.n_todo, &mut self.progress);
        let mut label = String::new();
        let mut n_open_here = 0;
        let walked = walk_cells(&walk, (engine, info), &mut |it| {
            match it {
                CellNews::Begun { n_done, n_open } => {
                    let n_done = n_before + n_done;
                    n_open_here = n_open;
                    label = format!(
                        "{} of {n_todo}{}",
                        n_done + 1,
                        time_left(begun, n_done, n_todo)
                    );
                }
                CellNews::Within(it) => return told(it, &label, &trials, progress),
                CellNews::Skipped { key, reason } => {
                    progress.clear();
                    out::say(&format!("warning: {key} cannot be run: {reason}"));
                }
            }
            Ok(())
        });
        self.n_done += n_open_here;
        walked.map_err(|it| {
            let place = self.folder.path().display();
            format!("{it}; {place}; resume it with --resume")
        })
    }

    /// Prints the tables, or one object, and checks what was required.
    fn tell(&self, reference: &str, requirements: &[Requirement]) -> Result<bool, String> {
        let opened = self.folder.read().map_err(|it| it.to_string())?;
        let mut report = crate::lab::Report::new(&self.plan, reference.to_owned(), &opened.trials);
        report.n_asked = Some(self.cells.len() * report.models.len());
        report.tasks.clone_from(&self.library.tasks);
        if self.arguments.json {
            out::line(&report::object(&report).to_string());
        } else {
            out::line(&markdown(&report));
        }
        let mut is_met = true;
        for requirement in requirements {
            for miss in requirement.misses(&report) {
                out::say(&format!("missed: {miss}"));
                is_met = false;
            }
        }
        Ok(is_met)
    }
}

fn told(
    it: BenchProgress<'_>,
    label: &str,
    trials: &Trials,
    progress: &mut Progress,
) -> Result<(), WalkError> {
    match it {
        BenchProgress::Reply(it) => {
            telling::tell(progress, label, it);
            Ok(())
        }
        BenchProgress::Trial(trial) => keep(trial, trials),
    }
}

fn keep(trial: &Trial, trials: &Trials) -> Result<(), WalkError> {
    trials
        .append(trial)
        .map_err(|it| WalkError::Record(it.to_string()))
}

/// The plan that is named, or one made of what else is given.
fn plan(arguments: &BenchArguments, library: &Library) -> Result<Plan, String> {
    if let Some(name) = &arguments.plan {
        return named_plan(name, library);
    }
    if arguments.task.is_empty() {
        let known: Vec<_> = library.plans.iter().map(|it| it.name.as_str()).collect();
        return Err(format!(
            "no plan is given; PLAN; name a file or one of {}, or use --task and --preset",
            known.join(", ")
        ));
    }
    Ok(Plan {
        name: "own".to_owned(),
        title: "Own plan".to_owned(),
        about: String::new(),
        models: Vec::new(),
        tasks: arguments.task.clone(),
        inputs: arguments.inputs.map_or(Inputs::All, Inputs::First),
        styles: arguments
            .style
            .iter()
            .map(|it| PromptStyle::from(*it))
            .collect(),
        presets: arguments
            .preset
            .iter()
            .cloned()
            .map(PresetChoice::Named)
            .collect(),
        ablation: arguments.ablate.as_deref().map(ablation).transpose()?,
        reference: None,
        seeds: match arguments.seeds {
            0 => Vec::new(),
            n => (42..42 + n).collect(),
        },
        examples: Vec::new(),
        retry: Retry::default(),
        parallel: 1,
        other: serde_json::Map::new(),
    })
}

fn named_plan(name: &Path, library: &Library) -> Result<Plan, String> {
    let shipped = library.plans.iter().find(|it| Path::new(&it.name) == name);
    if let Some(plan) = shipped.filter(|_| !name.exists()) {
        return Ok(plan.clone());
    }
    let place = name.display();
    let text = read_given(name, MAX_DOCUMENT).map_err(|it| {
        let known: Vec<_> = library.plans.iter().map(|it| it.name.as_str()).collect();
        format!(
            "cannot read the plan: {it}; {place}; check the path, or name one of {}",
            known.join(", ")
        )
    })?;
    Plan::parse(&text, &place.to_string()).map_err(|it| it.to_string())
}

fn ablation(text: &str) -> Result<Ablation, String> {
    let (base, target) = text
        .split_once(':')
        .ok_or_else(|| format!("{text} names one preset; --ablate; write BASE:TARGET"))?;
    Ok(Ablation {
        base: base.to_owned(),
        target: target.to_owned(),
    })
}

/// Those that are named on the command line, else those of the plan, else the first that is found.
pub(super) fn model_paths(
    arguments: &BenchArguments,
    of_plan: &[String],
    folders: &Folders,
) -> Result<Vec<PathBuf>, String> {
    if let Some(path) = &arguments.scripted {
        return Ok(vec![path.clone()]);
    }
    if !arguments.model.is_empty() {
        let paths = arguments.model.iter();
        return Ok(paths.map(|it| named(it, folders)).collect());
    }
    if !of_plan.is_empty() {
        let paths = of_plan.iter();
        return Ok(paths.map(|it| named(Path::new(it), folders)).collect());
    }
    let first = models::first(folders);
    let first = first.ok_or("no model; --model; name a GGUF file, or set STEPLADDER_MODEL")?;
    Ok(vec![first])
}

pub(super) fn source(arguments: &BenchArguments) -> Result<Source, String> {
    match &arguments.scripted {
        Some(path) => Ok(Source::Scripted(engine::recording(path)?)),
        None => own_process(),
    }
}

fn say_estimate(plan: &Plan, cells: &[Cell], n_models: usize) {
    out::say(&format!(
        "{}: {} replies on {n_models} model{}, at most {} tokens",
        plan.title,
        cells.len() * n_models,
        if n_models == 1 { "" } else { "s" },
        plan.n_tokens(cells) * n_models as u64
    ));
}

/// From the time that the replies so far took.
fn time_left(begun: Instant, n_done: usize, n_todo: usize) -> String {
    if n_done == 0 {
        return String::new();
    }
    let each = begun.elapsed().as_secs_f64() / n_done as f64;
    format!(", {} left", duration(each * (n_todo - n_done) as f64))
}

fn duration(seconds: f64) -> String {
    let minutes = seconds / 60.0;
    let hours = minutes / 60.0;
    if seconds < 60.0 {
        format!("{seconds:.0} s")
    } else if minutes < 60.0 {
        format!("{:.0} min {:.0} s", minutes.floor(), seconds % 60.0)
    } else {
        format!("{:.0} h {:.0} min", hours.floor(), minutes % 60.0)
    }
}
