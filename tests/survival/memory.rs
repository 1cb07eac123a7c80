//! Limits of memory on a real engine: refused before the load, or stopped with both numbers.

use std::process::{Command, Output};

use super::little_model::{saved, writer};

/// The program on a real model with this limit and context; it ends by itself.
fn run(limit: &[&str], context: &str) -> Output {
    let data = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(["run", "--preset", "greedy", "--ctx", context])
        .args(limit)
        .env("STEPLADDER_DATA", data.path())
        .output()
        .unwrap()
}

#[track_caller]
fn check_refused(limit: &[&str], context: &str, parts: &[&str]) {
    let ran = run(limit, context);
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(2), "{said}");
    for part in parts {
        assert!(said.contains(part), "{said:?} lacks {part:?}");
    }
}

#[test]
fn a_model_beyond_its_limit_is_refused_with_numbers() {
    check_refused(
        &["--memory", "120"],
        "2048",
        &[
            "with a context of 2048 tokens needs about ",
            "the memory limit is 120 MB; ",
            "raise it, or choose a smaller model",
        ],
    );
}

#[test]
fn a_context_beyond_its_limit_is_refused_with_one_that_fits() {
    check_refused(
        &["--memory", "220"],
        "8192",
        &[
            "the memory limit is 220 MB; ",
            "raise it, or choose a context of at most ",
        ],
    );
}

#[test]
fn an_engine_that_takes_more_than_its_limit_says_both_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "little", &writer().bytes());
    // Room for the model, but not for the program beside it.
    check_refused(
        &["--memory", "20", "--model", path.to_str().unwrap()],
        "256",
        &[
            "it took ",
            " MB of memory and may take 20 MB; ",
            "choose a smaller model",
        ],
    );
}

#[test]
fn a_model_within_its_limit_runs() {
    for limit in ["600", "0"] {
        let ran = run(&["--memory", limit], "2048");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{said}");
    }
}
