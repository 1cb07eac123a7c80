//! The engine as the window and the command line hold it: commands in, events out, and a worker thread between.

use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, Select, Sender, bounded};

use super::crash_note::{NOTHING, Parting, deed};
use super::frame::{Heard, Sign};
use super::link::{MakeBackend, Spawner, ThreadSpawner};
use super::listening::Listening;
use super::outbox::Outbox;
use super::process::ProcessSpawner;
use super::running::{MAX_NEWS, News, Running, What};
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
    restarts: Sender<()>,
    events: Receiver<Event>,
    worker: Option<JoinHandle<()>>,
}

/// A button that starts an engine anew; without effect once the engine is dropped.
#[derive(Clone, Debug)]
pub struct Restarter(Sender<()>);

/// Commands that may wait for the worker, which takes them at once.
const MAX_COMMANDS: usize = 256;

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

    /// Starts the engine anew from whatever thread holds this, if it runs in a process that can be killed: what was
    /// asked for is answered as after any loss.
    pub fn restarter(&self) -> Restarter {
        Restarter(self.restarts.clone())
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
        let (restarts, to_restart) = bounded(1);
        let worker = Worker {
            supervisor: Supervisor::new(limits),
            spawner,
            outbox,
            news_sender,
            running: None,
            parting: None,
            listening: Listening::new(limits),
            can_kill: limits.cancel.is_some(),
            generation: 0,
            threads: Vec::new(),
        };
        let started = thread::Builder::new()
            .name("engine worker".to_owned())
            .spawn(move || worker.work((&commands, &to_restart), news));
        Self {
            commands: Some(sender),
            restarts,
            events,
            worker: started.ok(),
        }
    }
}

impl PartialEq for Restarter {
    /// Whether both start the same engine.
    fn eq(&self, other: &Self) -> bool {
        self.0.same_channel(&other.0)
    }
}

impl Restarter {
    pub fn press(&self) {
        // A press that waits already does what a second one would.
        if self.0.try_send(()).is_err() {}
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
    /// What the engine left behind that was lost or killed last, until its loss is told.
    parting: Option<Parting>,
    listening: Listening,
    /// Whether an engine that is ended can be started again.
    can_kill: bool,
    /// Counts the engines that were started.
    generation: u64,
    threads: Vec<JoinHandle<()>>,
}

impl Worker {
    /// Works until nobody can send commands any more.
    fn work(mut self, asked: (&Receiver<Command>, &Receiver<()>), news: Receiver<News>) {
        while self.step(asked, &news) {}
        self.kill(Instant::now());
        // Readers that wait for room must see that nobody listens.
        drop(news);
        for thread in self.threads {
            drop(thread.join());
        }
    }

