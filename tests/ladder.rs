//! Replies with known answers climb the ladder: our own traps, and the public cases of repair libraries.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "a test says what it did not read")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use stepladder::ladder::{Climb, Flag, Hint, climb};

/// Peer cases that come out wrong, with the reason why we read them otherwise.
const KNOWN_WRONG: &[(&str, &str)] = &[];

/// The share of peer cases that must come out right.
const PEERS_RIGHT: f64 = 0.995;

/// How many cases of our own there must be, the traps among them.
const N_OWN: usize = 150;

/// A trap of our own.
#[derive(Deserialize)]
struct Trap {
    id: String,
    input: String,
    expected: Value,
    kind: String,
    acceptable: Vec<Acceptable>,
    step: Value,
    flags: Vec<Flag>,
}

/// Another right answer.
#[derive(Deserialize)]
struct Acceptable {
    value: Option<Value>,
    #[serde(default)]
    none: bool,
}

/// A case of our own beside the traps: one right answer, one rung, exactly these flags.
#[derive(Deserialize)]
struct Case {
    id: String,
    input: String,
    expected: Value,
    kind: String,
    step: Value,
    flags: Vec<Flag>,
}

/// A case of a repair library.
#[derive(Deserialize)]
struct Peer {
    id: String,
    input: String,
    expected: Value,
    kind: String,
    category: String,
    valid_input: bool,
    alt: Vec<Value>,
}

#[test]
fn every_trap_comes_out_as_it_should() {
    check_traps(include_str!("data/ladder_traps.jsonl"));
}

#[test]
fn the_traps_of_the_folder_come_out_as_they_should() {
    if let Some(text) = read_cases("ladder_traps.jsonl") {
        check_traps(&text);
    }
}

