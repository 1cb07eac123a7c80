//! What the user must be told, until it is dismissed.

use eframe::egui::{Frame, Margin, Panel, Ui};

use super::crash::crash_ui;
use crate::app::{Action, EnginePhase, Model, NoticeKind};
use crate::ui::theme::{Tone, icons, palette};
use crate::ui::widgets::{banner_with, icon_button, quiet_button};

/// Draws nothing while there is nothing to tell.
pub(super) fn notices_ui(model: &Model, ui: &mut Ui) -> Option<Action> {
    if model.notices.is_empty() && !has_engine_trouble(model) {
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
            let crash = model.crash.as_ref();
            action.or(crash.and_then(|it| crash_ui(it, ui)))
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

/// None while the engine is heard.
fn silence_text(model: &Model) -> Option<String> {
    let silence = model.silence.as_ref()?;
    let process = match silence.process {
        Some(number) => format!(" (process {number})"),
        None => String::new(),
    };
    let state = if silence.lives {
        format!(
            "The engine makes no progress{process}: it is busy with something long, or hangs. After two minutes of that it is restarted by itself."
        )
    } else {
        format!(
            "The engine does not respond{process}: it is stopped, or the computer is short of memory. If it wakes up, it goes on by itself."
        )
    };
    let restarted = match &model.engine {
        EnginePhase::Loading { .. } => "A restart ends the load.",
        _ if model.is_running() || model.bench.running.is_some() => {
            "A restart begins the reply again; all else stays."
        }
        _ => "A restart loads the model again; nothing is lost.",
    };
    Some(format!("{state} {restarted}"))
}

fn has_engine_trouble(model: &Model) -> bool {
    let is_shown = model.silence.is_some() || model.crash.is_some();
    is_shown
        || matches!(
            model.engine,
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
