//! What follows when the engine is lost, and how often.

use super::Step::{Alive, Asked, At, Gone, Lost};
use super::{check, check_begun, finished, load_failed, loaded, loading, started, tokens};
use crate::engine::tests::{load, preview, run};

#[test]
fn a_lost_run_is_tried_again_once() {
    check_begun(
        [
            Lost("killed (signal 9)"),
            loading(1),
            loaded(1),
            started(2),
            tokens(2, "a"),
            finished(2, "a"),
        ],
        &[
            "lost: killed (signal 9)",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 2",
            "started 2 (2)",
            "tokens 2: a",
            "finished 2: a [0]",
        ],
    );
}

#[test]
fn a_run_that_loses_two_engines_ends_with_its_text_so_far() {
    check_begun(
        [
            Lost("first"),
            loaded(1),
            started(2),
            tokens(2, "c"),
            Lost("second"),
            loaded(1),
        ],
        &[
            "lost: first",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 2",
            "started 2 (2)",
            "tokens 2: c",
            "lost: second",
            "finished 2 (lost: second): c [1]",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
        ],
    );
}

#[test]
fn a_run_without_a_model_is_tried_again_too() {
    check(
        [Asked(run(2)), Lost("x"), started(2)],
        &[
            "> run 2",
            "lost: x",
            "EngineRestarted",
            "> run 2",
            "started 2 (2)",
        ],
    );
}

#[test]
fn what_waits_behind_a_lost_run_waits_on() {
    check_begun(
        [Asked(run(3)), Lost("x"), loaded(1), finished(2, "ab")],
        &[
            "lost: x",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 2",
            "finished 2: ab [0]",
            "> run 3",
        ],
    );
}

#[test]
fn a_load_that_kills_the_engine_is_not_tried_again() {
    check(
        [
            Asked(load(1)),
            loading(1),
            Lost("bus error (signal 7)"),
            Asked(run(2)),
        ],
        &[
            "> load 1",
            "progress 1",
            "load failed 1: bus error (signal 7)",
            "> run 2",
        ],
    );
}

#[test]
fn a_model_that_does_not_come_back_ends_the_run() {
    check_begun(
        [Lost("x"), load_failed(1)],
        &[
            "lost: x",
            "> load 1",
            "load failed 1: no memory",
            "finished 2 (lost: no memory): ab [2]",
        ],
    );
}

#[test]
fn a_model_that_kills_the_engine_when_it_comes_back_ends_the_run() {
    check_begun(
        [Lost("x"), Lost("y"), Lost("z"), Asked(run(3))],
        &[
            "lost: x",
            "> load 1",
            "> load 1",
            "load failed 1: z",
            "finished 2 (lost: z): ab [2]",
            "> run 3",
        ],
    );
}

#[test]
fn an_engine_killed_while_its_model_comes_back_is_started_again() {
    check_begun(
        [
            Lost("x"),
            Lost("y"),
            loaded(1),
            started(2),
            finished(2, "ab"),
        ],
        &[
            "lost: x",
            "> load 1",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 2",
            "started 2 (2)",
            "finished 2: ab [0]",
        ],
    );
}

#[test]
fn an_engine_lost_while_idle_comes_back() {
    check(
        [Asked(load(1)), loaded(1), Lost("x"), loaded(1)],
        &[
            "> load 1",
            "loaded 1",
            "lost: x",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
        ],
    );
}

#[test]
fn an_engine_lost_before_any_model_starts_with_the_next_command() {
    check(
        [Asked(preview(1)), Lost("x"), Asked(preview(2))],
        &[
            "> preview 1",
            "lost: x",
            "preview failed 1: x",
            "EngineRestarted",
            "> preview 2",
        ],
    );
}

#[test]
fn three_losses_with_nothing_done_are_enough() {
    check(
        [
            Asked(load(1)),
            loaded(1),
            Lost("x"),
            loaded(1),
            Lost("x"),
            loaded(1),
            Lost("y"),
        ],
        &[
            "> load 1",
            "loaded 1",
            "lost: x",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "lost: x",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "lost: y",
            "load failed 1: the engine was lost 3 times in a row, so it is not started again; the last time: y",
        ],
    );
}

#[test]
fn losses_that_lie_far_apart_are_not_counted_together() {
    let again = ["lost: x", "> load 1", "loaded 1", "EngineRestarted"];
    let mut expected = vec!["> load 1", "loaded 1"];
    expected.extend([again; 3].concat());
    check(
        [
            Asked(load(1)),
            loaded(1),
            Lost("x"),
            loaded(1),
            At(61_000),
            Lost("x"),
            loaded(1),
            At(122_000),
            Lost("x"),
            loaded(1),
        ],
        &expected,
    );
}

#[test]
fn a_run_that_ends_makes_up_for_losses() {
    let mut steps = vec![Asked(load(1)), loaded(1)];
    let mut expected = vec!["> load 1", "loaded 1"];
    for _ in 0..4 {
        steps.extend([Lost("x"), loaded(1), Asked(run(2)), finished(2, "a")]);
        expected.extend([
            "lost: x",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 2",
        ]);
        expected.push("finished 2: a [0]");
    }
    check(steps, &expected);
}

#[test]
fn a_silent_engine_is_lost() {
    check_begun(
        [
            At(300),
            Gone,
            loaded(1),
            started(2),
            At(599),
            finished(2, "ab"),
        ],
        &[
            "kill",
            "lost: hung: nothing heard for 300ms",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 2",
            "started 2 (2)",
            "finished 2: ab [0]",
        ],
    );
}

#[test]
fn slow_work_that_shows_signs_of_life_is_not_lost() {
    check_begun(
        [At(200), Alive, At(499), Alive, At(798), finished(2, "ab")],
        &["finished 2: ab [0]"],
    );
}

#[test]
fn work_whose_signs_of_life_end_is_lost() {
    check_begun(
        [At(200), Alive, At(500)],
        &["kill", "lost: hung: nothing heard for 300ms"],
    );
}

#[test]
fn a_silent_load_has_failed() {
    check(
        [Asked(load(1)), At(200), loading(1), At(499), At(500)],
        &[
            "> load 1",
            "progress 1",
            "kill",
            "load failed 1: hung: nothing heard for 300ms",
        ],
    );
}

#[test]
fn a_computer_that_slept_is_no_hang() {
    check_begun(
        [At(3_600_000), At(3_600_299), finished(2, "ab")],
        &["finished 2: ab [0]"],
    );
}

#[test]
fn a_hang_is_noticed_after_a_sleep_too() {
    check_begun(
        [At(3_600_000), At(3_600_300)],
        &["kill", "lost: hung: nothing heard for 300ms"],
    );
}

#[test]
fn a_run_that_loses_the_third_engine_in_a_row_is_not_tried_again() {
    check(
        [
            Asked(load(1)),
            loaded(1),
            Lost("x"),
            loaded(1),
            Lost("x"),
            loaded(1),
            Asked(run(2)),
            tokens(2, "a"),
            Lost("y"),
            Asked(run(3)),
        ],
        &[
            "> load 1",
            "loaded 1",
            "lost: x",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "lost: x",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 2",
            "tokens 2: a",
            "lost: y",
            "finished 2 (lost: the engine was lost 3 times in a row, so it is not started again; the last time: y): a [1]",
            "load failed 1: the engine was lost 3 times in a row, so it is not started again; the last time: y",
            "> run 3",
        ],
    );
}
