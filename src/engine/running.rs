//! An engine that runs: the threads that read and write its pipes, and what is heard on them.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::crash_note::{NOTHING, Parting};
use super::frame::{self, Heard, Hello};
use super::link::Link;
use super::{Command, RunId};

/// Events of the engine that may wait for the worker, which takes them at once.
pub(super) const MAX_NEWS: usize = 64;

/// The engine that runs now.
pub(super) struct Running {
    pub(super) generation: u64,
    pub(super) commands: Sender<Command>,
    pub(super) kill: Kill,
    /// The system's number of its process, if it has one of its own.
    pub(super) process: Option<u32>,
    log: Box<dyn Fn() -> Vec<String> + Send>,
    /// What the command that it works on has it do, in words.
    pub(super) doing: String,
    /// The command's id, if it has one: a group's is not that of its replies.
    pub(super) command: Option<RunId>,
}

type Kill = Arc<dyn Fn() + Send + Sync>;

/// What a reader thread heard of its engine.
pub(super) struct News {
    pub(super) generation: u64,
    pub(super) what: What,
}

pub(super) enum What {
    Heard(Heard),
    /// The engine is gone, with the reason.
    Ended(String),
}

impl Running {
    /// Starts the threads of a link, and adds them to `threads`.
    pub(super) fn start(
        link: Link,
        (generation, news): (u64, Sender<News>),
        threads: &mut Vec<JoinHandle<()>>,
    ) -> io::Result<Self> {
        let Link {
            input,
            output,
            kill,
            process,
            log,
            wait,
        } = link;
        let kill: Kill = Arc::from(kill);
        let (commands, to_write) = bounded(MAX_NEWS);
        let on_damage = Arc::clone(&kill);
        let reader = move || {
            let damage = read(output, generation, &news);
            if damage.is_some() {
                on_damage();
            }
            let reason = wait();
            let what = What::Ended(damage.unwrap_or(reason));
            drop(news.send(News { generation, what }));
        };
        // A writer of its own, since an engine that is stopped or hangs does not read.
        let writer = move || write(input, &to_write);
        if let Err(it) = start_both(writer, reader, threads) {
            kill();
            return Err(it);
        }
        Ok(Self {
            generation,
            commands,
            kill,
            process,
            log,
            doing: NOTHING.to_owned(),
            command: None,
        })
    }

    /// What it leaves behind.
    pub(super) fn parting(self) -> Parting {
        Parting {
            doing: self.doing,
            process: self.process,
            log: (self.log)(),
        }
    }
}

fn start_both(
    writer: impl FnOnce() + Send + 'static,
    reader: impl FnOnce() + Send + 'static,
    threads: &mut Vec<JoinHandle<()>>,
) -> io::Result<()> {
    let named = |it: &str| thread::Builder::new().name(it.to_owned());
    threads.push(named("engine writer").spawn(writer)?);
    threads.push(named("engine reader").spawn(reader)?);
    Ok(())
}

/// Passes on what is told until the engine's output ends; returns what was wrong with it, if that was no plain end.
fn read(mut output: impl Read, generation: u64, news: &Sender<News>) -> Option<String> {
    if let Err(it) = frame::read_greeting(&mut output) {
        // An engine that dies at its start has nothing to say, and its exit status says more.
        return it.is_protocol().then(|| it.to_string());
    }
    loop {
        match frame::read_event(&mut output) {
            Ok(Some(heard)) => {
                let what = What::Heard(heard);
                news.send(News { generation, what }).ok()?;
            }
            Ok(None) => return None,
            Err(it) => return it.is_protocol().then(|| it.to_string()),
        }
    }
}

fn write(mut input: impl Write, commands: &Receiver<Command>) {
    let mut res = frame::write_greeting(&mut input, &Hello::ours());
    for command in commands {
        if res.is_err() {
            // The reader sees the end of the engine, with its reason.
            return;
        }
        res = frame::write_frame(&mut input, "a command", &command);
    }
}
