//! The whole window with real models in processes of their own, and a hand that does one thing after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use eframe::egui::vec2;
use egui_kittest::Harness;
use egui_system_font_provider::SystemFontProvider;
use stepladder::app::{
    Action, BenchAction, CompareAction, EnginePhase, GrammarsAction, Model, RepairAction, RunPhase,
    Tab, ThemeChoice,
};
use stepladder::engine::Source;
use stepladder::store::Folders;
use stepladder::ui::{Opening, Window};

use crate::actions::{Kind, kind, total};
use crate::dice::Dice;
use crate::memory;
use crate::records;

/// No action may be without an answer for longer; a plan's reply or a load on a busy machine takes its time.
const PATIENCE: Duration = Duration::from_mins(3);
/// The plan that is run: two presets on two inputs.
const PLAN: &str = r#"{"v": 1, "name": "soak", "title": "Soak", "tasks": ["shopping"], "inputs": 2, "presets": ["greedy", "greedy-schema"]}"#;
const TEXTS: [&str; 5] = [
    "two eggs and a loaf of bread",
    " 牛奶两盒",
    "\u{202e}right to left\u{202c} \u{0}\u{7}",
    "<script>alert(1)</script> | `code`",
    "\n\n{\"items\": [",
];

pub(crate) struct Driver {
    window: Harness<'static, Window>,
    data: PathBuf,
    models: Vec<PathBuf>,
    dice: Dice,
    report: Report,
    /// Ids of the trials that the window has shown.
    shown: BTreeSet<String>,
}

/// What came of it.
#[derive(Default)]
pub(crate) struct Report {
    n_actions: BTreeMap<Kind, usize>,
    n_shown: usize,
    n_lines: usize,
    slowest: Option<(Duration, Kind)>,
    slowest_frame: Duration,
    /// Samples of each process.
    pub(crate) memory: BTreeMap<&'static str, Vec<u64>>,
    /// Ids that were shown and are not on the disk.
    pub(crate) lost: Vec<String>,
    pub(crate) unreadable: Vec<String>,
}

impl Driver {
    pub(crate) fn open(data: &Path, models: Vec<PathBuf>, seed: u64) -> Self {
        let plans = data.join("presets/plans");
        std::fs::create_dir_all(&plans).unwrap();
        std::fs::write(plans.join("soak.json"), PLAN).unwrap();
        let opening = Opening {
            folders: Folders::at(data),
            source: Source::Isolated {
                program: env!("CARGO_BIN_EXE_stepladder").into(),
                args: vec!["engine".to_owned()],
                envs: Vec::new(),
            },
            model: models.first().cloned(),
            preset: None,
        };
        let window = Harness::builder()
            .with_size(vec2(1440.0, 900.0))
            .with_context_setup(|ctx| ctx.add_font_provider(Arc::new(SystemFontProvider::new())))
            .build_eframe(move |it| Window::new(&it.egui_ctx, opening));
        Self {
            window,
            data: data.to_owned(),
            models,
            dice: Dice::new(seed),
            report: Report::default(),
            shown: BTreeSet::new(),
        }
    }

    pub(crate) fn go_on_for(&mut self, lasts: Duration) {
        let begun = Instant::now();
        self.load(0);
        while begun.elapsed() < lasts {
            let kind = kind(self.dice.below(total()));
            let before = Instant::now();
            self.act(kind);
            self.rest(kind);
            let took = before.elapsed();
            *self.report.n_actions.entry(kind).or_default() += 1;
            if self.report.slowest.is_none_or(|it| took > it.0) {
                self.report.slowest = Some((took, kind));
            }
            self.sample();
        }
    }

    /// Closes the window and looks at what is on the disk.
    pub(crate) fn end(self) -> Report {
        let Self {
            window,
            data,
            shown,
            mut report,
            ..
        } = self;
        drop(window);
        let recorded = records::recorded(&data);
        report.n_shown = shown.len();
        report.n_lines = recorded.n_lines;
        report.lost = shown.difference(&recorded.ids).cloned().collect();
        report.unreadable = recorded.problems;
        report
    }

    fn model(&self) -> &Model {
        self.window.state().model()
    }

    fn wish(&mut self, action: Action) {
        let ctx = self.window.ctx.clone();
        self.window.state_mut().act(action, &ctx);
        self.step();
    }

