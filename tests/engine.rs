//! The engine in a real child process, played by a recording: killed, stopped and abandoned for real.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use stepladder::constraint::Constraint;
use stepladder::engine::{
    Command, Engine, Event, LoadSettings, PROTOCOL, PromptRequest, RunId, RunRequest, Source,
    StopReason, TokenEvent,
};
use stepladder::sampling::Knobs;

/// Long enough for any machine; only a fault waits so long.
const PATIENCE: Duration = Duration::from_secs(30);

const HEADER: &str = "{\"v\":1,\"recording\":\"Test\"}\n";

/// An engine on a recording in a child process.
struct Bench {
    engine: Engine,
    /// Where the recording lies until the engine was dropped.
    recording: tempfile::NamedTempFile,
}

impl Bench {
    fn new(lines: &str) -> Self {
        let mut recording = tempfile::NamedTempFile::new().unwrap();
        write!(recording, "{HEADER}{lines}").unwrap();
        let path = recording.path().to_str().unwrap().to_owned();
        let source = Source::Isolated {
            program: env!("CARGO_BIN_EXE_stepladder").into(),
            args: vec!["engine".to_owned(), "--scripted".to_owned(), path],
            envs: Vec::new(),
        };
        Self {
            engine: Engine::start(source, || ()),
            recording,
        }
    }

    fn send(&self, command: Command) {
        self.engine.send(command);
    }

    /// The next event but for crash notes.
    fn next(&self) -> Event {
        loop {
            match self.engine.events().recv_timeout(PATIENCE).unwrap() {
                Event::CrashNoted { .. } => {}
                event => return event,
            }
        }
    }

    /// All events up to the first one that is wanted.
    fn until(&self, is_wanted: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut res = Vec::new();
        while !res.last().is_some_and(&is_wanted) {
            res.push(self.next());
        }
        res
    }

    fn until_end(&self, id: u64) -> Vec<Event> {
        self.until(|it| it.is_end() && it.id() == Some(RunId(id)))
    }

    fn until_tokens(&self) {
        self.until(|it| matches!(it, Event::Tokens { .. }));
    }

    /// The one child of this test's engine.
    fn child(&self) -> Pid {
        let recording = self.recording.path().as_os_str().as_encoded_bytes();
        let is_ours = |pid: &i32| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.windows(recording.len()).any(|it| it == recording)
        };
        let pids = std::fs::read_dir("/proc").unwrap();
        let mut pids = pids.filter_map(|it| it.unwrap().file_name().to_str()?.parse().ok());
        Pid::from_raw(pids.find(is_ours).unwrap()).unwrap()
    }
}

fn load(id: u64) -> Command {
    Command::Load {
        id: RunId(id),
        settings: LoadSettings {
            path: "model.gguf".into(),
            ..LoadSettings::default()
        },
    }
}

