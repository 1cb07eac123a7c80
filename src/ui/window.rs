//! The window: takes in events, draws, and carries out what follows.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use eframe::egui::{self, ViewportId};
use serde::de::DeserializeOwned;

use super::bench_thread::BenchSource;
use super::errands::Found;
use super::{State, shell_ui, theme};
use crate::app::{self, Action, Draft, Effect, GrammarsAction, Model, RepairAction, Settings, Tab};
use crate::engine::{Engine, Source};
use crate::lab::Trial;
use crate::store::{self, Folders, Keeper, Loaded, Trials};

/// How long events are taken in before a frame is drawn.
const EVENT_BUDGET: Duration = Duration::from_millis(5);
/// Events that come closer together than this share a frame.
const FRAME: Duration = Duration::from_millis(16);

/// What the window is opened with.
pub struct Opening {
    pub folders: Folders,
    pub source: Source,
    /// The model that is loaded at once; none: the one opened last, else the first that is found.
    pub model: Option<PathBuf>,
    /// The preset to start with; none: the draft as it was left.
    pub preset: Option<String>,
}

/// Everything behind the window.
pub struct Window {
    pub(super) model: Model,
    state: State,
    engine: Engine,
    keeper: Option<Keeper>,
    trials: Trials,
    /// Trials that could not be written yet.
    unwritten: Vec<Trial>,
    pub(super) folders: Folders,
    /// Files that could neither be read nor set aside: they are left as they are.
    locked: Vec<PathBuf>,
    pub(super) found: (Sender<Found>, Receiver<Found>),
    wants_model: bool,
    /// Where experiments have their engine; none if it cannot be opened a second time.
    pub(super) bench_source: Option<BenchSource>,
    /// Tells the running experiment to end.
    pub(super) stop_bench: Arc<AtomicBool>,
}

impl Window {
    /// Restores what was saved, starts the engine, and loads a model if there is one.
    pub fn new(ctx: &egui::Context, opening: Opening) -> Self {
        theme::install(ctx);
        ctx.options_mut(|it| it.quit_shortcuts.clear());
        let wake = {
            let ctx = ctx.clone();
            move || ctx.request_repaint_after_for(FRAME, ViewportId::ROOT)
        };
        let is_scripted = matches!(opening.source, Source::Scripted(_));
        let Opening {
            folders,
            source,
            model,
            preset,
        } = opening;
        let mut notices = Vec::new();
        let library = store::library(&folders);
        let mut locked = Vec::new();
        let settings: Option<Settings> =
            read(folders.settings(), "settings", (&mut locked, &mut notices));
        let draft = read(folders.draft(), "draft", (&mut locked, &mut notices));
        let draft = draft.unwrap_or_else(|| Draft::new(&library));
        let repair_draft = read(
            folders.repair_draft(),
            "Repair draft",
            (&mut locked, &mut notices),
        );
        let grammars_draft = read(
            folders.grammars_draft(),
            "Grammars draft",
            (&mut locked, &mut notices),
        );
        let compare_draft = read(
            folders.compare_draft(),
            "Compare draft",
            (&mut locked, &mut notices),
        );
        let keeper = Keeper::start(wake.clone());
        if let Err(error) = &keeper {
            notices.push(format!(
                "Nothing can be saved: {error}. Restart the program."
            ));
        }
        let bench_source = BenchSource::of(&source);
        let mut window = Self {
            model: Model::new(library, draft, settings.unwrap_or_default()),
            state: State::default(),
            engine: Engine::start(source, wake),
            keeper: keeper.ok(),
            trials: Trials::at(if is_scripted {
                folders.scripted_trials()
            } else {
                folders.trials()
            }),
            unwritten: Vec::new(),
            folders,
            locked,
            found: unbounded(),
            wants_model: model.is_none(),
            bench_source,
            stop_bench: Arc::default(),
        };
        window.model.is_scripted = is_scripted;
        for text in notices {
            app::on_saved(&mut window.model, Err(text));
        }
        if let Some(name) = preset {
            window.act(Action::PickPreset(name), ctx);
        }
        if let Some(path) = model {
            window.act(Action::LoadModel(path), ctx);
        }
        let effects = window.model.open_repair(repair_draft.unwrap_or_default());
        window.perform(effects, ctx);
        let effects = window.model.open_grammars(grammars_draft);
        window.perform(effects, ctx);
        window.model.open_compare(compare_draft);
        window.find_experiments(ctx);
        window.act(Action::FindModels, ctx);
        window.apply_theme(ctx);
        window
    }

