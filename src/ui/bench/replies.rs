//! The replies behind a cell, and one of them to read.

use std::borrow::Cow;

use eframe::egui::{Align, Button, Checkbox, Label, Layout, RichText, Ui, vec2};

use crate::app::{BenchAction, Model, Shown};
use crate::lab::Trial;
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::widgets::{
    Rows, caption, card, heading, icon_button, line_edit, note, quiet_button, toned_pill,
};

const ROW: f32 = 25.0;
/// Characters of a reply that are shown.
const MAX_CHARS: usize = 4_000;

/// What is typed beside the replies.
#[derive(Debug, Default)]
pub(super) struct RepliesState {
    filter: String,
    /// The name of a task that is made of chosen replies.
    task_name: String,
}

pub(super) fn replies_ui(
    model: &Model,
    state: &mut RepliesState,
    ui: &mut Ui,
    push: &mut dyn FnMut(BenchAction),
) {
    let Some(shown) = model.bench.shown.as_deref() else {
        return;
    };
    let Some(cell) = &shown.cell else { return };
    ui.horizontal(|ui| {
        heading(ui, &cell.label);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, icons::X, "Close the replies").clicked() {
                push(BenchAction::CloseCell);
            }
        });
    });
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
    let edit = line_edit(ui, &mut state.filter, "Filter by input, reply or cause")
        .desired_width(f32::INFINITY);
    ui.add(edit).accessible_name("Filter replies");
    let replies = filtered(shown, replies, &state.filter);
    marked_ui(model, &mut state.task_name, ui, push);
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
        ui.horizontal(|ui| {
            let mut is_marked = model.bench.marked.contains(&idx);
            let number = trial.input.map_or(String::new(), |it| (it + 1).to_string());
            let name = format!("Choose the reply to {} {number}", trial.task);
            let ticked = ui
                .add(Checkbox::without_text(&mut is_marked))
                .accessible_name(name);
            if ticked.changed() {
                push(BenchAction::Mark(idx));
            }
            if row_ui(trial, (is_read, shown), ui) {
                push(BenchAction::Read(idx));
            }
        });
    });
}

/// Replies in which the text occurs.
fn filtered<'a>(shown: &Shown, replies: &'a [usize], filter: &str) -> Cow<'a, [usize]> {
    let wanted = filter.trim().to_lowercase();
    if wanted.is_empty() {
        return Cow::Borrowed(replies);
    }
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let fits = |trial: &Trial| {
        let cause = trial.cause.as_ref();
        has(&trial.input_text)
            || has(&trial.reply)
            || cause.is_some_and(|it| has(&it.kind.replace('_', " ")) || has(&it.message))
    };
    let fits = |it: &&usize| shown.trials.get(**it).is_some_and(|it| fits(it));
    replies.iter().filter(fits).copied().collect()
}

/// Chosen replies become a task, to be asked again later.
fn marked_ui(model: &Model, name: &mut String, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    let n = model.bench.marked.len();
    ui.horizontal_wrapped(|ui| {
        if quiet_button(ui, icons::X_CIRCLE, "Choose failed")
            .on_hover_text("Ticks the replies of this cell that failed what is counted")
            .clicked()
        {
            push(BenchAction::MarkFailed);
        }
        if n > 0 && quiet_button(ui, icons::MINUS, "Choose none").clicked() {
            push(BenchAction::UnmarkAll);
        }
    });
    if n == 0 {
        return;
    }
    card(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let chosen = if n == 1 {
            "1 reply is chosen: its input".to_owned()
        } else {
            format!("{n} replies are chosen: their inputs")
        };
        note(
            ui,
            format!(
                "{chosen}, with the right answer where it is known, can be asked again as a task."
            ),
        );
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if quiet_button(ui, icons::STACK, "Save as task").clicked() {
                    push(BenchAction::SaveMarked(name.clone()));
                }
                let edit = line_edit(ui, name, "Name of the task").desired_width(f32::INFINITY);
                ui.add(edit).accessible_name("Name of the task");
            });
        });
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
        ui.horizontal_wrapped(|ui| {
            if quiet_button(ui, icons::PLAY, "Open in Play")
                .on_hover_text("With the settings that it was written under")
                .clicked()
            {
                push(BenchAction::OpenInPlay);
            }
            if quiet_button(ui, icons::LADDER, "Open in Repair").clicked() {
                push(BenchAction::OpenInRepair);
            }
        });
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
