//! Loads models once each and asks them.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use stepladder::constraint::{Constraint, Walk};
use stepladder::engine::llama::LlamaBackend;
use stepladder::engine::{
    Backend as _, Cancel, Command, Event, Finish, GroupRun, LoadSettings, ModelInfo,
    PreviewRequest, PromptRequest, PromptView, RunId, RunRequest, TokenEvent,
};
use stepladder::prompt::{Message, Role};
use stepladder::sampling::{Knob, Knobs, TokenId};

/// A backend with its model, and what was told of the load.
pub(crate) struct Asked {
    pub(crate) backend: LlamaBackend,
    pub(crate) info: ModelInfo,
    last_id: u64,
}

/// All that was told of one run.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) view: PromptView,
    pub(crate) tokens: Vec<TokenEvent>,
    pub(crate) finish: Finish,
}

impl Told {
    pub(crate) fn ids(&self) -> Vec<TokenId> {
        self.tokens.iter().map(|it| it.token).collect()
    }

    pub(crate) fn text(&self) -> &str {
        &self.finish.text
    }
}

impl Asked {
    pub(crate) fn new(settings: LoadSettings) -> Self {
        let mut backend = LlamaBackend::new();
        let events = load(&mut backend, settings, &Cancel::default());
        let info = match events.last() {
            Some(Event::Loaded { info, .. }) => (**info).clone(),
            other => panic!("the model was not loaded: {other:?}"),
        };
        Self {
            backend,
            info,
            last_id: 1,
        }
    }

    /// Runs and gives all events; `on_event` may cancel.
    pub(crate) fn events(
        &mut self,
        request: &RunRequest,
        mut on_event: impl FnMut(&Event, &Cancel, RunId),
    ) -> Vec<Event> {
        self.last_id += 1;
        let id = RunId(self.last_id);
        let cancel = Cancel::default();
        let mut events = Vec::new();
        let command = Command::Run {
            id,
            request: Box::new(request.clone()),
        };
        self.backend.execute(command, &cancel, &mut |event| {
            on_event(&event, &cancel, id);
            events.push(event);
        });
        events
    }

    /// Runs a group and gives all events; `on_event` may cancel it.
    pub(crate) fn group_events(
        &mut self,
        width: u32,
        runs: Vec<GroupRun>,
        mut on_event: impl FnMut(&Event, &Cancel, RunId),
    ) -> Vec<Event> {
        // Behind the runs' own ids.
        let id = RunId(1_000);
        let cancel = Cancel::default();
        let mut events = Vec::new();
        let command = Command::RunGroup { id, width, runs };
        self.backend.execute(command, &cancel, &mut |event| {
            on_event(&event, &cancel, id);
            events.push(event);
        });
        events
    }

    pub(crate) fn run(&mut self, request: &RunRequest) -> Result<Told, String> {
        told(self.events(request, |_, _, _| {}))
    }

    pub(crate) fn preview(&mut self, prompt: PromptRequest) -> Result<PromptView, String> {
        self.preview_of(PreviewRequest {
            prompt,
            texts: Vec::new(),
            knobs: Knobs::neutral(),
        })
    }

    pub(crate) fn walk(&mut self, constraint: &Constraint, text: &str) -> Result<Walk, String> {
        let mut res = Err("nothing was told".to_owned());
        let command = Command::Walk {
            id: RunId(8),
            constraint: constraint.clone(),
            text: text.to_owned(),
        };
        self.backend
            .execute(command, &Cancel::default(), &mut |event| {
                res = match event {
                    Event::Walked { walk, .. } => Ok(*walk),
                    Event::WalkFailed { message, .. } => Err(message),
                    other => Err(format!("{other:?}")),
                };
            });
        res
    }

    pub(crate) fn preview_of(&mut self, request: PreviewRequest) -> Result<PromptView, String> {
        let mut res = Err("nothing was told".to_owned());
        let command = Command::Preview {
            id: RunId(7),
            request: Box::new(request),
        };
        self.backend
            .execute(command, &Cancel::default(), &mut |event| {
                res = match event {
                    Event::Previewed { view, .. } => Ok(*view),
                    Event::PreviewFailed { message, .. } => Err(message),
                    other => Err(format!("{other:?}")),
                };
            });
        res
    }
}

