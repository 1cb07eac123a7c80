//! What in the settings is likely to break JSON, and the way to settings that do not.

use eframe::egui::Ui;

use super::{Part, PlayState};
use crate::app::{Action, Model};
use crate::ui::theme::{Tone, icons};
use crate::ui::widgets::{banner_with, note, quiet_button};

/// Draws nothing where nothing is likely to hurt.
pub(super) fn lint_ui(model: &Model, state: &mut PlayState, ui: &mut Ui) -> Option<Action> {
    let found = model.draft.lint();
    if found.is_empty() {
        return None;
    }
    let text = match found.len() {
        1 => "One setting is likely to break JSON.".to_owned(),
        n => format!("{n} settings are likely to break JSON."),
    };
    let wants_twin = banner_with(ui, Tone::Warn, &text, |ui| {
        quiet_button(ui, icons::CHECK, "Make fit for JSON")
            .on_hover_text("The same without what breaks JSON: no penalties and bans, temperature 0, a schema that is enforced.")
            .clicked()
    });
    if state.disclosure(ui, Part::Lint, "Which, and why") {
        for it in &found {
            note(ui, format!("• {}", it.reason));
        }
    }
    wants_twin.then_some(Action::TakeStructuredTwin)
}
