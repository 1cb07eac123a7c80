//! Estimates against values worked out by hand.

use super::plans::cells_of;
use crate::lab::{PastReply, Speeds};

fn past(task: &str, preset: &str, n_tokens: usize) -> PastReply {
    PastReply {
        model: "m.gguf".to_owned(),
        task: task.to_owned(),
        preset: preset.to_owned(),
        n_tokens,
        prefill_ms: 200.0,
        decode_ms: n_tokens as f64 * 10.0,
    }
}

fn speeds(all: &[PastReply]) -> Speeds {
    let mut speeds = Speeds::default();
    for trial in all {
        speeds.count(trial);
    }
    speeds
}

#[test]
fn each_cell_counts_with_the_replies_most_like_it() {
    let known = speeds(&[
        past("mood", "greedy", 20),
        past("mood", "greedy", 40),
        past("mood", "chat", 90),
        past("shopping", "greedy", 50),
    ]);
    let estimate = |task, preset| {
        let cells = cells_of(task, preset);
        let n = cells.len() as f64;
        let it = known.estimate("m.gguf", &cells).unwrap();
        (it.tokens / n, it.seconds / n)
    };
    let close = |found: (f64, f64), wanted: (f64, f64)| {
        let off = (found.0 - wanted.0).abs() + (found.1 - wanted.1).abs();
        assert!(off < 1e-9, "{found:?} in place of {wanted:?}");
    };
    // 100 tokens a second, and 0.2 s before the first one.
    close(estimate("mood", "greedy"), (30.0, 0.5));
    close(estimate("mood", "chat"), (90.0, 1.1));
    // Unknown under this preset: all of the task's.
    close(estimate("mood", "greedy-ngram3"), (50.0, 0.7));
    // An unknown task: all replies.
    close(estimate("contact", "greedy"), (50.0, 0.7));
}

#[test]
fn nothing_is_said_of_a_model_without_replies() {
    let known = speeds(&[past("mood", "greedy", 20)]);
    assert_eq!(known.estimate("n.gguf", &cells_of("mood", "greedy")), None);
    assert_eq!(Speeds::default().estimate("m.gguf", &[]), None);
}

#[test]
fn a_reply_that_was_not_timed_tells_nothing() {
    let untimed = PastReply {
        decode_ms: 0.0,
        ..past("mood", "greedy", 20)
    };
    let silent = past("mood", "greedy", 0);
    let known = speeds(&[untimed, silent]);
    assert_eq!(known.estimate("m.gguf", &cells_of("mood", "greedy")), None);
}
