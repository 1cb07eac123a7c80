//! An engine in a child process, and the words for how a process ended.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};

use super::crash_note::LOG;
use super::link::{Link, Spawner};
use super::memory_guard;
use crate::machine;

/// Lines of the child's error output that are kept to tell of its end.
const N_LINES: usize = 40;

/// Bytes of one such line; it shall fit into a notice.
const MAX_LINE: u64 = 400;

/// How long a child whose output ended may take to end itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long to wait for the rest of the error output of a child that ended.
const STDERR_PATIENCE: Duration = Duration::from_millis(200);

/// Starts a program that serves the protocol on its standard input and output.
pub(super) struct ProcessSpawner {
    pub(super) program: PathBuf,
    pub(super) args: Vec<String>,
    pub(super) envs: Vec<(String, String)>,
}

/// The last lines of an error output.
type Lines = Arc<Mutex<VecDeque<String>>>;

impl Spawner for ProcessSpawner {
    fn spawn(&mut self) -> io::Result<Link> {
        let mut child = self
            .command()
            .spawn()
            .map_err(|it| io::Error::new(it.kind(), format!("{}: {it}", self.program.display())))?;
        let missing = || io::Error::other("the child has no pipe");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let (lines, all_read) = keep_lines(stderr)?;
        let shown = Arc::clone(&lines);
        let process = Some(child.id());
        let n_before = machine::n_killed_for_memory();
        let child = Arc::new(Mutex::new(child));
        let killed = Arc::clone(&child);
        Ok(Link {
            input: Box::new(input),
            output: Box::new(output),
            kill: Box::new(move || kill(&killed)),
            process,
            log: Box::new(move || {
                let lines = shown.lock().unwrap_or_else(PoisonError::into_inner);
                lines.iter().cloned().collect()
            }),
            wait: Box::new(move || {
                let status = wait(&child);
                // A grandchild may hold the pipe open for ever.
                all_read.recv_timeout(STDERR_PATIENCE).ok();
                let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                status.map_or_else(
                    |it| format!("ended, and its exit status is not known: {it}"),
                    |it| {
                        let is_for_memory = machine::n_killed_for_memory() > n_before;
                        describe((it, is_for_memory), last_line(&lines))
                    },
                )
            }),
        })
    }
}

impl ProcessSpawner {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            // Without it, each abort of llama.cpp starts a debugger for seconds.
            .env("GGML_NO_BACKTRACE", "1")
            // The last line of a panic's output shall be its message.
            .env("RUST_BACKTRACE", "0")
            .envs(self.envs.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(windows)]
        {
            use std::os::windows::process::CommandExt as _;
            // CREATE_NO_WINDOW: no console pops up beside the window.
            command.creation_flags(0x0800_0000);
        }
        command
    }
}

/// How a process ended, in words, with the last thing it said. The system may have ended one for taking memory
/// meanwhile.
pub(super) fn describe(
    (status, is_for_memory): (ExitStatus, bool),
    last_line: Option<&str>,
) -> String {
    if let Some(reason) = last_line.and_then(|it| it.strip_prefix(memory_guard::MARK)) {
        return format!("it stopped at its memory limit: {reason}");
    }
    if is_for_memory && signal(status) == Some(KILL) {
        return "killed by the system, which had no memory left; choose a smaller model or context, or close other programs (signal 9)".to_owned();
    }
    let (end, is_from_outside) = match (signal(status), status.code()) {
        (Some(number), _) => {
            let name = signal_name(number);
            (format!("{name} (signal {number})"), is_from_outside(number))
        }
        // Windows: the number of an exception, such as 0xc0000005.
        (None, Some(code)) if code < 0 => (format!("ended with code {code:#010x}"), false),
        (None, Some(code)) => (format!("ended with code {code}"), false),
        (None, None) => ("ended".to_owned(), false),
    };
    match last_line {
        // Whom another one killed had no last word on it.
        Some(line) if !is_from_outside => format!("{end}: {line}"),
        _ => end,
    }
}

/// The signal that cannot be caught, on every system that has signals.
const KILL: i32 = 9;

/// The last line that says something; a panic's hint at backtraces and a line of a log do not.
pub(super) fn last_line(lines: &VecDeque<String>) -> Option<&str> {
    lines.iter().rev().map(|it| it.trim()).find(|it| {
        let is_hint = it.starts_with("note: run with `RUST_BACKTRACE");
        !it.is_empty() && !is_hint && !it.starts_with(LOG)
    })
}

#[cfg(unix)]
fn signal_name(number: i32) -> &'static str {
    use rustix::process::Signal;
    // The numbers differ from system to system.
    let names = [
        (Signal::ILL, "illegal instruction"),
        (Signal::ABORT, "aborted"),
        (Signal::BUS, "bus error"),
        (Signal::FPE, "arithmetic error"),
        (Signal::KILL, "killed"),
        (Signal::SEGV, "segmentation fault"),
        (Signal::TERM, "ended by request"),
        (Signal::INT, "interrupted"),
        (Signal::HUP, "hung up"),
    ];
    names
        .iter()
        .find(|(signal, _)| signal.as_raw() == number)
        .map_or("ended", |(_, name)| name)
}

#[cfg(unix)]
fn is_from_outside(number: i32) -> bool {
    use rustix::process::Signal;
    [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP]
        .iter()
        .any(|it| it.as_raw() == number)
}

#[cfg(not(unix))]
fn is_from_outside(_number: i32) -> bool {
    false
}

#[cfg(not(unix))]
fn signal_name(_number: i32) -> &'static str {
    "ended"
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

fn keep_lines(stderr: impl Read + Send + 'static) -> io::Result<(Lines, Receiver<()>)> {
    let lines = Lines::default();
    let kept = Arc::clone(&lines);
    let (read, all_read) = bounded(1);
    thread::Builder::new()
        .name("engine stderr".to_owned())
        .spawn(move || {
            let mut stderr = BufReader::new(stderr);
            let mut bytes = Vec::new();
            // A line without end is cut into several, so that memory stays bounded.
            while let Ok(1..) = (&mut stderr).take(MAX_LINE).read_until(b'\n', &mut bytes) {
                let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() == N_LINES {
                    kept.pop_front();
                }
                kept.push_back(line);
                bytes.clear();
            }
            drop(read);
        })?;
    Ok((lines, all_read))
}

fn kill(child: &Mutex<Child>) {
    // It fails for a child that ended already, which is as good.
    drop(child.lock().unwrap_or_else(PoisonError::into_inner).kill());
}

/// Waits without holding the lock, so that the child can be killed meanwhile.
fn wait(child: &Mutex<Child>) -> io::Result<ExitStatus> {
    let step = Duration::from_millis(2);
    let mut waited = Duration::ZERO;
    loop {
        let status = child
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .try_wait()?;
        if let Some(status) = status {
            return Ok(status);
        }
        if waited >= PATIENCE {
            kill(child);
        }
        if waited >= 10 * PATIENCE {
            return Err(io::ErrorKind::TimedOut.into());
        }
        thread::sleep(step);
        waited += step;
    }
}