    /// Waits for one thing to happen and does what follows from it; false at the end.
    fn step(
        &mut self,
        (commands, restarts): (&Receiver<Command>, &Receiver<()>),
        news: &Receiver<News>,
    ) -> bool {
        let mut select = Select::new();
        let on_command = select.recv(commands);
        select.recv(news);
        select.recv(restarts);
        let blocked = self.outbox.blocked();
        if let Some(ready) = &blocked {
            select.send(ready);
        }
        let deadlines = [self.supervisor.deadline(), self.listening.deadline()];
        let ready = match deadlines.into_iter().flatten().min() {
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
        if restarts.try_recv().is_ok() {
            self.restart(now);
            self.follow_orders(now);
        }
        // All that was heard counts before the time does: we may have been kept from running ourselves.
        for news in news.try_iter().take(MAX_NEWS) {
            self.take(news, now);
            self.follow_orders(now);
        }
        self.on_time(now);
        self.follow_orders(now);
        self.outbox.flush();
        true
    }

    fn take(&mut self, news: News, now: Instant) {
        let is_current = self
            .running
            .as_ref()
            .is_some_and(|it| it.generation == news.generation);
        if is_current {
            let is_bare = matches!(news.what, What::Heard(Heard::Sign(Sign::Alive)));
            self.listening.on_news(is_bare, now);
            self.tell_silence(now);
        }
        match news.what {
            What::Heard(Heard::Event(event)) if is_current => {
                if let Some(running) = &mut self.running
                    && event.is_end()
                    && event.id() == running.command
                {
                    NOTHING.clone_into(&mut running.doing);
                    self.listening.on_reply_end();
                }
                self.supervisor.on_event(event, now);
            }
            What::Heard(Heard::Sign(Sign::Working)) if is_current => self.supervisor.on_alive(now),
            What::Ended(reason) if is_current => {
                self.parting = self.running.take().map(Running::parting);
                self.listening.on_end();
                self.tell_silence(now);
                self.supervisor.on_lost(&reason, now);
            }
            What::Ended(_) if news.generation == self.generation => self.supervisor.on_gone(now),
            // What a killed engine still said is void.
            What::Heard(_) | What::Ended(_) => (),
        }
    }

    fn follow_orders(&mut self, now: Instant) {
        while let Some(order) = self.supervisor.next_order() {
            match order {
                Order::Tell(event) => self.tell(event),
                Order::Kill => self.kill(now),
                Order::Write(command) => self.write(command, now),
            }
        }
    }

    /// Tells an event; before that of a loss, what is known of it.
    fn tell(&mut self, event: Event) {
        let reason = match &event {
            Event::EngineLost { reason } => Some(reason),
            Event::LoadFailed { message, .. } => Some(message),
            _ => None,
        };
        if let Some(reason) = reason
            && let Some(parting) = self.parting.take()
        {
            let note = Box::new(parting.note(reason));
            self.outbox.push(Event::CrashNoted { note });
        }
        self.outbox.push(event);
    }

    fn kill(&mut self, now: Instant) {
        if let Some(running) = self.running.take() {
            (running.kill)();
            self.parting = Some(running.parting());
            self.listening.on_end();
            self.tell_silence(now);
        }
    }

    fn write(&mut self, command: Command, now: Instant) {
        if self.running.is_none() {
            if matches!(command, Command::Cancel { .. }) {
                return;
            }
            match self.spawn(now) {
                Ok(running) => self.running = Some(running),
                Err(it) => {
                    let reason = format!("the engine cannot be started: {it}");
                    self.supervisor.on_lost(&reason, now);
                    return;
                }
            }
        }
        if let Some(running) = &mut self.running {
            if !matches!(command, Command::Cancel { .. }) {
                running.doing = deed(&command);
                running.command = command.id();
            }
            if matches!(command, Command::Run { .. } | Command::RunGroup { .. }) {
                self.listening.on_reply(now);
            }
            // A full channel means that the engine has stopped reading: the limits in time see to that.
            drop(running.commands.try_send(command));
        }
    }

    fn spawn(&mut self, now: Instant) -> std::io::Result<Running> {
        let link = self.spawner.spawn()?;
        self.parting = None;
        self.generation += 1;
        self.threads.retain(|it| !it.is_finished());
        let running = Running::start(
            link,
            (self.generation, self.news_sender.clone()),
            &mut self.threads,
        )?;
        self.listening.on_process(now);
        Ok(running)
    }

    /// Starts the engine anew, as somebody wishes who sees it hang.
    fn restart(&mut self, now: Instant) {
        if self.running.is_some() && self.can_kill {
            self.supervisor.give_up("it was restarted by hand", now);
        }
    }

    /// Tells that a silence begins, becomes another, or is over.
    fn tell_silence(&mut self, now: Instant) {
        let process = self.running.as_ref().and_then(|it| it.process);
        if let Some(event) = self.listening.change(process) {
            self.supervisor.on_alive(now);
            self.outbox.push(event);
        }
    }

    fn on_time(&mut self, now: Instant) {
        self.listening.on_time(now);
        self.tell_silence(now);
        if self.listening.is_stopped() {
            // Who may be stopped on purpose is not to be killed for making no progress.
            self.supervisor.on_alive(now);
        }
        self.supervisor.on_time(now);
    }
}