    /// Draws a frame and keeps the trials that are shown.
    fn step(&mut self) {
        let begun = Instant::now();
        self.window.step();
        self.report.slowest_frame = self.report.slowest_frame.max(begun.elapsed());
        let model = self.window.state().model();
        if let RunPhase::Done { trial, .. } = &model.run {
            self.shown.insert(trial.id.clone());
        }
        let columns = model.compare.draft.columns.iter();
        let compared = columns.filter_map(|it| model.compare.trial(it.id));
        self.shown.extend(compared.map(|it| it.id.clone()));
        if let Some(shown) = &model.bench.shown {
            self.shown
                .extend(shown.trials.iter().map(|it| it.id.clone()));
        }
    }

    /// Steps until it holds.
    #[track_caller]
    fn wait(&mut self, what: &str, holds: impl Fn(&Model) -> bool) {
        let begun = Instant::now();
        while !holds(self.model()) {
            let model = self.model();
            assert!(
                begun.elapsed() < PATIENCE,
                "{what} did not come: {:?}, running {}, notices {:?}",
                model.engine,
                model.is_running(),
                model.notices
            );
            sleep(Duration::from_millis(5));
            self.step();
        }
        self.step();
    }

    /// Steps a random while.
    fn wait_a_while(&mut self, most_ms: usize) {
        let lasts = Duration::from_millis(self.dice.below(most_ms) as u64);
        let begun = Instant::now();
        while begun.elapsed() < lasts {
            sleep(Duration::from_millis(5));
            self.step();
        }
    }

    /// Whatever was done, it comes to rest: nothing runs, and the window says what the engine has.
    #[track_caller]
    fn rest(&mut self, after: Kind) {
        self.wait(&format!("rest after {after}"), |it| {
            let is_loading = matches!(
                it.engine,
                EnginePhase::Loading { .. } | EnginePhase::Restarting { .. }
            );
            !it.is_running() && it.bench.running.is_none() && !is_loading
        });
        if !matches!(self.model().engine, EnginePhase::Ready(_)) {
            self.load(0);
        }
        for idx in (0..self.model().notices.len()).rev() {
            self.wish(Action::DismissNotice(idx));
        }
    }

    fn load(&mut self, idx: usize) {
        let path = self.models[idx].clone();
        self.wish(Action::LoadModel(path));
        self.wait("the model", |it| matches!(it.engine, EnginePhase::Ready(_)));
    }

    /// Kills every process that the window has started.
    fn kill() {
        for pid in memory::children() {
            let killed = Command::new("kill").args(["-9", &pid.to_string()]).status();
            killed.unwrap();
        }
    }

    fn act(&mut self, kind: Kind) {
        match kind {
            Kind::Run => self.run(),
            Kind::RunAndCancel => {
                self.run_and_wait();
                self.wish(Action::Cancel);
            }
            Kind::RunAndKill => {
                self.run_and_wait();
                Self::kill();
            }
            Kind::KillAtRest => {
                Self::kill();
                self.wait_a_while(300);
            }
            Kind::Compare => self.wish(Action::Compare(CompareAction::Run)),
            Kind::CompareAndCancel => {
                self.wish(Action::Compare(CompareAction::Run));
                self.wait_a_while(1500);
                self.wish(Action::Cancel);
            }
            Kind::StartPlan | Kind::StopAndResumePlan | Kind::KillDuringPlan => self.plan(kind),
            Kind::OtherModel => {
                let idx = self.dice.below(self.models.len());
                self.load(idx);
            }
            Kind::CancelLoad => {
                let idx = self.dice.below(self.models.len());
                self.wish(Action::LoadModel(self.models[idx].clone()));
                self.wait_a_while(200);
                self.wish(Action::CancelLoad);
            }
            Kind::Unload => {
                self.wish(Action::UnloadModel);
                self.wait("the unloading", |it| {
                    !matches!(it.engine, EnginePhase::Ready(_))
                });
            }
            _ => self.edit(kind),
        }
    }

    fn run(&mut self) {
        self.wish(Action::ShowTab(Tab::Play));
        self.wish(Action::Run);
    }

    fn run_and_wait(&mut self) {
        self.run();
        self.wait_a_while(1500);
    }

    fn plan(&mut self, kind: Kind) {
        self.wish(Action::ShowTab(Tab::Bench));
        self.wish(Action::Bench(BenchAction::PickPlan("soak".to_owned())));
        let resumes = self.model().bench.shown.is_some() && self.dice.below(4) > 0;
        let begin = if resumes {
            BenchAction::Resume
        } else {
            BenchAction::Start
        };
        self.wish(Action::Bench(begin));
        if kind == Kind::StartPlan {
            return;
        }
        self.wait_a_while(3000);
        if kind == Kind::KillDuringPlan {
            Self::kill();
            return;
        }
        self.wish(Action::Bench(BenchAction::Stop));
        self.wait("the end of the plan", |it| it.bench.running.is_none());
        self.wait("the model again", |it| {
            matches!(
                it.engine,
                EnginePhase::Ready(_) | EnginePhase::Failed { .. }
            )
        });
        self.wish(Action::Bench(BenchAction::Resume));
    }

