//! The engine as the window and the command line hold it: commands in, events out, and a worker thread between.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, Select, Sender, bounded};

use super::frame::{self, Hello};
use super::link::{Link, MakeBackend, Spawner, ThreadSpawner};
use super::outbox::Outbox;
use super::process::ProcessSpawner;
use super::supervisor::{Limits, Order, Supervisor};
use super::{Backend, Command, Event, Recording, ScriptedBackend};

/// Where the engine runs.
pub enum Source {
    /// In a child process, which is started again when it is lost.
    Isolated {
        program: PathBuf,
        args: Vec<String>,
        envs: Vec<(String, String)>,
    },
    /// Plays a recording on a thread; its "die" and "hang" steps are met as a child's would be.
    Scripted(Recording),
    /// On a thread of this process. A crash takes all down with it, and a cancel waits for the backend.
    InProcess(Box<dyn FnOnce() -> Box<dyn Backend> + Send>),
}

/// A running engine. Dropping it ends the child and the threads.
pub struct Engine {
    commands: Option<Sender<Command>>,
    events: Receiver<Event>,
    worker: Option<JoinHandle<()>>,
}

/// Commands that may wait for the worker, which takes them at once.
const MAX_COMMANDS: usize = 256;

/// Events of the engine that may wait for the worker, which takes them at once.
const MAX_NEWS: usize = 64;

impl Engine {
    /// Starts the worker; the engine itself starts with the first command. `wake` is called after each event, on the
    /// worker's thread.
    pub fn start(source: Source, wake: impl Fn() + Send + Sync + 'static) -> Self {
        match source {
            Source::Isolated {
                program,
                args,
                envs,
            } => {
                let spawner = ProcessSpawner {
                    program,
                    args,
                    envs,
                };
                Self::drive(Box::new(spawner), Limits::STRICT, wake)
            }
            Source::Scripted(recording) => {
                let next = move || {
                    let recording = recording.clone();
                    let make: MakeBackend = Box::new(|fate| {
                        let die = move || fate.end("aborted (signal 6): the recording says so");
                        Box::new(ScriptedBackend::new(recording, die))
                    });
                    Some(make)
                };
                let spawner = ThreadSpawner {
                    next: Box::new(next),
                };
                Self::drive(Box::new(spawner), Limits::STRICT, wake)
            }
            Source::InProcess(make) => {
                let mut make = Some(make);
                let next = move || {
                    let make = make.take()?;
                    let make: MakeBackend = Box::new(|_| make());
                    Some(make)
                };
                let spawner = ThreadSpawner {
                    next: Box::new(next),
                };
                Self::drive(Box::new(spawner), Limits::PATIENT, wake)
            }
        }
    }

    /// Hands a command over; every one but a cancel is answered by events.
    pub fn send(&self, command: Command) {
        if let Some(commands) = &self.commands {
            // Without a worker, the lost engine was told when it was started.
            drop(commands.send(command));
        }
    }

    /// What happened, in order. Tokens of one reply are merged while they wait here.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    pub(super) fn drive(
        spawner: Box<dyn Spawner>,
        limits: Limits,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let (outbox, events) = Outbox::new(wake);
        let (sender, commands) = bounded(MAX_COMMANDS);
        let (news_sender, news) = bounded(MAX_NEWS);
        let worker = Worker {
            supervisor: Supervisor::new(limits),
            spawner,
            outbox,
            news_sender,
            running: None,
            generation: 0,
            threads: Vec::new(),
        };
        let started = thread::Builder::new()
            .name("engine worker".to_owned())
            .spawn(move || worker.work(&commands, news));
        Self {
            commands: Some(sender),
            events,
            worker: started.ok(),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(worker) = self.worker.take() {
            drop(worker.join());
        }
    }
}

/// All that the worker thread owns.
struct Worker {
    supervisor: Supervisor,
    spawner: Box<dyn Spawner>,
    outbox: Outbox,
    news_sender: Sender<News>,
    running: Option<Running>,
    /// Counts the engines that were started.
    generation: u64,
    threads: Vec<JoinHandle<()>>,
}

/// The engine that runs now.
struct Running {
    generation: u64,
    commands: Sender<Command>,
    kill: Kill,
}

type Kill = Arc<dyn Fn() + Send + Sync>;

/// What a reader thread heard of its engine.
struct News {
    generation: u64,
    what: What,
}

enum What {
    Event(Event),
    /// It works on something that tells no event for long.
    Alive,
    /// The engine is gone, with the reason.
    Ended(String),
}