    /// The state, for tests.
    pub fn model(&self) -> &Model {
        &self.model
    }

    fn act(&mut self, action: Action, ctx: &egui::Context) {
        let effects = app::on_action(&mut self.model, action);
        self.perform(effects, ctx);
    }

    fn perform(&mut self, effects: Vec<Effect>, ctx: &egui::Context) {
        for effect in effects {
            match effect {
                Effect::Send(command) => self.engine.send(command),
                Effect::SaveDraft => {
                    self.keep(&self.folders.draft(), |it| serde_json::to_value(&it.draft));
                }
                Effect::SaveSettings => {
                    self.keep(&self.folders.settings(), |it| {
                        serde_json::to_value(&it.settings)
                    });
                    self.apply_theme(ctx);
                }
                Effect::AppendTrial(trial) => {
                    self.unwritten.push(*trial);
                    self.write_trials();
                }
                Effect::FindModels => self.look_for_models(ctx),
                Effect::BrowseForModel => self.browse(ctx),
                Effect::CopyText(text) => ctx.copy_text(text),
                Effect::SaveRepairDraft => {
                    self.keep(&self.folders.repair_draft(), |it| {
                        serde_json::to_value(&it.repair.draft)
                    });
                }
                Effect::SaveGrammarsDraft => {
                    self.keep(&self.folders.grammars_draft(), |it| {
                        serde_json::to_value(&it.grammars.draft)
                    });
                }
                Effect::SaveCompareDraft => {
                    self.keep(&self.folders.compare_draft(), |it| {
                        serde_json::to_value(&it.compare.draft)
                    });
                }
                Effect::SavePlan(plan) => {
                    let path = self.folders.plans().join(format!("{}.json", plan.name));
                    self.keep(&path, |_| Ok(plan.to_json()));
                }
                Effect::TryConstraint(asked) => self.try_constraint(*asked, ctx),
                Effect::SaveDocument { kind, name, text } => {
                    let path = self.document_path(kind, &name);
                    if let Some(keeper) = &self.keeper {
                        let result = keeper.save_text(&path, text);
                        app::on_saved(&mut self.model, result);
                    }
                }
                Effect::SaveDocumentAs { kind, name, text } => {
                    self.save_document_as((kind, name), text, ctx);
                }
                Effect::BrowseForDocument => self.browse_for_document(ctx),
                Effect::ReadDocument(path) => self.read_document(path, ctx),
                Effect::StartBench(order) => self.start_bench(*order, ctx),
                Effect::StopBench => self.stop_bench.store(true, Ordering::Relaxed),
                Effect::FindExperiments => self.find_experiments(ctx),
                Effect::ReadExperiment(path) => self.read_experiment(path, ctx),
                Effect::Runs(effect) => self.work_on_runs(*effect, ctx),
                Effect::SaveReport(_) => self.save_report(ctx),
                Effect::Climb(asked) => self.climb(*asked, ctx),
                Effect::ReadReply(path) => self.read_reply(path, ctx),
                Effect::BrowseForReply => self.browse_for_reply(ctx),
                Effect::AppendCase(case) => {
                    let path = self.folders.cases();
                    let result = store::append_case(&path, &case);
                    let result = result.map(|()| path).map_err(|it| it.to_string());
                    app::on_case_saved(&mut self.model, result);
                }
            }
        }
    }

    fn keep(
        &mut self,
        path: &Path,
        value: impl Fn(&Model) -> serde_json::Result<serde_json::Value>,
    ) {
        if self.locked.iter().any(|it| it == path) {
            return;
        }
        let result = match (&self.keeper, value(&self.model)) {
            (Some(keeper), Ok(value)) => keeper.save(path, &value),
            (_, Err(error)) => Err(error.to_string()),
            (None, _) => Ok(()),
        };
        app::on_saved(&mut self.model, result);
    }

    /// Writes what is still to be written, in order; what fails is tried again with the next trial.
    fn write_trials(&mut self) {
        while let Some(trial) = self.unwritten.first() {
            let result = self.trials.append(trial).map_err(|it| it.to_string());
            let has_failed = result.is_err();
            app::on_saved(&mut self.model, result);
            if has_failed {
                return;
            }
            self.unwritten.remove(0);
        }
    }

