//! The strip that tells how far a running experiment is.

use eframe::egui::{Align, Layout, ProgressBar, Ui};

use crate::app::{BenchAction, Model};
use crate::ui::theme::{self, icons};
use crate::ui::widgets::{card, note, quiet_button};

/// Draws nothing while nothing runs.
pub(super) fn running_ui(model: &Model, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    let Some(running) = &model.bench.running else {
        return;
    };
    card(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.set_min_height(theme::CONTROL);
            let text = match running.n_todo {
                0 => running.text.clone(),
                n => format!("{} of {n} replies. {}", running.n_done, running.text),
            };
            note(ui, text);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if running.is_cancelling {
                    note(ui, "Ends behind this reply");
                } else if quiet_button(ui, icons::STOP, "Stop")
                    .on_hover_text("Ends behind the reply that is being written; it can be resumed")
                    .clicked()
                {
                    push(BenchAction::Stop);
                }
                if let Some(seconds) = running.seconds_left {
                    note(ui, time_left(seconds));
                }
            });
        });
        let share = running.n_done as f32 / running.n_todo.max(1) as f32;
        ui.add(ProgressBar::new(share).desired_height(6.0))
            .accessible_name("Progress of the experiment");
    });
    ui.add_space(theme::SMALL_GAP);
}

pub(super) fn time_left(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{seconds:.0} s left")
    } else {
        format!("{:.0} min left", seconds / 60.0)
    }
}
