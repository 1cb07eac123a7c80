//! A recording: what an engine told, or replies that were made up, to be played again without a model.

use std::time::Duration;

use super::pieces::{N_VOCAB, make_tokens};
use super::scripted_machine::made_up_measurement;
use super::{Device, Event, Finish, ModelInfo, PromptView, RunId, RunTimings, StopReason};

/// What there is to play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    pub title: String,
    /// The devices that there are; the loads say what they chose of them.
    pub(super) devices: Vec<Device>,
    /// Played for each load; a made-up model when there are none.
    pub(super) load: Vec<Step>,
    /// Played for each preview; the messages one after the other when there are none.
    pub(super) preview: Vec<Step>,
    /// Played for each measurement; a made-up one when there are none.
    pub(super) measure: Vec<Step>,
    pub(super) replies: Vec<ScriptedReply>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptedReply {
    pub(super) matching: Option<String>,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) after_ms: u64,
    pub(super) deed: Deed,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Deed {
    Tell(Event),
    /// Does nothing more, and hears no cancel.
    Hang,
    /// The engine's process ends as in a crash.
    Die,
}

/// Speed of replies that are given as text.
pub(super) const TOKENS_PER_SECOND: f64 = 40.0;

/// From the start of such a reply to its first token.
const PREFILL_MS: u64 = 250;

impl Recording {
    /// Makes a recording of replies that no model wrote: cut into plausible tokens with made-up traces, the same each time.
    pub fn from_replies(replies: &[&str]) -> Self {
        let replies = replies.iter().map(|text| ScriptedReply {
            matching: None,
            steps: make_reply(text, StopReason::EndOfGeneration, TOKENS_PER_SECOND),
        });
        Self {
            title: "Made-up replies".to_owned(),
            replies: replies.collect(),
            ..Self::default()
        }
    }

    /// The same without any waiting.
    #[must_use]
    pub fn without_delays(mut self) -> Self {
        let steps = self.replies.iter_mut().flat_map(|it| &mut it.steps);
        for step in steps.chain(&mut self.load).chain(&mut self.preview) {
            step.after_ms = 0;
        }
        if self.measure.is_empty() {
            self.measure = made_up_measurement();
        }
        for step in &mut self.measure {
            step.after_ms = 0;
        }
        if self.load.is_empty() {
            self.load = vec![Step::now(loaded(&self.title))];
        }
        self
    }

    /// The same on a computer with these devices.
    #[must_use]
    pub fn with_devices(mut self, devices: Vec<Device>) -> Self {
        self.devices = devices;
        self
    }

    /// Adds an event of a live engine, told so long after the one before it. What tells of the engine itself is left out.
    pub fn record(&mut self, after_ms: u64, event: &Event) {
        let steps = match event {
            Event::LoadProgress { .. } | Event::Loaded { .. } | Event::LoadFailed { .. } => {
                if self.load.last().is_some_and(Step::is_end) {
                    self.load.clear();
                }
                &mut self.load
            }
            Event::Previewed { .. } => {
                self.preview.clear();
                &mut self.preview
            }
            Event::Started { .. } if self.is_between_stages() => match self.replies.last_mut() {
                Some(reply) => &mut reply.steps,
                None => return,
            },
            Event::Started { .. } | Event::RunFailed { .. } => {
                // What came of a reply until it is started a second time is void.
                self.replies
                    .pop_if(|it| !it.steps.last().is_some_and(Step::is_end));
                self.replies.push(ScriptedReply {
                    matching: None,
                    steps: Vec::new(),
                });
                match self.replies.last_mut() {
                    Some(reply) => &mut reply.steps,
                    None => return,
                }
            }
            Event::PrefillProgress { .. }
            | Event::Tokens { .. }
            | Event::Staged { .. }
            | Event::Finished { .. } => match self.replies.last_mut() {
                Some(reply) => &mut reply.steps,
                None => return,
            },
            _ => return,
        };
        steps.push(Step {
            after_ms,
            deed: Deed::Tell(event.clone()),
        });
    }

    /// Whether the first of two stages was the last that was recorded.
    fn is_between_stages(&self) -> bool {
        let last = self.replies.last().and_then(|it| it.steps.last());
        last.is_some_and(Step::ends_first_stage)
    }
}

impl Step {
    pub(super) fn ends_first_stage(&self) -> bool {
        matches!(self.deed, Deed::Tell(Event::Staged { .. }))
    }

    pub(super) fn now(event: Event) -> Self {
        Self {
            after_ms: 0,
            deed: Deed::Tell(event),
        }
    }

    pub(super) fn is_end(&self) -> bool {
        match &self.deed {
            Deed::Tell(event) => event.is_end(),
            Deed::Hang | Deed::Die => true,
        }
    }
}

/// The model of a recording that has none.
pub(super) fn loaded(title: &str) -> Event {
    let info = ModelInfo {
        name: title.to_owned(),
        architecture: "recording".to_owned(),
        quantization: "none".to_owned(),
        n_vocab: N_VOCAB,
        n_ctx: 8_192,
        n_ctx_train: 8_192,
        n_threads: 1,
        device: "recording".to_owned(),
        fingerprint: "recording".to_owned(),
        llama_cpp: "none".to_owned(),
        ..ModelInfo::default()
    };
    Event::Loaded {
        id: RunId(0),
        info: Box::new(info),
    }
}

/// The steps of a reply of which only the text is known. Its prompt is filled in when it is played.
pub(super) fn make_reply(text: &str, stop: StopReason, tokens_per_second: f64) -> Vec<Step> {
    let id = RunId(0);
    let token_time = Duration::from_secs_f64(1.0 / tokens_per_second);
    let tokens = make_tokens(text);
    let timings = RunTimings {
        prefill_ms: PREFILL_MS as f64,
        first_token_ms: PREFILL_MS as f64,
        decode_ms: token_time.as_secs_f64() * 1_000.0 * tokens.len() as f64,
        n_reply: tokens.len() as u32,
        ..RunTimings::default()
    };
    let mut steps = vec![Step::now(Event::Started {
        id,
        attempt: 1,
        view: Box::new(PromptView::default()),
    })];
    for (idx, token) in tokens.into_iter().enumerate() {
        let after_ms = if idx == 0 {
            PREFILL_MS
        } else {
            token_time.as_millis() as u64
        };
        let tokens = vec![token];
        steps.push(Step {
            after_ms,
            deed: Deed::Tell(Event::Tokens { id, tokens }),
        });
    }
    let finish = Finish {
        knobs: Vec::new(),
        held: super::Held::default(),
        stop,
        text: text.to_owned(),
        timings,
    };
    steps.push(Step::now(Event::Finished {
        id,
        finish: Box::new(finish),
    }));
    steps
}
