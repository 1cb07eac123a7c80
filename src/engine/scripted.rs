//! A backend that plays a recording: tests and demos need no model.

use std::thread;
use std::time::{Duration, Instant};

use super::pieces::{split, token_id};
use super::recording::{Deed, ScriptedReply, Step, loaded};
use super::scripted_machine;
use super::{
    Backend, Cancel, Command, Event, Finish, LoadSettings, MachineNews, Piece, PromptRequest,
    PromptView, Recording, RunId, RunRequest, RunTimings, StopReason, TokenEvent,
};
use crate::constraint::{self, Constraint, Legs, TokenTrie};
use crate::prompt::Message;
use crate::sampling::TokenId;

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
        scripted_machine::put_device(&mut steps, &self.recording.devices, settings);
        steps
    }

    fn preview(&self, prompt: &PromptRequest, texts: &[String]) -> Vec<Step> {
        let mut steps = self.recording.preview.clone();
        if steps.is_empty() {
            steps.push(Step::now(Event::Previewed {
                id: RunId(0),
                view: Box::new(render(prompt)),
            }));
        }
        for step in &mut steps {
            if let Deed::Tell(Event::Previewed { view, .. }) = &mut step.deed
                && view.texts.is_empty()
            {
                view.texts = texts.iter().map(|it| pieces(it)).collect();
            }
        }
        steps
    }

    fn run(&mut self, request: &RunRequest) -> Vec<Step> {
        let turn = self.n_runs;
        self.n_runs += 1;
        let prompt = &request.prompt;
        let mut steps = self.choose(request, turn).unwrap_or_else(|message| {
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

    fn run_one(&mut self, request: &RunRequest, mut hearer: Hearer<'_>) {
        let steps = self.run(request);
        let End::Cancelled(text) = self.play(steps, &mut hearer) else {
            return;
        };
        let finish = Box::new(Finish {
            knobs: Vec::new(),
            held: super::Held::default(),
            stop: StopReason::Cancelled,
            timings: RunTimings {
                n_reply: split(&text).len() as u32,
                ..RunTimings::default()
            },
            text,
        });
        let id = hearer.id;
        (hearer.tell)(Event::Finished { id, finish });
    }

    /// The replies whose text fits the prompt best take turns; where none fits, those for all prompts do, else all of
    /// them. Where the request gives the first tokens, only replies that begin with them can come.
    fn choose(&self, request: &RunRequest, turn: usize) -> Result<Vec<Step>, String> {
        let messages = request.prompt.messages.iter();
        let asked: Vec<_> = messages.map(|it| it.content.to_lowercase()).collect();
        let fit = |reply: &ScriptedReply| match &reply.matching {
            // The longer the text that occurs, the closer it fits.
            Some(text) => asked
                .iter()
                .any(|it| it.contains(&text.to_lowercase()))
                .then_some(text.len()),
            None => Some(0),
        };
        let given = &request.given_tokens;
        let replies = self.recording.replies.iter();
        let replies: Vec<_> = replies.filter(|it| begins_with(it, given)).collect();
        let best = replies.iter().map(|it| fit(it)).max();
        let Some(best) = best else {
            return Err(match given.len() {
                0 => "the recording holds no reply".to_owned(),
                n => format!("the recording holds no reply that begins with these {n} tokens"),
            });
        };
        let fitting: Vec<_> = replies.iter().filter(|it| fit(it) == best).collect();
        let mut steps = fitting[turn % fitting.len()].steps.clone();
        mark_given(&mut steps, given.len());
        Ok(steps)
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
                let mut hearer = Hearer::new(id, cancel, tell);
                if let End::Cancelled(_) = self.play(steps, &mut hearer) {
                    tell(Event::LoadCancelled { id });
                }
            }
            Command::Unload => tell(Event::Unloaded),
            Command::Preview { id, request } => {
                let steps = self.preview(&request.prompt, &request.texts);
                self.play(steps, &mut Hearer::new(id, cancel, tell));
            }
            Command::Run { id, request } => {
                let hearer = Hearer::new(id, cancel, tell);
                self.run_one(&request, hearer);
            }
            Command::RunGroup { id, runs, .. } => {
                for run in runs {
                    let hearer = Hearer {
                        asked: id,
                        ..Hearer::new(run.id, cancel, tell)
                    };
                    self.run_one(&run.request, hearer);
                }
                tell(Event::GroupFinished { id });
            }
            Command::Walk {
                id,
                constraint,
                text,
            } => tell(walk(id, &constraint, &text)),
            Command::Machine { id, ask } => {
                let steps = scripted_machine::answer(&self.recording, ask);
                let mut hearer = Hearer::new(id, cancel, tell);
                if let End::Cancelled(_) = self.play(steps, &mut hearer) {
                    let news = Box::new(MachineNews::Cancelled);
                    tell(Event::Machine { id, news });
                }
            }
            Command::Cancel { .. } => (),
        }
    }
}

