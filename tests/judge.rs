//! Replies as small models write them, each with its cause, its place and its leaks, through ladder and judges.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::{Map, Value};
use stepladder::judge::{CAUSES, Cause, Ending, Judgement, Source, reply_cause};
use stepladder::prompt::Example;
use stepladder::runner::{Appraised, Given, appraise};

/// What the replies were asked for.
#[derive(Deserialize)]
struct Task {
    task: String,
    instruction: String,
    schema: Value,
    examples: Vec<Example>,
    #[serde(default)]
    rules: Map<String, Value>,
}

/// One reply and what is to be said of it. What is left out is not checked.
#[derive(Deserialize)]
struct Row {
    id: String,
    /// The task's name.
    of: String,
    input: String,
    reply: String,
    #[serde(default)]
    ending: Option<String>,
    #[serde(default)]
    answer: Option<Value>,
    cause: Option<String>,
    /// JSON pointer to the cause's place.
    path: Option<String>,
    /// Pointer and example's number.
    leaks: Vec<(String, usize)>,
    #[serde(default)]
    further: Option<Vec<String>>,
    #[serde(default)]
    mixed: Option<Vec<String>>,
    #[serde(default)]
    not_in_input: Option<Vec<String>>,
    /// A part of the cause's message.
    #[serde(default)]
    says: Option<String>,
}

fn rows() -> (BTreeMap<String, Task>, Vec<Row>) {
    let (mut tasks, mut rows) = (BTreeMap::new(), Vec::new());
    for line in include_str!("data/judged_replies.jsonl").lines() {
        if line.starts_with("{\"task\"") {
            let task: Task = serde_json::from_str(line).unwrap();
            tasks.insert(task.task.clone(), task);
        } else {
            rows.push(serde_json::from_str(line).unwrap());
        }
    }
    (tasks, rows)
}

fn judged(row: &Row, task: &Task) -> Judgement {
    let ending = match row.ending.as_deref() {
        Some("cut") => Ending::Cut,
        Some("dead_end") => Ending::DeadEnd,
        _ => Ending::ByItself,
    };
    let appraised = Appraised {
        reply: &row.reply,
        ending,
        ..Appraised::default()
    };
    let given = Given {
        input_text: row.input.clone(),
        schema: Some(task.schema.clone()),
        answer: row.answer.clone(),
        rules: task.rules.clone(),
        examples: task.examples.clone(),
        instruction: task.instruction.clone(),
        ..Given::default()
    };
    let (climb, mut judgement) = appraise(&appraised, &given);
    judgement.cause = judgement
        .cause
        .or_else(|| reply_cause(&row.reply, &climb, ending));
    judgement
}

/// Everything in which a judgement differs from its row.
fn differences(row: &Row, judgement: &Judgement) -> String {
    let mut res = String::new();
    let cause = judgement.cause.clone().unwrap_or_default();
    let mut compare = |what: &str, found: String, expected: String| {
        if found != expected {
            writeln!(
                res,
                "{}: {what} {found}, not {expected}: {}",
                row.id, cause.message
            )
            .unwrap();
        }
    };
    let found = judgement.cause.as_ref();
    let kind = |it: Option<&Cause>| format!("{:?}", it.map(|it| it.kind.as_str()));
    compare("cause", kind(found), format!("{:?}", row.cause.as_deref()));
    compare(
        "path",
        format!("{:?}", cause.path),
        format!("{:?}", row.path),
    );
    let leaks: Vec<_> = judgement
        .leaks
        .iter()
        .map(|it| (it.path.clone(), it.example))
        .collect();
    compare("leaks", format!("{leaks:?}"), format!("{:?}", row.leaks));
    if let Some(further) = &row.further {
        let found: Vec<_> = cause.further.iter().map(|it| &it.kind).collect();
        compare("further", format!("{found:?}"), format!("{further:?}"));
    }
    if let Some(mixed) = &row.mixed {
        let found: Vec<_> = judgement.origins.mixed.iter().map(|it| &it.path).collect();
        compare("mixed", format!("{found:?}"), format!("{mixed:?}"));
    }
    if let Some(invented) = &row.not_in_input {
        let leaves = judgement.origins.leaves.iter();
        let found: Vec<_> = leaves
            .filter(|it| it.source == Source::Invented)
            .map(|it| &it.path)
            .collect();
        compare("invented", format!("{found:?}"), format!("{invented:?}"));
    }
    if let Some(says) = row
        .says
        .as_ref()
        .filter(|it| !cause.message.contains(it.as_str()))
    {
        compare("message", "lacks it".to_owned(), says.clone());
    }
    res
}

#[test]
fn every_reply_has_its_cause_its_place_and_its_leaks() {
    let (tasks, rows) = rows();
    assert!(rows.len() >= 60);
    let wrong: String = rows
        .iter()
        .map(|row| differences(row, &judged(row, &tasks[&row.of])))
        .collect();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_cause_has_a_reply_that_shows_it() {
    let (_, rows) = rows();
    for rule in CAUSES {
        let shown = rows.iter().any(|it| it.cause.as_deref() == Some(rule.kind));
        assert!(shown, "{}", rule.kind);
    }
}

#[test]
fn a_place_in_the_prompt_holds_what_was_copied() {
    let (tasks, rows) = rows();
    let row = rows.iter().find(|it| it.id == "leak-mixed").unwrap();
    let task = &tasks[&row.of];
    let judgement = judged(row, task);
    let place = judgement.leaks[0].place.clone().unwrap();
    let shown = stepladder::prompt::spaced(&task.examples[0].answer);
    assert_eq!(&shown[place.start..place.end], "Nora Lind");
    let phone = &judgement.origins.leaves[2].places[0];
    assert_eq!(&row.input[phone.start..phone.end], "555-0101");
}
