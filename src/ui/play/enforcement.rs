//! How far the mask holds a reply to its constraint: all of it, a part, or nothing.

use eframe::egui::Ui;

use super::PlayState;
use crate::app::{ConstraintKind, Model, RunPhase};
use crate::constraint::{self, Badge, Constraint};
use crate::lab::Trial;
use crate::ui::theme::Tone;
use crate::ui::widgets::{banner, note, toned_pill};

/// Keywords that are named; the others are counted.
const MAX_NAMED: usize = 6;

/// The word, and whether it bodes well.
pub(super) fn badge_words(badge: Badge) -> (&'static str, Tone) {
    match badge {
        Badge::Enforced => ("Enforced", Tone::Good),
        Badge::Partly => ("Partly enforced", Tone::Warn),
        Badge::None => ("Not enforced", Tone::Bad),
    }
}

/// Draws nothing where no constraint is asked for, or where the text has not been checked yet.
pub(super) fn badge_ui(model: &Model, ui: &mut Ui) {
    if model.draft.constraint.kind == ConstraintKind::None {
        return;
    }
    let badge = if model.constraint_error.is_some() {
        Badge::None
    } else if model.checked.is_of(&model.draft.constraint) {
        model.checked.badge
    } else {
        return;
    };
    let (word, tone) = badge_words(badge);
    toned_pill(ui, word, tone);
}

/// Under the text: its fault, or what of it the mask does not enforce.
pub(super) fn enforcement_ui(model: &Model, ui: &mut Ui) {
    if let Some(error) = &model.constraint_error {
        banner(ui, Tone::Bad, &error.to_string());
        return;
    }
    let checked = &model.checked;
    if !checked.is_of(&model.draft.constraint) {
        return;
    }
    let n_named = checked.warnings.len().min(MAX_NAMED);
    let named = checked.warnings[..n_named].iter();
    let mut rows: Vec<String> = named.map(|it| format!("• {it}")).collect();
    if checked.warnings.len() > n_named {
        rows.push(format!("and {} more", checked.warnings.len() - n_named));
    }
    let text = rows.join("\n");
    match checked.badge {
        Badge::Partly => banner(ui, Tone::Warn, &format!("Partly enforced:\n{text}")),
        _ if !text.is_empty() => banner(ui, Tone::Warn, &text),
        _ => {
            note(ui, "No reply that breaks it can be written.");
        }
    }
}

/// How far the reply that is shown was held to its constraint; none where there was none, or no reply.
pub(super) fn held(model: &Model, state: &mut PlayState) -> Option<Badge> {
    let RunPhase::Done { trial, .. } = &model.run else {
        return None;
    };
    if let Some((id, badge)) = &state.held
        && *id == trial.id
    {
        return *badge;
    }
    let badge = held_by(trial, model);
    state.held = Some((trial.id.clone(), badge));
    badge
}

fn held_by(trial: &Trial, model: &Model) -> Option<Badge> {
    let constraint = serde_json::from_value(trial.constraint.clone());
    if matches!(constraint, Ok(Constraint::None)) || trial.reply.is_empty() {
        return None;
    }
    let (Ok(constraint), Some(_)) = (constraint, trial.trace.mask) else {
        return Some(Badge::None);
    };
    if model.checked.constraint.as_ref() == Some(&constraint) {
        return Some(model.checked.badge);
    }
    Some(constraint::badge(&constraint))
}
