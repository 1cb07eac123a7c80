//! What follows when replies run together.

use super::Step::{Asked, At, Gone, Heard, Lost};
use super::{Step, check, finished, loaded, started, tokens};
use crate::engine::tests::{cancel, load, run};
use crate::engine::{Command, Event, GroupRun, RunId};

/// Replies 2 to 5, two at a time, under the id 9.
fn group() -> Command {
    let runs = (2..=5).map(|id| {
        let Command::Run { id, request } = run(id) else {
            unreachable!("it is a run")
        };
        GroupRun {
            id,
            request: *request,
        }
    });
    Command::RunGroup {
        id: RunId(9),
        width: 2,
        runs: runs.collect(),
    }
}

fn group_finished() -> Step {
    Heard(Event::GroupFinished { id: RunId(9) })
}

/// The model is there, reply 2 has ended, 3 and 4 are being written, 5 waits.
fn begun() -> Vec<Step> {
    vec![
        Asked(load(1)),
        loaded(1),
        Asked(group()),
        started(2),
        started(3),
        tokens(2, "a"),
        finished(2, "a"),
        started(4),
        tokens(3, "b"),
    ]
}

const BEGUN: [&str; 9] = [
    "> load 1",
    "loaded 1",
    "> group 9 of 2: 2 3 4 5",
    "started 2 (1)",
    "started 3 (1)",
    "tokens 2: a",
    "finished 2: a [0]",
    "started 4 (1)",
    "tokens 3: b",
];

#[track_caller]
fn check_begun(steps: impl IntoIterator<Item = Step>, expected: &[&str]) {
    let expected: Vec<_> = BEGUN.iter().chain(expected).copied().collect();
    check(begun().into_iter().chain(steps), &expected);
}

#[test]
fn a_group_ends_when_it_says_so_and_not_with_a_reply() {
    check_begun(
        [
            Asked(run(10)),
            finished(3, "b"),
            finished(4, "c"),
            started(5),
            finished(5, "d"),
            group_finished(),
        ],
        &[
            "finished 3: b [0]",
            "finished 4: c [0]",
            "started 5 (1)",
            "finished 5: d [0]",
            "group finished 9",
            "> run 10",
        ],
    );
}

#[test]
fn replies_in_flight_are_tried_again_alone_and_the_rest_goes_on() {
    check_begun(
        [
            Lost("killed (signal 9)"),
            loaded(1),
            started(3),
            finished(3, "b"),
            started(4),
            finished(4, "c"),
            started(5),
            finished(5, "d"),
            group_finished(),
        ],
        &[
            "lost: killed (signal 9)",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 3",
            "started 3 (2)",
            "finished 3: b [0]",
            "> run 4",
            "started 4 (2)",
            "finished 4: c [0]",
            "> group 9 of 2: 5",
            "started 5 (1)",
            "finished 5: d [0]",
            "group finished 9",
        ],
    );
}

#[test]
fn the_reply_that_kills_its_engine_twice_is_given_up_and_no_other() {
    check_begun(
        [
            Lost("x"),
            loaded(1),
            started(3),
            finished(3, "b"),
            started(4),
            Lost("y"),
            loaded(1),
        ],
        &[
            "lost: x",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 3",
            "started 3 (2)",
            "finished 3: b [0]",
            "> run 4",
            "started 4 (2)",
            "lost: y",
            "finished 4 (lost: y):  [0]",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> group 9 of 2: 5",
        ],
    );
}

/// Else the group would lose one engine after the other.
#[test]
fn a_group_that_is_lost_before_a_reply_began_tries_its_first_one_alone() {
    check(
        [
            Asked(load(1)),
            loaded(1),
            Asked(group()),
            Lost("x"),
            loaded(1),
        ],
        &[
            "> load 1",
            "loaded 1",
            "> group 9 of 2: 2 3 4 5",
            "lost: x",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 2",
        ],
    );
}

#[test]
fn a_cancelled_group_that_hears_nothing_is_killed_and_every_reply_ends() {
    check_begun(
        [Asked(cancel(9)), At(100), Gone],
        &[
            "> cancel 9",
            "kill",
            "finished 3 (cancelled): b [1]",
            "finished 4 (cancelled):  [0]",
            "finished 5 (cancelled):  [0]",
            "group finished 9",
            "> load 1",
        ],
    );
}
