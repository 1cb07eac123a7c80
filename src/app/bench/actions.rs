//! What each wish in Bench changes, and what comes back from the thread that runs a plan.

use std::path::{Path, PathBuf};

use super::runs::{on_runs, on_trial, show};
use super::{BenchDesk, CellChoice, Experiment, Running, RunsAction, Shown};
use crate::app::{Action, Effect, Model, NoticeKind};
use crate::engine::{Command, LoadSettings};
use crate::lab::{Measure, Plan, Trial};

/// A wish in the Bench view.
#[derive(Clone, Debug, PartialEq)]
pub enum BenchAction {
    PickPlan(String),
    /// Runs the chosen plan on the loaded model.
    Start,
    /// Goes on with the shown experiment on the loaded model.
    Resume,
    /// Ends the running experiment behind its reply; it can be taken up again.
    Stop,
    Open(PathBuf),
    SetMeasure(Measure),
    /// Lists the replies of a cell.
    PickCell(CellChoice),
    /// Reads one reply; the index is that of the trial.
    Read(usize),
    /// Brings the reply that is read to Repair.
    OpenInRepair,
    /// What concerns a second run.
    Runs(RunsAction),
    /// Writes the report beside the trials: `report.html`, `report.md` and `trials.csv`.
    SaveReport,
}

/// What is to be run, on a thread and with an engine of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchOrder {
    pub id: u64,
    pub plan: Plan,
    pub settings: LoadSettings,
    pub folder: PathBuf,
    pub resumes: bool,
}

/// What the thread tells.
#[derive(Debug)]
pub enum BenchNews {
    /// The experiment is begun or read; these replies are there already.
    Opened(Box<Shown>),
    Progress {
        n_done: usize,
        n_todo: usize,
        text: String,
        seconds_left: Option<f64>,
    },
    Trial(Box<Trial>),
    Ended(Result<(), String>),
}

pub(crate) fn on_bench(model: &mut Model, action: BenchAction) -> Vec<Effect> {
    let desk = &mut model.bench;
    match action {
        BenchAction::PickPlan(name) => desk.plan = name,
        BenchAction::Start => return start(model, None),
        BenchAction::Resume => {
            let shown = desk.shown.as_ref();
            let begun = shown.map(|it| (it.folder.clone(), it.plan.clone()));
            return start(model, begun);
        }
        BenchAction::Stop => {
            if let Some(running) = &mut desk.running {
                running.is_cancelling = true;
                return vec![Effect::StopBench];
            }
        }
        BenchAction::Open(folder) => return vec![Effect::ReadExperiment(folder)],
        BenchAction::SetMeasure(measure) => {
            if let Some(shown) = &mut desk.shown {
                shown.measure = measure;
                shown.list();
                if let Some(second) = &mut shown.second {
                    second.list(measure);
                }
            }
        }
        BenchAction::PickCell(cell) => {
            if let Some(shown) = &mut desk.shown {
                shown.cell = Some(cell);
                shown.list();
                shown.reply = shown.replies().first().copied();
            }
        }
        BenchAction::Read(idx) => {
            if let Some(shown) = &mut desk.shown {
                shown.reply = Some(idx);
            }
        }
        BenchAction::Runs(action) => return on_runs(desk, action),
        BenchAction::OpenInRepair => return open_in_repair(model),
        BenchAction::SaveReport => {
            let shown = desk.shown.as_ref().map(|it| it.folder.clone());
            return shown.map(Effect::SaveReport).into_iter().collect();
        }
    }
    Vec::new()
}

/// The experiments on the disk were listed.
pub fn on_experiments(model: &mut Model, experiments: Vec<Experiment>) {
    model.bench.experiments = experiments;
}

/// A report was written.
pub fn on_reported(model: &mut Model, folder: &Path) {
    let text = format!(
        "report.html, report.md and trials.csv are written in {}.",
        folder.display()
    );
    model.notify(NoticeKind::Info, text);
}

