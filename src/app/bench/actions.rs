//! What each wish in Bench changes, and what comes back from the thread that runs a plan.

use std::path::{Path, PathBuf};

use super::building::on_build;
use super::outlook::{Surroundings, paths};
use super::playing::open_in_play;
use super::regression::on_marks;
use super::runs::{on_runs, on_trial, show};
use super::{
    BenchDesk, BuildAction, CellChoice, Experiment, Pace, Page, Running, RunsAction, Shown,
};
use crate::app::{Action, Effect, Model, NoticeKind};
use crate::engine::{Command, Event, LoadSettings, Restarter};
use crate::lab::{Chart, Measure, Plan, Trial};
use crate::prompt::Task;

/// A wish in the Bench view.
#[derive(Clone, Debug, PartialEq)]
pub enum BenchAction {
    PickPlan(String),
    /// Runs the chosen plan on the loaded model.
    Start,
    /// Goes on with the shown experiment on the loaded model.
    Resume,
    /// Pauses the running experiment behind its reply.
    Pause,
    /// Goes on after a pause.
    Continue,
    /// Ends the running experiment; the reply that is being written is given up, and it can be taken up again.
    Stop,
    Open(PathBuf),
    SetMeasure(Measure),
    /// Lists the replies of a cell.
    PickCell(CellChoice),
    /// Puts the list of replies away.
    CloseCell,
    /// Reads one reply; the index is that of the trial.
    Read(usize),
    /// Brings the reply that is read to Repair.
    OpenInRepair,
    /// Brings the reply that is read to Play, with the settings that it was written under.
    OpenInPlay,
    /// Chooses a reply for a task of its own, or lets go of it.
    Mark(usize),
    /// Chooses all failed replies of the listed cell.
    MarkFailed,
    /// Lets go of all chosen replies.
    UnmarkAll,
    /// Saves the inputs of the chosen replies as a task under this name.
    SaveMarked(String),
    Build(BuildAction),
    /// Writes a chart beside the trials.
    SaveChart(Chart),
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
    /// The files of the models, one after the other.
    pub models: Vec<PathBuf>,
    /// How they are loaded; the path is not used.
    pub settings: LoadSettings,
    pub folder: PathBuf,
    pub resumes: bool,
}

/// What Bench wants done outside, beside running and reading experiments.
#[derive(Clone, Debug, PartialEq)]
pub enum BenchEffect {
    /// Hold the running experiment behind its reply, or let it go on.
    Pause(bool),
    /// Ask for a model file; it comes back as [`BuildAction::AddModel`].
    BrowseForModel,
    /// Save what is typed in the plan builder.
    SaveDraft,
    /// Save a task among the user's own.
    SaveTask(Box<Task>),
    /// Write a chart of the shown experiment into its folder.
    SaveChart(Chart),
    /// Read what earlier replies took; [`on_speeds`](super::on_speeds) is told.
    MeasureSpeeds,
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
        /// Seconds of work so far.
        seconds: f64,
    },
    /// It holds until it is told to go on.
    Paused,
    Trial(Box<Trial>),
    /// The experiment's engine is there.
    Engine(Restarter),
    /// What befell it: its silence, and the end of that.
    Befell(Event),
    Ended(Result<(), String>),
}

pub(crate) fn on_bench(model: &mut Model, action: BenchAction) -> Vec<Effect> {
    match action {
        BenchAction::PickPlan(name) => model.bench.plan = name,
        BenchAction::Start => {
            let plan = model.chosen_plan().cloned();
            return plan.map_or_else(Vec::new, |it| start(model, (PathBuf::new(), it), false));
        }
        BenchAction::Resume => {
            let shown = model.bench.shown.as_ref();
            let begun = shown.map(|it| (it.folder.clone(), it.plan.clone()));
            return begun.map_or_else(Vec::new, |it| start(model, it, true));
        }
        BenchAction::Pause => return set_pace(model, Pace::Pausing),
        BenchAction::Continue => return set_pace(model, Pace::Going),
        BenchAction::Stop => return set_pace(model, Pace::Stopping),
        BenchAction::Build(action) => return on_build(model, action),
        BenchAction::Open(folder) => {
            model.bench.page = Page::Results;
            return vec![Effect::ReadExperiment(folder)];
        }
        BenchAction::Runs(action) => return on_runs(&mut model.bench, action),
        BenchAction::OpenInRepair => return open_in_repair(model),
        BenchAction::OpenInPlay => return open_in_play(model),
        marks @ (BenchAction::Mark(_)
        | BenchAction::MarkFailed
        | BenchAction::UnmarkAll
        | BenchAction::SaveMarked(_)) => return on_marks(model, marks),
        of_shown => return on_shown(&mut model.bench, of_shown),
    }
    Vec::new()
}

/// The wishes that concern the shown experiment alone.
fn on_shown(desk: &mut BenchDesk, action: BenchAction) -> Vec<Effect> {
    let Some(shown) = &mut desk.shown else {
        return Vec::new();
    };
    match action {
        BenchAction::SetMeasure(measure) => {
            shown.measure = measure;
            shown.list();
            if let Some(second) = &mut shown.second {
                second.list(measure);
            }
        }
        BenchAction::PickCell(cell) => {
            shown.cell = Some(cell);
            shown.list();
            shown.reply = shown.replies().first().copied();
        }
        BenchAction::CloseCell => {
            shown.cell = None;
            shown.list();
        }
        BenchAction::Read(idx) => shown.reply = Some(idx),
        BenchAction::SaveReport => return vec![Effect::SaveReport(shown.folder.clone())],
        BenchAction::SaveChart(chart) => return vec![Effect::Bench(BenchEffect::SaveChart(chart))],
        _ => {}
    }
    Vec::new()
}

