//! When a process counts as silent, on a clock of our own.

use std::time::{Duration, Instant};

use super::super::vigil::Vigil;

enum Step {
    Begin,
    Heard,
    End,
    /// Looks at the time, in milliseconds since the start.
    At(u64),
}

use Step::{At, Begin, End, Heard};

/// What is told with a patience of 4 seconds: "silent at 4000", "over at 9000".
#[track_caller]
fn check(patience: Option<u64>, steps: &[Step], expected: &[&str]) {
    let start = Instant::now();
    let mut vigil = Vigil::new(patience.map(Duration::from_millis));
    let mut told = Vec::new();
    let mut ms = 0;
    for step in steps {
        let now = start + Duration::from_millis(ms);
        let was_silent = vigil.is_silent();
        match step {
            Begin => vigil.begin(now),
            Heard => vigil.on_sign(now),
            End => vigil.on_end(),
            At(later) => {
                ms = *later;
                vigil.on_time(start + Duration::from_millis(ms));
            }
        }
        match (was_silent, vigil.is_silent()) {
            (false, true) => told.push(format!("silent at {ms}")),
            (true, false) => told.push(format!("over at {ms}")),
            _ => {}
        }
    }
    assert_eq!(told, expected);
}

const PATIENCE: Option<u64> = Some(4_000);

#[test]
fn a_process_that_is_heard_each_second_is_not_silent() {
    let mut steps = vec![Begin];
    steps.extend((1..30).flat_map(|it| [At(it * 1_000), Heard]));
    check(PATIENCE, &steps, &[]);
}

#[test]
fn a_silence_is_told_once_and_its_end_too() {
    check(
        PATIENCE,
        &[
            Begin,
            At(3_999),
            At(4_000),
            At(5_000),
            At(100_000),
            Heard,
            At(101_000),
            Heard,
        ],
        &["silent at 4000", "over at 100000"],
    );
}

#[test]
fn the_end_of_a_silent_process_ends_the_silence() {
    let steps = [Begin, At(4_000), End, At(50_000), Begin, At(53_999)];
    check(PATIENCE, &steps, &["silent at 4000", "over at 4000"]);
}

#[test]
fn nothing_is_silent_without_a_process() {
    check(PATIENCE, &[At(10_000), Begin, End, At(20_000)], &[]);
    check(PATIENCE, &[Heard, At(4_000), At(5_000)], &[]);
}

#[test]
fn a_computer_that_slept_hears_anew() {
    let steps = [Begin, At(3_600_000), At(3_603_999), Heard, At(3_607_000)];
    check(PATIENCE, &steps, &[]);
    let hung = [Begin, At(3_600_000), At(3_604_000)];
    check(PATIENCE, &hung, &["silent at 3604000"]);
}

#[test]
fn who_is_not_watched_is_never_silent() {
    check(None, &[Begin, At(4_000), At(1_000_000)], &[]);
}

#[test]
fn a_look_is_due_when_a_silence_can_begin() {
    let start = Instant::now();
    let mut vigil = Vigil::new(Some(Duration::from_secs(4)));
    assert_eq!(vigil.deadline(), None);
    vigil.begin(start);
    assert_eq!(vigil.deadline(), Some(start + Duration::from_secs(4)));
    vigil.on_time(start + Duration::from_secs(4));
    assert!(vigil.is_silent());
    assert_eq!(vigil.deadline(), None);
}
