//! An editor for a reply: long lines wrap, line numbers, and marks in the text with what there is to say of them.

use std::ops::Range;
use std::sync::Arc;

use eframe::egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use eframe::egui::{
    Align, Color32, Frame, Galley, Id, Margin, Response, RichText, ScrollArea, Shape, TextBuffer,
    TextEdit, Ui, vec2,
};

use super::marked_scene::Scene;
use super::text::well;
use crate::ui::theme::{self, Palette, Tone, palette};

/// Room for a rung's number, then for the line's.
pub(super) const GUTTER: f32 = 66.0;

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
        let frame = well(ui);
        let scroll = ScrollArea::vertical().id_salt(self.name).auto_shrink(false);
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
