//! The engine as its user holds it: real threads and pipes, and a backend that misbehaves on demand.

use std::io;
use std::time::Duration;

use super::super::frame::{Hello, PROTOCOL, write_greeting};
use super::super::link::{Fate, Link, MakeBackend, Spawner, ThreadSpawner};
use super::super::outbox::Outbox;
use super::super::supervisor::Limits;
use super::super::{Backend, Cancel, Command, Engine, Event, Recording, RunId, Source, StopReason};
use super::recording::token;
use super::{cancel, load, run, run_on};

/// Long enough for any machine; only a fault waits so long.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// The next event but for crash notes, which have their own tests.
pub(super) fn next(engine: &Engine) -> Event {
    loop {
        match engine.events().recv_timeout(PATIENCE).unwrap() {
            Event::CrashNoted { .. } => {}
            event => return event,
        }
    }
}

/// All events up to the one that ends the load or run.
fn until_end(engine: &Engine, id: u64) -> Vec<Event> {
    let mut res = Vec::new();
    loop {
        res.push(next(engine));
        if let Some(last) = res.last()
            && last.is_end()
            && last.id() == Some(RunId(id))
        {
            return res;
        }
    }
}

#[track_caller]
fn check_finish(events: &[Event], expected: &StopReason, text: &str) {
    let Some(Event::Finished { finish, .. }) = events.last() else {
        panic!("{events:?}")
    };
    assert_eq!((&finish.stop, finish.text.as_str()), (expected, text));
}

fn attempts(events: &[Event]) -> Vec<u32> {
    let attempt = |it: &Event| match it {
        Event::Started { attempt, .. } => Some(*attempt),
        _ => None,
    };
    events.iter().filter_map(attempt).collect()
}

fn losses(events: &[Event]) -> Vec<String> {
    let reason = |it: &Event| match it {
        Event::EngineLost { reason } => Some(reason.clone()),
        _ => None,
    };
    events.iter().filter_map(reason).collect()
}

/// Does what the run's message says.
struct Puppet {
    fate: Fate,
}

impl Backend for Puppet {
    fn execute(&mut self, command: Command, cancel: &Cancel, tell: &mut dyn FnMut(Event)) {
        let Command::Run { id, request } = command else {
            if let Command::Load { id, .. } = command {
                tell(Event::Loaded {
                    id,
                    info: Box::default(),
                });
            }
            return;
        };
        let tokens = vec![token("a")];
        tell(Event::Started {
            id,
            attempt: 1,
            view: Box::default(),
        });
        tell(Event::Tokens { id, tokens });
        match request.prompt.messages[0].content.as_str() {
            "panic" => panic!("on demand"),
            "die" => self.fate.end("segmentation fault (signal 11)"),
            _ => {
                // Deaf to the cancel of its own run.
                while !cancel.is_all_requested() {
                    std::thread::yield_now();
                }
            }
        }
    }
}

fn puppet(limits: Limits) -> Engine {
    let next = || {
        let make: MakeBackend = Box::new(|fate| Box::new(Puppet { fate }));
        Some(make)
    };
    Engine::drive(
        Box::new(ThreadSpawner {
            next: Box::new(next),
        }),
        limits,
        || (),
    )
}

#[test]
fn a_recording_is_played_through_the_whole_engine() {
    let recording = Recording::from_replies(&["{\"ok\": true}"]).without_delays();
    let engine = Engine::start(Source::Scripted(recording), || ());
    engine.send(load(1));
    engine.send(run(2));
    let events = until_end(&engine, 2);
    assert!(matches!(events[0], Event::Loaded { id: RunId(1), .. }));
    check_finish(&events, &StopReason::EndOfGeneration, "{\"ok\": true}");
}

#[test]
fn a_backend_of_this_process_needs_no_child() {
    let make = || -> Box<dyn Backend> {
        let recording = Recording::from_replies(&["x"]).without_delays();
        Box::new(super::super::ScriptedBackend::new(recording, || ()))
    };
    let engine = Engine::start(Source::InProcess(Box::new(make)), || ());
    engine.send(run(1));
    check_finish(&until_end(&engine, 1), &StopReason::EndOfGeneration, "x");
}

#[test]
fn a_cancel_ends_a_backend_that_is_deaf() {
    let engine = puppet(Limits::STRICT);
    engine.send(load(1));
    engine.send(run(2));
    while !matches!(next(&engine), Event::Tokens { .. }) {}
    engine.send(cancel(2));
    let events = until_end(&engine, 2);
    check_finish(&events, &StopReason::Cancelled, "a");
    assert_eq!(events.len(), 1);
    engine.send(run_on(3, "die"));
    assert_eq!(attempts(&until_end(&engine, 3)), [1, 2]);
}

#[test]
fn a_run_that_kills_twice_ends_as_lost() {
    let engine = puppet(Limits::STRICT);
    engine.send(load(1));
    engine.send(run_on(2, "die"));
    let events = until_end(&engine, 2);
    let reason = "segmentation fault (signal 11)".to_owned();
    assert_eq!(attempts(&events), [1, 2]);
    assert_eq!(losses(&events), [reason.as_str(); 2]);
    check_finish(&events, &StopReason::EngineLost { reason }, "a");
}

#[test]
fn a_panic_is_a_loss_with_a_reason() {
    let engine = puppet(Limits::STRICT);
    engine.send(run_on(1, "panic"));
    let events = until_end(&engine, 1);
    assert_eq!(losses(&events), ["the engine panicked"; 2]);
}

