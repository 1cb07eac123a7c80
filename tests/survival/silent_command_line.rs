//! A real engine under the command line that is stopped, and goes on.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use rustix::process::{Signal, kill_process};

use super::processes::engine_of;

#[test]
fn the_command_line_names_a_process_that_does_not_respond() {
    let data = tempfile::tempdir().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(["run", "--task", "shopping", "--preset", "greedy"])
        .env("STEPLADDER_DATA", data.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let process = engine_of(program.id());
    kill_process(process, Signal::STOP).unwrap();
    let mut lines = BufReader::new(program.stderr.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    let named = format!("warning: the engine does not respond (process {process}); it goes on");
    assert!(line.starts_with(&named), "{line}");
    kill_process(process, Signal::CONT).unwrap();
    let line = lines.next().unwrap().unwrap();
    assert_eq!(line, "warning: the engine responds again");
    assert!(program.wait().unwrap().success());
}
