//! An engine's process that is stopped: it is named within seconds, goes on by itself, and can be started anew.

use std::io::Write as _;
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};
use stepladder::engine::{
    Command, Engine, Event, LoadSettings, Restarter, RunId, RunRequest, Silence, Source, StopReason,
};

use super::PATIENCE;
use super::processes;

const REPLY: &str = r#"{"v":1,"recording":"Silence"}
{"for":"run","reply":"a b c d e f g h i j k l m n o p q r s t","tokens_per_second":20}
"#;

/// An engine's process on a recording, in the middle of a reply.
struct Bench {
    engine: Engine,
    events: Vec<Event>,
    recording: tempfile::NamedTempFile,
}

impl Bench {
    fn writing() -> Self {
        Self::on(REPLY)
    }

    /// Up to the first tokens of a recording.
    fn on(lines: &str) -> Self {
        let mut recording = tempfile::NamedTempFile::new().unwrap();
        recording.write_all(lines.as_bytes()).unwrap();
        let path = recording.path().to_str().unwrap().to_owned();
        let source = Source::Isolated {
            program: env!("CARGO_BIN_EXE_stepladder").into(),
            args: vec!["engine".to_owned(), "--scripted".to_owned(), path],
            envs: Vec::new(),
        };
        let mut bench = Self {
            engine: Engine::start(source, || ()),
            events: Vec::new(),
            recording,
        };
        let (id, settings) = (RunId(1), LoadSettings::default());
        bench.engine.send(Command::Load { id, settings });
        let (id, request) = (RunId(2), Box::new(RunRequest::default()));
        bench.engine.send(Command::Run { id, request });
        bench.until(|it| matches!(it, Event::Tokens { .. }));
        bench
    }

    /// Waits for the first event that is wanted.
    fn until(&mut self, is_wanted: impl Fn(&Event) -> bool) -> Event {
        loop {
            let event = self.engine.events().recv_timeout(PATIENCE).unwrap();
            self.events.push(event.clone());
            if is_wanted(&event) {
                return event;
            }
        }
    }

    /// Waits until it is told that the process shows no sign of life.
    fn until_dead(&mut self) -> Event {
        self.until(|it| matches!(it, Event::EngineSilent { silence } if !silence.lives))
    }

    fn until_end(&mut self) -> StopReason {
        match self.until(|it| matches!(it, Event::Finished { .. })) {
            Event::Finished { finish, .. } => finish.stop,
            other => panic!("{other:?}"),
        }
    }

    fn process(&self) -> Pid {
        let recording = self.recording.path().to_str().unwrap();
        processes::find(|it| it.line.contains(recording)).unwrap()
    }

    fn count(&self, is_counted: impl Fn(&Event) -> bool) -> usize {
        self.events.iter().filter(|it| is_counted(it)).count()
    }
}

#[test]
fn a_process_that_is_stopped_is_named_within_five_seconds_and_goes_on_by_itself() {
    let mut bench = Bench::writing();
    let process = bench.process();
    kill_process(process, Signal::STOP).unwrap();
    let begun = Instant::now();
    let named = bench.until_dead();
    let waited = begun.elapsed();
    println!("named after {:.2} s", waited.as_secs_f64());
    let number = process.as_raw_nonzero().get();
    assert_eq!(
        named,
        Event::EngineSilent {
            silence: Silence {
                process: Some(number.cast_unsigned()),
                lives: false
            }
        }
    );
    kill_process(process, Signal::CONT).unwrap();
    bench.until(|it| *it == Event::EngineSilenceOver);
    assert_eq!(bench.until_end(), StopReason::EndOfGeneration);
    assert_eq!(bench.count(|it| matches!(it, Event::Started { .. })), 1);
    assert_eq!(bench.count(|it| matches!(it, Event::EngineLost { .. })), 0);
}

#[test]
fn a_process_that_is_stopped_can_be_started_anew_and_the_reply_is_tried_again() {
    let mut bench = Bench::writing();
    kill_process(bench.process(), Signal::STOP).unwrap();
    bench.until_dead();
    let restarter: Restarter = bench.engine.restarter();
    restarter.press();
    bench.until(|it| *it == Event::EngineSilenceOver);
    let lost = bench.until(|it| matches!(it, Event::EngineLost { .. }));
    let reason = "it was restarted by hand".to_owned();
    assert_eq!(lost, Event::EngineLost { reason });
    let note = bench.events.iter().find_map(|it| match it {
        Event::CrashNoted { note } => Some(note),
        _ => None,
    });
    let note = note.unwrap();
    assert_eq!(note.doing, "reply 2");
    assert_eq!(note.reason, "it was restarted by hand");
    bench.until(|it| matches!(it, Event::Started { attempt: 2, .. }));
    assert_eq!(bench.until_end(), StopReason::EndOfGeneration);
}

#[test]
fn a_reply_that_hangs_in_a_living_process_is_named_too() {
    let hang = "{\"v\":1,\"recording\":\"Hang\"}\n{\"for\":\"run\"}\n{\"event\":{\"event\":\"tokens\",\"id\":0,\"tokens\":[]}}\n{\"do\":\"hang\"}\n";
    let mut bench = Bench::on(hang);
    let named = bench.until(|it| matches!(it, Event::EngineSilent { .. }));
    assert!(
        matches!(named, Event::EngineSilent { silence } if silence.lives),
        "{named:?}"
    );
    bench.engine.send(Command::Cancel { id: RunId(2) });
    assert_eq!(bench.until_end(), StopReason::Cancelled);
    assert_eq!(bench.count(|it| *it == Event::EngineSilenceOver), 1);
}

#[test]
fn a_cancel_ends_a_stopped_process_and_its_silence() {
    let mut bench = Bench::writing();
    kill_process(bench.process(), Signal::STOP).unwrap();
    bench.until_dead();
    bench.engine.send(Command::Cancel { id: RunId(2) });
    assert_eq!(bench.until_end(), StopReason::Cancelled);
    assert_eq!(bench.count(|it| *it == Event::EngineSilenceOver), 1);
}