#[test]
fn a_hang_is_a_loss_with_a_reason() {
    let engine = puppet(Limits {
        silence: Some(Duration::from_millis(300)),
        ..Limits::STRICT
    });
    engine.send(run(1));
    let events = until_end(&engine, 1);
    assert_eq!(attempts(&events), [1, 2]);
    assert_eq!(losses(&events), ["hung: nothing heard for 300ms"; 2]);
}

#[test]
fn a_dropped_engine_ends_a_backend_that_is_deaf() {
    let engine = puppet(Limits::STRICT);
    engine.send(run(1));
    while !matches!(next(&engine), Event::Tokens { .. }) {}
    drop(engine);
}

#[test]
fn a_recording_dies_and_hangs_as_a_child_would() {
    let lines = "{\"v\":1,\"recording\":\"x\"}\n{\"for\":\"run\"}\n{\"do\":\"die\"}";
    let engine = Engine::start(Source::Scripted(Recording::parse(lines).unwrap()), || ());
    engine.send(run(1));
    let reason = "aborted (signal 6): the recording says so".to_owned();
    check_finish(
        &until_end(&engine, 1),
        &StopReason::EngineLost { reason },
        "",
    );
}

/// An engine of which only the output is known.
struct Echo(Vec<u8>);

impl Spawner for Echo {
    fn spawn(&mut self) -> io::Result<Link> {
        Ok(Link {
            input: Box::new(io::sink()),
            output: Box::new(io::Cursor::new(self.0.clone())),
            kill: Box::new(|| ()),
            process: None,
            log: Box::new(Vec::new),
            wait: Box::new(|| "ended with code 0".to_owned()),
        })
    }
}

#[track_caller]
pub(super) fn check_load_fails(spawner: impl Spawner + 'static, expected: &str) {
    let engine = Engine::drive(Box::new(spawner), Limits::STRICT, || ());
    engine.send(load(1));
    let Event::LoadFailed { message, .. } = next(&engine) else {
        panic!("no failure")
    };
    assert_eq!(message, expected);
}

#[test]
fn an_engine_of_another_version_is_refused() {
    let mut output = Vec::new();
    let app = "99.0.0".to_owned();
    write_greeting(&mut output, &Hello { protocol: 99, app }).unwrap();
    let expected = format!(
        "expected protocol {PROTOCOL} of Stepladder {}, got protocol 99 of Stepladder 99.0.0; start Stepladder again",
        env!("CARGO_PKG_VERSION"),
    );
    check_load_fails(Echo(output), &expected);
}

#[test]
fn a_program_that_is_no_engine_is_refused() {
    check_load_fails(
        Echo(b"hello world".to_vec()),
        "expected the greeting \"STL1\", got \"hell\"",
    );
}

#[test]
fn an_engine_that_breaks_off_is_explained_by_its_end() {
    check_load_fails(Echo(b"ST".to_vec()), "ended with code 0");
}

#[test]
fn a_program_that_is_missing_is_named() {
    let engine = Engine::start(
        Source::Isolated {
            program: "/nowhere/stepladder".into(),
            args: Vec::new(),
            envs: Vec::new(),
        },
        || (),
    );
    engine.send(load(1));
    let Event::LoadFailed { message, .. } = next(&engine) else {
        panic!("no failure")
    };
    assert!(
        message.starts_with("the engine cannot be started: /nowhere/stepladder: "),
        "{message}"
    );
}

#[test]
fn tokens_are_merged_for_a_slow_listener_and_none_is_lost() {
    let (mut outbox, events) = Outbox::new(|| ());
    for idx in 0..2_000_u32 {
        let mut token = token("a");
        token.token = idx;
        outbox.push(Event::Tokens {
            id: RunId(1),
            tokens: vec![token],
        });
    }
    let mut n_events = 0;
    let mut ids = Vec::new();
    while let Ok(Event::Tokens { tokens, .. }) = events.try_recv() {
        n_events += 1;
        ids.extend(tokens.iter().map(|it| it.token));
        outbox.flush();
    }
    assert_eq!(ids, (0..2_000).collect::<Vec<_>>());
    assert_eq!(n_events, 17);
}

#[test]
fn only_tokens_of_one_run_are_merged() {
    let (mut outbox, events) = Outbox::new(|| ());
    let told = [1, 1, 2, 2, 2, 1].repeat(20);
    for id in &told {
        outbox.push(Event::Tokens {
            id: RunId(*id),
            tokens: vec![token("a")],
        });
    }
    let mut ids = Vec::new();
    while let Ok(event) = events.try_recv() {
        let Event::Tokens { id, tokens } = event else {
            panic!("{event:?}")
        };
        ids.extend(vec![id.0; tokens.len()]);
        outbox.flush();
    }
    assert_eq!(ids, told);
}

#[test]
fn of_waiting_progress_the_last_stays() {
    let (mut outbox, events) = Outbox::new(|| ());
    for n_done in 0..100 {
        outbox.push(Event::PrefillProgress {
            id: RunId(1),
            n_done,
            n_total: 100,
        });
    }
    let mut last = None;
    let mut n_events = 0;
    while let Ok(event) = events.try_recv() {
        (last, n_events) = (Some(event), n_events + 1);
        outbox.flush();
    }
    assert_eq!(n_events, 17);
    assert_eq!(
        last,
        Some(Event::PrefillProgress {
            id: RunId(1),
            n_done: 99,
            n_total: 100
        })
    );
}

#[test]
fn the_listener_is_woken_for_each_event() {
    let (woken, wakes) = crossbeam_channel::unbounded();
    let recording = Recording::from_replies(&["x"]).without_delays();
    let engine = Engine::start(Source::Scripted(recording), move || woken.send(()).unwrap());
    engine.send(run(1));
    let n_events = until_end(&engine, 1).len();
    drop(engine);
    assert_eq!(wakes.iter().count(), n_events);
}
