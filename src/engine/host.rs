//! The engine's side of the pipe: hears commands on one thread, executes them on another, tells events.

use std::io::{Read, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};

use super::frame::{self, FrameError, Hello, Sign};
use super::{Backend, Cancel, Command, Event};

/// Commands that may wait while one is executed. The window's side keeps its own queue and sends one at a time.
const MAX_WAITING: usize = 64;

/// How often the process shows that it lives, and its work that it goes on, if it does.
const PULSE: Duration = Duration::from_secs(1);

/// Executes the commands that come in until the input ends.
///
/// When it ends, nobody is left to listen: running commands are cancelled and `on_orphaned` is called on the
/// thread that reads, even while the backend is deep in a decode or a load. An engine's process ends itself there.
pub fn serve(
    backend: &mut dyn Backend,
    mut input: impl Read + Send + 'static,
    mut output: impl Write + Send,
    on_orphaned: impl FnOnce() + Send + 'static,
) -> Result<(), FrameError> {
    frame::write_greeting(&mut output, &Hello::ours())?;
    frame::read_greeting(&mut input)?;
    let cancel = Cancel::default();
    let (commands, waiting) = bounded(MAX_WAITING);
    let heard = cancel.clone();
    let reader = thread::Builder::new()
        .name("engine input".to_owned())
        .spawn(move || {
            let res = hear(&mut input, &commands, &heard);
            heard.request_all();
            on_orphaned();
            res
        })?;
    let output = Mutex::new(output);
    let (at_end, ended) = bounded::<()>(0);
    thread::scope(|scope| {
        let at_end = at_end;
        thread::Builder::new()
            .name("engine pulse".to_owned())
            .spawn_scoped(scope, || pulse(&cancel, &output, &ended))?;
        for command in waiting {
            execute(backend, command, &cancel, &output)?;
        }
        drop(at_end);
        Ok::<_, FrameError>(())
    })?;
    reader.join().unwrap_or(Ok(()))
}

/// Ends this process at once and without a trace: no destructor of a library waits for a thread that computes.
pub fn end_process() {
    #[cfg(unix)]
    {
        use rustix::process::{Signal, getpid, kill_process};
        if kill_process(getpid(), Signal::KILL).is_ok() {
            thread::park();
        }
    }
    std::process::exit(0);
}

/// Dies as llama.cpp does when an assertion fails; what a recording's "die" step does to a real engine process.
pub fn abort_process() {
    std::process::abort();
}

fn hear(
    input: &mut impl Read,
    commands: &Sender<Command>,
    cancel: &Cancel,
) -> Result<(), FrameError> {
    while let Some(command) = frame::read_frame(input, "a command")? {
        // A cancel never queues: it must reach the command that runs, or one that still waits.
        if let Command::Cancel { id } = command {
            cancel.request(id);
            continue;
        }
        match commands.try_send(command) {
            Ok(()) => (),
            Err(TrySendError::Full(_)) => return Err(FrameError::TooManyCommands(MAX_WAITING)),
            Err(TrySendError::Disconnected(_)) => break,
        }
    }
    Ok(())
}

/// Passes signs of life on until the host ends or nobody listens: a process that is stopped passes none.
fn pulse(cancel: &Cancel, output: &Mutex<impl Write>, ended: &Receiver<()>) {
    let mut told = cancel.n_beats();
    while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(PULSE) {
        let n_beats = cancel.n_beats();
        let sign = if n_beats == told {
            Sign::Alive
        } else {
            Sign::Working
        };
        if frame::write_sign(&mut *lock(output), sign).is_err() {
            return;
        }
        told = n_beats;
    }
}

fn lock<T>(output: &Mutex<T>) -> MutexGuard<'_, T> {
    output.lock().unwrap_or_else(PoisonError::into_inner)
}

fn execute(
    backend: &mut dyn Backend,
    command: Command,
    cancel: &Cancel,
    output: &Mutex<impl Write>,
) -> Result<(), FrameError> {
    let mut res = Ok(());
    backend.execute(command, cancel, &mut |event: Event| {
        if res.is_ok() {
            res = frame::write_event(&mut *lock(output), &event);
            if res.is_err() {
                cancel.request_all();
            }
        }
    });
    res
}
