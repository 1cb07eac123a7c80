//! Records a run and its fork from a real model, to be played without it: `tests/data/ngram_fork.jsonl` is made so.
//!
//! `cargo run --example record -- MODEL.gguf OUT.jsonl`
//!
//! The shopping task's first input under greedy decoding with the n-gram ban, then from the first token that the
//! ban took the lead from, without the ban.

#[cfg(feature = "llama")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    record::main()
}

#[cfg(not(feature = "llama"))]
fn main() {}

#[cfg(feature = "llama")]
mod record {
    use std::error::Error;

    use stepladder::engine::llama::LlamaBackend;
    use stepladder::engine::{
        Backend as _, Cancel, Command, Event, LoadSettings, PreviewRequest, Recording, RunId,
        RunRequest, TokenEvent,
    };
    use stepladder::lab::shipped_presets;
    use stepladder::prompt::{Task, expected_text, shipped_tasks};
    use stepladder::runner::{Job, Text};
    use stepladder::sampling::{Knob, Stage};

    pub(super) fn main() -> Result<(), Box<dyn Error>> {
        let mut arguments = std::env::args().skip(1);
        let path = arguments.next().ok_or("name a model file")?;
        let out = arguments.next().ok_or("name a file to write")?;
        let mut recording = Recording::from_replies(&[]);
        "Shopping list, n-gram ban".clone_into(&mut recording.title);
        let mut backend = LlamaBackend::new();
        let settings = LoadSettings {
            path: path.into(),
            n_ctx: 2_048,
            n_threads: 1,
            ..LoadSettings::default()
        };
        let mut tell = |command| {
            let mut events = Vec::new();
            backend.execute(command, &Cancel::default(), &mut |it| events.push(it));
            for event in &events {
                recording.record(0, &without_place(event.clone()));
            }
            events
        };
        tell(Command::Load {
            id: RunId(1),
            settings,
        });
        let (request, answer) = request()?;
        tell(Command::Preview {
            id: RunId(4),
            request: Box::new(PreviewRequest {
                prompt: request.prompt.clone(),
                texts: vec![answer],
                knobs: request.knobs.clone(),
            }),
        });
        let run = |id, request: &RunRequest| Command::Run {
            id: RunId(id),
            request: Box::new(request.clone()),
        };
        let tokens = tokens_of(&tell(run(2, &request)));
        let is_banned = |it: &TokenEvent| {
            let mut effects = it.trace.effects.iter();
            effects.any(|it| it.stage == Stage::NoRepeatNgram && it.changed_top)
        };
        let at = tokens.iter().position(is_banned);
        let at = at.ok_or("the ban changed no token")?;
        let mut fork = request.clone();
        fork.given_tokens = tokens[..at].iter().map(|it| it.token).collect();
        fork.knobs.set(Knob::NoRepeatNgramSize, 0.0)?;
        tell(run(3, &fork));
        std::fs::write(out, recording.to_lines())?;
        Ok(())
    }

    /// What is asked, and the answer that is expected.
    fn request() -> Result<(RunRequest, String), Box<dyn Error>> {
        let (_, text) = shipped_tasks()
            .iter()
            .find(|it| it.0.contains("shopping"))
            .ok_or("no such task")?;
        let task = Task::parse(text, "shopping")?;
        let (_, text) = shipped_presets()
            .iter()
            .find(|it| it.0.contains("greedy-ngram3"))
            .ok_or("no such preset")?;
        let preset = stepladder::lab::Preset::parse(text, "greedy-ngram3")?;
        let mut request = Job::new(&preset, &task, &Text::Input(0), &[])?.request;
        request.knobs.set(Knob::MaxTokens, 60.0)?;
        let example = task.examples.first().map(|it| &it.answer);
        Ok((request, expected_text(&task.schema, example)))
    }

    fn tokens_of(events: &[Event]) -> Vec<TokenEvent> {
        let tokens = |it: &Event| match it {
            Event::Tokens { tokens, .. } => tokens.clone(),
            _ => Vec::new(),
        };
        events.iter().flat_map(tokens).collect()
    }

    /// Where the model lay is nobody's business.
    fn without_place(mut event: Event) -> Event {
        if let Event::Loaded { info, .. } = &mut event {
            let name = info.path.file_name().unwrap_or_default();
            info.path = name.into();
            info.chat_template = None;
        }
        event
    }
}
