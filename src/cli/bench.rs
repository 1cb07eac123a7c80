//! `stepladder bench`: runs a plan, one record a reply, and tells what came of it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use serde_json::{Value, json};

use super::args::BenchArguments;
use super::bench_models::{self, model_paths, source};
use super::out::{self, Progress};
use super::requirement::Requirement;
use super::{bench_plan, loading, report, telling};
use crate::engine::{Engine, ModelInfo};
use crate::lab::{Cell, Plan, PlanError, Results, Trial, markdown};
use crate::runner::{BenchProgress, CellNews, Walk, WalkError, walk_cells};
use crate::store::{self, BenchFolder, Folders, Library, Opened, Trials};

/// Everything that is the same for all models.
struct Course<'a> {
    arguments: &'a BenchArguments,
    library: &'a Library,
    plan: Plan,
    cells: Vec<Cell>,
    paths: Vec<PathBuf>,
    folder: BenchFolder,
    /// What the folder held before this call.
    opened: Opened,
    /// Of the models that this call has loaded.
    fingerprints: Vec<String>,
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
    let mut plan = bench_plan::plan(arguments, &library)?;
    plan.parallel = arguments.parallel.unwrap_or(plan.parallel);
    let presets = plan.presets(&library.presets).map_err(said)?;
    let cells = plan.cells(&library.tasks, &presets).map_err(said)?;
    let rows = Results::labels_of(&cells);
    requirements.iter().try_for_each(|it| it.check_row(&rows))?;
    let reference = plan.reference(&presets).map_err(said)?;
    let paths = model_paths(arguments, &plan.models, &folders)?;
    out::say(&bench_models::estimate(&plan, &cells, &paths));
    let folder = arguments.out.clone();
    let course = Course {
        folder: BenchFolder::at(folder.unwrap_or_else(|| plan.name.clone().into())),
        n_todo: cells.len() * paths.len(),
        arguments,
        library: &library,
        plan,
        cells,
        paths,
        opened: Opened::default(),
        fingerprints: Vec::new(),
        progress: Progress::new(),
        begun: Instant::now(),
        n_done: 0,
    };
    let resolved = course.plan.resolved(&presets, &library.tasks);
    if arguments.dry_run {
        return course.run_dry(&resolved).map(|()| true);
    }
    course.run(&resolved, (&reference, &requirements))
}

fn warn(problems: &[String]) {
    for problem in problems {
        out::say(&format!("warning: {problem}"));
    }
}

impl Course<'_> {
    /// Writes nothing; says what is left when the folder is gone on with.
    fn run_dry(mut self, resolved: &Value) -> Result<(), String> {
        if self.arguments.resume && self.folder.is_begun() {
            self.open(resolved)?;
            let asked = (self.arguments, &self.paths[..]);
            let plan = (&self.plan, &self.cells[..]);
            out::say(&bench_models::left(plan, asked, &self.opened)?);
        }
        Ok(())
    }

    fn run(
        mut self,
        resolved: &Value,
        (reference, requirements): (&str, &[Requirement]),
    ) -> Result<bool, String> {
        bench_models::check(self.arguments, &self.paths)?;
        self.open(resolved)?;
        out::say(&format!(
            "Every reply is kept in {}; --resume goes on there.",
            self.folder.path().display()
        ));
        for path in self.paths.clone() {
            self.run_model(&path)?;
        }
        self.progress.clear();
        self.tell(reference, requirements)
    }

    fn open(&mut self, resolved: &Value) -> Result<(), String> {
        let opened = self.folder.begin(resolved, self.arguments.resume);
        self.opened = opened.map_err(|it| it.to_string())?;
        warn(&self.opened.problems);
        Ok(())
    }

    fn run_model(&mut self, path: &Path) -> Result<(), String> {
        let engine = Engine::start(source(self.arguments)?, || {});
        let settings = self.arguments.load.settings(path.to_owned());
        let info = loading::load(&engine, settings, &mut self.progress)?;
        if self.fingerprints.is_empty() {
            let others = self.paths.iter().filter(|it| *it != path).cloned();
            bench_models::say_others(&self.opened, &info, &others.collect::<Vec<_>>());
        }
        self.fingerprints.push(info.fingerprint.clone());
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

    /// Checks what was required, then prints the tables, or one object: whoever reads them may have gone away.
    fn tell(&self, reference: &str, requirements: &[Requirement]) -> Result<bool, String> {
        let opened = self.folder.read().map_err(|it| it.to_string())?;
        let mut report = crate::lab::Report::new(&self.plan, reference.to_owned(), &opened.trials);
        // The models of this call are to finish the plan; others that are in the folder need not.
        report.n_asked = Some(opened.trials.len() + self.n_open(&opened));
        report.tasks.clone_from(&self.library.tasks);
        let misses = requirements.iter().flat_map(|it| it.misses(&report));
        let misses: Vec<String> = misses.collect();
        for miss in &misses {
            out::say(&format!("missed: {miss}"));
        }
        if self.arguments.json {
            let mut object = report::object(&report);
            object["replies_asked"] = json!(self.cells.len() * self.fingerprints.len());
            out::line(&object.to_string());
        } else {
            out::line(&markdown(&report));
        }
        Ok(misses.is_empty())
    }

    /// Replies that the models of this call have not given.
    fn n_open(&self, opened: &Opened) -> usize {
        let of_model = |it: &String| {
            let done = opened.done(it);
            let is_open = |it: &&Cell| !done.contains(&it.key);
            self.cells.iter().filter(is_open).count()
        };
        self.fingerprints.iter().map(of_model).sum()
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
