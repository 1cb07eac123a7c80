//! A picker among a task's inputs.

use eframe::egui::Ui;

use super::widgets::{Entry, picker};
use crate::prompt::Task;

/// Characters of an input that its row shows.
const N_CHARS: usize = 56;

/// Returns the index of the input that was picked; `chosen` is none for a text of the user's own.
pub(super) fn input_picker(
    ui: &mut Ui,
    name: &str,
    task: &Task,
    chosen: Option<usize>,
) -> Option<usize> {
    let inputs = task.inputs.iter().enumerate();
    let titles: Vec<String> = inputs
        .map(|(idx, it)| format!("{}  {}", idx + 1, first_line(&it.text)))
        .collect();
    let entries: Vec<Entry<'_>> = titles
        .iter()
        .zip(&task.inputs)
        .enumerate()
        .map(|(idx, (title, input))| Entry {
            title,
            about: &input.text,
            chosen: chosen == Some(idx),
        })
        .collect();
    let shown = match chosen {
        Some(idx) => format!("Input {} of {}", idx + 1, task.inputs.len()),
        None => "Own input".to_owned(),
    };
    picker(ui, name, &shown, &entries)
}

/// The first line of an input, cut where it is long.
pub(super) fn first_line(text: &str) -> String {
    let line = text.lines().find(|it| !it.trim().is_empty());
    let line = line.unwrap_or_default().trim();
    if line.chars().count() <= N_CHARS {
        line.to_owned()
    } else {
        let cut: String = line.chars().take(N_CHARS - 1).collect();
        format!("{}…", cut.trim_end())
    }
}
