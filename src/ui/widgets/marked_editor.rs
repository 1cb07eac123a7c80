//! An editor for a reply: long lines wrap, line numbers, and marks in the text with what there is to say of them.

use std::ops::Range;
use std::sync::Arc;

use eframe::egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{
    Align, Align2, Color32, Frame, Galley, Id, Margin, Pos2, Rect, Response, RichText, ScrollArea,
    Shape, Stroke, StrokeKind, TextBuffer, TextEdit, Ui, Vec2, pos2, vec2,
};

use crate::ui::theme::{self, Palette, Tone, palette};

/// Room for a rung's number, then for the line's.
const GUTTER: f32 = 66.0;
/// Distance of the rungs' numbers.
const BADGE: f32 = 13.0;
/// A note at a line's end needs at least this much room.
const NOTE_ROOM: f32 = 90.0;

/// Something marked in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextMark {
    /// Characters of the text; empty for a place between two.
    pub(crate) chars: Range<usize>,
    pub(crate) tone: Tone,
    pub(crate) style: MarkStyle,
    /// Shown when the pointer rests on it.
    pub(crate) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkStyle {
    /// A line under the text.
    Under,
    /// A tint behind it, or a bar where something is put in.
    Tint,
    /// A line under the text, this number beside its line, and the words behind its line.
    Note(u8),
}

/// The editor with what it shows of its text.
pub(crate) struct MarkedEditor<'a> {
    pub(crate) name: &'a str,
    pub(crate) hint: &'a str,
    /// In the order of the text.
    pub(crate) marks: &'a [TextMark],
    /// Colours of stretches of the text, in bytes, in their order.
    pub(crate) paints: &'a [(Range<usize>, Color32)],
    /// What is pointed at from elsewhere.
    pub(crate) lit: Option<Range<usize>>,
    /// Is scrolled to and selected.
    pub(crate) go_to: Option<Range<usize>>,
    /// Takes the cursor.
    pub(crate) takes_focus: bool,
}

/// What the user did; places are characters of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pointed {
    pub(crate) changed: bool,
    pub(crate) clicked: Option<usize>,
    pub(crate) hovered: Option<usize>,
}

impl MarkedEditor<'_> {
    pub(crate) fn show(&self, ui: &mut Ui, text: &mut String) -> Pointed {
        let colours = palette(ui);
        let frame = Frame::NONE
            .fill(colours.well)
            .stroke(Stroke::new(theme::HAIRLINE, colours.border))
            .corner_radius(theme::CARD_RADIUS)
            .inner_margin(Margin::same(1));
        let scroll = ScrollArea::vertical()
            .id_salt(self.name)
            .auto_shrink(false);
        frame
            .show(ui, |ui| scroll.show(ui, |ui| self.edit(ui, text)).inner)
            .inner
    }

    fn edit(&self, ui: &mut Ui, text: &mut String) -> Pointed {
        let id = Id::unique(("marked editor", self.name));
        let behind = ui.painter().add(Shape::Noop);
        let left = ui.next_widget_position().x;
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, width: f32| -> Arc<Galley> {
            let mut job = painted(text.as_str(), self.paints, palette(ui));
            job.wrap.max_width = width;
            ui.fonts_mut(|it| it.layout_job(job))
        };
        let hint = RichText::new(self.hint).font(theme::regular(theme::BODY));
        let min = vec2(0.0, ui.available_height() - 2.0);
        let output = TextEdit::multiline(text)
            .id(id)
            .code_editor()
            .hint_text(hint.color(palette(ui).faint))
            .desired_rows(1)
            .min_size(min)
            .desired_width(f32::INFINITY)
            .frame(Frame::NONE.inner_margin(Margin {
                left: GUTTER as i8 + 8,
                right: 10,
                top: 6,
                bottom: 6,
            }))
            .layouter(&mut layouter)
            .show(ui);
        let scene = Scene::new(ui, &output.galley, output.galley_pos);
        let response = output.response.response.accessible_name(self.name);
        let mut shapes = Vec::new();
        let seen = self.marks.iter().filter(|it| scene.shows(&it.chars));
        let seen: Vec<&TextMark> = seen.collect();
        for mark in &seen {
            scene.mark(mark, palette(ui), &mut shapes);
        }
        if let Some(lit) = &self.lit {
            scene.light(lit, palette(ui), &mut shapes);
        }
        ui.painter().set(behind, Shape::Vec(shapes));
        scene.gutter(ui, left, &seen);
        scene.notes(ui, &seen);
        if let Some(range) = &self.go_to {
            let mut state = output.state;
            let start = CCursor::new(range.start);
            let range_of_cursors = CCursorRange::two(start, CCursor::new(range.end));
            state.cursor.set_char_range(Some(range_of_cursors));
            state.store(ui.ctx(), id);
            response.request_focus();
            if let Some(rect) = scene.rects(range).first() {
                ui.scroll_to_rect(*rect, Some(Align::Center));
            }
        }
        if self.takes_focus {
            response.request_focus();
        }
        pointed(&scene, response, &seen)
    }
}

