//! The strip that tells how far a running experiment is.

use eframe::egui::{Align, Layout, ProgressBar, Ui};

use crate::app::{BenchAction, Model, Pace, Running};
use crate::ui::theme::{self, icons, palette};
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
            note(ui, text(running));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                buttons_ui(running.pace, ui, push);
                if let Some(words) = speed(running) {
                    note(ui, words);
                }
            });
        });
        let share = running.n_done as f32 / running.n_todo.max(1) as f32;
        let bar = ProgressBar::new(share)
            .desired_height(6.0)
            .fill(palette(ui).accent_fill);
        ui.add(bar).accessible_name("Progress of the experiment");
    });
    ui.add_space(theme::SMALL_GAP);
}

fn text(running: &Running) -> String {
    let what = match running.pace {
        Pace::Paused => "Paused",
        Pace::Stopping => "Ending",
        Pace::Going | Pace::Pausing => running.text.as_str(),
    };
    match running.n_todo {
        0 => what.to_owned(),
        n => format!("{} of {n} replies. {what}", running.n_done),
    }
}

fn buttons_ui(pace: Pace, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    if pace == Pace::Stopping {
        return;
    }
    if quiet_button(ui, icons::STOP, "Stop")
        .on_hover_text("Gives up the reply that is being written; the rest can be gone on with")
        .clicked()
    {
        push(BenchAction::Stop);
    }
    if pace == Pace::Going {
        if quiet_button(ui, icons::PAUSE, "Pause")
            .on_hover_text("Pauses behind the reply that is being written; the model stays loaded")
            .clicked()
        {
            push(BenchAction::Pause);
        }
    } else if quiet_button(ui, icons::PLAY, "Continue").clicked() {
        push(BenchAction::Continue);
    }
    if pace == Pace::Pausing {
        note(ui, "Pauses behind this reply");
    }
}

/// Replies a second or a minute, and the time that is left.
fn speed(running: &Running) -> Option<String> {
    let left = time_left(running.seconds_left?);
    if running.seconds <= 0.0 || running.n_done == 0 {
        return Some(left);
    }
    let a_second = running.n_done as f64 / running.seconds;
    let speed = if a_second >= 1.0 {
        format!("{a_second:.1} replies/s")
    } else {
        format!("{:.1} replies/min", a_second * 60.0)
    };
    Some(format!("{speed}, {left}"))
}

fn time_left(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{seconds:.0} s left")
    } else {
        format!("{:.0} min left", seconds / 60.0)
    }
}