fn run(id: u64) -> Command {
    Command::Run {
        id: RunId(id),
        request: Box::new(RunRequest {
            prompt: PromptRequest::default(),
            knobs: Knobs::neutral(),
            constraint: Constraint::None,
            ..RunRequest::default()
        }),
    }
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

/// The reply's text, put together from its tokens since it was last started.
fn text(events: &[Event]) -> String {
    let start = events
        .iter()
        .rposition(|it| matches!(it, Event::Started { .. }));
    let tokens = events[start.unwrap()..].iter().filter_map(|it| match it {
        Event::Tokens { tokens, .. } => Some(tokens),
        _ => None,
    });
    tokens.flatten().map(|it| it.text.as_str()).collect()
}

#[track_caller]
fn check_finish(events: &[Event], expected: &StopReason, text: &str) {
    let Some(Event::Finished { finish, .. }) = events.last() else {
        panic!("{events:?}")
    };
    assert_eq!((&finish.stop, finish.text.as_str()), (expected, text));
}

const REPLY: &str = "{\"for\":\"run\",\"reply\":\"a b c d e f g h i j\",\"tokens_per_second\":20}";

/// Tells one thing, and then nothing more.
const HANG: &str = r#"
{"for":"run"}
{"event":{"event":"prefill_progress","id":0,"n_done":0,"n_total":9}}
{"do":"hang"}
"#;

#[test]
fn a_reply_comes_through_a_child_process() {
    let bench = Bench::new(REPLY);
    bench.send(load(1));
    bench.send(run(2));
    let events = bench.until_end(2);
    check_finish(&events, &StopReason::EndOfGeneration, "a b c d e f g h i j");
    assert_eq!(text(&events), "a b c d e f g h i j");
    assert_eq!(attempts(&events), [1]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_killed_in_the_middle_of_a_reply_is_replaced_and_the_reply_tried_again() {
    let bench = Bench::new(REPLY);
    bench.send(load(1));
    bench.send(run(2));
    bench.until_tokens();
    kill_process(bench.child(), Signal::KILL).unwrap();
    let events = bench.until_end(2);
    assert_eq!(losses(&events), ["killed (signal 9)"]);
    assert!(events.contains(&Event::EngineRestarted));
    assert!(
        events
            .iter()
            .any(|it| matches!(it, Event::Loaded { id: RunId(1), .. }))
    );
    assert_eq!(attempts(&events), [2]);
    check_finish(&events, &StopReason::EndOfGeneration, "a b c d e f g h i j");
    assert_eq!(text(&events), "a b c d e f g h i j");
}

#[test]
fn a_reply_that_aborts_twice_ends_as_lost() {
    let bench = Bench::new("{\"for\":\"run\"}\n{\"do\":\"die\"}");
    bench.send(load(1));
    bench.send(run(2));
    let events = bench.until_end(2);
    let reason = "aborted (signal 6)".to_owned();
    assert_eq!(losses(&events), [reason.as_str(); 2]);
    check_finish(&events, &StopReason::EngineLost { reason }, "");
}

#[test]
fn a_load_that_aborts_has_failed_and_the_next_command_finds_a_new_engine() {
    let bench = Bench::new(&format!(
        "{{\"for\":\"load\"}}\n{{\"do\":\"die\"}}\n{REPLY}"
    ));
    bench.send(load(1));
    let message = "aborted (signal 6)".to_owned();
    assert_eq!(
        bench.next(),
        Event::LoadFailed {
            id: RunId(1),
            message
        }
    );
    bench.send(run(2));
    check_finish(
        &bench.until_end(2),
        &StopReason::EndOfGeneration,
        "a b c d e f g h i j",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_child_is_killed_by_a_cancel() {
    let bench = Bench::new(REPLY);
    bench.send(load(1));
    bench.send(run(2));
    bench.until_tokens();
    let child = bench.child();
    kill_process(child, Signal::STOP).unwrap();
    bench.send(Command::Cancel { id: RunId(2) });
    let events = bench.until_end(2);
    let Some(Event::Finished { finish, .. }) = events.last() else {
        panic!("{events:?}")
    };
    assert_eq!(finish.stop, StopReason::Cancelled);
    assert!(finish.text.starts_with('a'));
    bench.send(run(3));
    let events = bench.until_end(3);
    assert!(losses(&events).is_empty());
    check_finish(&events, &StopReason::EndOfGeneration, "a b c d e f g h i j");
    assert!(test_kill_process(child).is_err());
}

#[test]
fn a_load_that_hangs_is_cancelled() {
    let bench = Bench::new("{\"for\":\"load\"}\n{\"do\":\"hang\"}");
    bench.send(load(1));
    bench.send(Command::Cancel { id: RunId(1) });
    assert_eq!(bench.next(), Event::LoadCancelled { id: RunId(1) });
}

#[cfg(target_os = "linux")]
#[test]
fn no_child_outlives_its_engine() {
    let bench = Bench::new(HANG);
    bench.send(run(1));
    bench.next();
    let child = bench.child();
    drop(bench);
    assert!(test_kill_process(child).is_err());
}

/// What is left when the window itself is killed: the child's input ends, in the middle of a hang.
#[test]
fn a_child_ends_with_its_window() {
    let mut recording = tempfile::NamedTempFile::new().unwrap();
    write!(recording, "{HEADER}{HANG}").unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(["engine", "--scripted"])
        .arg(recording.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let app = env!("CARGO_PKG_VERSION");
    let hello = format!("{{\"protocol\":{PROTOCOL},\"app\":\"{app}\"}}");
    let command = serde_json::to_string(&run(1)).unwrap();
    input.write_all(b"STL1").unwrap();
    for message in [hello, command] {
        let length = u32::try_from(message.len()).unwrap();
        input.write_all(&length.to_le_bytes()).unwrap();
        input.write_all(message.as_bytes()).unwrap();
    }
    let mut output = child.stdout.take().unwrap();
    let (mut heard, mut byte) = (Vec::new(), [0]);
    while !heard.ends_with(b"prefill_progress") {
        output.read_exact(&mut byte).unwrap();
        heard.extend(byte);
    }
    drop(input);
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the child outlived its window");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.signal(), Some(Signal::KILL.as_raw()));
}

#[test]
fn given_tokens_cross_to_the_child_and_come_back_marked() {
    let bench =
        Bench::new("{\"for\":\"run\",\"reply\":\"one two three\",\"tokens_per_second\":1000}\n");
    bench.send(load(1));
    bench.until_end(1);
    bench.send(run(2));
    let first = tokens(&bench.until_end(2));
    let Command::Run { id, mut request } = run(3) else {
        panic!("not a run")
    };
    request.given_tokens = first[..2].iter().map(|it| it.token).collect();
    bench.send(Command::Run { id, request });
    let second = tokens(&bench.until_end(3));
    let given: Vec<bool> = second.iter().map(|it| it.given).collect();
    assert_eq!(given, [true, true, false]);
    assert_eq!(second[2].token, first[2].token);
}

fn tokens(events: &[Event]) -> Vec<TokenEvent> {
    let tokens = events.iter().filter_map(|it| match it {
        Event::Tokens { tokens, .. } => Some(tokens.clone()),
        _ => None,
    });
    tokens.flatten().collect()
}
