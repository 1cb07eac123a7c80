//! The program killed in the middle of a plan, again and again: nothing is lost, nothing comes twice.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

/// Two inputs have a reply of their own, so that the plan's cells differ.
const RECORDING: &str = r#"{"v":1,"recording":"Kills"}
{"for":"run","match":"2 apples","reply":"{\"items\": [{\"name\": \"apples\", \"qty\": 2}, {\"name\": \"bananas\", \"qty\": 3}]}","tokens_per_second":400}
{"for":"run","match":"eggs","reply":"Sure! ```json\n{\"items\": []}\n```","tokens_per_second":300}
{"for":"run","reply":"{\"items\": [{\"name\": \"tea\", \"qty\": ","tokens_per_second":200,"stop":{"kind":"token_limit"}}
"#;

/// Inputs, presets and seeds of the plan.
const N_CELLS: usize = 8 * 2 * 2;
const N_KILLS: u32 = 50;
/// A minute of looking, if need be.
const MOST_LOOKS: u32 = 12_000;

fn bench(folder: &Path, out: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stepladder"));
    command
        .args(["bench", "--scripted", "kills.jsonl", "--task", "shopping"])
        .args(["--preset", "greedy,chat", "--seeds", "2", "--out", out])
        .current_dir(folder)
        .env("STEPLADDER_DATA", folder.join("data"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if folder.join(out).join("plan.json").exists() {
        command.arg("--resume");
    }
    command
}

/// Numbers that are the same in every run of the test.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// The records so far; all lines but a torn last one can be read.
fn trials(folder: &Path, out: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(out).join("trials.jsonl")).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |it| it.0);
    let lines = whole.lines().filter(|it| !it.is_empty());
    let read: Vec<_> = lines.map(serde_json::from_str::<Value>).collect();
    // Behind a line that a kill has torn, the next begins anew.
    read.into_iter().filter_map(Result::ok).collect()
}

fn keys(trials: &[Value]) -> Vec<String> {
    let keys = trials.iter().map(|it| it["cell"]["key"].to_string());
    keys.collect()
}

/// The rates of each preset, as the report has them.
fn figures(folder: &Path, out: &str) -> Vec<String> {
    let done = Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(["report", out, "--format", "json"])
        .current_dir(folder)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    let presets = report["models"][0]["presets"].as_array().unwrap();
    let row = |it: &Value| {
        let parts = [
            "preset", "replies", "schema", "parses", "correct", "rungs", "causes",
        ];
        parts.map(|part| it[part].to_string()).join(" ")
    };
    presets.iter().map(row).collect()
}

/// Lets the program work, in every other round until one more trial is recorded, and ends it a while later, wherever
/// it is.
fn kill_once(folder: &Path, round: u32, dice: &mut Dice) {
    let n_before = trials(folder, "killed").len();
    let mut program = bench(folder, "killed").spawn().unwrap();
    let waits = round.is_multiple_of(2);
    for _ in 0..MOST_LOOKS {
        let is_ended = program.try_wait().unwrap().is_some();
        if !waits || is_ended || trials(folder, "killed").len() > n_before {
            break;
        }
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(dice.below(400)));
    program.kill().unwrap();
    program.wait().unwrap();
}

#[test]
fn a_plan_killed_fifty_times_ends_as_if_nothing_had_been() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("kills.jsonl"), RECORDING).unwrap();
    assert!(bench(folder, "whole").status().unwrap().success());
    let mut dice = Dice(11);
    let mut n_before = 0;
    let mut n_alive = 0;
    for round in 0..N_KILLS {
        kill_once(folder, round, &mut dice);
        let n_now = trials(folder, "killed").len();
        assert!(n_now >= n_before, "{n_now} trials after {n_before}");
        n_alive += u32::from(n_now > n_before && n_now < N_CELLS);
        n_before = n_now;
    }
    assert!(n_alive > 10, "only {n_alive} kills came between trials");
    assert!(bench(folder, "killed").status().unwrap().success());
    let killed = trials(folder, "killed");
    let once: BTreeSet<_> = keys(&killed).into_iter().collect();
    assert_eq!((killed.len(), once.len()), (N_CELLS, N_CELLS));
    assert_eq!(figures(folder, "killed"), figures(folder, "whole"));
}
