//! The connection to a running engine, whatever it runs in, and the one that runs it on a thread.

use std::io::{self, PipeWriter, Read, Write, pipe};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{Sender, bounded};

use super::{Backend, host};

/// An engine that was started: two pipes, the means to end it, and the wait for its end.
pub(super) struct Link {
    /// Takes commands.
    pub(super) input: Box<dyn Write + Send>,
    /// Gives events.
    pub(super) output: Box<dyn Read + Send>,
    /// Ends it whatever it does. A second call does nothing.
    pub(super) kill: Box<dyn Fn() + Send + Sync>,
    /// The system's number of its process, if it has one of its own.
    pub(super) process: Option<u32>,
    /// The last lines of its log and error output.
    pub(super) log: Box<dyn Fn() -> Vec<String> + Send>,
    /// Waits for the end, and says how it came.
    pub(super) wait: Box<dyn FnOnce() -> String + Send>,
}

/// Starts engines, one after the other.
pub(super) trait Spawner: Send {
    fn spawn(&mut self) -> io::Result<Link>;
}

/// Makes the backend on the thread where it will work: llama.cpp's parameters must not be sent.
pub(super) type MakeBackend = Box<dyn FnOnce(Fate) -> Box<dyn Backend> + Send>;

/// Runs a backend on a thread of this process, over the same protocol as a child's.
pub(super) struct ThreadSpawner {
    /// Gives what the next engine is made of; none when there can be no further one.
    pub(super) next: Box<dyn FnMut() -> Option<MakeBackend> + Send>,
}

/// The end of an engine on a thread: ends it from outside, or from within as a crash would.
#[derive(Clone)]
pub(super) struct Fate {
    output: Arc<Mutex<Option<PipeWriter>>>,
    reason: Sender<String>,
}

impl Spawner for ThreadSpawner {
    fn spawn(&mut self) -> io::Result<Link> {
        let make = (self.next)().ok_or_else(|| {
            io::Error::other("an engine in this process cannot be started a second time")
        })?;
        let (commands, input) = pipe()?;
        let (output, events) = pipe()?;
        let (reason, ended) = bounded(1);
        let fate = Fate {
            output: Arc::new(Mutex::new(Some(events))),
            reason,
        };
        let inner = fate.clone();
        thread::Builder::new()
            .name("engine backend".to_owned())
            .spawn(move || {
                let _end = EndWithThread(inner.clone());
                let mut backend = make(inner.clone());
                let served = host::serve(&mut *backend, commands, inner.clone(), || ());
                inner.end(&served.map_or_else(|it| it.to_string(), |()| "ended".to_owned()));
            })?;
        Ok(Link {
            input: Box::new(input),
            output: Box::new(output),
            kill: Box::new(move || fate.end("killed (signal 9)")),
            process: None,
            log: Box::new(Vec::new),
            wait: Box::new(move || ended.recv().unwrap_or_else(|_| "ended".to_owned())),
        })
    }
}

impl Fate {
    /// Closes the engine's output with this reason; what its thread still does is heard by nobody. The first reason stays.
    pub(super) fn end(&self, reason: &str) {
        // The reason goes first: who reads the output asks for it when the output has ended.
        drop(self.reason.try_send(reason.to_owned()));
        drop(self.lock().take());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<PipeWriter>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Fate {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut output = self.lock();
        let output = output.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes a panic of the backend the engine's end.
struct EndWithThread(Fate);

impl Drop for EndWithThread {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end("the engine panicked");
        }
    }
}
