//! What is known of an engine that was lost: where the note is kept, its text to read and to copy.

use eframe::egui::{Frame, Label, Margin, RichText, ScrollArea, Ui};

use crate::app::{Action, Crash};
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::widgets::{banner_with, icon_button, quiet_button};

/// Height of the text that is shown at once.
const HEIGHT: f32 = 180.0;

pub(super) fn crash_ui(crash: &Crash, ui: &mut Ui) -> Option<Action> {
    let action = banner_with(ui, Tone::Quiet, &headline(crash), |ui| {
        if icon_button(ui, icons::X, "Dismiss the crash note").clicked() {
            return Some(Action::DismissCrash);
        }
        if quiet_button(ui, icons::COPY, "Copy crash note").clicked() {
            return Some(Action::CopyText(crash.text.clone()));
        }
        let label = if crash.is_open {
            "Hide crash note"
        } else {
            "Show crash note"
        };
        let icon = if crash.is_open {
            icons::CARET_DOWN
        } else {
            icons::CARET_RIGHT
        };
        let clicked = quiet_button(ui, icon, label).clicked();
        clicked.then_some(Action::ShowCrash(!crash.is_open))
    });
    if crash.is_open {
        text_ui(&crash.text, ui);
    }
    action
}

fn headline(crash: &Crash) -> String {
    match &crash.kept {
        Some(Ok(path)) => format!(
            "What is known of the lost engine is kept in {}.",
            path.display()
        ),
        Some(Err(reason)) => {
            format!("What is known of the lost engine could not be kept: {reason}.")
        }
        None => "What is known of the lost engine is being kept.".to_owned(),
    }
}

fn text_ui(text: &str, ui: &mut Ui) {
    let colours = palette(ui);
    let frame = Frame::NONE
        .fill(colours.bg)
        .corner_radius(theme::CARD_RADIUS)
        .inner_margin(Margin::symmetric(10, 8));
    frame.show(ui, |ui| {
        ScrollArea::both()
            .id_salt("crash note")
            .max_height(HEIGHT)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                let text = RichText::new(text).font(theme::mono(theme::SMALL));
                ui.add(
                    Label::new(text.color(colours.text))
                        .extend()
                        .selectable(true),
                );
            });
    });
}