    fn apply_theme(&self, ctx: &egui::Context) {
        theme::set(ctx, self.model.settings.theme);
    }

    fn take_found(&mut self, ctx: &egui::Context) {
        while let Ok(found) = self.found.1.try_recv() {
            match found {
                Found::Picked(path) => self.act(Action::LoadModel(path), ctx),
                Found::Reply(path, read) => {
                    let effects = app::on_reply_read(&mut self.model, &path, read);
                    self.perform(effects, ctx);
                }
                Found::PickedReply(path) => {
                    self.act(Action::Repair(RepairAction::Read(path)), ctx);
                }
                Found::Tried(id, tried) => {
                    let effects = app::on_tried(&mut self.model, id, tried);
                    self.perform(effects, ctx);
                }
                Found::Document(path, read) => {
                    let effects = app::on_document_read(&mut self.model, &path, read);
                    self.perform(effects, ctx);
                }
                Found::PickedDocument(path) => {
                    self.act(Action::Grammars(GrammarsAction::Read(path)), ctx);
                }
                Found::Experiments(found) => app::on_experiments(&mut self.model, found),
                Found::Bench(id, news) => {
                    let effects = app::on_bench_news(&mut self.model, id, news);
                    self.perform(effects, ctx);
                }
                Found::Runs(news) => {
                    let effects = app::on_runs_news(&mut self.model, news);
                    self.perform(effects, ctx);
                }
                Found::Reported(folder) => app::on_reported(&mut self.model, &folder),
                Found::Wrote(result) => app::on_saved(&mut self.model, result),
                Found::Climbed(id, outcome) => {
                    let effects = app::on_climbed(&mut self.model, id, outcome);
                    self.perform(effects, ctx);
                }
                Found::Searching(searching) => app::on_searching(&mut self.model, searching),
                Found::Models(models) => {
                    let loads_first = std::mem::take(&mut self.wants_model);
                    let effects = app::on_found(&mut self.model, models, loads_first);
                    self.perform(effects, ctx);
                }
            }
        }
    }

    fn take_dropped(&mut self, ctx: &egui::Context) {
        let dropped = ctx.input(|it| it.raw.dropped_files.first().map(|it| it.path().to_owned()));
        let Some(path) = dropped else { return };
        let is_model = path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("gguf"));
        let action = match self.model.tab {
            Tab::Repair if !is_model => Action::Repair(RepairAction::Read(path)),
            Tab::Grammars if !is_model => Action::Grammars(GrammarsAction::Read(path)),
            _ => Action::LoadModel(path),
        };
        self.act(action, ctx);
    }
}

impl eframe::App for Window {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        let begun = Instant::now();
        while begun.elapsed() < EVENT_BUDGET {
            let Ok(event) = self.engine.events().try_recv() else {
                break;
            };
            let effects = app::on_event(&mut self.model, event);
            self.perform(effects, ctx);
        }
        if !self.engine.events().is_empty() {
            ctx.request_repaint_of(ViewportId::ROOT);
        }
        let failures: Vec<String> = self.keeper.iter().flat_map(Keeper::failures).collect();
        for failure in failures {
            app::on_saved(&mut self.model, Err(failure));
        }
        self.take_found(ctx);
        self.take_dropped(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let actions = shell_ui(&mut self.model, &mut self.state, ui);
        let ctx = ui.ctx().clone();
        for action in actions {
            self.act(action, &ctx);
        }
    }
}

/// Reads a document that is saved again later, unless its file is locked.
fn read<T: DeserializeOwned>(
    path: PathBuf,
    what: &str,
    (locked, notices): (&mut Vec<PathBuf>, &mut Vec<String>),
) -> Option<T> {
    let loaded = store::load(&path);
    if matches!(loaded, Loaded::Locked { .. }) {
        locked.push(path);
    }
    found_or(loaded, what, notices)
}

fn found_or<T>(loaded: Loaded<T>, what: &str, notices: &mut Vec<String>) -> Option<T> {
    match loaded {
        Loaded::Found(it) => Some(it),
        Loaded::Missing => None,
        Loaded::SetAside { now, reason } => {
            notices.push(format!(
                "The saved {what} could not be read ({reason}). It was kept as {}.",
                now.display()
            ));
            None
        }
        Loaded::Locked { reason } => {
            notices.push(format!("The saved {what} could not be read ({reason}). It is left as it is, and changes are not saved."));
            None
        }
    }
}
