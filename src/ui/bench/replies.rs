//! The replies behind a cell, and one of them to read.

use eframe::egui::{Button, Label, RichText, Ui, vec2};

use crate::app::{BenchAction, Shown};
use crate::lab::Trial;
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::widgets::{Rows, caption, card, heading, note, quiet_button, toned_pill};

const ROW: f32 = 25.0;
/// Characters of a reply that are shown.
const MAX_CHARS: usize = 4_000;

pub(super) fn replies_ui(shown: &Shown, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    let Some(cell) = &shown.cell else { return };
    heading(ui, &cell.label);
    let task = cell.task.as_deref().unwrap_or("all tasks");
    let replies = shown.replies();
    note(
        ui,
        format!("{} replies, {task}; those that failed first", replies.len()),
    );
    if let Some(trial) = shown.read() {
        reply_ui(trial, ui, push);
        ui.add_space(theme::SMALL_GAP);
    }
    caption(ui, "Replies");
    let rows = Rows {
        n: replies.len(),
        height: ROW,
    };
    rows.show(ui, |ui, nth| {
        let idx = replies[nth];
        let Some(trial) = shown.trials.get(idx) else {
            return;
        };
        let is_read = shown.reply == Some(idx);
        if row_ui(trial, (is_read, shown), ui) {
            push(BenchAction::Read(idx));
        }
    });
}

fn row_ui(trial: &Trial, (is_read, shown): (bool, &Shown), ui: &mut Ui) -> bool {
    let colours = palette(ui);
    let (sign, color) = match shown.measure.of(trial) {
        Some(true) => (icons::CHECK, colours.good),
        Some(false) => (icons::X, colours.bad),
        None => (icons::MINUS, colours.faint),
    };
    let line: String = trial.input_text.chars().take(60).collect();
    let number = trial.input.map_or(String::new(), |it| (it + 1).to_string());
    let text = RichText::new(format!("{} {number}  {line}", trial.task))
        .font(theme::regular(theme::SMALL))
        .color(colours.text);
    let sign = RichText::new(sign).color(color);
    let button = Button::selectable(is_read, (sign, text))
        .right_text("")
        .truncate()
        .min_size(vec2(ui.available_width(), ROW - 1.0));
    let name = format!("Read the reply to {} {number}", trial.task);
    ui.add(button)
        .accessible_name(name)
        .on_hover_text(&trial.input_text)
        .clicked()
}

fn reply_ui(trial: &Trial, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    card(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        lamps_ui(trial, ui);
        note(ui, trial.input_text.as_str());
        let text = RichText::new(text_of(trial))
            .font(theme::mono(12.0))
            .color(palette(ui).text);
        ui.add(Label::new(text).wrap().selectable(true));
        if let Some(cause) = &trial.cause {
            note(ui, cause.message.as_str());
        }
        if quiet_button(ui, icons::LADDER, "Open in Repair").clicked() {
            push(BenchAction::OpenInRepair);
        }
    });
}

/// How the reply was judged.
pub(super) fn lamps_ui(trial: &Trial, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        let lamps = trial.lamps;
        for (name, lamp) in [
            ("parses", Some(lamps.parses)),
            ("schema", lamps.schema),
            ("correct", lamps.correct),
            ("leak-free", lamps.leak_free),
        ] {
            let tone = match lamp {
                Some(true) => Tone::Good,
                Some(false) => Tone::Bad,
                None => Tone::Quiet,
            };
            toned_pill(ui, name, tone);
        }
    });
}

/// The reply's text, or as much of it as is shown.
pub(super) fn text_of(trial: &Trial) -> &str {
    let end = trial.reply.char_indices().nth(MAX_CHARS).map(|it| it.0);
    let text = end.and_then(|it| trial.reply.get(..it));
    match text.unwrap_or(&trial.reply) {
        "" => "(nothing)",
        text => text,
    }
}