/// Checks the order of a run's events and puts them together.
pub(crate) fn told(events: Vec<Event>) -> Result<Told, String> {
    let mut view = None;
    let mut tokens = Vec::new();
    for event in events {
        match event {
            Event::Started { view: it, .. } => view = Some(*it),
            Event::PrefillProgress {
                n_done, n_total, ..
            } => assert!(n_done <= n_total),
            Event::Tokens { tokens: it, .. } => tokens.extend(it),
            Event::RunFailed { message, .. } => return Err(message),
            Event::Finished { finish, .. } => {
                let joined: String = tokens.iter().map(|it| it.text.as_str()).collect();
                assert_eq!(
                    joined, finish.text,
                    "the tokens' texts, joined, are the reply"
                );
                return Ok(Told {
                    view: view.unwrap_or_default(),
                    tokens,
                    finish: *finish,
                });
            }
            other => panic!("a run tells no {other:?}"),
        }
    }
    panic!("the run has no end");
}

/// The instruct model, shared by the tests.
pub(crate) fn instruct() -> MutexGuard<'static, Asked> {
    static MODEL: OnceLock<Mutex<Asked>> = OnceLock::new();
    locked(MODEL.get_or_init(|| Mutex::new(Asked::new(settings(instruct_path())))))
}

/// The base model with a large vocabulary and no chat template.
pub(crate) fn base() -> MutexGuard<'static, Asked> {
    static MODEL: OnceLock<Mutex<Asked>> = OnceLock::new();
    locked(MODEL.get_or_init(|| Mutex::new(Asked::new(settings(base_path())))))
}

pub(crate) fn instruct_path() -> PathBuf {
    path("STEPLADDER_MODEL", "SmolLM2-135M-Instruct in GGUF")
}

pub(crate) fn base_path() -> PathBuf {
    path(
        "STEPLADDER_MODEL_2",
        "Gemma 3 270M (the base model) in GGUF",
    )
}

fn path(variable: &str, what: &str) -> PathBuf {
    match std::env::var_os(variable) {
        Some(it) => it.into(),
        None => panic!("set {variable} to the path of {what}; README says where to get it"),
    }
}

fn locked(model: &'static Mutex<Asked>) -> MutexGuard<'static, Asked> {
    model.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn settings(path: impl Into<PathBuf>) -> LoadSettings {
    LoadSettings {
        path: path.into(),
        n_ctx: 2_048,
        ..LoadSettings::default()
    }
}

pub(crate) fn load(
    backend: &mut LlamaBackend,
    settings: LoadSettings,
    cancel: &Cancel,
) -> Vec<Event> {
    let mut events = Vec::new();
    let command = Command::Load {
        id: RunId(1),
        settings,
    };
    backend.execute(command, cancel, &mut |event| events.push(event));
    events
}

pub(crate) fn prompt(user: &str) -> PromptRequest {
    PromptRequest {
        messages: vec![Message {
            role: Role::User,
            content: user.to_owned(),
        }],
        ..PromptRequest::default()
    }
}

/// A greedy request of at most `max_tokens`.
pub(crate) fn greedy(user: &str, max_tokens: u32) -> RunRequest {
    RunRequest {
        prompt: prompt(user),
        knobs: knobs(&[(Knob::MaxTokens, f64::from(max_tokens))]),
        constraint: Constraint::None,
        ..RunRequest::default()
    }
}

/// Temperature 0 and the given knobs.
pub(crate) fn knobs(values: &[(Knob, f64)]) -> Knobs {
    let mut res = Knobs::neutral();
    res.set(Knob::Temperature, 0.0).unwrap();
    for (knob, value) in values {
        res.set(*knob, *value).unwrap();
    }
    res
}

/// The instruct model under another chat template, in a file that is gone when it is dropped.
pub(crate) struct Retold {
    _folder: tempfile::TempDir,
    pub(crate) asked: Asked,
}

/// Writes the template over the model's own, which must be at least as long.
pub(crate) fn with_template(source: &str) -> Retold {
    let mut bytes = std::fs::read(instruct_path()).unwrap();
    let key = b"tokenizer.chat_template";
    let at = bytes.windows(key.len()).position(|it| it == key).unwrap() + key.len();
    // Behind the key stand the value's type and its length.
    let n_old = u64::from_le_bytes(bytes[at + 4..at + 12].try_into().unwrap()) as usize;
    let n_spare = n_old.checked_sub(source.len() + "{##}".len()).unwrap();
    let padded = format!("{source}{{#{}#}}", " ".repeat(n_spare));
    bytes[at + 12..at + 12 + n_old].copy_from_slice(padded.as_bytes());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    std::fs::write(&path, bytes).unwrap();
    Retold {
        asked: Asked::new(settings(path)),
        _folder: folder,
    }
}
