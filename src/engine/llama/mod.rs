//! The backend that runs GGUF models through llama.cpp; the only room that names it.

mod clock;
mod closing;
mod constraints;
mod context;
mod desk;
mod devices;
mod given;
mod library;
mod load;
mod log;
mod loop_guard;
mod loops;
mod measuring;
mod memory;
mod model_file;
mod opening;
mod outbox;
mod picking;
mod prompt;
mod reply;
mod row;
mod rows;
mod run;
mod seats;
mod sequence;
mod snapshots;
mod staging;
mod text;
mod together;
mod tokens;
mod vocabulary;
mod watch;

use crate::constraint::Constraint;
use crate::engine::{
    Backend, Cancel, Command, Device, Event, GroupRun, LoadSettings, MachineAsk, MachineNews,
    MemoryGuard, PreviewRequest, PromptView, RunId, RunRequest,
};
use crate::machine;
use crate::sampling::token_knob_report;

use constraints::Constraints;
use load::{LoadError, Loaded};
use memory::Room;
use model_file::describe;
use reply::Unready;
use together::{Asked, run_group};
use watch::Watch;

pub use tokens::ModelTokens;

/// Runs one model at a time in this process. Whatever llama.cpp does to the process happens to all of it.
#[derive(Default)]
pub struct LlamaBackend {
    loaded: Option<Loaded>,
    constraints: Constraints,
    guard: MemoryGuard,
    /// For loads that ask for none of their own.
    memory_limit_mb: Option<u32>,
}

/// Makes a process fit to compute: it yields to others, and a failed assertion ends it at once with a line on stderr.
///
/// For the engine's own process; call it first.
pub fn prepare_process() {
    #[cfg(unix)]
    {
        // The computer stays usable while a model computes. Nothing is lost where this is not allowed.
        let _allowed = rustix::process::nice(10);
    }
    context::silence();
    log::begin();
}

impl LlamaBackend {
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells `guard` how much memory each loaded model may take; `limit_mb` counts where a load asks for no limit of
    /// its own, in megabytes, 0 for none.
    #[must_use]
    pub fn guarded(guard: MemoryGuard, limit_mb: Option<u32>) -> Self {
        Self {
            guard,
            memory_limit_mb: limit_mb,
            ..Self::default()
        }
    }

    /// The devices that llama.cpp was built for and finds here.
    pub fn devices() -> Vec<Device> {
        devices::devices()
    }

    /// llama.cpp's version as its build says, such as `0.6.0-dev (ggml 0.26.0, llama-cpp-sys-2 0.1.161)`.
    pub fn llama_cpp_version() -> String {
        context::version()
    }

    fn load(&mut self, settings: &LoadSettings, watch: &Watch, tell: &mut dyn FnMut(Event)) {
        let id = watch.id;
        // The old model goes first: two may not fit into memory.
        self.unload();
        let limit_mb = settings.memory_limit_mb.or(self.memory_limit_mb);
        let room = Room::of(limit_mb, machine::free_memory());
        let taken = machine::resident_memory();
        self.guard.set(room.map(|it| it.of_process(taken)));
        let loaded = load::load((settings, room), watch, tell);
        let within = loaded.and_then(|it| match self.guard.excess() {
            Some(message) => Err(LoadError::Failed(describe(&settings.path, &message))),
            None => Ok(it),
        });
        match within {
            Ok(mut loaded) => {
                loaded.sequence.stay_within(self.guard.clone());
                let info = Box::new(loaded.info.clone());
                self.loaded = Some(loaded);
                tell(Event::Loaded { id, info });
                return;
            }
            Err(LoadError::Failed(message)) => tell(Event::LoadFailed { id, message }),
            Err(LoadError::Cancelled) => tell(Event::LoadCancelled { id }),
        }
        // Without a model, this process takes little.
        self.guard.set(None);
    }

    fn unload(&mut self) {
        self.loaded = None;
        self.constraints = Constraints::default();
    }