#[track_caller]
fn check_traps(text: &str) {
    let mut faults = Vec::new();
    for line in text.lines() {
        // Half a surrogate pair among the answers that would do, and nesting beyond its limit, `serde_json` cannot read.
        let Ok(trap) = serde_json::from_str::<Trap>(line) else {
            println!("skipped: {}", shown(line));
            continue;
        };
        faults.extend(fault_of_trap(&trap).map(|fault| format!("{}: {fault}", trap.id)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn cases_of_our_own_come_out_exactly() {
    let cases: Vec<Case> = include_str!("data/ladder_cases.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let n_traps = include_str!("data/ladder_traps.jsonl").lines().count();
    assert!(cases.len() + n_traps >= N_OWN, "{} cases", cases.len());
    let faults: Vec<String> = cases
        .iter()
        .filter_map(|case| fault_of_case(case).map(|fault| format!("{}: {fault}", case.id)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A file of the folder that `STEPLADDER_CASES` names; none where it is not set, which CI does not allow.
fn read_cases(name: &str) -> Option<String> {
    let Ok(folder) = std::env::var("STEPLADDER_CASES") else {
        assert!(
            std::env::var("CI").is_err(),
            "CI has to set STEPLADDER_CASES"
        );
        println!("STEPLADDER_CASES is not set: {name} was not read");
        return None;
    };
    Some(fs::read_to_string(Path::new(&folder).join(name)).unwrap())
}

#[test]
fn the_cases_of_repair_libraries_come_out_right() {
    let Some(text) = read_cases("repair_peers.jsonl") else {
        return;
    };
    let mut outcomes: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    let (mut n_right, mut n_all) = (0, 0);
    for line in text.lines() {
        let Ok(peer) = serde_json::from_str::<Peer>(line) else {
            println!(
                "skipped, because half a surrogate pair is no text: {}",
                shown(line)
            );
            continue;
        };
        let outcome = outcome_of_peer(&peer);
        outcomes.entry(peer.category.clone()).or_default()[outcome as usize] += 1;
        n_all += 1;
        let found = climb(&peer.input, &Hint::default());
        let line = format!(
            "{}: {} -> {:?} {:?}",
            peer.id,
            shown(&peer.input),
            found.value().map(|it| shown(&it.to_string())),
            found.attempts().last().map(|it| &it.error.message)
        );
        match outcome {
            Outcome::Right => n_right += 1,
            Outcome::Refused => refused.push(line),
            Outcome::Wrong if KNOWN_WRONG.iter().any(|(id, _)| peer.id.starts_with(id)) => {}
            Outcome::Wrong => wrong.push(line),
        }
    }
    println!("right, refused, wrong by category: {outcomes:?}");
    println!(
        "{n_right} of {n_all} right; refused:\n{}",
        refused.join("\n")
    );
    assert!(wrong.is_empty(), "wrong values:\n{}", wrong.join("\n"));
    assert!(
        f64::from(n_right) >= PEERS_RIGHT * f64::from(n_all),
        "{n_right} of {n_all} right"
    );
}

/// How a peer case came out.
#[derive(Clone, Copy)]
enum Outcome {
    Right,
    Refused,
    Wrong,
}

fn outcome_of_peer(peer: &Peer) -> Outcome {
    let found = climb(&peer.input, &Hint::default());
    let Some(value) = found.value() else {
        return if peer.kind == "none" {
            Outcome::Right
        } else {
            Outcome::Refused
        };
    };
    let is_right = peer.kind != "none"
        && (same(value, &peer.expected) || peer.alt.iter().any(|it| same(value, it)));
    let is_untouched =
        found.rung == Some(stepladder::ladder::Rung::AsIs) && found.repairs().is_empty();
    if is_right && (!peer.valid_input || is_untouched) {
        Outcome::Right
    } else {
        Outcome::Wrong
    }
}

fn fault_of_case(case: &Case) -> Option<String> {
    let found = climb(&case.input, &Hint::default());
    let expected = (case.kind != "none").then_some(&case.expected);
    let is_right = match (found.value(), expected) {
        (Some(value), Some(expected)) => same(value, expected),
        (None, None) => true,
        _ => false,
    };
    if !is_right {
        return Some(format!("{} gave {:?}", case.input, found.value()));
    }
    let rung = found.rung.map(u8::from).map(u64::from);
    let is_placed = rung == case.step.as_u64() && found.flags == case.flags;
    (!is_placed).then(|| format!("{} stands on {rung:?} with {:?}", case.input, found.flags))
}

fn fault_of_trap(trap: &Trap) -> Option<String> {
    let found = climb(&trap.input, &Hint::default());
    let missing: Vec<&Flag> = trap
        .flags
        .iter()
        .filter(|it| !found.flags.contains(it))
        .collect();
    if !missing.is_empty() && (found.value().is_some() || trap.kind == "none") {
        return Some(format!("flags {missing:?} missing in {:?}", found.flags));
    }
    let expects_none = trap.kind == "none";
    let accepts_none = expects_none || trap.acceptable.iter().any(|it| it.none);
    let Some(value) = found.value() else {
        return (!accepts_none).then(|| format!("refused: {:?}", found.attempts().last()));
    };
    let is_right = !expects_none && same(value, &trap.expected)
        || trap
            .acceptable
            .iter()
            .any(|it| it.value.as_ref().is_some_and(|it| same(value, it)));
    if !is_right {
        return Some(format!("value {}", shown(&value.to_string())));
    }
    step_fault(trap, &found)
}

fn step_fault(trap: &Trap, found: &Climb) -> Option<String> {
    let rung = found.rung.map(u8::from);
    let expected = trap.step.as_u64();
    (rung.map(u64::from) != expected).then(|| format!("rung {rung:?} instead of {expected:?}"))
}

/// Equal as JSON; 2 and 2.0 are the same number.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || (a.is_f64() || b.is_f64()) && a.as_f64() == b.as_f64()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, value)| b.get(key).is_some_and(|it| same(value, it)))
        }
        _ => one == other,
    }
}

fn shown(text: &str) -> String {
    text.chars().take(160).collect()
}
