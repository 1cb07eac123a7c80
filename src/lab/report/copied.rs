//! What a report says of copied values: leaks by example and preset, what other values did, and the stand-ins.

use super::{Section, column};
use crate::lab::copied::{Copied, LeakRow, StandIns};
use crate::lab::table::Table;

/// One table each; those without rows are left out by the caller.
pub(super) fn sections(copied: &Copied) -> [Section; 3] {
    [
        (
            "Copied values",
            "Values that stand in an example and not in the input, by preset, task and example: how many of the replies with examples in the prompt hold such a value, how many values that are, and where they stand.".to_owned(),
            leaks(&copied.leaks),
        ),
        (
            "Copied values with other examples",
            "Values that stand in an example and not in the input, and what stood in their places when the example held other values: a copy of those (they follow the example, so they are leaks), the same value all the same (the model would have written it anyway), or something else.".to_owned(),
            swaps(copied),
        ),
        (
            "Examples with stand-ins",
            "A proposal for the tasks whose examples were copied: stand-ins show at a glance where they come from, and no check takes them for a value of the input. They can cost right answers: run the task with both before you keep them.".to_owned(),
            stand_ins(&copied.stand_ins),
        ),
    ]
}

fn leaks(rows: &[LeakRow]) -> Table {
    let columns = vec![
        column("preset", false),
        column("task", false),
        column("example", true),
        column("replies", true),
        column("leaking", true),
        column("values", true),
        column("where", false),
    ];
    let rows = rows.iter().map(|it| {
        vec![
            it.label.clone(),
            it.task.clone(),
            it.example.to_string(),
            it.n_replies.to_string(),
            it.n_leaking.to_string(),
            it.n_values.to_string(),
            it.places_text(),
        ]
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

fn swaps(copied: &Copied) -> Table {
    let columns = vec![
        column("preset", false),
        column("task", false),
        column("example", true),
        column("in its place", false),
        column("pairs", true),
        column("copied", true),
        column("follow", true),
        column("stay", true),
        column("gone", true),
    ];
    let rows = copied.swaps.iter().map(|(values, it)| {
        let counts = [it.n_pairs, it.n_copied, it.n_follow, it.n_stay, it.n_gone()];
        let mut row = vec![
            it.label.clone(),
            it.task.clone(),
            it.example.to_string(),
            values.key().to_owned(),
        ];
        row.extend(counts.map(|it| it.to_string()));
        row
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

fn stand_ins(examples: &[StandIns]) -> Table {
    let columns = vec![
        column("task", false),
        column("example", true),
        column("copied", true),
        column("part", false),
        column("as it is", false),
        column("proposed", false),
    ];
    let rows = examples.iter().flat_map(|it| {
        let head = [
            it.task.clone(),
            it.example.to_string(),
            it.n_values.to_string(),
        ];
        let parts = [
            ("input", it.own.input.clone(), it.proposed.input.clone()),
            (
                "answer",
                it.own.answer.to_string(),
                it.proposed.answer.to_string(),
            ),
        ];
        parts.map(|(part, own, proposed)| {
            let rest = [part.to_owned(), own, proposed];
            head.iter().cloned().chain(rest).collect()
        })
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}
