//! Why a reply ended badly, in sight, and what can be done about it.

use eframe::egui::Ui;

use crate::app::{ConstraintDraft, ConstraintKind};
use crate::constraint::WhiteSpace;
use crate::lab::Trial;
use crate::ui::theme::{Tone, icons};
use crate::ui::widgets::{banner, banner_with, quiet_button};

/// Draws nothing for a reply that came to its end.
pub(super) fn ending_ui(trial: &Trial, draft: &mut ConstraintDraft, ui: &mut Ui) {
    let detail = trial.stop_detail.as_deref().unwrap_or_default();
    match trial.stop.as_str() {
        "dead_end" if !detail.is_empty() => {
            let text = format!("Dead end: {detail}. No token was left that all of them allow.");
            banner(ui, Tone::Bad, &text);
        }
        "loop_guard" if !detail.is_empty() => loop_ui(trial, (detail, draft), ui),
        "engine_lost" if !detail.is_empty() => {
            banner(ui, Tone::Bad, &format!("The engine was lost: {detail}"));
        }
        _ => {}
    }
}

/// Which loop; where a constraint let it be, how to forbid it.
fn loop_ui(trial: &Trial, (detail, draft): (&str, &mut ConstraintDraft), ui: &mut Ui) {
    let text = format!("Stopped a loop: {detail}.");
    let of_constraint = |name: &str| trial.constraint.get(name).and_then(|it| it.as_str());
    let kind = of_constraint("kind").filter(|_| detail.contains("white space"));
    let is_free = of_constraint("white_space") == Some("free")
        && draft.kind == ConstraintKind::Schema
        && draft.white_space == WhiteSpace::Free;
    match kind {
        Some("schema") if is_free => {
            let text = format!("{text} The schema lets white space through without end.");
            let bounds = banner_with(ui, Tone::Warn, &text, |ui| {
                quiet_button(ui, icons::ARROW_RIGHT, "Allow eight in a row at most").clicked()
            });
            if bounds {
                draft.white_space = WhiteSpace::EIGHT;
            }
        }
        Some("grammar") => {
            let advice = "Bound the white space in the grammar, as in [ \\t\\n]{0,8}.";
            banner(ui, Tone::Warn, &format!("{text} {advice}"));
        }
        _ => banner(ui, Tone::Warn, &text),
    }
}
