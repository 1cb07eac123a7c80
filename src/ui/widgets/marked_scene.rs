//! The reply as it is laid out: where characters stand, and how marks, line numbers and notes are drawn there.

use std::ops::Range;

use eframe::egui::text::{CCursor, LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{
    Align2, Color32, Galley, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};

use super::marked_editor::{GUTTER, MarkStyle, TextMark};
use crate::ui::theme::{self, Palette, palette};

/// A note at a line's end needs at least this much room.
const NOTE_ROOM: f32 = 90.0;
/// Distance of the rungs' numbers.
const BADGE: f32 = 13.0;

/// The laid out text, and which characters of it are in sight.
pub(super) struct Scene<'a> {
    galley: &'a Galley,
    at: Pos2,
    clip: Rect,
    seen: Range<usize>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(ui: &Ui, galley: &'a Galley, at: Pos2) -> Self {
        let clip = ui.clip_rect();
        let top = galley.cursor_from_pos(vec2(0.0, clip.top() - at.y));
        let bottom = galley.cursor_from_pos(vec2(f32::INFINITY, clip.bottom() - at.y));
        Self {
            galley,
            at,
            clip,
            seen: top.index.0..bottom.index.0 + 1,
        }
    }

    pub(super) fn shows(&self, chars: &Range<usize>) -> bool {
        chars.start <= self.seen.end && chars.end >= self.seen.start
    }

    /// The character under a place; none beside the text.
    pub(super) fn char_at(&self, at: Pos2) -> Option<usize> {
        let relative = at - self.at;
        let row = self.galley.rows.iter().find(|it| {
            (it.pos.y..it.pos.y + it.row.size.y).contains(&relative.y)
                && relative.x <= it.pos.x + it.row.size.x + 4.0
        })?;
        if relative.x < row.pos.x - 4.0 {
            return None;
        }
        let column = row.row.char_at(relative.x - row.pos.x);
        let start = self
            .galley
            .cursor_from_pos(vec2(-1.0, row.pos.y + row.row.size.y / 2.0));
        Some(start.index.0 + column.0)
    }

    /// One rectangle for each row that the characters stand on.
    pub(super) fn rects(&self, chars: &Range<usize>) -> Vec<Rect> {
        let cursor = |index: usize, prefer_next_row: bool| CCursor {
            prefer_next_row,
            ..CCursor::new(index)
        };
        let first = self.galley.layout_from_cursor(cursor(chars.start, true));
        let last = self.galley.layout_from_cursor(cursor(chars.end, false));
        let mut rects = Vec::new();
        for idx in first.row..=last.row.max(first.row) {
            let Some(row) = self.galley.rows.get(idx) else {
                break;
            };
            let start = if idx == first.row {
                row.row.x_offset(first.column)
            } else {
                0.0
            };
            let end = if idx == last.row {
                row.row.x_offset(last.column)
            } else {
                row.row.size.x
            };
            let min = self.at + row.pos.to_vec2() + vec2(start, 0.0);
            let size = vec2((end - start).max(0.0), row.row.size.y);
            rects.push(Rect::from_min_size(min, size));
        }
        rects
    }

    pub(super) fn mark(&self, mark: &TextMark, colours: &Palette, shapes: &mut Vec<Shape>) {
        let color = colours.tone(mark.tone);
        for rect in self.rects(&mark.chars) {
            if mark.style == MarkStyle::Tint && mark.chars.is_empty() {
                let bar = Rect::from_center_size(rect.left_center(), vec2(2.0, rect.height()));
                shapes.push(Shape::rect_filled(bar, 1, color));
                let head = rect.left_top() + vec2(0.0, 1.0);
                shapes.push(triangle(head, color));
            } else if mark.style == MarkStyle::Tint {
                let rect = rect.expand2(vec2(0.5, -1.0));
                let tint = color.gamma_multiply(0.22);
                shapes.push(Shape::rect_filled(rect, theme::TINT_RADIUS, tint));
            } else {
                let width = rect.width().max(7.0);
                let y = rect.bottom() - 1.0;
                shapes.push(wave(pos2(rect.left(), y), width, color));
            }
        }
    }

    pub(super) fn light(&self, chars: &Range<usize>, colours: &Palette, shapes: &mut Vec<Shape>) {
        for rect in self.rects(chars) {
            let rect = rect
                .with_max_x(rect.right().max(rect.left() + 4.0))
                .expand(1.0);
            let edge = Stroke::new(theme::HAIRLINE, colours.accent);
            let fill = colours.accent_fill.gamma_multiply(0.18);
            let radius = theme::TINT_RADIUS;
            shapes.push(Shape::rect_filled(rect, radius, fill));
            shapes.push(Shape::rect_stroke(rect, radius, edge, StrokeKind::Outside));
        }
    }

    /// Line numbers, and beside them the numbers of the rungs that gave way in the line.
    pub(super) fn gutter(&self, ui: &Ui, left: f32, marks: &[&TextMark]) {
        let colours = palette(ui);
        let band = Rect::from_x_y_ranges(left..=left + GUTTER, self.clip.y_range());
        let edge = Stroke::new(theme::HAIRLINE, colours.border);
        ui.painter().vline(band.right(), self.clip.y_range(), edge);
        let (mut line, mut begins) = (1, true);
        for row in &self.galley.rows {
            let y = self.at.y + row.pos.y + theme::CODE_ROW / 2.0;
            if begins && self.clip.y_range().contains(y) {
                let font = theme::mono(theme::TINY);
                let at = pos2(band.right() - 8.0, y);
                ui.painter()
                    .text(at, Align2::RIGHT_CENTER, line, font, colours.faint);
            }
            begins = row.ends_with_newline;
            line += usize::from(begins);
        }
        let mut taken: Vec<(f32, usize)> = Vec::new();
        let mut said: Vec<(&TextMark, u8)> = notes(marks).collect();
        said.sort_by_key(|it| it.1);
        for (mark, number) in said {
            let Some(rect) = self.rects(&mark.chars).first().copied() else {
                continue;
            };
            let y = rect.center().y;
            let n_before = taken.iter().filter(|it| (it.0 - y).abs() < 1.0).count();
            taken.push((y, n_before));
            let x = band.left() + 9.0 + BADGE * n_before as f32;
            if n_before > 2 {
                continue;
            }
            let center = pos2(x, y);
            ui.painter()
                .circle(center, 6.0, colours.bad_soft, Stroke::new(1.0, colours.bad));
            let font = theme::semibold(9.5);
            ui.painter()
                .text(center, Align2::CENTER_CENTER, number, font, colours.bad);
        }
    }

    /// What the rungs said, behind the lines, where there is room.
    pub(super) fn notes(&self, ui: &Ui, marks: &[&TextMark]) {
        let colours = palette(ui);
        let mut lines: Vec<(usize, String)> = Vec::new();
        let mut said: Vec<(&TextMark, u8)> = notes(marks).collect();
        said.sort_by_key(|it| it.1);
        for (mark, number) in said {
            let row = self.last_row(mark.chars.start);
            let text = format!("{number}  {}", mark.text);
            match lines.iter_mut().find(|it| it.0 == row) {
                Some((_, said)) => {
                    said.push_str("   ");
                    said.push_str(&text);
                }
                None => lines.push((row, text)),
            }
        }
        for (row, text) in lines {
            let Some(row) = self.galley.rows.get(row) else {
                continue;
            };
            let left = self.at + row.pos.to_vec2() + vec2(row.row.size.x + 18.0, 0.0);
            let room = self.clip.right() - 12.0 - left.x;
            if room < NOTE_ROOM {
                continue;
            }
            let format = TextFormat::simple(theme::regular(theme::SMALL), colours.bad);
            let mut job = LayoutJob::single_section(text, format);
            job.wrap = TextWrapping::truncate_at_width(room);
            let galley = ui.painter().layout_job(job);
            let place = left + vec2(0.0, (theme::CODE_ROW - galley.size().y) / 2.0);
            ui.painter().galley(place, galley, colours.bad);
        }
    }

    /// The last row of the line in which a character stands.
    fn last_row(&self, at: usize) -> usize {
        let row = self.galley.layout_from_cursor(CCursor::new(at)).row;
        let rest = self.galley.rows.iter().enumerate().skip(row);
        rest.map(|(idx, it)| (idx, it.ends_with_newline))
            .find(|it| it.1)
            .map_or(self.galley.rows.len() - 1, |it| it.0)
    }
}

fn notes<'a>(marks: &[&'a TextMark]) -> impl Iterator<Item = (&'a TextMark, u8)> {
    marks.iter().filter_map(|&it| match it.style {
        MarkStyle::Note(number) => Some((it, number)),
        MarkStyle::Under | MarkStyle::Tint => None,
    })
}

fn triangle(top: Pos2, color: Color32) -> Shape {
    let corner = |x: f32, y: f32| top + Vec2::new(x, y);
    let points = vec![corner(-4.0, 0.0), corner(4.0, 0.0), corner(0.0, 5.0)];
    Shape::convex_polygon(points, color, Stroke::NONE)
}

/// The line that editors draw under faults.
fn wave(start: Pos2, width: f32, color: Color32) -> Shape {
    const STEP: f32 = 3.0;
    let mut points = vec![start];
    let mut x = 0.0;
    let mut is_high = false;
    while x < width {
        x = (x + STEP).min(width);
        is_high = !is_high;
        points.push(start + vec2(x, if is_high { -2.0 } else { 0.0 }));
    }
    Shape::line(points, Stroke::new(1.2, color))
}
