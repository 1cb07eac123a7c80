//! Engines in processes that end in all ways: what is said of it, and what is kept.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use super::super::process::{ProcessSpawner, describe};
use super::super::supervisor::Limits;
use super::super::{Engine, Event};
use super::load;
use super::worker::{PATIENCE, check_load_fails, next};

#[track_caller]
fn check_shell(script: &str, expected: &str) {
    let spawner = ProcessSpawner {
        program: "/bin/sh".into(),
        args: vec!["-c".to_owned(), script.to_owned()],
        envs: Vec::new(),
    };
    check_load_fails(spawner, expected);
}

#[test]
fn the_end_of_a_process_is_told_in_words() {
    check_shell("echo all is well >&2; kill -KILL $$", "killed (signal 9)");
    check_shell(
        "echo boom >&2; kill -SEGV $$",
        "segmentation fault (signal 11): boom",
    );
    check_shell(
        "echo first >&2; echo 'x.cpp:1: assertion failed' >&2; echo >&2; kill -ABRT $$",
        "aborted (signal 6): x.cpp:1: assertion failed",
    );
    check_shell("exit 3", "ended with code 3");
    check_shell(
        "echo 'memory limit: it took 2 GB' >&2; kill -KILL $$",
        "it stopped at its memory limit: it took 2 GB",
    );
    check_shell(
        "echo no engine here",
        "expected the greeting \"STL1\", got \"no e\"",
    );
}

#[test]
fn a_lost_engine_leaves_the_last_lines_of_its_log() {
    let spawner = ProcessSpawner {
        program: "/bin/sh".into(),
        args: vec![
            "-c".to_owned(),
            "i=0; while [ $i -lt 100 ]; do i=$((i+1)); echo \"log: line $i\" >&2; done; echo boom >&2; kill -SEGV $$".to_owned(),
        ],
        envs: Vec::new(),
    };
    let engine = Engine::drive(Box::new(spawner), Limits::STRICT, || ());
    engine.send(load(1));
    let Event::CrashNoted { note } = engine.events().recv_timeout(PATIENCE).unwrap() else {
        panic!("no note")
    };
    assert_eq!(note.reason, "segmentation fault (signal 11): boom");
    assert_eq!(note.doing, "loading model.gguf");
    assert!(note.process.is_some());
    assert_eq!(note.log.len(), 40);
    assert_eq!(
        (note.log[0].as_str(), note.log[39].as_str()),
        ("log: line 62", "boom")
    );
    assert!(matches!(next(&engine), Event::LoadFailed { .. }));
}

#[test]
fn lines_of_a_log_are_no_last_words() {
    check_shell(
        "echo 'GGML_ASSERT failed' >&2; echo 'log: something else' >&2; kill -ABRT $$",
        "aborted (signal 6): GGML_ASSERT failed",
    );
}

#[test]
fn a_process_that_the_system_kills_for_memory_is_told_as_such() {
    let killed = ExitStatus::from_raw(9);
    let crashed = ExitStatus::from_raw(11);
    let end = |status, is_for_memory| describe((status, is_for_memory), None);
    assert_eq!(end(killed, false), "killed (signal 9)");
    assert!(end(killed, true).contains("the system, which had no memory left"));
    assert_eq!(end(crashed, true), "segmentation fault (signal 11)");
}

#[test]
fn a_process_that_writes_endless_errors_is_read_on() {
    let line = "x".repeat(400);
    check_shell(
        "head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 1",
        &format!("ended with code 1: {line}"),
    );
}

#[test]
fn aborts_start_no_debugger() {
    check_shell(
        "echo \"backtrace $GGML_NO_BACKTRACE\" >&2; exit 1",
        "ended with code 1: backtrace 1",
    );
}