/// What the pointer does in the text, with a card that tells of the marks under it.
fn pointed(scene: &Scene<'_>, response: Response, seen: &[&TextMark]) -> Pointed {
    let changed = response.changed();
    let is_click = response.clicked();
    let hovered = response.hover_pos().and_then(|it| scene.char_at(it));
    let clicked = response
        .interact_pointer_pos()
        .filter(|_| is_click)
        .and_then(|it| scene.char_at(it));
    let under: Vec<&&TextMark> = hovered.map_or(Vec::new(), |at| {
        seen.iter().filter(|it| touches(&it.chars, at)).collect()
    });
    if !under.is_empty() {
        response.on_hover_ui_at_pointer(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for mark in under.iter().take(8) {
                let color = palette(ui).tone(mark.tone);
                let text = match mark.style {
                    MarkStyle::Note(number) => format!("Rung {number}: {}", mark.text),
                    _ => mark.text.clone(),
                };
                ui.label(RichText::new(text).color(color));
            }
        });
    }
    Pointed {
        changed,
        clicked,
        hovered,
    }
}

/// A mark between two characters is as good as on both of them.
fn touches(chars: &Range<usize>, at: usize) -> bool {
    if chars.is_empty() {
        at == chars.start || at + 1 == chars.start
    } else {
        chars.contains(&at)
    }
}

/// The laid out text, and which characters of it are in sight.
struct Scene<'a> {
    galley: &'a Galley,
    at: Pos2,
    clip: Rect,
    seen: Range<usize>,
}

impl<'a> Scene<'a> {
    fn new(ui: &Ui, galley: &'a Galley, at: Pos2) -> Self {
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

    fn shows(&self, chars: &Range<usize>) -> bool {
        chars.start <= self.seen.end && chars.end >= self.seen.start
    }

    /// The character under a place; none beside the text.
    fn char_at(&self, at: Pos2) -> Option<usize> {
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
    fn rects(&self, chars: &Range<usize>) -> Vec<Rect> {
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

    fn mark(&self, mark: &TextMark, colours: &Palette, shapes: &mut Vec<Shape>) {
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

    fn light(&self, chars: &Range<usize>, colours: &Palette, shapes: &mut Vec<Shape>) {
        for rect in self.rects(chars) {
            let rect = rect.with_max_x(rect.right().max(rect.left() + 4.0)).expand(1.0);
            let edge = Stroke::new(theme::HAIRLINE, colours.accent);
            let fill = colours.accent_fill.gamma_multiply(0.18);
            let radius = theme::TINT_RADIUS as u8;
            shapes.push(Shape::rect_filled(rect, radius, fill));
            shapes.push(Shape::rect_stroke(rect, radius, edge, StrokeKind::Outside));
        }
    }

    /// Line numbers, and beside them the numbers of the rungs that gave way in the line.
    fn gutter(&self, ui: &Ui, left: f32, marks: &[&TextMark]) {
        let colours = palette(ui);
        let band = Rect::from_x_y_ranges(left..=left + GUTTER, self.clip.y_range());
        let edge = Stroke::new(theme::HAIRLINE, colours.border);
        ui.painter()
            .vline(band.right(), self.clip.y_range(), edge);
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
    fn notes(&self, ui: &Ui, marks: &[&TextMark]) {
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

/// The text in its colours. While it is typed the colours may be those of the text before: what does not fit
/// any more is left out.
fn painted(text: &str, paints: &[(Range<usize>, Color32)], colours: &Palette) -> LayoutJob {
    let mut job = LayoutJob::default();
    let plain = if paints.is_empty() {
        colours.text
    } else {
        colours.weak
    };
    let mut add = |part: &str, color: Color32| {
        let format = TextFormat {
            line_height: Some(theme::CODE_ROW),
            ..TextFormat::simple(theme::mono(theme::CODE), color)
        };
        job.append(part, 0.0, format);
    };
    let mut at = 0;
    for (range, color) in paints {
        let parts = text.get(at..range.start).zip(text.get(range.clone()));
        let Some((between, part)) = parts else {
            continue;
        };
        if !between.is_empty() {
            add(between, plain);
        }
        if !part.is_empty() {
            add(part, *color);
        }
        at = range.end;
    }
    let rest = text.get(at..).unwrap_or_default();
    if !rest.is_empty() || text.is_empty() {
        add(rest, plain);
    }
    job
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
    let n_steps = (width / STEP).ceil() as usize;
    let point = |idx: usize| {
        let y = if idx.is_multiple_of(2) { 0.0 } else { -2.0 };
        start + vec2((idx as f32 * STEP).min(width), y)
    };
    Shape::line((0..=n_steps).map(point).collect(), Stroke::new(1.2, color))
}