impl Worker {
    /// Works until nobody can send commands any more.
    fn work(mut self, commands: &Receiver<Command>, news: Receiver<News>) {
        while self.step(commands, &news) {}
        self.kill();
        // Readers that wait for room must see that nobody listens.
        drop(news);
        for thread in self.threads {
            drop(thread.join());
        }
    }

    /// Waits for one thing to happen and does what follows from it; false at the end.
    fn step(&mut self, commands: &Receiver<Command>, news: &Receiver<News>) -> bool {
        let mut select = Select::new();
        let on_command = select.recv(commands);
        select.recv(news);
        let blocked = self.outbox.blocked();
        if let Some(ready) = &blocked {
            select.send(ready);
        }
        let ready = match self.supervisor.deadline() {
            Some(deadline) => select.ready_deadline(deadline),
            None => Ok(select.ready()),
        };
        drop(select);
        let now = Instant::now();
        if ready == Ok(on_command) {
            match commands.try_recv() {
                Ok(command) => self.supervisor.on_command(command, now),
                Err(it) if it.is_disconnected() => return false,
                Err(_) => (),
            }
        }
        // All that was heard counts before the time does: we may have been kept from running ourselves.
        for news in news.try_iter().take(MAX_NEWS) {
            self.take(news, now);
            self.follow_orders(now);
        }
        self.supervisor.on_time(now);
        self.follow_orders(now);
        self.outbox.flush();
        true
    }

    fn take(&mut self, news: News, now: Instant) {
        let is_current = self
            .running
            .as_ref()
            .is_some_and(|it| it.generation == news.generation);
        match news.what {
            What::Event(event) if is_current => self.supervisor.on_event(event, now),
            What::Alive if is_current => self.supervisor.on_alive(now),
            What::Ended(reason) if is_current => {
                self.running = None;
                self.supervisor.on_lost(&reason, now);
            }
            What::Ended(_) if news.generation == self.generation => self.supervisor.on_gone(now),
            // What a killed engine still said is void.
            What::Event(_) | What::Alive | What::Ended(_) => (),
        }
    }

    fn follow_orders(&mut self, now: Instant) {
        while let Some(order) = self.supervisor.next_order() {
            match order {
                Order::Tell(event) => self.outbox.push(event),
                Order::Kill => self.kill(),
                Order::Write(command) => self.write(command, now),
            }
        }
    }

    fn kill(&mut self) {
        if let Some(running) = self.running.take() {
            (running.kill)();
        }
    }

    fn write(&mut self, command: Command, now: Instant) {
        if self.running.is_none() {
            if matches!(command, Command::Cancel { .. }) {
                return;
            }
            match self.spawn() {
                Ok(running) => self.running = Some(running),
                Err(it) => {
                    let reason = format!("the engine cannot be started: {it}");
                    self.supervisor.on_lost(&reason, now);
                    return;
                }
            }
        }
        if let Some(running) = &self.running {
            // A full channel means that the engine has stopped reading: the limits in time see to that.
            drop(running.commands.try_send(command));
        }
    }

    fn spawn(&mut self) -> std::io::Result<Running> {
        let link = self.spawner.spawn()?;
        self.generation += 1;
        let generation = self.generation;
        let Link {
            input,
            output,
            kill,
            wait,
        } = link;
        let kill: Kill = Arc::from(kill);
        let (commands, to_write) = bounded(MAX_NEWS);
        let news = self.news_sender.clone();
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
        self.threads.retain(|it| !it.is_finished());
        // A writer of its own, since an engine that is stopped or hangs does not read.
        let writer = move || write(input, &to_write);
        let started = thread::Builder::new()
            .name("engine writer".to_owned())
            .spawn(writer)
            .and_then(|it| {
                self.threads.push(it);
                thread::Builder::new()
                    .name("engine reader".to_owned())
                    .spawn(reader)
            });
        match started {
            Ok(it) => self.threads.push(it),
            Err(it) => {
                kill();
                return Err(it);
            }
        }
        Ok(Running {
            generation,
            commands,
            kill,
        })
    }
}

/// Passes events on until the engine's output ends; returns what was wrong with it, if that was no plain end.
fn read(mut output: impl Read, generation: u64, news: &Sender<News>) -> Option<String> {
    if let Err(it) = frame::read_greeting(&mut output) {
        // An engine that dies at its start has nothing to say, and its exit status says more.
        return it.is_protocol().then(|| it.to_string());
    }
    loop {
        match frame::read_event(&mut output) {
            Ok(Some(heard)) => {
                let what = match heard {
                    frame::Heard::Event(event) => What::Event(event),
                    frame::Heard::Alive => What::Alive,
                };
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
