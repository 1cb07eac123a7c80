//! Runs a plan for the window: on a thread, with an engine of its own, every trial on the disk before the next.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::reins::{Clock, Reins};
use crate::app::{
    BenchNews, BenchOrder, Experiment, Library, RunsEffect, RunsNews, Second, Shown, two_runs,
};
use crate::engine::{Command, Engine, Event, LoadSettings, ModelInfo, Recording, RunId, Source};
use crate::lab::{Cell, Plan, Report, Trial, csv, html, markdown};
use crate::runner::{self, BenchProgress, CellNews, Progress, Walk, WalkError, walk_cells};
use crate::store::{self, BenchFolder, Folders, Opened, Trials};

/// How often a paused experiment looks whether it is to go on.
const LOOK: Duration = Duration::from_millis(30);
/// Cells around the one in work whose runs are cancelled with it: several may be in work together.
const AROUND: usize = 32;

/// Where engines of experiments run.
#[derive(Clone)]
pub(super) enum BenchSource {
    Isolated(PathBuf, Vec<String>, Vec<(String, String)>),
    Scripted(Recording),
}

impl BenchSource {
    /// None for a source that cannot be opened a second time.
    pub(super) fn of(source: &Source) -> Option<Self> {
        match source {
            Source::Isolated {
                program,
                args,
                envs,
            } => Some(Self::Isolated(program.clone(), args.clone(), envs.clone())),
            Source::Scripted(recording) => Some(Self::Scripted(recording.clone())),
            Source::InProcess(_) => None,
        }
    }

    fn open(self) -> Source {
        match self {
            Self::Isolated(program, args, envs) => Source::Isolated {
                program,
                args,
                envs,
            },
            Self::Scripted(recording) => Source::Scripted(recording),
        }
    }
}

/// Everything that is the same for all models of an experiment.
struct Course<'a> {
    plan: &'a Plan,
    cells: &'a [Cell],
    library: &'a Library,
    opened: &'a Opened,
    trials: Trials,
    reins: &'a Reins,
    clock: Clock,
    /// Replies that the models before this one wrote, and those that are open on all.
    n_before: usize,
    n_todo: usize,
}

/// Runs the plan on its models to the end, or until it is stopped.
pub(super) fn run(
    order: BenchOrder,
    (source, folders): (BenchSource, &Folders),
    reins: &Reins,
    tell: &mut dyn FnMut(BenchNews),
) -> Result<(), String> {
    let library = store::library(folders);
    let said = |it: crate::lab::PlanError| it.to_string();
    let plan = order.plan;
    let presets = plan.presets(&library.presets).map_err(said)?;
    let cells = plan.cells(&library.tasks, &presets).map_err(said)?;
    let reference = plan.reference(&presets).map_err(said)?;
    let folder = BenchFolder::at(&order.folder);
    let opened = folder
        .begin(&plan.resolved(&presets, &library.tasks), order.resumes)
        .map_err(|it| it.to_string())?;
    let mut shown = Shown::new(order.folder, (plan.clone(), reference), cells.len())
        .with_tasks(library.tasks.clone());
    shown.add(opened.trials.iter().cloned());
    tell(BenchNews::Opened(Box::new(shown)));
    let mut course = Course {
        plan: &plan,
        cells: &cells,
        library: &library,
        opened: &opened,
        trials: folder.trials(),
        reins,
        clock: Clock::start(),
        n_before: 0,
        n_todo: cells.len() * order.models.len(),
    };
    for path in &order.models {
        let settings = LoadSettings {
            path: path.clone(),
            ..order.settings.clone()
        };
        match course.run_model(source.clone().open(), settings, tell) {
            Ok(()) => {}
            Err(WalkError::Stopped) => return Ok(()),
            Err(it) => {
                return Err(format!(
                    "The experiment ended on {}: {it}. It can be gone on with.",
                    path.display()
                ));
            }
        }
    }
    Ok(())
}

