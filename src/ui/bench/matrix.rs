//! Tasks against presets: a cell opens its replies.

use eframe::egui::{Button, Grid, RichText, ScrollArea, Ui, vec2};

use crate::app::{BenchAction, CellChoice, Shown};
use crate::lab::Share;
use crate::ui::theme::{self, Tone, palette};

pub(super) fn matrix_ui(
    (shown, part): (&Shown, usize),
    ui: &mut Ui,
    push: &mut dyn FnMut(BenchAction),
) {
    let results = &shown.parts[part].results;
    let matrix = shown.parts[part].matrix(shown.measure);
    ScrollArea::horizontal().id_salt("matrix").show(ui, |ui| {
        Grid::new("matrix").spacing(vec2(6.0, 4.0)).show(ui, |ui| {
            ui.label("");
            for (task, _) in matrix {
                ui.label(RichText::new(task).font(theme::medium(theme::SMALL)));
            }
            ui.label(RichText::new("all").font(theme::medium(theme::SMALL)));
            ui.end_row();
            for (column, row) in results.rows.iter().enumerate() {
                let name = RichText::new(&row.label).font(theme::mono(theme::SMALL));
                ui.label(name.color(palette(ui).text));
                for (task, shares) in matrix {
                    let choice = CellChoice {
                        part,
                        label: row.label.clone(),
                        task: Some(task.clone()),
                    };
                    let share = shares.get(column).copied().unwrap_or_default();
                    cell_ui(shown, (choice, share), ui, push);
                }
                let choice = CellChoice {
                    part,
                    label: row.label.clone(),
                    task: None,
                };
                cell_ui(shown, (choice, row.share(shown.measure)), ui, push);
                ui.end_row();
            }
        });
    });
}

fn cell_ui(
    shown: &Shown,
    (choice, share): (CellChoice, Share),
    ui: &mut Ui,
    push: &mut dyn FnMut(BenchAction),
) {
    let colours = palette(ui);
    let tone = match (share.of, share.n) {
        (0, _) => Tone::Quiet,
        (of, n) if n == of => Tone::Good,
        (of, n) if 2 * n >= of => Tone::Warn,
        _ => Tone::Bad,
    };
    let text = match share.of {
        0 => "–".to_owned(),
        of => format!("{}/{of}", share.n),
    };
    let is_chosen = shown.cell.as_ref() == Some(&choice);
    let fill = if is_chosen {
        colours.accent_fill
    } else {
        colours.soft(tone)
    };
    let color = if is_chosen {
        colours.on_accent
    } else {
        colours.text
    };
    let text_shown = RichText::new(&text).font(theme::mono(12.0)).color(color);
    let button = Button::new(text_shown)
        .fill(fill)
        .min_size(vec2(64.0, 24.0));
    let task = choice.task.as_deref().unwrap_or("all tasks");
    let name = format!("Replies of {} to {task}: {text}", choice.label);
    if ui.add(button).accessible_name(name).clicked() {
        push(BenchAction::PickCell(choice));
    }
}
