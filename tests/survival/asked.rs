//! A real engine in its process, asked for one thing after the other.

use std::path::Path;

use stepladder::engine::{
    Command, Engine, Event, LoadSettings, PreviewRequest, PromptRequest, RunId, RunRequest, Source,
    StopReason,
};
use stepladder::prompt::{Message, Role};
use stepladder::sampling::{Knob, Knobs};

use super::PATIENCE;

/// What came of a file or a prompt.
#[derive(Debug, PartialEq)]
pub(crate) enum Answer {
    /// The model was not loaded.
    Refused(String),
    /// The reply could not begin, or not go on.
    Failed(String),
    /// The reply's engine was lost, twice or with its model.
    Lost(String),
    Written(String),
}

pub(crate) struct Asked {
    engine: Engine,
    last_id: u64,
    losses: Vec<String>,
}

impl Asked {
    pub(crate) fn new() -> Self {
        Self::with_envs(&[])
    }

    pub(crate) fn with_envs(envs: &[(&str, &str)]) -> Self {
        let envs = envs.iter().map(|it| (it.0.to_owned(), it.1.to_owned()));
        let source = Source::Isolated {
            program: env!("CARGO_BIN_EXE_stepladder").into(),
            args: vec!["engine".to_owned()],
            envs: envs.collect(),
        };
        Self {
            engine: Engine::start(source, || ()),
            last_id: 0,
            losses: Vec::new(),
        }
    }

    /// Reasons of all losses until now.
    pub(crate) fn losses(&self) -> &[String] {
        &self.losses
    }

    /// Loads a model and lets it write a few tokens.
    pub(crate) fn ask(&mut self, path: &Path) -> Answer {
        match self.load(path) {
            Ok(()) => self.reply("Hello"),
            Err(message) => Answer::Refused(message),
        }
    }

    pub(crate) fn load(&mut self, path: &Path) -> Result<(), String> {
        self.load_with(LoadSettings {
            path: path.to_owned(),
            n_ctx: 256,
            n_threads: 1,
            ..LoadSettings::default()
        })
    }

    pub(crate) fn load_with(&mut self, settings: LoadSettings) -> Result<(), String> {
        let id = self.next_id();
        self.engine.send(Command::Load { id, settings });
        match self.until_end(id) {
            Event::Loaded { .. } => Ok(()),
            Event::LoadFailed { message, .. } => Err(message),
            other => panic!("{other:?}"),
        }
    }

    /// Four tokens, greedily.
    pub(crate) fn reply(&mut self, text: &str) -> Answer {
        let mut knobs = Knobs::neutral();
        knobs.set(Knob::Temperature, 0.0).unwrap();
        knobs.set(Knob::MaxTokens, 4.0).unwrap();
        let id = self.next_id();
        let request = Box::new(RunRequest {
            prompt: prompt(text),
            knobs,
            ..RunRequest::default()
        });
        self.engine.send(Command::Run { id, request });
        match self.until_end(id) {
            Event::RunFailed { message, .. } => Answer::Failed(message),
            Event::Finished { finish, .. } => match finish.stop {
                StopReason::EngineLost { reason } => Answer::Lost(reason),
                _ => Answer::Written(finish.text),
            },
            other => panic!("{other:?}"),
        }
    }

    /// The prompt as the model's own template makes it.
    pub(crate) fn preview(&mut self, text: &str) -> Result<String, String> {
        let id = self.next_id();
        let request = Box::new(PreviewRequest {
            prompt: prompt(text),
            texts: Vec::new(),
            knobs: Knobs::neutral(),
        });
        self.engine.send(Command::Preview { id, request });
        match self.until_end(id) {
            Event::Previewed { view, .. } => Ok(view.rendered),
            Event::PreviewFailed { message, .. } => Err(message),
            other => panic!("{other:?}"),
        }
    }

    fn next_id(&mut self) -> RunId {
        self.last_id += 1;
        RunId(self.last_id)
    }

    fn until_end(&mut self, id: RunId) -> Event {
        loop {
            let event = self.engine.events().recv_timeout(PATIENCE).unwrap();
            if let Event::EngineLost { reason } = &event {
                self.losses.push(reason.clone());
            }
            if event.is_end() && event.id() == Some(id) {
                return event;
            }
        }
    }
}

fn prompt(text: &str) -> PromptRequest {
    let content = text.to_owned();
    PromptRequest {
        messages: vec![Message {
            role: Role::User,
            content,
        }],
        ..PromptRequest::default()
    }
}
