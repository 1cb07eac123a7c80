//! What the user must be told, until it is dismissed.

use eframe::egui::{Frame, Margin, Panel, Ui};

use crate::app::{Action, EnginePhase, Model, NoticeKind};
use crate::ui::theme::{Tone, icons, palette};
use crate::ui::widgets::{banner_with, icon_button, quiet_button};

/// Draws nothing while there is nothing to tell.
pub(super) fn notices_ui(model: &Model, ui: &mut Ui) -> Option<Action> {
    if model.notices.is_empty() && model.silence.is_none() && !has_engine_trouble(&model.engine) {
        return None;
    }
    let frame = Frame::NONE
        .fill(palette(ui).panel)
        .inner_margin(Margin::symmetric(16, 6));
    Panel::top("notices")
        .show_separator_line(false)
        .frame(frame)
        .show(ui, |ui| {
            let mut action = silence_ui(model, ui).or(engine_ui(&model.engine, ui));
            for (idx, notice) in model.notices.iter().enumerate() {
                let tone = match notice.kind {
                    NoticeKind::Info => Tone::Accent,
                    NoticeKind::Warning => Tone::Warn,
                    NoticeKind::Error => Tone::Bad,
                };
                let dismissed = banner_with(ui, tone, &notice.text, |ui| {
                    icon_button(ui, icons::X, "Dismiss").clicked()
                });
                if dismissed {
                    action = Some(Action::DismissNotice(idx));
                }
            }
            action
        })
        .inner
}

/// An engine that shows no sign of life: what that means, and a way out.
fn silence_ui(model: &Model, ui: &mut Ui) -> Option<Action> {
    let text = silence_text(model)?;
    let restart = banner_with(ui, Tone::Bad, &text, |ui| {
        quiet_button(ui, icons::ARROW_AGAIN, "Restart engine").clicked()
    });
    restart.then_some(Action::RestartEngine)
}

/// None while the engine responds.
fn silence_text(model: &Model) -> Option<String> {
    let process = match model.silence.as_ref()?.process {
        Some(number) => format!(" (process {number})"),
        None => String::new(),
    };
    let restarted = match &model.engine {
        EnginePhase::Loading { .. } => "A restart ends the load.",
        _ if model.is_running() || model.bench.running.is_some() => {
            "A restart begins the reply again; all else stays."
        }
        _ => "A restart loads the model again; nothing is lost.",
    };
    Some(format!(
        "The engine does not respond{process}: it is stopped, or the computer is short of memory. If it wakes up, it goes on by itself. {restarted}"
    ))
}

fn has_engine_trouble(engine: &EnginePhase) -> bool {
    matches!(
        engine,
        EnginePhase::Failed { .. } | EnginePhase::Restarting { .. }
    )
}

fn engine_ui(engine: &EnginePhase, ui: &mut Ui) -> Option<Action> {
    match engine {
        EnginePhase::Failed { path, message } => {
            let text = format!("{} could not be loaded: {message}", path.display());
            let again = banner_with(ui, Tone::Bad, &text, |ui| {
                quiet_button(ui, icons::ARROW_AGAIN, "Try again").clicked()
            });
            again.then(|| Action::LoadModel(path.clone()))
        }
        EnginePhase::Restarting { reason, .. } => {
            let text = format!("The engine was lost: {reason}. It is being started again.");
            banner_with(ui, Tone::Warn, &text, |ui| {
                ui.spinner();
            });
            None
        }
        EnginePhase::NoModel | EnginePhase::Loading { .. } | EnginePhase::Ready(_) => None,
    }
}
