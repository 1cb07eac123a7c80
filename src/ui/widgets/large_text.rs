//! A text too large for an editor: shown row by row, only those in sight are drawn; marks are tints.

use std::ops::Range;

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{Align2, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use super::marked_editor::TextMark;
use super::text::well;
use crate::ui::theme::{self, palette};

/// Characters of a row.
const MAX_CHARS: usize = 110;
const GUTTER: f32 = 62.0;

/// The rows of a text, made once for each text.
#[derive(Debug, Default)]
pub(crate) struct LargeRows {
    /// Tells texts apart.
    generation: Option<u64>,
    /// Number of the line, if the row begins one, and bytes of the text.
    rows: Vec<(Option<usize>, Range<usize>)>,
}

impl LargeRows {
    pub(crate) fn prepare(&mut self, generation: u64, text: &str) {
        if self.generation == Some(generation) {
            return;
        }
        self.generation = Some(generation);
        self.rows.clear();
        let mut start = 0;
        for (idx, line) in text.split_inclusive('\n').enumerate() {
            let mut number = Some(idx + 1);
            let end = start + line.trim_end_matches(['\n', '\r']).len();
            let mut at = start;
            loop {
                let n_bytes = text[at..end]
                    .char_indices()
                    .nth(MAX_CHARS)
                    .map_or(end - at, |it| it.0);
                self.rows.push((number.take(), at..at + n_bytes));
                at += n_bytes;
                if at >= end {
                    break;
                }
            }
            start += line.len();
        }
    }

    fn row_of(&self, at: usize) -> usize {
        self.rows
            .partition_point(|it| it.1.start <= at)
            .saturating_sub(1)
    }
}

/// Draws the text; marks are in bytes here. `go_to` is scrolled to. Returns the byte that was clicked.
pub(crate) fn large_text(
    ui: &mut Ui,
    (text, rows): (&str, &LargeRows),
    marks: &[TextMark],
    go_to: Option<&Range<usize>>,
) -> Option<usize> {
    let frame = well(ui);
    frame
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let mut scroll = ScrollArea::vertical()
                .id_salt("large text")
                .auto_shrink(false);
            if let Some(range) = go_to {
                let row = rows.row_of(range.start) as f32;
                let above = ui.available_height() / 2.0;
                let offset = (row * theme::CODE_ROW - above).max(0.0);
                scroll = scroll.vertical_scroll_offset(offset);
            }
            let shown = scroll.show_rows(ui, theme::CODE_ROW, rows.rows.len(), |ui, seen| {
                let mut clicked = None;
                for (number, bytes) in rows.rows.get(seen).unwrap_or_default() {
                    let row = (*number, bytes);
                    clicked = row_ui(ui, text, row, marks).or(clicked);
                }
                clicked
            });
            shown.inner
        })
        .inner
}

fn row_ui(
    ui: &mut Ui,
    text: &str,
    (number, bytes): (Option<usize>, &Range<usize>),
    marks: &[TextMark],
) -> Option<usize> {
    let colours = palette(ui);
    let size = vec2(ui.available_width(), theme::CODE_ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let words = text.get(bytes.clone()).unwrap_or_default();
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words));
    if let Some(number) = number {
        let at = rect.left_center() + vec2(GUTTER - 10.0, 0.0);
        let font = theme::mono(theme::TINY);
        ui.painter()
            .text(at, Align2::RIGHT_CENTER, number, font, colours.faint);
    }
    let galley = ui.painter().layout_job(job(ui, (words, bytes), marks));
    let place = rect.left_top() + vec2(GUTTER, 0.0);
    ui.painter().galley(place, galley, colours.text);
    response.clicked().then_some(bytes.start)
}

/// The row's text, tinted where marks are.
fn job(ui: &Ui, (words, bytes): (&str, &Range<usize>), marks: &[TextMark]) -> LayoutJob {
    let colours = palette(ui);
    let mut job = LayoutJob::default();
    let mut at = bytes.start;
    let mut add = |from: usize, to: usize, mark: Option<&TextMark>| {
        let part = words.get(from - bytes.start..to - bytes.start);
        let mut format = TextFormat::simple(theme::mono(theme::CODE), colours.text);
        format.line_height = Some(theme::CODE_ROW);
        if let Some(mark) = mark {
            format.background = colours.tone(mark.tone).gamma_multiply(0.3);
        }
        job.append(part.unwrap_or_default(), 0.0, format);
    };
    for mark in marks.iter().filter(|it| it.chars.end >= bytes.start) {
        if mark.chars.start >= bytes.end {
            break;
        }
        let start = mark.chars.start.clamp(at, bytes.end);
        let end = mark.chars.end.clamp(start, bytes.end);
        add(at, start, None);
        add(start, end, Some(mark));
        at = end;
    }
    add(at, bytes.end, None);
    job
}