impl Course<'_> {
    fn run_model(
        &mut self,
        source: Source,
        settings: LoadSettings,
        tell: &mut dyn FnMut(BenchNews),
    ) -> Result<(), WalkError> {
        let engine = Engine::start(source, || {});
        let file = settings.path.file_name().unwrap_or_default().to_owned();
        let reins = self.reins;
        let told = self.progress(0, format!("Loading {}", file.to_string_lossy()));
        tell(told);
        tell(BenchNews::Engine(engine.restarter()));
        let info = runner::load(&engine, settings, &mut |it| {
            if let Some(event) = befell(it) {
                tell(BenchNews::Befell(event));
            }
            if reins.is_stopped() {
                engine.send(Command::Cancel { id: RunId(1) });
            }
        })?;
        let done = self.opened.done(&info.fingerprint);
        self.n_todo -= self
            .cells
            .iter()
            .filter(|it| done.contains(&it.key))
            .count();
        self.run_cells((&engine, &info), &done, tell)
    }

    fn run_cells(
        &mut self,
        (engine, info): (&Engine, &ModelInfo),
        done: &std::collections::HashSet<String>,
        tell: &mut dyn FnMut(BenchNews),
    ) -> Result<(), WalkError> {
        let opened = self.opened;
        let walk = Walk {
            plan: self.plan,
            cells: self.cells,
            tasks: &self.library.tasks,
            grammars: &self.library.grammars,
            done,
            broken_off: &|key| opened.broken_off(&info.fingerprint, key),
        };
        let open: Vec<usize> = (0..self.cells.len())
            .filter(|it| !done.contains(&self.cells[*it].key))
            .collect();
        let mut at = 0;
        walk_cells(&walk, (engine, info), &mut |news| {
            let mut text = None;
            match news {
                CellNews::Begun { n_done, .. } => {
                    at = n_done;
                    self.hold(at, tell)?;
                    text = Some("Reading the prompt".to_owned());
                }
                CellNews::Within(BenchProgress::Reply(_)) if self.reins.is_stopped() => {
                    self.give_up(engine, &open, at);
                    return Err(WalkError::Stopped);
                }
                CellNews::Within(BenchProgress::Reply(it)) => {
                    if let Some(event) = befell(it) {
                        tell(BenchNews::Befell(event));
                    }
                    text = words(it);
                }
                CellNews::Within(BenchProgress::Trial(trial)) => {
                    self.trials
                        .append(trial)
                        .map_err(|it| WalkError::Record(it.to_string()))?;
                    tell(BenchNews::Trial(Box::new(trial.clone())));
                }
                CellNews::Skipped { key, reason } => {
                    text = Some(format!("{key} was left out: {reason}"));
                }
            }
            if let Some(text) = text {
                tell(self.progress(at, text));
            }
            Ok(())
        })?;
        self.n_before += open.len();
        Ok(())
    }

    /// Between two replies: waits while it is to pause.
    fn hold(&mut self, n_done: usize, tell: &mut dyn FnMut(BenchNews)) -> Result<(), WalkError> {
        if self.reins.is_paused() {
            let since = Instant::now();
            tell(self.progress(n_done, String::new()));
            tell(BenchNews::Paused);
            while self.reins.is_paused() {
                thread::sleep(LOOK);
            }
            self.clock.paused += since.elapsed();
        }
        if self.reins.is_stopped() {
            return Err(WalkError::Stopped);
        }
        Ok(())
    }

    /// Ends the runs that may be under way. The engine passes over those that are not.
    fn give_up(&self, engine: &Engine, open: &[usize], at: usize) {
        let n_attempts = self.plan.retry.n_attempts() as usize;
        let near = open.iter().skip(at.saturating_sub(AROUND)).take(2 * AROUND);
        for idx in near {
            for attempt in 0..n_attempts {
                let id = runner::Assembly::run_id(idx * n_attempts + attempt);
                engine.send(Command::Cancel { id });
            }
        }
    }

    fn progress(&self, n_done: usize, text: String) -> BenchNews {
        let n_done = self.n_before + n_done;
        let seconds = self.clock.seconds();
        let each = seconds / n_done.max(1) as f64;
        let n_left = self.n_todo.saturating_sub(n_done);
        BenchNews::Progress {
            n_done,
            n_todo: self.n_todo,
            text,
            seconds_left: (n_done > 0).then_some(each * n_left as f64),
            seconds,
        }
    }
}

/// The engine's silence, the end of it, and what is known of a crash.
fn befell(progress: &Progress) -> Option<Event> {
    match progress {
        Progress::Silent(silence) => Some(Event::EngineSilent { silence: *silence }),
        Progress::SilenceOver => Some(Event::EngineSilenceOver),
        Progress::Noted(note) => Some(Event::CrashNoted { note: note.clone() }),
        _ => None,
    }
}