    fn walk(&mut self, asked: (&Constraint, &str), watch: &Watch) -> Event {
        let id = watch.id;
        let walk = match &self.loaded {
            Some(loaded) => self.constraints.walk(asked, loaded, watch),
            None => Err(Unready::Failed(NO_MODEL.to_owned())),
        };
        match walk {
            Ok(walk) => Event::Walked {
                id,
                walk: Box::new(walk),
            },
            Err(Unready::Failed(message)) => Event::WalkFailed { id, message },
            Err(Unready::Cancelled) => Event::WalkFailed {
                id,
                message: "it was cancelled".to_owned(),
            },
        }
    }

    fn answer(&self, ask: MachineAsk, watch: &Watch, tell: &mut dyn FnMut(MachineNews)) {
        match (ask, &self.loaded) {
            (MachineAsk::Devices, _) => tell(MachineNews::Devices {
                devices: Self::devices(),
            }),
            (MachineAsk::Measure, Some(loaded)) => measuring::measure(loaded, watch, tell),
            (MachineAsk::Measure, None) => tell(MachineNews::Failed {
                message: NO_MODEL.to_owned(),
            }),
        }
    }

    fn preview(&self, id: RunId, request: &PreviewRequest) -> Event {
        let view = match &self.loaded {
            Some(it) => prompt::view((&request.prompt, None), it.desk())
                .map(|(view, _)| PromptView {
                    texts: prompt::pieces(&request.texts, it.desk()),
                    token_knobs: token_knob_report(&request.knobs, it.vocabulary.lexicon()),
                    ..view
                })
                .map_err(|it| it.to_string()),
            None => Err(NO_MODEL.to_owned()),
        };
        match view {
            Ok(view) => Event::Previewed {
                id,
                view: Box::new(view),
            },
            Err(message) => Event::PreviewFailed { id, message },
        }
    }
}

impl LlamaBackend {
    fn run(&mut self, (request, watch): (&RunRequest, &Watch), tell: &mut dyn FnMut(Event)) {
        let Some(loaded) = &mut self.loaded else {
            return tell(Event::RunFailed {
                id: watch.id,
                message: NO_MODEL.to_owned(),
            });
        };
        let guard = &self.guard;
        guard.begin_prompt();
        run::run(
            loaded,
            &mut self.constraints,
            (request, watch),
            &mut |event| {
                if matches!(event, Event::Started { .. }) {
                    guard.end_prompt();
                }
                tell(event);
            },
        );
        guard.end_prompt();
    }

    fn run_group(
        &mut self,
        (id, width, runs): (RunId, u32, &[GroupRun]),
        watch: &Watch,
        tell: &mut dyn FnMut(Event),
    ) {
        let Some(loaded) = &mut self.loaded else {
            for run in runs {
                let message = NO_MODEL.to_owned();
                tell(Event::RunFailed {
                    id: run.id,
                    message,
                });
            }
            return tell(Event::GroupFinished { id });
        };
        let asked = Asked {
            runs,
            width,
            watch,
            guard: &self.guard,
        };
        run_group(loaded, &mut self.constraints, &asked, tell);
    }
}

const NO_MODEL: &str = "no model is loaded; load one first";

impl Backend for LlamaBackend {
    fn execute(&mut self, command: Command, cancel: &Cancel, tell: &mut dyn FnMut(Event)) {
        let watch = |id| Watch {
            cancel: cancel.clone(),
            id,
            group: None,
        };
        match command {
            Command::Load { id, settings } => self.load(&settings, &watch(id), tell),
            Command::Unload => {
                self.unload();
                tell(Event::Unloaded);
            }
            Command::Preview { id, request } => {
                self.guard.begin_prompt();
                let event = self.preview(id, &request);
                self.guard.end_prompt();
                tell(event);
            }
            Command::Run { id, request } => self.run((&request, &watch(id)), tell),
            Command::RunGroup { id, width, runs } => {
                self.run_group((id, width, &runs), &watch(id), tell);
            }
            Command::Walk {
                id,
                constraint,
                text,
            } => tell(self.walk((&constraint, &text), &watch(id))),
            Command::Machine { id, ask } => {
                let mut tell = |news| {
                    let news = Box::new(news);
                    tell(Event::Machine { id, news });
                };
                self.answer(ask, &watch(id), &mut tell);
            }
            // The shared `Cancel` has heard it already.
            Command::Cancel { .. } => {}
        }
    }
}
