//! Tasks against presets: a cell opens its replies.

use eframe::egui::{
    Align2, CursorIcon, Grid, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2, vec2,
};

use super::rates::bar_ui;
use crate::app::{BenchAction, CellChoice, Shown};
use crate::lab::Share;
use crate::ui::theme::{self, Tone, palette};

const CELL: eframe::egui::Vec2 = vec2(84.0, 36.0);

pub(super) fn matrix_ui(
    (shown, part, rows): (&Shown, usize, &[usize]),
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
            for column in rows {
                let Some(row) = results.rows.get(*column) else {
                    continue;
                };
                let name = RichText::new(&row.label).font(theme::mono(theme::SMALL));
                ui.label(name.color(palette(ui).text));
                for (task, shares) in matrix {
                    let choice = CellChoice {
                        part,
                        label: row.label.clone(),
                        task: Some(task.clone()),
                    };
                    let share = shares.get(*column).copied().unwrap_or_default();
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
    let task = choice.task.as_deref().unwrap_or("all tasks");
    let name = format!("Replies of {} to {task}: {text}", choice.label);
    let (rect, response) = ui.allocate_exact_size(CELL, Sense::click());
    let is_chosen = shown.cell.as_ref() == Some(&choice);
    response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), is_chosen, &name));
    ui.painter()
        .rect_filled(rect, theme::RADIUS, colours.soft(tone));
    let place = rect.center_top() + vec2(0.0, 11.0);
    let font = theme::mono(12.0);
    ui.painter()
        .text(place, Align2::CENTER_CENTER, &text, font, colours.text);
    let corner = pos2(rect.left() + 6.0, rect.bottom() - 11.0);
    let bar = Rect::from_min_size(corner, vec2(CELL.x - 12.0, 7.0));
    bar_ui(ui, bar, share);
    if is_chosen || response.hovered() || response.has_focus() {
        let edge = Stroke::new(1.5, colours.accent);
        ui.painter()
            .rect_stroke(rect, theme::RADIUS, edge, StrokeKind::Inside);
    }
    let clicked = response.clicked();
    response
        .on_hover_cursor(CursorIcon::PointingHand)
        .on_hover_text(&name);
    if clicked {
        push(BenchAction::PickCell(choice));
    }
}
