//! An editor for grammars and schemas: line numbers, colours, and a line under the place of a fault.

use std::sync::Arc;

use eframe::egui::text::{CCursor, LayoutJob, TextFormat};
use eframe::egui::{
    Align2, Frame, Galley, Margin, Pos2, Rect, ScrollArea, Stroke, TextBuffer, TextEdit, Ui, pos2,
    vec2,
};

use crate::ui::theme::{self, Palette, palette};

const GUTTER: f32 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Gbnf,
    Json,
}

pub(crate) struct CodeEditor<'a> {
    name: &'a str,
    language: Language,
    fault: Option<(usize, usize)>,
    height: f32,
}

impl<'a> CodeEditor<'a> {
    pub(crate) fn new(name: &'a str, language: Language) -> Self {
        Self {
            name,
            language,
            fault: None,
            height: 180.0,
        }
    }

    /// Line and column (characters) of a fault, from 1.
    pub(crate) fn fault(mut self, place: Option<(usize, usize)>) -> Self {
        self.fault = place;
        self
    }

    pub(crate) fn height(mut self, height: f32) -> Self {
        self.height = height;
        self
    }

    /// Says whether the text was changed.
    pub(crate) fn show(&self, ui: &mut Ui, text: &mut String) -> bool {
        let colours = palette(ui);
        let frame = Frame::NONE
            .fill(colours.well)
            .stroke(Stroke::new(theme::HAIRLINE, colours.border))
            .corner_radius(theme::CARD_RADIUS)
            .inner_margin(Margin::same(1));
        let scroll = ScrollArea::both()
            .id_salt(self.name)
            .max_height(self.height)
            .min_scrolled_height(self.height)
            .auto_shrink(false);
        frame
            .show(ui, |ui| scroll.show(ui, |ui| self.edit(ui, text)).inner)
            .inner
    }

    fn edit(&self, ui: &mut Ui, text: &mut String) -> bool {
        let colours = palette(ui);
        let language = self.language;
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, _width: f32| -> Arc<Galley> {
            let job = highlight(text.as_str(), language, palette(ui));
            ui.fonts_mut(|it| it.layout_job(job))
        };
        let place = ui.next_widget_position();
        let output = TextEdit::multiline(text)
            .code_editor()
            .desired_rows(1)
            .min_size(vec2(0.0, self.height - 2.0))
            .desired_width(f32::INFINITY)
            .frame(Frame::NONE.inner_margin(Margin {
                left: GUTTER as i8 + 8,
                right: 8,
                top: 6,
                bottom: 6,
            }))
            .layouter(&mut layouter)
            .show(ui);
        let left = place.x.max(ui.clip_rect().left());
        gutter(ui, left, &output.galley, output.galley_pos);
        if let Some(fault) = self.fault {
            let rect = fault_rect(&output.galley, fault).translate(output.galley_pos.to_vec2());
            ui.painter()
                .rect_filled(rect, 2, colours.bad.gamma_multiply(0.16));
            let line = Stroke::new(2.0, colours.bad);
            ui.painter().hline(rect.x_range(), rect.bottom(), line);
        }
        let response = output.response.response;
        response.accessible_name(self.name).changed()
    }
}

fn gutter(ui: &Ui, left: f32, galley: &Galley, at: Pos2) {
    let colours = palette(ui);
    let clip = ui.clip_rect();
    let band = Rect::from_x_y_ranges(left..=left + GUTTER, clip.y_range());
    ui.painter().rect_filled(band, 0, colours.well);
    let edge = Stroke::new(theme::HAIRLINE, colours.border);
    ui.painter().vline(band.right(), clip.y_range(), edge);
    for (idx, row) in galley.rows.iter().enumerate() {
        let y = at.y + row.pos.y + theme::CODE_ROW / 2.0;
        if clip.y_range().contains(y) {
            ui.painter().text(
                pos2(band.right() - 8.0, y),
                Align2::RIGHT_CENTER,
                idx + 1,
                theme::mono(theme::TINY),
                colours.faint,
            );
        }
    }
}

/// The word at the fault, or one character's width at the end of a line.
fn fault_rect(galley: &Galley, (line, column): (usize, usize)) -> Rect {
    let text = galley.text();
    let before: usize = text
        .split('\n')
        .take(line.saturating_sub(1))
        .map(|it| it.chars().count() + 1)
        .sum();
    let start = before + column.saturating_sub(1);
    let is_word = |it: &char| it.is_alphanumeric() || matches!(it, '-' | '_');
    let n_word = text.chars().skip(start).take_while(is_word).count().max(1);
    let from = galley.pos_from_cursor(CCursor::new(start));
    let to = galley.pos_from_cursor(CCursor::new(start + n_word));
    let width = if (to.top() - from.top()).abs() < 1.0 {
        (to.left() - from.left()).max(7.0)
    } else {
        7.0
    };
    Rect::from_min_size(from.min, vec2(width, from.height()))
}

fn highlight(text: &str, language: Language, colours: &Palette) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = f32::INFINITY;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let n_bytes = piece_len(rest, first, language);
        let (piece, tail) = rest.split_at(n_bytes);
        let color = match (first, language) {
            ('"', _) => colours.good,
            ('#', Language::Gbnf) => colours.faint,
            ('[' | ':' | '=' | '|' | '*' | '+' | '?', Language::Gbnf) => colours.warn,
            (it, _) if it.is_alphanumeric() || it == '-' => colours.accent,
            _ => colours.weak,
        };
        let format = TextFormat {
            line_height: Some(theme::CODE_ROW),
            ..TextFormat::simple(theme::mono(theme::CODE), color)
        };
        job.append(piece, 0.0, format);
        rest = tail;
    }
    if text.is_empty() {
        let format = TextFormat {
            line_height: Some(theme::CODE_ROW),
            ..TextFormat::simple(theme::mono(theme::CODE), colours.text)
        };
        job.append("", 0.0, format);
    }
    job
}

/// Bytes of the string, comment, character class, word or single character that the text begins with.
fn piece_len(text: &str, first: char, language: Language) -> usize {
    let is_gbnf = language == Language::Gbnf;
    match first {
        '"' => quoted_len(text, '"'),
        '[' if is_gbnf => quoted_len(text, ']'),
        '#' if is_gbnf => text.find('\n').unwrap_or(text.len()),
        it if it.is_alphanumeric() => {
            let is_word = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | '.');
            text.find(|it| !is_word(it)).unwrap_or(text.len())
        }
        it => it.len_utf8(),
    }
}

/// Up to and with the end sign that is not escaped; a string ends at its line's end.
fn quoted_len(text: &str, end: char) -> usize {
    let mut is_escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            it if it == end => return at + it.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
