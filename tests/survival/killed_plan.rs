//! A real engine killed again and again while a plan runs: the plan goes on by itself, and nothing changes in its table.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::PATIENCE;
use super::processes;

/// Inputs and presets of the plan; as many replies for each seed.
const N_EACH_SEED: usize = 8 * 2;
/// Every third kill is followed by one while the model comes back.
const IN_RELOAD: usize = 3;

/// Kills of the plan: 10, or what the environment asks for.
fn n_kills() -> usize {
    let asked = std::env::var("STEPLADDER_KILLS").ok();
    asked.map_or(10, |it| it.parse().unwrap())
}

/// Two presets with short replies, one of them with a seeded pick.
fn plan(n_seeds: usize) -> Value {
    let preset = |name: &str, temperature: f64| {
        json!({
            "v": 1, "name": name, "title": name, "about": "", "style": "example",
            "knobs": {"temperature": temperature, "max_tokens": 24},
            "constraint": {"kind": "none"}
        })
    };
    json!({
        "v": 1, "name": "kills", "title": "Kills", "tasks": ["shopping"],
        "presets": [preset("cold", 0.0), preset("warm", 0.8)],
        "seeds": (1..=n_seeds).collect::<Vec<_>>()
    })
}

fn bench(folder: &Path, out: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(["bench", "plan.json", "--out", out])
        .args(["--model", &std::env::var("STEPLADDER_MODEL").unwrap()])
        .current_dir(folder)
        .env("STEPLADDER_DATA", folder.join("data"))
        .stdout(Stdio::null())
        .stderr(fs::File::create(folder.join(format!("{out}.log"))).unwrap())
        .spawn()
        .unwrap()
}

/// The records so far; only a last line that is being written may be torn.
fn trials(folder: &Path, out: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(out).join("trials.jsonl")).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |it| it.0);
    let lines = whole.lines().filter(|it| !it.is_empty());
    lines.map(|it| serde_json::from_str(it).unwrap()).collect()
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

/// Waits until it holds; false when the program has ended before.
fn wait(program: &mut Child, holds: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while !holds() {
        if program.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(begun.elapsed() < PATIENCE, "the plan stands still");
        sleep(Duration::from_millis(10));
    }
    true
}

fn engine_of(program: u32) -> Option<Pid> {
    processes::find(|it| it.parent == program && it.line.contains(" engine"))
}

/// Kills engines of a plan, each at another moment of another reply; gives how often.
fn kill_again_and_again(folder: &Path, program: &mut Child, n_kills: usize) -> usize {
    let mut dice = Dice(5);
    let mut n_killed = 0;
    while n_killed < n_kills {
        sleep(Duration::from_millis(dice.below(600)));
        let Some(first) = engine_of(program.id()) else {
            break;
        };
        if kill_process(first, Signal::KILL).is_err() {
            continue;
        }
        n_killed += 1;
        let n_before = trials(folder, "killed").len();
        if n_killed.is_multiple_of(IN_RELOAD) && n_killed < n_kills {
            let parent = program.id();
            let next = || engine_of(parent).filter(|it| *it != first);
            if wait(program, || next().is_some())
                && let Some(second) = next()
            {
                n_killed += usize::from(kill_process(second, Signal::KILL).is_ok());
            }
        }
        // A reply that loses two engines is given up, by rule: so the next kill comes in another one.
        if !wait(program, || trials(folder, "killed").len() > n_before) {
            break;
        }
    }
    n_killed
}

/// What each cell came to, without what time and chance put into a record.
fn outcomes(trials: &[Value]) -> BTreeMap<String, (Value, Value, Value)> {
    let outcome = |it: &Value| {
        let key = it["cell"]["key"].to_string();
        let parts = (
            it["reply_tokens"].clone(),
            it["stop"].clone(),
            it["lamps"].clone(),
        );
        (key, parts)
    };
    trials.iter().map(outcome).collect()
}

#[test]
fn a_plan_whose_engine_is_killed_goes_on_and_ends_as_if_nothing_had_been() {
    let n_kills = n_kills();
    let n_seeds = (3 * n_kills / 2).div_ceil(N_EACH_SEED) + 1;
    let n_cells = n_seeds * N_EACH_SEED;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("plan.json"), plan(n_seeds).to_string()).unwrap();
    assert!(bench(folder, "whole").wait().unwrap().success());
    let mut program = bench(folder, "killed");
    assert!(wait(&mut program, || !trials(folder, "killed").is_empty()));
    let n_killed = kill_again_and_again(folder, &mut program, n_kills);
    assert!(program.wait().unwrap().success());
    let killed = trials(folder, "killed");
    let n_again = killed.iter().filter(|it| it["attempt"] == 2).count();
    println!("{n_killed} kills, {n_again} of {n_cells} replies tried again");
    assert_eq!(n_killed, n_kills);
    assert!(
        n_again > n_kills / 3,
        "only {n_again} kills came within replies"
    );
    assert!(killed.iter().all(|it| it["stop"] != "engine_lost"));
    assert_eq!(killed.len(), n_cells);
    assert_eq!(outcomes(&killed), outcomes(&trials(folder, "whole")));
    let said = fs::read_to_string(folder.join("killed.log")).unwrap();
    assert!(
        said.contains("the engine stopped: killed (signal 9)"),
        "{said}"
    );
}

/// Two inputs are fatal to their engine.
#[test]
fn replies_that_kill_their_engine_twice_are_recorded_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let recording = r#"{"v":1,"recording":"Fatal"}
{"for":"run","match":"eggs"}
{"do":"die"}
{"for":"run","reply":"{\"items\": []}","tokens_per_second":400}
"#;
    fs::write(folder.join("fatal.jsonl"), recording).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(["bench", "--scripted", "fatal.jsonl", "--task", "shopping"])
        .args(["--preset", "greedy", "--out", "fatal"])
        .current_dir(folder)
        .env("STEPLADDER_DATA", folder.join("data"))
        .output()
        .unwrap();
    assert!(ran.status.success());
    let trials = trials(folder, "fatal");
    assert_eq!(trials.len(), 8);
    let lost: Vec<_> = trials
        .iter()
        .filter(|it| it["stop"] == "engine_lost")
        .collect();
    assert!((1..8).contains(&lost.len()), "{}", lost.len());
    for it in lost {
        assert_eq!(it["attempt"], 2);
    }
}