/// Byte by byte: a recording has no vocabulary.
fn walk(id: RunId, constraint: &Constraint, text: &str) -> Event {
    let walked = TokenTrie::of_bytes().and_then(|trie| {
        let started = Instant::now();
        let legs = Legs {
            trie: &trie,
            tokenize: &|_, _| Vec::new(),
            clock: &|| started.elapsed().as_secs_f64() * 1e6,
        };
        constraint::walk(constraint, text, legs).map_err(|it| it.to_string())
    });
    match walked {
        Ok(walk) => Event::Walked {
            id,
            walk: Box::new(walk.unwrap_or_default()),
        },
        Err(message) => Event::WalkFailed { id, message },
    }
}

/// Who asked for a part, and may cancel it.
struct Hearer<'a> {
    id: RunId,
    /// What can be cancelled: the part itself, or the group that it belongs to.
    asked: RunId,
    cancel: &'a Cancel,
    tell: &'a mut dyn FnMut(Event),
}

/// How playing a part ended.
enum End {
    Over,
    /// With the reply so far.
    Cancelled(String),
}

impl<'a> Hearer<'a> {
    fn new(id: RunId, cancel: &'a Cancel, tell: &'a mut dyn FnMut(Event)) -> Self {
        Self {
            id,
            asked: id,
            cancel,
            tell,
        }
    }

    /// Waits, and returns whether the wait was cancelled.
    fn wait(&self, duration: Duration) -> bool {
        let until = Instant::now() + duration;
        loop {
            if self.cancel.is_requested(self.asked) {
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

fn begins_with(reply: &ScriptedReply, given: &[TokenId]) -> bool {
    let own = &reply.steps[start_of_reply(&reply.steps)..];
    let mut tokens = own.iter().flat_map(tokens_of).map(|it| it.token);
    given.iter().all(|it| tokens.next() == Some(*it))
}

/// The step behind the first of two stages.
fn start_of_reply(steps: &[Step]) -> usize {
    let staged = steps.iter().rposition(Step::ends_first_stage);
    staged.map_or(0, |it| it + 1)
}

fn tokens_of(step: &Step) -> &[TokenEvent] {
    match &step.deed {
        Deed::Tell(Event::Tokens { tokens, .. }) => tokens,
        _ => &[],
    }
}

/// The first `n` tokens of a reply were given, so they come without waiting.
fn mark_given(steps: &mut [Step], n: usize) {
    let mut n_left = n;
    let start = start_of_reply(steps);
    for step in &mut steps[start..] {
        if let Deed::Tell(Event::Tokens { tokens, .. }) = &mut step.deed {
            if n_left > 0 {
                step.after_ms = 0;
            }
            let n_here = n_left.min(tokens.len());
            for token in &mut tokens[..n_here] {
                token.given = true;
            }
            n_left -= n_here;
        }
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let piece = |it: &str| Piece {
        token: token_id(it),
        bytes: it.as_bytes().to_vec(),
    };
    split(text).into_iter().map(piece).collect()
}

/// A prompt without a template: each message under its role, and the reply's beginning.
fn render(prompt: &PromptRequest) -> PromptView {
    let message = |it: &Message| {
        let role = format!("{:?}", it.role).to_lowercase();
        format!("<|{role}|>\n{}\n", it.content)
    };
    let messages: String = prompt.messages.iter().map(message).collect();
    let rendered = format!("{messages}<|assistant|>\n{}", prompt.prefill);
    let pieces = split(&rendered);
    let ends = pieces.iter().scan(0, |at, it| {
        *at += it.len() as u32;
        Some(*at)
    });
    PromptView {
        ends: ends.collect(),
        tokens: pieces.iter().map(|it| token_id(it)).collect(),
        rendered: rendered.clone(),
        ..PromptView::default()
    }
}
