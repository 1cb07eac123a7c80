//! The values field by field, each column's under the column.

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{Align2, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use serde_json::Value;

use super::columns::Layout;
use super::{CompareState, head};
use crate::app::{Comparison, Model};
use crate::lab::FieldRow;
use crate::ui::theme::{self, Tone, palette};
use crate::ui::widgets::{Segmented, heading, note};

const PATH_ROW: f32 = 17.0;
const CELL_ROW: f32 = 22.0;
/// Rows of a long value; the rest is told on hover.
const MAX_ROWS: usize = 3;

pub(super) fn fields_ui(model: &Model, state: &mut CompareState, (layout, ui): (&Layout, &mut Ui)) {
    let Some(comparison) = model.compare.comparison.as_deref() else {
        return;
    };
    let table = &comparison.fields;
    ui.add_space(theme::SMALL_GAP);
    ui.horizontal(|ui| {
        heading(ui, "Values");
        let n = table.n_differing();
        let choices = [(false, "All fields"), (true, "Differences")];
        Segmented::new("Fields").show(ui, &mut state.only_differences, &choices);
        let words = match (table.rows.len(), n) {
            (0, _) => "No column has a value".to_owned(),
            (all, 0) => format!("{all} fields, all alike"),
            (all, n) => format!("{n} of {all} fields differ from the first value"),
        };
        note(ui, words);
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    for row in &table.rows {
        if state.only_differences && row.differing.is_empty() {
            continue;
        }
        row_ui(model, (comparison, row), layout, ui);
    }
    if table.is_cut {
        note(ui, "Not all fields are listed.");
    }
}

fn row_ui(
    model: &Model,
    (comparison, row): (&Comparison, &FieldRow),
    layout: &Layout,
    ui: &mut Ui,
) {
    let colours = palette(ui);
    let columns = &model.compare.draft.columns;
    let cells: Vec<Cell> = columns
        .iter()
        .enumerate()
        .map(|(idx, column)| {
            let place = comparison.place(column.id);
            Cell {
                text: place.and_then(|it| row.cells[it].as_ref()).map(shown),
                differs: place.is_some_and(|it| row.differing.contains(&it)),
                letter: head::letter(model, idx),
            }
        })
        .collect();
    let galleys: Vec<_> = cells
        .iter()
        .map(|it| {
            let color = match it.text {
                Some(_) => colours.text,
                None => colours.faint,
            };
            let format = TextFormat::simple(theme::mono(theme::CODE - 0.5), color);
            let mut job = LayoutJob::default();
            job.wrap.max_width = layout.width - 26.0;
            job.wrap.max_rows = MAX_ROWS;
            job.append(it.text.as_deref().unwrap_or("–"), 0.0, format);
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        })
        .collect();
    let highest = galleys.iter().map(|it| it.size().y).fold(0.0, f32::max);
    let height = (highest + 4.0).max(CELL_ROW);
    let size = vec2(layout.total(), PATH_ROW + height);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let path = if row.path.is_empty() {
        "the whole value"
    } else {
        &row.path
    };
    let visible = rect.left().max(ui.clip_rect().left());
    let at = pos2(visible, rect.top() + PATH_ROW / 2.0 + 1.0);
    let font = theme::mono(theme::TINY);
    ui.painter()
        .text(at, Align2::LEFT_CENTER, path, font, colours.weak);
    for (idx, (cell, galley)) in cells.iter().zip(galleys).enumerate() {
        let place = layout.cell(rect.top() + PATH_ROW, idx, height);
        let name = format!(
            "{} {path}: {}{}",
            cell.letter,
            cell.text.as_deref().unwrap_or("missing"),
            if cell.differs { ", differs" } else { "" }
        );
        let id = ui.scope_id().with((&row.path, idx));
        let response = ui.interact(place, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
        if cell.differs {
            ui.painter().rect_filled(
                place.shrink2(vec2(0.0, 1.0)),
                theme::RADIUS,
                colours.soft(Tone::Warn),
            );
            let at = pos2(place.left() + 6.0, place.top() + 10.5);
            let font = theme::semibold(theme::BODY);
            ui.painter()
                .text(at, Align2::LEFT_CENTER, "≠", font, colours.warn);
        }
        let at = pos2(place.left() + 20.0, place.top() + 2.0);
        let is_elided = galley.elided;
        ui.painter().galley(at, galley, colours.text);
        if let (true, Some(text)) = (is_elided, &cell.text) {
            response.on_hover_text(text);
        }
    }
}

/// A field of one column, as it is drawn.
struct Cell {
    text: Option<String>,
    differs: bool,
    letter: String,
}

fn shown(value: &Value) -> String {
    value.to_string()
}
