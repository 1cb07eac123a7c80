//! The comparison as Markdown: what came of each column, the fields, where the replies part, and their texts.

use serde_json::Value;

use super::draft::letter;
use super::{ColumnState, Comparison};
use crate::app::{Model, RunPhase};
use crate::lab::{Trial, fenced_markdown as fenced, plain_markdown as plain};
use crate::ladder::Rung;

pub(super) fn markdown(model: &Model) -> String {
    let draft = &model.compare.draft;
    let task = model.library.task(&draft.task);
    let title = task.map_or(draft.task.as_str(), |it| it.title.as_str());
    let mut parts = vec![
        format!("# Compare: {}", plain(title)),
        format!("Input: {}", plain(&draft.text)),
        columns(model),
    ];
    if let Some(comparison) = model.compare.comparison.as_deref() {
        parts.push(fields(comparison));
        parts.push(partings(comparison));
    }
    parts.push(replies(model));
    parts.retain(|it| !it.is_empty());
    parts.join("\n\n") + "\n"
}

/// A row a column.
fn columns(model: &Model) -> String {
    let head = [
        "Column",
        "Preset",
        "Model",
        "State",
        "Rung",
        "Parses",
        "Schema",
        "Correct",
        "Leak-free",
        "Cause",
        "Tokens",
        "Tokens/s",
    ];
    let desk = &model.compare;
    let rows = desk.draft.columns.iter().enumerate().map(|(idx, column)| {
        let id = column.id;
        let reply = desk.run(id).and_then(RunPhase::reply);
        let model_name = reply.map_or("", |it| it.assembly.model.name.as_str());
        let mut cells = vec![
            letter(idx).to_string(),
            column.preset.title.clone(),
            model_name.to_owned(),
            state(model.column_state(id)).to_owned(),
        ];
        cells.extend(
            desk.trial(id)
                .map_or_else(|| vec!["–".to_owned(); 8], judged),
        );
        cells
    });
    table(&head.map(str::to_owned), rows)
}

fn state(state: ColumnState) -> &'static str {
    match state {
        ColumnState::Empty => "not run",
        ColumnState::Waiting => "waiting",
        ColumnState::Loading => "loading its model",
        ColumnState::Running => "running",
        ColumnState::Done => "done",
        ColumnState::Failed => "failed",
    }
}

fn judged(trial: &Trial) -> Vec<String> {
    let word = |it: Option<bool>| match it {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not judged",
    };
    let lamps = &trial.lamps;
    vec![
        rung(trial.climb.rung),
        word(Some(lamps.parses)).to_owned(),
        word(lamps.schema).to_owned(),
        word(lamps.correct).to_owned(),
        word(lamps.leak_free).to_owned(),
        trial
            .cause
            .as_ref()
            .map_or_else(|| "–".to_owned(), |it| it.message.clone()),
        trial.reply_tokens.len().to_string(),
        format!("{:.1}", trial.timings.tokens_per_second),
    ]
}

fn rung(rung: Option<Rung>) -> String {
    rung.map_or_else(|| "none".to_owned(), |it| u8::from(it).to_string())
}

/// A row a field; what differs from the reference is marked with ≠.
fn fields(comparison: &Comparison) -> String {
    let table_of = &comparison.fields;
    if table_of.rows.is_empty() {
        return String::new();
    }
    let mut head = vec!["Field".to_owned()];
    head.extend((0..comparison.columns.len()).map(|it| letter(it).to_string()));
    let rows = table_of.rows.iter().map(|row| {
        let mut cells = vec![if row.path.is_empty() {
            "(whole value)".to_owned()
        } else {
            row.path.clone()
        }];
        cells.extend(row.cells.iter().enumerate().map(|(idx, cell)| {
            let text = cell
                .as_ref()
                .map_or_else(|| "–".to_owned(), Value::to_string);
            if row.differing.contains(&idx) {
                format!("≠ {text}")
            } else {
                text
            }
        }));
        cells
    });
    let cut = if table_of.is_cut {
        "\n\nNot all fields are listed."
    } else {
        ""
    };
    format!("## Fields\n\n{}{cut}", table(&head, rows))
}

fn partings(comparison: &Comparison) -> String {
    let lines: Vec<String> = comparison
        .partings
        .iter()
        .flatten()
        .map(|it| format!("- {}", plain(&it.sentence)))
        .collect();
    if lines.is_empty() {
        return "The replies are the same, token by token.".to_owned();
    }
    let reference = comparison.lock_step.reference.unwrap_or_default();
    format!(
        "## Divergences\n\nHeld against {}.\n\n{}",
        letter(reference),
        lines.join("\n")
    )
}

fn replies(model: &Model) -> String {
    let desk = &model.compare;
    let columns = desk.draft.columns.iter().enumerate();
    let parts = columns.filter_map(|(idx, column)| {
        let text = match desk.run(column.id)? {
            RunPhase::Done { trial, .. } => fenced(&trial.reply),
            RunPhase::Failed { message } => format!("Failed: {}", plain(message)),
            RunPhase::Running { .. } | RunPhase::Idle => return None,
        };
        let name = plain(&desk.draft.name(idx));
        Some(format!("## Reply {name}\n\n{text}"))
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

fn table(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|it| plain(it)).collect();
        format!("| {} |", cells.join(" | "))
    };
    let mut lines = vec![line(head), format!("|{}", " --- |".repeat(head.len()))];
    lines.extend(rows.map(|it| line(&it)));
    lines.join("\n")
}
