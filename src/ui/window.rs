//! The window: takes in events, draws, and carries out what follows.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use eframe::egui::{self, ViewportId};

use super::bench_thread::BenchSource;
use super::downloads::Downloads;
use super::errands::Found;
use super::phases::{self, Phases};
use super::records::{self, Records};
use super::reins::Reins;
use super::saved::{Places, restore};
use super::{State, shell_ui, theme};
use crate::app::{self, Action, Draft, Effect, GrammarsAction, Model, RepairAction};
use crate::engine::{Engine, Source};
use crate::store::{self, Folders, Keeper, Saved, Trials, WindowNumber};

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
    records: Records,
    pub(super) folders: Folders,
    places: Places,
    phases: Option<Phases>,
    /// Tells windows on one data folder apart, for as long as it is held.
    _number: WindowNumber,
    pub(super) found: (Sender<Found>, Receiver<Found>),
    wants_model: bool,
    /// Where experiments have their engine; none if it cannot be opened a second time.
    pub(super) bench_source: Option<BenchSource>,
    /// Hold the running experiment, or end it.
    pub(super) bench_reins: Arc<Reins>,
    pub(super) downloads: Downloads,
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
        let made = folders.create();
        let number = WindowNumber::take(&folders);
        let folders = folders.of_window(number.number());
        let library = store::library(&folders);
        let mut restored = restore(&folders);
        let notices = &mut restored.notices;
        if let Err(error) = made {
            notices.push(format!("Nothing can be saved: {error}"));
        }
        let keeper = Keeper::start(library.seen.clone(), wake.clone());
        if let Err(error) = &keeper {
            notices.push(format!(
                "Nothing can be saved: {error}. Restart the program."
            ));
        }
        let draft = restored.draft.unwrap_or_else(|| Draft::new(&library));
        let bench_source = BenchSource::of(&source);
        let mut window = Self {
            model: Model::new(library, draft, restored.settings.unwrap_or_default()),
            state: State::default(),
            engine: Engine::start(source, wake),
            keeper: keeper.ok(),
            records: Records::new(Trials::at(if is_scripted {
                folders.scripted_trials()
            } else {
                folders.trials()
            })),
            folders,
            places: restored.places,
            phases: None,
            _number: number,
            found: unbounded(),
            wants_model: model.is_none(),
            bench_source,
            bench_reins: Arc::default(),
            downloads: Downloads::default(),
        };
        window.model.is_scripted = is_scripted;
        for text in restored.notices {
            app::on_saved(&mut window.model, Err(text));
        }
        app::on_opened(&mut window.model, &window.folders);
        if let Some(name) = preset {
            window.act(Action::PickPreset(name), ctx);
        }
        window.begin(model, ctx);
        let effects = window
            .model
            .open_repair(restored.repair.unwrap_or_default());
        window.perform(effects, ctx);
        let effects = window.model.open_grammars(restored.grammars);
        window.perform(effects, ctx);
        window.model.open_compare(restored.compare);
        window.open_bench(restored.plans, ctx);
        window.act(Action::FindModels, ctx);
        window.apply_theme(ctx);
        window
    }

    /// The state, for tests.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What is asked of the engine at once.
    fn begin(&mut self, model: Option<PathBuf>, ctx: &egui::Context) {
        let devices = self.model.ask_devices();
        self.perform(vec![devices], ctx);
        if let Some(path) = model {
            self.act(Action::LoadModel(path), ctx);
        }
    }

    /// Does what the user wishes; for views, and for tests that have no hand.
    pub fn act(&mut self, action: Action, ctx: &egui::Context) {
        let effects = app::on_action(&mut self.model, action);
        self.perform(effects, ctx);
    }

    /// Says how long each phase takes from `begun` on, runs once, and closes.
    pub fn measure(&mut self, begun: Instant, say: fn(&str)) {
        self.phases = Some(Phases::new(begun, say));
    }

    fn go_on_measuring(&mut self, ctx: &egui::Context) {
        let Some(phases) = &mut self.phases else {
            return;
        };
        match phases.look(&self.model) {
            Some(phases::Wish::Run) => self.act(Action::Run, ctx),
            Some(phases::Wish::Close) => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            None => {}
        }
        ctx.request_repaint();
    }

    fn perform(&mut self, effects: Vec<Effect>, ctx: &egui::Context) {
        for effect in effects {
            match effect {
                Effect::Send(command) => self.engine.send(command),
                Effect::RestartEngine(of_bench) => {
                    of_bench.unwrap_or_else(|| self.engine.restarter()).press();
                }
                Effect::KeepCrashNote { when, text } => {
                    let kept = store::keep_crash_note(&self.folders.crashes(), &when, &text);
                    app::on_crash_kept(&mut self.model, kept.map_err(|it| it.to_string()));
                }
                Effect::SaveDraft => {
                    self.keep(&self.folders.draft(), |it| serde_json::to_value(&it.draft));
                }
                Effect::SaveSettings => {
                    self.keep_settings();
                    self.apply_theme(ctx);
                }
                Effect::AppendTrial(trial) => {
                    let result = self.records.add(*trial);
                    app::on_recorded(&mut self.model, result);
                }
                Effect::FindModels => self.look_for_models(ctx),
                Effect::BrowseForModel => self.browse(ctx),
                Effect::Download(effect) => self.download(effect, ctx),
                Effect::CopyText(text) => ctx.copy_text(text),
                Effect::Export { with_trials } => self.export(with_trials, ctx),
                Effect::Import(Some(path)) => self.import(path, ctx),
                Effect::Import(None) => self.browse_for_bundle(ctx),
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
                    self.keep_own(&path, Some(format!("{:#}\n", plan.to_json())));
                }
                Effect::TryConstraint(asked) => self.try_constraint(*asked, ctx),
                Effect::SaveDocument { kind, name, text } => {
                    let path = self.document_path(kind, &name);
                    self.keep_own(&path, text);
                }
                Effect::SaveDocumentAs { kind, name, text } => {
                    self.save_document_as((kind, name), text, ctx);
                }
                Effect::BrowseForDocument => self.browse_for_document(ctx),
                Effect::ReadDocument(path) => self.read_document(path, ctx),
                Effect::StartBench(order) => self.start_bench(*order, ctx),
                Effect::StopBench => self.bench_reins.stop(),
                Effect::FindExperiments => self.find_experiments(ctx),
                Effect::ReadExperiment(path) => self.read_experiment(path, ctx),
                Effect::Runs(effect) => self.work_on_runs(*effect, ctx),
                Effect::SaveReport(_) => self.save_report(ctx),
                Effect::Bench(it) => self.perform_bench(it, ctx),
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

    pub(super) fn keep(
        &mut self,
        path: &Path,
        value: impl Fn(&Model) -> serde_json::Result<serde_json::Value>,
    ) {
        let Some(path) = self.places.of(path) else {
            return;
        };
        let result = match (&self.keeper, value(&self.model)) {
            (Some(keeper), Ok(value)) => keeper.save(&path, &value),
            (_, Err(error)) => Err(error.to_string()),
            (None, _) => Ok(()),
        };
        app::on_saved(&mut self.model, result);
    }

    /// Other windows have the same settings: only what was changed here is written.
    fn keep_settings(&mut self) {
        let mine = serde_json::to_value(&self.model.settings);
        let place = self.places.of(&self.folders.settings());
        let (Some(keeper), Some(path)) = (&self.keeper, place) else {
            return;
        };
        let result = mine.map_err(|it| it.to_string()).and_then(|mine| {
            let base = std::mem::replace(&mut self.places.settings_base, mine.clone());
            keeper.save_shared(&path, base, mine)
        });
        app::on_saved(&mut self.model, result);
    }

    fn keep_own(&mut self, path: &Path, text: Option<String>) {
        if let Some(keeper) = &self.keeper {
            let result = keeper.save_own(path, text);
            app::on_saved(&mut self.model, result);
        }
    }

    fn take_saved(&mut self, ctx: &egui::Context) {
        let news: Vec<Saved> = self.keeper.iter().flat_map(Keeper::news).collect();
        for it in news {
            app::on_kept(&mut self.model, it);
        }
        // What goes on failing was said at the first time.
        if let Some(Ok(())) = self.records.try_again() {
            app::on_recorded(&mut self.model, Ok(()));
        }
        if self.records.is_waiting() {
            ctx.request_repaint_after_for(records::AGAIN, ViewportId::ROOT);
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
                Found::Exported(result) => app::on_exported(&mut self.model, result),
                Found::PickedBundle(path) => self.act(Action::Import(Some(path)), ctx),
                Found::Imported(result) => {
                    app::on_imported(&mut self.model, *result);
                    if let Some(keeper) = &self.keeper {
                        keeper.know(self.model.library.seen.clone());
                    }
                    self.find_experiments(ctx);
                }
                Found::Download(news) => {
                    let effects = app::on_download_news(&mut self.model, news);
                    self.perform(effects, ctx);
                }
                Found::Experiments(found) => app::on_experiments(&mut self.model, found),
                Found::Bench(id, news) => {
                    let effects = app::on_bench_news(&mut self.model, id, news);
                    self.perform(effects, ctx);
                }
                Found::OfBench(found) => self.take_bench(found, ctx),
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
        self.take_saved(ctx);
        self.go_on_measuring(ctx);
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
