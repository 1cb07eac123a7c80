//! What follows from a cancel, in time, too late, or unheard.

use super::Step::{Asked, At, Gone, Heard, Lost};
use super::{check, check_begun, finished, load_failed, loaded, loading, tokens};
use crate::engine::tests::{cancel, load, run};
use crate::engine::{Command, Event, RunId};

#[test]
fn a_cancel_that_is_answered_in_time_kills_nothing() {
    check_begun(
        [Asked(cancel(2)), At(79), finished(2, "ab"), At(200)],
        &["> cancel 2", "finished 2: ab [0]"],
    );
}

#[test]
fn a_cancel_that_is_not_answered_kills_the_engine() {
    check_begun(
        [
            Asked(cancel(2)),
            At(80),
            Gone,
            loading(1),
            loaded(1),
            Asked(run(3)),
        ],
        &[
            "> cancel 2",
            "kill",
            "finished 2 (cancelled): ab [2]",
            "> load 1",
            "> run 3",
        ],
    );
}

#[test]
fn tokens_after_a_cancel_do_not_put_off_the_kill() {
    check_begun(
        [
            Asked(cancel(2)),
            At(40),
            tokens(2, "c"),
            Asked(cancel(2)),
            At(80),
        ],
        &[
            "> cancel 2",
            "tokens 2: c",
            "kill",
            "finished 2 (cancelled): abc [3]",
        ],
    );
}

#[test]
fn nothing_starts_before_a_killed_engine_is_gone() {
    check_begun(
        [Asked(cancel(2)), At(80), Asked(run(3)), At(5_079)],
        &["> cancel 2", "kill", "finished 2 (cancelled): ab [2]"],
    );
}

#[test]
fn a_killed_engine_that_does_not_go_is_waited_for_five_seconds() {
    check_begun(
        [Asked(cancel(2)), At(80), At(5_080)],
        &[
            "> cancel 2",
            "kill",
            "finished 2 (cancelled): ab [2]",
            "> load 1",
        ],
    );
}

#[test]
fn a_cancelled_load_leaves_no_model() {
    check(
        [
            Asked(load(1)),
            Asked(cancel(1)),
            At(80),
            Gone,
            Asked(run(2)),
        ],
        &[
            "> load 1",
            "> cancel 1",
            "kill",
            "load cancelled 1",
            "> run 2",
        ],
    );
}

#[test]
fn an_engine_that_dies_of_a_cancel_is_no_loss() {
    check_begun(
        [Asked(cancel(2)), Lost("aborted (signal 6)")],
        &["> cancel 2", "finished 2 (cancelled): ab [2]", "> load 1"],
    );
}

#[test]
fn a_late_cancel_does_not_hit_the_next_run() {
    check_begun(
        [finished(2, "ab"), Asked(run(3)), Asked(cancel(2)), At(200)],
        &["finished 2: ab [0]", "> run 3"],
    );
}

#[test]
fn a_waiting_run_is_cancelled_at_once() {
    check_begun(
        [Asked(run(3)), Asked(cancel(3)), finished(2, "ab")],
        &["finished 3 (cancelled):  [0]", "finished 2: ab [0]"],
    );
}

#[test]
fn a_waiting_load_that_is_cancelled_takes_the_old_model_with_it() {
    check_begun(
        [
            Asked(load(3)),
            Asked(cancel(3)),
            finished(2, "ab"),
            Heard(Event::Unloaded),
            Lost("x"),
        ],
        &[
            "load cancelled 3",
            "finished 2: ab [0]",
            "> unload",
            "lost: x",
            "EngineRestarted",
        ],
    );
}

#[test]
fn a_cancel_while_the_model_comes_back_ends_the_retry() {
    check_begun(
        [Lost("x"), Asked(cancel(2)), loaded(1)],
        &[
            "lost: x",
            "> load 1",
            "finished 2 (cancelled): ab [2]",
            "loaded 1",
            "EngineRestarted",
        ],
    );
}

#[test]
fn a_model_that_comes_back_can_be_cancelled() {
    check_begun(
        [Lost("x"), Asked(cancel(1)), At(80), Gone, Asked(run(3))],
        &[
            "lost: x",
            "> load 1",
            "> cancel 1",
            "kill",
            "load cancelled 1",
            "finished 2 (cancelled): ab [2]",
            "> run 3",
        ],
    );
}

#[test]
fn a_model_that_comes_back_may_answer_its_cancel() {
    check_begun(
        [
            Lost("x"),
            Asked(cancel(1)),
            Heard(Event::LoadCancelled { id: RunId(1) }),
            At(500),
        ],
        &[
            "lost: x",
            "> load 1",
            "> cancel 1",
            "load cancelled 1",
            "finished 2 (cancelled): ab [2]",
        ],
    );
}

#[test]
fn another_model_is_not_kept_waiting_by_one_that_comes_back() {
    check_begun(
        [Lost("x"), Asked(load(3)), Gone, loaded(3), Asked(run(4))],
        &[
            "lost: x",
            "> load 1",
            "kill",
            "finished 2 (cancelled): ab [2]",
            "> load 3",
            "loaded 3",
            "> run 4",
        ],
    );
}

#[test]
fn an_unload_is_not_kept_waiting_by_a_model_that_comes_back() {
    check_begun(
        [
            Lost("x"),
            Asked(Command::Unload),
            Gone,
            Heard(Event::Unloaded),
            Lost("y"),
        ],
        &[
            "lost: x",
            "> load 1",
            "kill",
            "finished 2 (cancelled): ab [2]",
            "> unload",
            "Unloaded",
            "lost: y",
            "EngineRestarted",
        ],
    );
}

#[test]
fn a_quiet_reload_gives_way_to_another_model() {
    check_begun(
        [Asked(cancel(2)), At(80), Asked(load(3)), Gone, loaded(3)],
        &[
            "> cancel 2",
            "kill",
            "finished 2 (cancelled): ab [2]",
            "> load 3",
            "loaded 3",
        ],
    );
}

#[test]
fn a_quiet_reload_that_fails_is_told() {
    check_begun(
        [Asked(cancel(2)), At(80), Gone, load_failed(1)],
        &[
            "> cancel 2",
            "kill",
            "finished 2 (cancelled): ab [2]",
            "> load 1",
            "load failed 1: no memory",
        ],
    );
}

#[test]
fn a_quiet_reload_that_kills_the_engine_is_told() {
    check_begun(
        [Asked(cancel(2)), At(80), Gone, Lost("y")],
        &[
            "> cancel 2",
            "kill",
            "finished 2 (cancelled): ab [2]",
            "> load 1",
            "load failed 1: y",
        ],
    );
}

#[test]
fn a_quiet_reload_that_hangs_is_told() {
    check_begun(
        [Asked(cancel(2)), At(80), Gone, At(380)],
        &[
            "> cancel 2",
            "kill",
            "finished 2 (cancelled): ab [2]",
            "> load 1",
            "kill",
            "load failed 1: hung: nothing heard for 300ms",
        ],
    );
}