/// The thread of an experiment told something; an older one's news falls away.
pub fn on_bench_news(model: &mut Model, id: u64, news: BenchNews) -> Vec<Effect> {
    let desk = &mut model.bench;
    let is_running = desk.running.as_ref().is_some_and(|it| it.id == id);
    match news {
        // An experiment that is only read has no number.
        BenchNews::Opened(opened) if is_running || id == 0 => return show(desk, opened),
        BenchNews::Progress {
            n_done,
            n_todo,
            text,
            seconds_left,
        } => {
            if let Some(running) = desk.running.as_mut().filter(|it| it.id == id) {
                running.n_done = n_done;
                running.n_todo = n_todo;
                running.text = text;
                running.seconds_left = seconds_left;
            }
        }
        BenchNews::Trial(trial) if is_running => {
            let folder = desk.running.as_ref().map(|it| it.folder.clone());
            let shown = desk.shown.as_mut();
            // Another experiment may be looked at meanwhile.
            if let Some(shown) = shown.filter(|it| Some(&it.folder) == folder.as_ref()) {
                return on_trial(shown, *trial);
            }
        }
        BenchNews::Ended(result) if is_running || id == 0 => return ended(model, id, result),
        _ => {}
    }
    Vec::new()
}

fn start(model: &mut Model, begun: Option<(PathBuf, Plan)>) -> Vec<Effect> {
    if model.bench.running.is_some() || model.is_running() {
        return Vec::new();
    }
    let Some(info) = model.info() else {
        model.notify(
            NoticeKind::Warning,
            "Open a model first: the plan runs on it.",
        );
        return Vec::new();
    };
    let path = info.path.clone();
    let resumes = begun.is_some();
    let found = begun.or_else(|| {
        let plan = model.chosen_plan()?.clone();
        Some((PathBuf::new(), plan))
    });
    let Some((folder, plan)) = found else {
        return Vec::new();
    };
    let desk = &mut model.bench;
    desk.next_id += 1;
    let id = desk.next_id;
    desk.running = Some(Running {
        id,
        folder: folder.clone(),
        n_done: 0,
        n_todo: 0,
        text: "Loading the model".to_owned(),
        seconds_left: None,
        is_cancelling: false,
        model: path.clone(),
    });
    let settings = LoadSettings {
        path,
        ..model.settings.load.clone()
    };
    // Two models may not fit into memory, and would share the processor.
    vec![
        Effect::Send(Command::Unload),
        Effect::StartBench(Box::new(BenchOrder {
            id,
            plan,
            settings,
            folder,
            resumes,
        })),
    ]
}

fn ended(model: &mut Model, id: u64, result: Result<(), String>) -> Vec<Effect> {
    let running = model.bench.running.take_if(|it| it.id == id);
    if let Err(text) = result {
        model.notify(NoticeKind::Error, text);
    }
    let mut effects = vec![Effect::FindExperiments];
    if let Some(running) = running {
        effects.extend(crate::app::on_action(
            model,
            Action::LoadModel(running.model),
        ));
    }
    effects
}

fn open_in_repair(model: &mut Model) -> Vec<Effect> {
    let Some(trial) = model.bench.shown.as_ref().and_then(|it| it.read()).cloned() else {
        return Vec::new();
    };
    crate::app::repair::open_trial(model, &trial)
}

impl Model {
    /// The plan that is chosen in Bench.
    pub fn chosen_plan(&self) -> Option<&Plan> {
        let plans = &self.library.plans;
        let chosen = plans.iter().find(|it| it.name == self.bench.plan);
        chosen.or(plans.first())
    }
}

impl BenchDesk {
    /// Where the experiment that was just begun lies.
    pub fn place(&mut self, id: u64, folder: PathBuf) {
        if let Some(running) = self.running.as_mut().filter(|it| it.id == id) {
            running.folder = folder;
        }
    }
}
