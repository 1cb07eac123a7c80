//! The engine's side: cancels that overtake, and a window that is gone.

use std::io::{PipeWriter, pipe};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};

use super::super::frame::{
    Heard, Hello, Sign, read_event, read_frame, read_greeting, write_frame, write_greeting,
};
use super::super::host::serve;
use super::super::{Backend, Cancel, Command, Event, FrameError, RunId};
use super::{cancel, run};

/// Long enough for any machine; only a fault waits so long.
const PATIENCE: Duration = Duration::from_secs(20);

/// Run 1 goes on until another run's cancel was heard; every run tells whether its own was.
struct Probe {
    awaited: RunId,
}

impl Backend for Probe {
    fn execute(&mut self, command: Command, cancel: &Cancel, tell: &mut dyn FnMut(Event)) {
        let id = command.id().unwrap();
        if id == RunId(1) {
            let start = Instant::now();
            while !cancel.is_requested(self.awaited) {
                assert!(start.elapsed() < PATIENCE, "the cancel was not heard");
                std::thread::yield_now();
            }
        }
        let message = cancel.is_requested(id).to_string();
        tell(Event::RunFailed { id, message });
    }
}

/// Which runs saw their cancel, when the commands are written while run 1 goes on.
#[track_caller]
fn check_cancels(commands: &[Command], awaited: u64, expected: &[(u64, &str)]) {
    let (output, input) = start(
        Probe {
            awaited: RunId(awaited),
        },
        commands,
    );
    let mut output = output;
    read_greeting(&mut output).unwrap();
    for (id, message) in expected {
        let event = read_frame::<Event>(&mut output, "an event").unwrap();
        let expected = Event::RunFailed {
            id: RunId(*id),
            message: (*message).to_owned(),
        };
        assert_eq!(event, Some(expected));
    }
    drop(input);
}

fn start(mut backend: Probe, commands: &[Command]) -> (impl std::io::Read, PipeWriter) {
    let (hears, mut input) = pipe().unwrap();
    let (output, tells) = pipe().unwrap();
    std::thread::Builder::new()
        .spawn(move || serve(&mut backend, hears, tells, || ()))
        .unwrap();
    write_greeting(&mut input, &Hello::ours()).unwrap();
    for command in commands {
        write_frame(&mut input, "a command", command).unwrap();
    }
    (output, input)
}

#[test]
fn a_cancel_overtakes_its_waiting_run() {
    check_cancels(
        &[run(1), run(2), cancel(2)],
        2,
        &[(1, "false"), (2, "true")],
    );
}

#[test]
fn a_cancel_ends_the_run_that_goes_on() {
    check_cancels(&[run(1), cancel(1)], 1, &[(1, "true")]);
}

#[test]
fn a_late_cancel_does_not_hit_the_next_run() {
    check_cancels(
        &[run(1), cancel(1), run(2), run(3)],
        1,
        &[(1, "true"), (2, "false"), (3, "false")],
    );
}

#[test]
fn a_late_cancel_does_not_undo_a_newer_one() {
    check_cancels(
        &[run(1), cancel(3), cancel(2), run(3)],
        3,
        &[(1, "false"), (3, "true")],
    );
}

/// Works on until it is told that all is over.
struct Busy {
    started: crossbeam_channel::Sender<()>,
}

impl Backend for Busy {
    fn execute(&mut self, _: Command, cancel: &Cancel, _: &mut dyn FnMut(Event)) {
        self.started.send(()).unwrap();
        while !cancel.is_all_requested() {
            std::thread::yield_now();
        }
    }
}

/// Serves a busy backend; `part` is written after its run began, and then the window is gone.
fn abandon(part: &[u8]) -> (Receiver<()>, Receiver<Result<(), FrameError>>) {
    let (hears, mut input) = pipe().unwrap();
    let (output, tells) = pipe().unwrap();
    let (started, is_started) = bounded(1);
    let (orphaned, is_orphaned) = bounded(1);
    let (result, results) = bounded(1);
    std::thread::Builder::new()
        .spawn(move || {
            let on_orphaned = move || orphaned.send(()).unwrap();
            let _output = output;
            result.send(serve(&mut Busy { started }, hears, tells, on_orphaned))
        })
        .unwrap();
    write_greeting(&mut input, &Hello::ours()).unwrap();
    write_frame(&mut input, "a command", &run(1)).unwrap();
    is_started.recv_timeout(PATIENCE).unwrap();
    std::io::Write::write_all(&mut input, part).unwrap();
    (is_orphaned, results)
}

#[test]
fn an_engine_without_a_window_ends_in_the_middle_of_a_run() {
    let (is_orphaned, results) = abandon(b"");
    is_orphaned.recv_timeout(PATIENCE).unwrap();
    assert!(results.recv_timeout(PATIENCE).unwrap().is_ok());
}

#[test]
fn a_damaged_command_ends_the_engine_with_a_reason() {
    let (is_orphaned, results) = abandon(b"\0\0\0\0");
    is_orphaned.recv_timeout(PATIENCE).unwrap();
    let got = results.recv_timeout(PATIENCE).unwrap().unwrap_err();
    assert!(got.to_string().contains("got a length of 0"), "{got}");
}

/// Tells nothing until its run is cancelled, and beats if it is to.
struct Slow {
    beats: bool,
}

impl Backend for Slow {
    fn execute(&mut self, command: Command, cancel: &Cancel, tell: &mut dyn FnMut(Event)) {
        let id = command.id().unwrap();
        while !cancel.is_requested(id) {
            if self.beats {
                cancel.beat();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        tell(Event::LoadCancelled { id });
    }
}

/// The signs that come before and after a run's cancel.
fn signs(beats: bool) -> Vec<Sign> {
    let (hears, mut input) = pipe().unwrap();
    let (mut output, tells) = pipe().unwrap();
    std::thread::Builder::new()
        .spawn(move || serve(&mut Slow { beats }, hears, tells, || ()))
        .unwrap();
    write_greeting(&mut input, &Hello::ours()).unwrap();
    write_frame(&mut input, "a command", &run(1)).unwrap();
    read_greeting(&mut output).unwrap();
    let mut signs = Vec::new();
    loop {
        match read_event(&mut output).unwrap().unwrap() {
            Heard::Sign(sign) => signs.push(sign),
            Heard::Event(event) => {
                assert_eq!(event, Event::LoadCancelled { id: RunId(1) });
                return signs;
            }
        }
        if signs.len() == 2 {
            write_frame(&mut input, "a command", &cancel(1)).unwrap();
        }
    }
}

#[test]
fn slow_work_shows_that_it_goes_on() {
    assert_eq!(signs(true)[..2], [Sign::Working; 2]);
}

#[test]
fn a_process_whose_work_hangs_still_shows_that_it_lives() {
    assert_eq!(signs(false)[..2], [Sign::Alive; 2]);
}
