//! What follows from what, on a clock of our own.

mod cancels;
mod graphics;
mod groups;
mod losses;

use std::time::{Duration, Instant};

use super::super::supervisor::{Limits, Order, Supervisor};
use super::super::{Command, Event, Finish, ModelInfo, PromptView, RunId, RunTimings, StopReason};
use super::recording::token;
use super::{cancel, load, preview, run};
use crate::constraint::Constraint;

/// Something that happens.
enum Step {
    Asked(Command),
    Heard(Event),
    Alive,
    Lost(&'static str),
    Gone,
    /// Milliseconds since the start.
    At(u64),
}

use Step::{Alive, Asked, At, Gone, Heard, Lost};

const LIMITS: Limits = Limits {
    cancel: Some(Duration::from_millis(80)),
    silence: Some(Duration::from_millis(300)),
    pulse: None,
    progress: None,
};

#[track_caller]
fn check(steps: impl IntoIterator<Item = Step>, expected: &[&str]) {
    check_with(LIMITS, steps, expected);
}

#[track_caller]
fn check_with(limits: Limits, steps: impl IntoIterator<Item = Step>, expected: &[&str]) {
    let mut supervisor = Supervisor::new(limits);
    let start = Instant::now();
    let mut now = start;
    for step in steps {
        match step {
            Asked(command) => supervisor.on_command(command, now),
            Heard(event) => supervisor.on_event(event, now),
            Alive => supervisor.on_alive(now),
            Lost(reason) => supervisor.on_lost(reason, now),
            Gone => supervisor.on_gone(now),
            At(ms) => now = start + Duration::from_millis(ms),
        }
        supervisor.on_time(now);
    }
    let orders = std::iter::from_fn(|| supervisor.next_order());
    let orders: Vec<_> = orders.map(|it| describe(&it)).collect();
    assert_eq!(orders, expected);
}

fn wish(command: &Command) -> String {
    match command {
        Command::Load { id, settings } => match &settings.fallback {
            Some(reason) => format!("load {} on the processor: {reason}", id.0),
            None => format!("load {}", id.0),
        },
        Command::Unload => "unload".to_owned(),
        Command::Preview { id, .. } => format!("preview {}", id.0),
        Command::Walk { id, .. } => format!("walk {}", id.0),
        Command::Run { id, .. } => format!("run {}", id.0),
        Command::RunGroup { id, width, runs } => {
            let runs: Vec<_> = runs.iter().map(|it| it.id.0.to_string()).collect();
            format!("group {} of {width}: {}", id.0, runs.join(" "))
        }
        Command::Machine { id, .. } => format!("machine {}", id.0),
        Command::Cancel { id } => format!("cancel {}", id.0),
    }
}

fn describe(order: &Order) -> String {
    match order {
        Order::Kill => "kill".to_owned(),
        Order::Write(command) => format!("> {}", wish(command)),
        Order::Tell(Event::LoadProgress { id, .. }) => format!("progress {}", id.0),
        Order::Tell(Event::LoadingOn { id, device }) => format!("loading {} on {device}", id.0),
        Order::Tell(Event::Loaded { id, .. }) => format!("loaded {}", id.0),
        Order::Tell(Event::LoadFailed { id, message }) => {
            format!("load failed {}: {message}", id.0)
        }
        Order::Tell(Event::LoadCancelled { id }) => format!("load cancelled {}", id.0),
        Order::Tell(Event::PreviewFailed { id, message }) => {
            format!("preview failed {}: {message}", id.0)
        }
        Order::Tell(Event::WalkFailed { id, message }) => {
            format!("walk failed {}: {message}", id.0)
        }
        Order::Tell(Event::Started { id, attempt, .. }) => format!("started {} ({attempt})", id.0),
        Order::Tell(Event::Tokens { id, tokens }) => {
            let text: String = tokens.iter().map(|it| it.text.as_str()).collect();
            format!("tokens {}: {text}", id.0)
        }
        Order::Tell(Event::Finished { id, finish }) => {
            let Finish {
                knobs: _,
                held: _,
                stop,
                text,
                timings,
            } = &**finish;
            let n = timings.n_reply;
            match stop {
                StopReason::EngineLost { reason } => {
                    format!("finished {} (lost: {reason}): {text} [{n}]", id.0)
                }
                StopReason::Cancelled => format!("finished {} (cancelled): {text} [{n}]", id.0),
                _ => format!("finished {}: {text} [{n}]", id.0),
            }
        }
        Order::Tell(Event::GroupFinished { id }) => format!("group finished {}", id.0),
        Order::Tell(Event::EngineLost { reason }) => format!("lost: {reason}"),
        Order::Tell(event) => format!("{event:?}"),
    }
}

fn loading(id: u64) -> Step {
    Heard(Event::LoadProgress {
        id: RunId(id),
        fraction: 0.5,
    })
}

fn loaded(id: u64) -> Step {
    Heard(Event::Loaded {
        id: RunId(id),
        info: Box::new(ModelInfo::default()),
    })
}

fn load_failed(id: u64) -> Step {
    Heard(Event::LoadFailed {
        id: RunId(id),
        message: "no memory".to_owned(),
    })
}

fn started(id: u64) -> Step {
    Heard(Event::Started {
        id: RunId(id),
        attempt: 1,
        view: Box::new(PromptView::default()),
    })
}

fn tokens(id: u64, text: &str) -> Step {
    Heard(Event::Tokens {
        id: RunId(id),
        tokens: vec![token(text)],
    })
}

fn finished(id: u64, text: &str) -> Step {
    let finish = Finish {
        knobs: Vec::new(),
        held: crate::engine::Held::default(),
        stop: StopReason::EndOfGeneration,
        text: text.to_owned(),
        timings: RunTimings::default(),
    };
    Heard(Event::Finished {
        id: RunId(id),
        finish: Box::new(finish),
    })
}

/// A model is there and run 2 has told two tokens: its orders are `BEGUN`.
fn begun() -> Vec<Step> {
    vec![
        Asked(load(1)),
        loaded(1),
        Asked(run(2)),
        started(2),
        tokens(2, "a"),
        tokens(2, "b"),
    ]
}

const BEGUN: [&str; 6] = [
    "> load 1",
    "loaded 1",
    "> run 2",
    "started 2 (1)",
    "tokens 2: a",
    "tokens 2: b",
];

/// What happens from `begun` on.
#[track_caller]
fn check_begun(steps: impl IntoIterator<Item = Step>, expected: &[&str]) {
    let expected: Vec<_> = BEGUN.iter().chain(expected).copied().collect();
    check(begun().into_iter().chain(steps), &expected);
}

#[test]
fn a_run_is_told_as_it_comes() {
    check_begun([finished(2, "ab")], &["finished 2: ab [0]"]);
}

#[test]
fn the_engine_gets_one_command_at_a_time() {
    check_begun(
        [
            Asked(run(3)),
            Asked(run(4)),
            finished(2, "ab"),
            finished(3, "c"),
        ],
        &[
            "finished 2: ab [0]",
            "> run 3",
            "finished 3: c [0]",
            "> run 4",
        ],
    );
}

#[test]
fn events_of_another_run_fall_away() {
    check_begun([tokens(1, "x"), finished(7, "x"), loaded(2)], &[]);
}

#[test]
fn an_idle_engine_may_be_silent() {
    check_begun([finished(2, "ab"), At(100_000)], &["finished 2: ab [0]"]);
}

#[test]
fn only_the_newest_preview_is_rendered() {
    check_begun(
        [
            Asked(preview(3)),
            Asked(preview(4)),
            Asked(preview(5)),
            finished(2, "ab"),
        ],
        &[
            "preview failed 3: a newer preview was asked for",
            "preview failed 4: a newer preview was asked for",
            "finished 2: ab [0]",
            "> preview 5",
        ],
    );
}

#[test]
fn a_walk_whose_engine_is_lost_has_failed() {
    let id = RunId(3);
    let walk = Command::Walk {
        id,
        constraint: Constraint::None,
        text: "{}".to_owned(),
    };
    check_begun(
        [finished(2, "ab"), Asked(walk), Lost("it was killed")],
        &[
            "finished 2: ab [0]",
            "> walk 3",
            "lost: it was killed",
            "walk failed 3: it was killed",
            "> load 1",
        ],
    );
}

#[test]
fn a_patient_engine_is_never_killed() {
    let steps = begun().into_iter().chain([Asked(cancel(2)), At(1_000_000)]);
    let expected: Vec<_> = BEGUN.into_iter().chain(["> cancel 2"]).collect();
    check_with(Limits::PATIENT, steps, &expected);
}