fn set_pace(model: &mut Model, pace: Pace) -> Vec<Effect> {
    let Some(running) = &mut model.bench.running else {
        return Vec::new();
    };
    // What is ending can neither pause nor go on.
    if running.pace == Pace::Stopping {
        return Vec::new();
    }
    running.pace = pace;
    vec![match pace {
        Pace::Stopping => Effect::StopBench,
        Pace::Pausing | Pace::Paused => Effect::Bench(BenchEffect::Pause(true)),
        Pace::Going => Effect::Bench(BenchEffect::Pause(false)),
    }]
}

/// The experiments on the disk were listed.
pub fn on_experiments(model: &mut Model, experiments: Vec<Experiment>) {
    model.bench.experiments = experiments;
}

/// A report was written into a folder, or a chart into a file.
pub fn on_reported(model: &mut Model, place: &Path) {
    let place_text = place.display();
    let text = if place.extension().is_some_and(|it| it == "png") {
        format!("The chart is written in {place_text}.")
    } else {
        format!("report.html, report.md and trials.csv are written in {place_text}.")
    };
    model.notify(NoticeKind::Info, text);
}

/// The thread of an experiment told something; an older one's news falls away.
pub fn on_bench_news(model: &mut Model, id: u64, news: BenchNews) -> Vec<Effect> {
    let desk = &mut model.bench;
    let is_running = desk.running.as_ref().is_some_and(|it| it.id == id);
    match news {
        // An experiment that is only read has no number.
        BenchNews::Opened(opened) if is_running || id == 0 => {
            desk.marked.clear();
            return show(desk, opened);
        }
        BenchNews::Paused => {
            if let Some(running) = desk.running.as_mut().filter(|it| it.id == id)
                && running.pace == Pace::Pausing
            {
                running.pace = Pace::Paused;
            }
        }
        BenchNews::Progress {
            n_done,
            n_todo,
            text,
            seconds_left,
            seconds,
        } => {
            if let Some(running) = desk.running.as_mut().filter(|it| it.id == id) {
                running.n_done = n_done;
                running.n_todo = n_todo;
                running.text = text;
                running.seconds_left = seconds_left;
                running.seconds = seconds;
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
        BenchNews::Engine(restarter) => {
            if let Some(running) = desk.running.as_mut().filter(|it| it.id == id) {
                running.restarter = Some(restarter);
            }
        }
        BenchNews::Befell(event) if is_running => return crate::app::on_event(model, event),
        BenchNews::Ended(result) if is_running || id == 0 => return ended(model, id, result),
        _ => {}
    }
    Vec::new()
}

/// Runs a plan on the models that it names, else on the loaded one. An empty folder is for a new experiment.
pub(super) fn start(
    model: &mut Model,
    (folder, plan): (PathBuf, Plan),
    resumes: bool,
) -> Vec<Effect> {
    if model.bench.running.is_some() || model.is_running() || model.is_measuring() {
        return Vec::new();
    }
    let loaded = model.info().map(|it| it.path.clone());
    let models = models(model, &plan);
    if models.is_empty() {
        model.notify(
            NoticeKind::Warning,
            "Open a model first: the plan runs on it.",
        );
        return Vec::new();
    }
    let desk = &mut model.bench;
    desk.page = Page::Results;
    desk.next_id += 1;
    desk.running = Some(Running {
        id: desk.next_id,
        folder: folder.clone(),
        n_done: 0,
        n_todo: 0,
        text: "Loading the model".to_owned(),
        seconds_left: None,
        seconds: 0.0,
        pace: Pace::Going,
        model: loaded.clone().unwrap_or_default(),
        restarter: None,
    });
    let order = BenchOrder {
        id: desk.next_id,
        plan,
        models,
        settings: model.settings.load.clone(),
        folder,
        resumes,
    };
    // Two models may not fit into memory, and would share the processor.
    let unload = loaded.map(|_| Effect::Send(Command::Unload));
    let start = Effect::StartBench(Box::new(order));
    unload.into_iter().chain([start]).collect()
}

fn models(model: &Model, plan: &Plan) -> Vec<PathBuf> {
    let around = Surroundings {
        library: &model.library,
        found: &model.models,
        loaded: model.info().map(|it| it.path.as_path()),
        speeds: &model.bench.builder.speeds,
    };
    paths(&plan.models, &around)
}

fn ended(model: &mut Model, id: u64, result: Result<(), String>) -> Vec<Effect> {
    let running = model.bench.running.take_if(|it| it.id == id);
    if running.is_some() {
        model.silence = None;
    }
    if let Err(text) = result {
        model.notify(NoticeKind::Error, text);
    }
    let mut effects = vec![
        Effect::FindExperiments,
        Effect::Bench(BenchEffect::MeasureSpeeds),
    ];
    if let Some(running) = running.filter(|it| !it.model.as_os_str().is_empty()) {
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
