//! Runs a plan for the window: on a thread, with an engine of its own, every trial on the disk before the next.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::app::{
    BenchNews, BenchOrder, Experiment, Library, RunsEffect, RunsNews, Second, Shown, two_runs,
};
use crate::engine::{Engine, Recording, Source};
use crate::lab::{Plan, Report, Trial, csv, html, markdown};
use crate::runner::{self, BenchProgress, CellNews, Progress, Walk, WalkError, walk_cells};
use crate::store::{self, BenchFolder, Folders};

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

/// Runs the plan to its end, or until it is stopped.
pub(super) fn run(
    order: BenchOrder,
    (source, folders): (BenchSource, &Folders),
    stop: &Arc<AtomicBool>,
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

    let engine = Engine::start(source.open(), || {});
    let info = runner::load(&engine, order.settings, &mut |_| {}).map_err(|it| it.to_string())?;
    let done = opened.done(&info.fingerprint);
    let walk = Walk {
        plan: &plan,
        cells: &cells,
        tasks: &library.tasks,
        grammars: &library.grammars,
        done: &done,
        broken_off: &|key| opened.broken_off(&info.fingerprint, key),
    };
    let trials = folder.trials();
    let begun = Instant::now();
    let mut last = (0, cells.len());
    let walked = walk_cells(&walk, (&engine, &info), &mut |news| {
        let mut text = None;
        match news {
            CellNews::Begun { .. } if stop.load(Ordering::Relaxed) => {
                return Err(WalkError::Stopped);
            }
            CellNews::Begun { n_done, n_open } => {
                last = (n_done, n_open);
                text = Some("Reading the prompt".to_owned());
            }
            CellNews::Within(BenchProgress::Reply(it)) => text = words(it),
            CellNews::Within(BenchProgress::Trial(trial)) => {
                trials
                    .append(trial)
                    .map_err(|it| WalkError::Record(it.to_string()))?;
                tell(BenchNews::Trial(Box::new(trial.clone())));
            }
            CellNews::Skipped { key, reason } => {
                text = Some(format!("{key} was left out: {reason}"));
            }
        }
        if let Some(text) = text {
            tell(progress(last, begun, text));
        }
        Ok(())
    });
    match walked {
        Ok(()) | Err(WalkError::Stopped) => Ok(()),
        Err(it) => Err(format!("The experiment ended: {it}. It can be resumed.")),
    }
}

fn progress((n_done, n_todo): (usize, usize), begun: Instant, text: String) -> BenchNews {
    let each = begun.elapsed().as_secs_f64() / n_done.max(1) as f64;
    BenchNews::Progress {
        n_done,
        n_todo,
        text,
        seconds_left: (n_done > 0).then_some(each * (n_todo - n_done) as f64),
    }
}

/// Not each token is worth a frame.
fn words(progress: &Progress) -> Option<String> {
    match progress {
        Progress::Prefill(done, total) => {
            Some(format!("Reading the prompt, {done} of {total} tokens"))
        }
        Progress::Decode(n) if n % 8 == 0 => Some(format!("{n} tokens written")),
        Progress::Load(_) | Progress::Decode(_) => None,
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
            let text = fs::read(folder.join("trials.jsonl")).unwrap_or_default();
            let lines = text.split(|it| *it == b'\n');
            Some(Experiment {
                n_trials: lines.filter(|it| !it.is_empty()).count(),
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
