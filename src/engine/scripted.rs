//! A backend that plays a recording: tests and demos need no model.

use std::thread;
use std::time::{Duration, Instant};

use super::pieces::{split, token_id};
use super::recording::{Deed, ScriptedReply, Step, loaded};
use super::{
    Backend, Cancel, Command, Event, Finish, LoadSettings, PromptRequest, PromptView, Recording,
    RunId, RunTimings, StopReason,
};
use crate::prompt::Message;

/// Plays the parts of a recording for the commands that come.
pub struct ScriptedBackend {
    recording: Recording,
    die: Box<dyn Fn() + Send>,
    /// Counts the runs, so that replies take turns.
    n_runs: usize,
}

/// How often a wait looks for a cancel.
const TICK: Duration = Duration::from_millis(5);

impl ScriptedBackend {
    /// `die` is what a "die" step does: it ends the engine, as a crash would.
    pub fn new(recording: Recording, die: impl Fn() + Send + 'static) -> Self {
        Self {
            recording,
            die: Box::new(die),
            n_runs: 0,
        }
    }

    fn load(&self, settings: &LoadSettings) -> Vec<Step> {
        let mut steps = self.recording.load.clone();
        if steps.is_empty() {
            let progress = [0.25, 0.5, 0.75, 1.0].map(|fraction| Step {
                after_ms: 120,
                deed: Deed::Tell(Event::LoadProgress {
                    id: RunId(0),
                    fraction,
                }),
            });
            steps.extend(progress);
            steps.push(Step::now(loaded(&self.recording.title)));
        }
        for step in &mut steps {
            if let Deed::Tell(Event::Loaded { info, .. }) = &mut step.deed {
                info.path.clone_from(&settings.path);
            }
        }
        steps
    }

    fn preview(&self, prompt: &PromptRequest) -> Vec<Step> {
        if self.recording.preview.is_empty() {
            vec![Step::now(Event::Previewed {
                id: RunId(0),
                view: Box::new(render(prompt)),
            })]
        } else {
            self.recording.preview.clone()
        }
    }

    fn run(&mut self, prompt: &PromptRequest) -> Vec<Step> {
        let turn = self.n_runs;
        self.n_runs += 1;
        let mut steps = self.choose(prompt, turn).unwrap_or_else(|| {
            let message = "the recording holds no reply".to_owned();
            let id = RunId(0);
            vec![Step::now(Event::RunFailed { id, message })]
        });
        let rendered = render(prompt);
        let n_prompt = rendered.tokens.len() as u32;
        for step in &mut steps {
            match &mut step.deed {
                Deed::Tell(Event::Started { view, .. }) if view.rendered.is_empty() => {
                    view.clone_from(&Box::new(rendered.clone()));
                }
                Deed::Tell(Event::Finished { finish, .. }) if finish.timings.n_prompt == 0 => {
                    finish.timings.n_prompt = n_prompt;
                }
                _ => (),
            }
        }
        steps
    }

    /// The replies whose text fits the prompt best take turns; where none fits, those for all prompts do, else all of them.
    fn choose(&self, prompt: &PromptRequest, turn: usize) -> Option<Vec<Step>> {
        let messages = prompt.messages.iter();
        let asked: Vec<_> = messages.map(|it| it.content.to_lowercase()).collect();
        let fit = |reply: &ScriptedReply| match &reply.matching {
            // The longer the text that occurs, the closer it fits.
            Some(text) => asked
                .iter()
                .any(|it| it.contains(&text.to_lowercase()))
                .then_some(text.len()),
            None => Some(0),
        };
        let replies = &self.recording.replies;
        let best = replies.iter().map(fit).max()?;
        let fitting: Vec<_> = replies.iter().filter(|it| fit(it) == best).collect();
        Some(fitting[turn % fitting.len()].steps.clone())
    }

    fn play(&self, steps: Vec<Step>, hearer: &mut Hearer) -> End {
        let mut text = String::new();
        for step in steps {
            if hearer.wait(Duration::from_millis(step.after_ms)) {
                return End::Cancelled(text);
            }
            match step.deed {
                Deed::Tell(event) => {
                    if let Event::Tokens { tokens, .. } = &event {
                        text.extend(tokens.iter().map(|it| it.text.as_str()));
                    }
                    (hearer.tell)(event.with_id(hearer.id));
                }
                Deed::Hang => {
                    while !hearer.cancel.is_all_requested() {
                        thread::sleep(TICK);
                    }
                    return End::Over;
                }
                Deed::Die => {
                    (self.die)();
                    return End::Over;
                }
            }
        }
        End::Over
    }
}

impl Backend for ScriptedBackend {
    fn execute(&mut self, command: Command, cancel: &Cancel, tell: &mut dyn FnMut(Event)) {
        match command {
            Command::Load { id, settings } => {
                let steps = self.load(&settings);
                let mut hearer = Hearer { id, cancel, tell };
                if let End::Cancelled(_) = self.play(steps, &mut hearer) {
                    tell(Event::LoadCancelled { id });
                }
            }
            Command::Unload => tell(Event::Unloaded),
            Command::Preview { id, prompt } => {
                let steps = self.preview(&prompt);
                self.play(steps, &mut Hearer { id, cancel, tell });
            }
            Command::Run { id, request } => {
                let steps = self.run(&request.prompt);
                let mut hearer = Hearer { id, cancel, tell };
                if let End::Cancelled(text) = self.play(steps, &mut hearer) {
                    let finish = Box::new(Finish {
                        knobs: Vec::new(),
                        stop: StopReason::Cancelled,
                        timings: RunTimings {
                            n_reply: split(&text).len() as u32,
                            ..RunTimings::default()
                        },
                        text,
                    });
                    tell(Event::Finished { id, finish });
                }
            }
            Command::Cancel { .. } => (),
        }
    }
}

/// Who asked for a part, and may cancel it.
struct Hearer<'a> {
    id: RunId,
    cancel: &'a Cancel,
    tell: &'a mut dyn FnMut(Event),
}

/// How playing a part ended.
enum End {
    Over,
    /// With the reply so far.
    Cancelled(String),
}

impl Hearer<'_> {
    /// Waits, and returns whether the wait was cancelled.
    fn wait(&self, duration: Duration) -> bool {
        let until = Instant::now() + duration;
        loop {
            if self.cancel.is_requested(self.id) {
                return true;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            thread::sleep(left.min(TICK));
        }
    }
}

/// A prompt without a template: each message under its role, and the reply's beginning.
fn render(prompt: &PromptRequest) -> PromptView {
    let message = |it: &Message| {
        let role = format!("{:?}", it.role).to_lowercase();
        format!("<|{role}|>\n{}\n", it.content)
    };
    let messages: String = prompt.messages.iter().map(message).collect();
    let rendered = format!("{messages}<|assistant|>\n{}", prompt.prefill);
    let tokens = split(&rendered).into_iter().map(token_id).collect();
    PromptView {
        rendered,
        tokens,
        warnings: Vec::new(),
    }
}