    fn edit(&mut self, kind: Kind) {
        let text = *self.dice.pick(&TEXTS).unwrap();
        match kind {
            Kind::Tab => {
                let tabs = [
                    Tab::Play,
                    Tab::Compare,
                    Tab::Bench,
                    Tab::Repair,
                    Tab::Grammars,
                ];
                let tab = *self.dice.pick(&tabs).unwrap();
                self.wish(Action::ShowTab(tab));
            }
            Kind::Preset => {
                let names: Vec<String> = self
                    .model()
                    .library
                    .presets
                    .iter()
                    .map(|it| it.name.clone())
                    .collect();
                let name = self.dice.pick(&names).cloned().unwrap();
                self.wish(Action::PickPreset(name));
            }
            Kind::Task => {
                let ids: Vec<String> = self
                    .model()
                    .library
                    .tasks
                    .iter()
                    .map(|it| it.id.clone())
                    .collect();
                let id = self.dice.pick(&ids).cloned().unwrap();
                self.wish(Action::PickTask(id));
                let input = self.dice.below(3);
                self.wish(Action::PickInput(input));
            }
            Kind::TypeInput => {
                self.wish(Action::ShowTab(Tab::Play));
                self.type_into("Input", text);
            }
            Kind::TypeReply => {
                self.wish(Action::ShowTab(Tab::Repair));
                self.wish(Action::Repair(RepairAction::PickTask(String::new())));
                self.type_into("Reply to climb", text);
            }
            Kind::TypeGrammar => {
                self.wish(Action::ShowTab(Tab::Grammars));
                self.wish(Action::Grammars(GrammarsAction::MoreExamples));
                self.type_into("Text of the grammar", text);
            }
            _ => {
                let is_dark = self.model().settings.theme == ThemeChoice::Dark;
                let other = if is_dark {
                    ThemeChoice::Light
                } else {
                    ThemeChoice::Dark
                };
                self.wish(Action::SetTheme(other));
            }
        }
    }

    /// Types into the field of this name, and takes away about as much again, so that texts stay of a size.
    fn type_into(&mut self, label: &str, text: &str) {
        use eframe::egui::{Key, Modifiers};
        use egui_kittest::kittest::Queryable as _;
        if self.window.query_by_label(label).is_none() {
            return;
        }
        self.window.get_by_label(label).focus();
        self.step();
        self.window.get_by_label(label).type_text(text);
        self.step();
        for _ in text.chars() {
            self.window
                .key_press_modifiers(Modifiers::NONE, Key::Backspace);
            self.step();
        }
        self.wait_a_while(200);
    }

    /// Memory at rest, and of the engine only with the first model: another one needs another amount.
    fn sample(&mut self) {
        let info = self.window.state().model().info();
        let is_first = info.is_some_and(|it| it.path == self.models[0]);
        let window = memory::own_bytes(std::process::id());
        self.report
            .memory
            .entry("window")
            .or_default()
            .extend(window);
        let engines = memory::children();
        if is_first && let [engine] = engines[..] {
            let engine = memory::own_bytes(engine);
            self.report
                .memory
                .entry("engine")
                .or_default()
                .extend(engine);
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n: usize = self.n_actions.values().sum();
        let kinds: Vec<String> = self
            .n_actions
            .iter()
            .map(|it| format!("{} {}", it.0, it.1))
            .collect();
        writeln!(f, "{n} actions: {}", kinds.join(", "))?;
        if let Some((took, kind)) = self.slowest {
            writeln!(
                f,
                "slowest to come to rest: {kind} in {:.1} s; slowest frame {} ms",
                took.as_secs_f64(),
                self.slowest_frame.as_millis()
            )?;
        }
        for (process, samples) in &self.memory {
            writeln!(
                f,
                "{process}: {} ({} samples)",
                memory::Verdict::of(samples),
                samples.len()
            )?;
        }
        write!(
            f,
            "{} trials were shown, {} are on the disk; lost: {}, unreadable: {}",
            self.n_shown,
            self.n_lines,
            self.lost.len(),
            self.unreadable.len()
        )
    }
}
