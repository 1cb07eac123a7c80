//! What replies copied out of the examples, and the examples with stand-ins.

use eframe::egui::{Grid, Label, RichText, ScrollArea, Ui, vec2};

use crate::app::Part;
use crate::lab::{LeakRow, StandIns};
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{caption, card, heading, note, quiet_button};

/// Draws nothing where nothing was copied.
pub(super) fn copied_ui(part: &Part, ui: &mut Ui) {
    let copied = &part.copied;
    if copied.is_empty() {
        return;
    }
    ui.add_space(theme::GAP);
    heading(ui, "Values copied out of the examples");
    if !copied.leaks.is_empty() {
        leaks_ui(&copied.leaks, ui);
    }
    if !copied.swaps.is_empty() {
        ui.add_space(theme::SMALL_GAP);
        note(
            ui,
            "With other values in the examples: copies that follow the example are leaks; those that stay would have been written anyway.",
        );
        table(
            ("swaps", ui),
            &[
                "preset",
                "task",
                "example",
                "in its place",
                "copied",
                "follow",
                "stay",
                "gone",
            ],
            copied.swaps.iter().map(|(values, it)| {
                let n = [it.n_copied, it.n_follow, it.n_stay, it.n_gone()];
                let mut row = vec![
                    it.label.clone(),
                    it.task.clone(),
                    it.example.to_string(),
                    values.key().to_owned(),
                ];
                row.extend(n.map(|it| it.to_string()));
                row
            }),
        );
    }
    for stand_ins in &copied.stand_ins {
        ui.add_space(theme::SMALL_GAP);
        stand_ins_ui(stand_ins, ui);
    }
}

fn leaks_ui(leaks: &[LeakRow], ui: &mut Ui) {
    table(
        ("leaks", ui),
        &["preset", "task", "example", "replies", "leaking", "where"],
        leaks.iter().map(|it| {
            vec![
                it.label.clone(),
                it.task.clone(),
                it.example.to_string(),
                it.n_replies.to_string(),
                it.n_leaking.to_string(),
                it.places_text(),
            ]
        }),
    );
}

/// Cells of one row each; a table that is too wide is scrolled.
pub(super) fn table(
    (name, ui): (&str, &mut Ui),
    head: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) {
    ScrollArea::horizontal().id_salt(name).show(ui, |ui| {
        Grid::new(name).spacing(vec2(16.0, 4.0)).show(ui, |ui| {
            for title in head {
                let title = RichText::new(*title).font(theme::medium(theme::SMALL));
                ui.label(title.color(palette(ui).weak));
            }
            ui.end_row();
            for row in rows {
                for cell in row {
                    let text = RichText::new(cell).font(theme::mono(theme::SMALL));
                    ui.add(Label::new(text.color(palette(ui).text)).extend());
                }
                ui.end_row();
            }
        });
    });
}

fn stand_ins_ui(it: &StandIns, ui: &mut Ui) {
    card(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            caption(
                ui,
                &format!("Example {} of {} with stand-ins", it.example, it.task),
            );
            let name = format!("Copy example {} of {}", it.example, it.task);
            if quiet_button(ui, icons::COPY, "Copy")
                .accessible_name(name)
                .clicked()
            {
                let example = serde_json::to_string_pretty(&it.proposed);
                ui.copy_text(example.unwrap_or_default());
            }
        });
        for text in [it.proposed.input.clone(), it.proposed.answer.to_string()] {
            let text = RichText::new(text).font(theme::mono(theme::SMALL));
            ui.add(Label::new(text.color(palette(ui).text)).wrap().selectable(true));
        }
        note(
            ui,
            format!(
                "{} values were copied out of it as it is. Stand-ins show where they come from, but can cost right answers: run the task with both.",
                it.n_values
            ),
        );
    });
}
