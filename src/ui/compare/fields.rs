//! The values field by field, each column's under the column.

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{Align2, Rangef, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use unicode_width::UnicodeWidthStr;

use super::columns::Layout;
use super::{CompareState, head};
use crate::app::Model;
use crate::lab::FieldTable;
use crate::ui::theme::{self, Tone, palette};
use crate::ui::widgets::{Segmented, heading, note};

const PATH_ROW: f32 = 17.0;
const CELL_ROW: f32 = 16.0;
/// Rows of a long value; the rest is told on hover.
const MAX_ROWS: usize = 3;
/// Where a cell's text begins, right of the sign of a difference.
const LEFT: f32 = 20.0;
/// Width of a sign of the text.
const SIGN: f32 = 7.3;

/// Returns where the heading stands.
pub(super) fn fields_ui(
    model: &Model,
    state: &mut CompareState,
    (layout, ui): (&Layout, &mut Ui),
) -> Option<Rangef> {
    let comparison = model.compare.comparison.as_deref()?;
    let table = &comparison.fields;
    ui.add_space(theme::SMALL_GAP);
    let head = ui.horizontal(|ui| {
        heading(ui, "Values");
        let n = table.n_differing();
        let choices = [(false, "All fields"), (true, "Differences")];
        Segmented::new("Fields").show(ui, &mut state.only_differences, &choices);
        let words = match (table.rows.len(), n) {
            (0, _) => "No column has a value".to_owned(),
            (all, _) if n_valued(table) < 2 => format!("{all} fields; only one column has a value"),
            (all, 0) => format!("{all} fields, all alike"),
            (all, n) => format!(
                "{n} of {all} fields differ from {}",
                head::letter(model, table.reference)
            ),
        };
        note(ui, words);
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    let letters: Vec<String> = (0..layout.n).map(|it| head::letter(model, it)).collect();
    for (row, texts) in table.rows.iter().zip(&comparison.texts) {
        if state.only_differences && row.differing.is_empty() {
            continue;
        }
        let columns = model.compare.draft.columns.iter().zip(&letters);
        let cells = columns.map(|(column, letter)| {
            let place = comparison.place(column.id);
            Cell {
                text: place.and_then(|it| texts[it].as_deref()),
                differs: place.is_some_and(|it| row.differing.contains(&it)),
                letter,
            }
        });
        row_ui(&row.path, &cells.collect::<Vec<_>>(), layout, ui);
    }
    if table.is_cut {
        note(ui, "Not all fields are listed.");
    }
    Some(head.response.rect.y_range())
}

/// Columns with a value of their own.
fn n_valued(table: &FieldTable) -> usize {
    let n_columns = table.rows.first().map_or(0, |it| it.cells.len());
    let has_value = |column: &usize| table.rows.iter().any(|it| it.cells[*column].is_some());
    (0..n_columns).filter(has_value).count()
}

/// A row as high as its longest text needs, by a count of its signs, so that rows out of sight are not laid out.
fn row_ui(path: &str, cells: &[Cell<'_>], layout: &Layout, ui: &mut Ui) {
    let colours = palette(ui);
    let room = layout.width - LEFT - 6.0;
    let n_signs = (room / SIGN).max(1.0);
    let widest = cells
        .iter()
        .filter_map(|it| it.text)
        .map(UnicodeWidthStr::width)
        .max();
    let fits = |n: &usize| widest.unwrap_or(0) as f32 <= n_signs * *n as f32;
    let n_rows = (1..=MAX_ROWS).find(fits).unwrap_or(MAX_ROWS);
    let height = n_rows as f32 * CELL_ROW + 5.0;
    let size = vec2(layout.total(), PATH_ROW + height);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let path = if path.is_empty() {
        "the whole value"
    } else {
        path
    };
    let visible = rect.left().max(ui.clip_rect().left());
    let at = pos2(visible, rect.top() + PATH_ROW / 2.0 + 1.0);
    let font = theme::mono(theme::TINY);
    ui.painter()
        .text(at, Align2::LEFT_CENTER, path, font, colours.weak);
    for (idx, cell) in cells.iter().enumerate() {
        let place = layout.cell(rect.top() + PATH_ROW, idx, height);
        cell.show((path, n_rows), place, ui);
    }
}

/// A field of one column, as it is drawn.
struct Cell<'a> {
    text: Option<&'a str>,
    differs: bool,
    letter: &'a str,
}

impl Cell<'_> {
    fn show(&self, (path, n_rows): (&str, usize), place: Rect, ui: &Ui) {
        let colours = palette(ui);
        let text = self.text.unwrap_or("missing");
        let differs = if self.differs { ", differs" } else { "" };
        let name = format!("{} {path}: {text}{differs}", self.letter);
        let id = ui.scope_id().with((path, self.letter));
        let response = ui.interact(place, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
        if self.differs {
            let fill = place.shrink2(vec2(0.0, 1.0));
            ui.painter()
                .rect_filled(fill, theme::RADIUS, colours.soft(Tone::Warn));
            let at = pos2(place.left() + 6.0, place.top() + 10.5);
            let font = theme::semibold(theme::BODY);
            ui.painter()
                .text(at, Align2::LEFT_CENTER, "≠", font, colours.warn);
        }
        let color = match self.text {
            Some(_) => colours.text,
            None => colours.faint,
        };
        let mut job = LayoutJob::default();
        job.wrap.max_width = place.width() - LEFT - 6.0;
        job.wrap.max_rows = n_rows;
        job.wrap.break_anywhere = true;
        let format = TextFormat::simple(theme::mono(theme::CODE - 0.5), color);
        job.append(self.text.unwrap_or("–"), 0.0, format);
        let galley = ui.fonts_mut(|it| it.layout_job(job));
        let is_elided = galley.elided;
        let at = pos2(place.left() + LEFT, place.top() + 2.0);
        ui.painter().galley(at, galley, color);
        if is_elided {
            response.on_hover_text(text);
        }
    }
}