/// Not each token is worth a frame.
fn words(progress: &Progress) -> Option<String> {
    match progress {
        Progress::Prefill(done, total) => {
            Some(format!("Reading the prompt, {done} of {total} tokens"))
        }
        Progress::Decode(n) if n % 8 == 0 => Some(format!("{n} tokens written")),
        Progress::Load(_) | Progress::Decode(_) | Progress::Noted(_) | Progress::SilenceOver => {
            None
        }
        Progress::Silent(_) => Some("The engine does not respond".to_owned()),
        Progress::Lost(reason) => Some(format!(
            "The engine stopped ({reason}) and is started again"
        )),
    }
}

/// Reads an experiment to look at.
pub(super) fn read(path: &Path, library: &Library) -> Result<Shown, String> {
    let folder = BenchFolder::at(path);
    let place = path.display().to_string();
    let begun = folder.plan().map_err(|it| it.to_string())?;
    let (plan, presets) = Plan::parse_resolved(&begun, &place).map_err(|it| it.to_string())?;
    let reference = plan.reference(&presets).map_err(|it| it.to_string())?;
    let n_cells = plan
        .cells(&library.tasks, &presets)
        .map_or(0, |it| it.len());
    let opened = folder.read().map_err(|it| it.to_string())?;
    let mut shown = Shown::new(path.to_owned(), (plan, reference), n_cells)
        .with_tasks(Plan::resolved_tasks(&begun));
    shown.add(opened.trials);
    Ok(shown)
}

/// Reads a second run and holds the shown one against it.
pub(super) fn second(
    (folder, title): (PathBuf, String),
    (against, shown): (&Path, &[Arc<Trial>]),
) -> Result<Second, String> {
    let opened = BenchFolder::at(&folder).read();
    let opened = opened.map_err(|it| it.to_string())?;
    let trials = opened.trials.into_iter().map(Arc::new).collect();
    Ok(Second::new((folder, title), trials, (against, shown)))
}

/// Does what Bench wants done beside the window's thread.
pub(super) fn beside(effect: RunsEffect) -> Result<Option<RunsNews>, String> {
    let news = match effect {
        RunsEffect::Read {
            folder,
            title,
            shown,
        } => {
            let second = second((folder, title), (&shown.0, &shown.1))?;
            RunsNews::Second(Box::new(second))
        }
        RunsEffect::Count {
            shown,
            to_count,
            second,
        } => RunsNews::Counted {
            shown,
            runs: second.map(|it| Box::new(two_runs(&it, &to_count.trials))),
            counted: Box::new(to_count.count()),
        },
        RunsEffect::LetGo(trials) => {
            drop(trials);
            return Ok(None);
        }
    };
    Ok(Some(news))
}

/// The experiments in the data folder, the latest first.
pub(super) fn find(folders: &Folders) -> Vec<Experiment> {
    let Ok(entries) = fs::read_dir(folders.experiments()) else {
        return Vec::new();
    };
    let mut found: Vec<Experiment> = entries
        .flatten()
        .filter_map(|it| {
            let folder = it.path();
            let plan = BenchFolder::at(&folder).plan().ok()?;
            let title = plan.pointer("/plan/title")?.as_str()?.to_owned();
            Some(Experiment {
                n_trials: BenchFolder::at(&folder).n_trials(),
                folder,
                title,
            })
        })
        .collect();
    // Their names begin with the time.
    found.sort_by(|one, other| other.folder.cmp(&one.folder));
    found
}

/// Writes the report in every format into the experiment's folder.
pub(super) fn save_report(shown: &Shown) -> Result<(), String> {
    let mut report = Report::new(&shown.plan, shown.reference.clone(), shown.all());
    report.tasks.clone_from(&shown.tasks);
    report.n_asked = Some(shown.n_cells * report.models.len());
    for (name, text) in [
        ("report.html", html(&report)),
        ("report.md", markdown(&report)),
        ("trials.csv", csv(shown.all())),
    ] {
        store::save_text(&shown.folder.join(name), &text).map_err(|it| it.to_string())?;
    }
    Ok(())
}
