//! The value of a reply that is still being written: closed fields firm, open ones faint.

use eframe::egui::Ui;
use serde_json::Value;

use super::value_tree::{Kind, TreeRow, row_ui, scalar};
use crate::ladder::{Branch, Pending, Step, Stream, StreamState};
use crate::ui::theme::palette;
use crate::ui::widgets::{card, note};

/// Rows that are made, so that a frame costs the same however long the reply is.
const MAX_ROWS: usize = 200;
/// Parts of one container; of a longer list only its end is shown, where it grows.
const MAX_PARTS: usize = 40;

/// Draws nothing before a value has begun, but says what the model does.
pub(crate) fn growing_ui(stream: &Stream, ui: &mut Ui) {
    let words = match stream.state() {
        StreamState::Waiting => "No value has begun yet.",
        StreamState::Thinking => "The model thinks aloud; no value has begun yet.",
        StreamState::Open => "Faint: still open. Firm: closed for good.",
        StreamState::Closed => "The value is whole.",
        StreamState::Broken => "What came last is no JSON that can be read as it comes.",
    };
    note(ui, words);
    let Some(branch) = stream.tree() else { return };
    let frame = card(ui).fill(palette(ui).well);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        for row in growing(branch) {
            row_ui(&row, (false, false), ui);
        }
    });
}

/// One row for each part of the value so far.
pub(crate) fn growing(branch: Branch<'_>) -> Vec<TreeRow> {
    let mut rows = Vec::new();
    add(&mut rows, branch, (0, None));
    rows
}

fn add(rows: &mut Vec<TreeRow>, branch: Branch<'_>, (depth, key): (usize, Option<String>)) {
    if rows.len() >= MAX_ROWS {
        return;
    }
    let is_closed = branch.closed();
    let (text, kind) = match branch.value {
        // Not empty yet, as its next part is on the way.
        Value::Object(_) if !is_closed => ("{ }".to_owned(), Kind::Branch),
        Value::Array(_) if !is_closed => ("[ ]".to_owned(), Kind::Branch),
        value => scalar(value),
    };
    rows.push(row(depth, key, (text, kind), !is_closed));
    let n_parts = match branch.value {
        Value::Object(map) => map.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    let n_left_out = if is_closed {
        0
    } else {
        n_parts.saturating_sub(MAX_PARTS)
    };
    if n_left_out > 0 {
        let text = format!("{n_left_out} earlier");
        rows.push(row(depth + 1, None, (text, Kind::Branch), false));
    }
    for (step, part) in branch.children().skip(n_left_out) {
        let key = match step {
            Step::Key(key) => key.to_owned(),
            Step::Index(index) => index.to_string(),
        };
        add(rows, part, (depth + 1, Some(key)));
    }
    if let Some(Pending { key, text }) = branch.pending() {
        let key = (!key.is_empty()).then(|| key.to_owned());
        let text = format!("{text}…");
        rows.push(row(depth + 1, key, (text, Kind::Text), true));
    }
}

fn row(depth: usize, key: Option<String>, (text, kind): (String, Kind), is_faint: bool) -> TreeRow {
    TreeRow {
        depth,
        pointer: String::new(),
        key,
        text,
        kind,
        open: None,
        fault: None,
        word: is_faint.then(|| ("open".to_owned(), crate::ui::theme::Tone::Quiet)),
        faint: is_faint,
    }
}
