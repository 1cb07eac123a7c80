//! An editor for grammars and schemas: line numbers, colours, and a line under the place of a fault.

use std::sync::Arc;

use eframe::egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use eframe::egui::{
    Align2, Color32, Frame, Galley, Id, Margin, Pos2, Rect, ScrollArea, Stroke, TextBuffer,
    TextEdit, Ui, pos2, vec2,
};

use super::text::well;
use crate::constraint::{GrammarSpanKind, grammar_spans};
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
    takes_focus: bool,
    /// Where the caret is put, in characters.
    caret: Option<usize>,
}

/// What the user did, and where the caret is now.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edited {
    pub(crate) changed: bool,
    /// Characters before the caret; none while the editor has no focus.
    pub(crate) caret: Option<usize>,
    /// Where the caret is on the screen.
    pub(crate) place: Option<Rect>,
}

/// Longer texts are shown without colours, which would have to be found anew at every frame.
const MAX_COLOURED: usize = 60_000;

impl<'a> CodeEditor<'a> {
    pub(crate) fn new(name: &'a str, language: Language) -> Self {
        Self {
            name,
            language,
            fault: None,
            height: 180.0,
            takes_focus: false,
            caret: None,
        }
    }

    /// Puts the cursor into the editor.
    pub(crate) fn focus(mut self, takes_focus: bool) -> Self {
        self.takes_focus = takes_focus;
        self
    }

    /// Puts the caret behind so many characters.
    pub(crate) fn caret(mut self, caret: Option<usize>) -> Self {
        self.caret = caret;
        self
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
        self.show_caret(ui, text).changed
    }

    /// Says also where the caret is.
    pub(crate) fn show_caret(&self, ui: &mut Ui, text: &mut String) -> Edited {
        let frame = well(ui);
        let scroll = ScrollArea::both()
            .id_salt(self.name)
            .max_height(self.height)
            .min_scrolled_height(self.height)
            .auto_shrink(false);
        frame
            .show(ui, |ui| scroll.show(ui, |ui| self.edit(ui, text)).inner)
            .inner
    }

    fn edit(&self, ui: &mut Ui, text: &mut String) -> Edited {
        let colours = palette(ui);
        let language = self.language;
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, _width: f32| -> Arc<Galley> {
            let job = highlight(text.as_str(), language, palette(ui));
            ui.fonts_mut(|it| it.layout_job(job))
        };
        let place = ui.next_widget_position();
        let output = TextEdit::multiline(text)
            // What stands above it comes and goes while one types, and must not take the focus away.
            .id(Id::unique(("code editor", self.name)))
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
        let response = output.response.response.accessible_name(self.name);
        if let Some(caret) = self.caret {
            let mut state = output.state;
            let at = CCursorRange::one(CCursor::new(caret));
            state.cursor.set_char_range(Some(at));
            state.store(ui.ctx(), response.id);
        }
        if self.takes_focus || self.caret.is_some() {
            response.request_focus();
        }
        let caret = output.cursor_range.filter(|_| response.has_focus());
        let caret = caret.map(|it| it.primary);
        Edited {
            changed: response.changed(),
            caret: caret.map(|it| it.index.into()),
            place: caret.map(|it| {
                let place = output.galley.pos_from_cursor(it);
                place.translate(output.galley_pos.to_vec2())
            }),
        }
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
    let mut add = |piece: &str, color: Color32| {
        let format = TextFormat {
            line_height: Some(theme::CODE_ROW),
            ..TextFormat::simple(theme::mono(theme::CODE), color)
        };
        job.append(piece, 0.0, format);
    };
    if text.is_empty() || text.len() > MAX_COLOURED {
        add(text, colours.text);
        return job;
    }
    match language {
        Language::Gbnf => {
            let mut at = 0;
            for span in grammar_spans(text) {
                add(
                    text.get(at..span.range.start).unwrap_or_default(),
                    colours.weak,
                );
                let color = grammar_color(span.kind, colours);
                add(text.get(span.range.clone()).unwrap_or_default(), color);
                at = span.range.end;
            }
            add(text.get(at..).unwrap_or_default(), colours.weak);
        }
        Language::Json => {
            let mut rest = text;
            while let Some(first) = rest.chars().next() {
                let (piece, tail) = rest.split_at(piece_len(rest, first));
                let color = match first {
                    '"' => colours.good,
                    it if it.is_alphanumeric() || it == '-' => colours.accent,
                    _ => colours.weak,
                };
                add(piece, color);
                rest = tail;
            }
        }
    }
    job
}

fn grammar_color(kind: GrammarSpanKind, colours: &Palette) -> Color32 {
    match kind {
        GrammarSpanKind::Definition | GrammarSpanKind::RuleName => colours.accent,
        GrammarSpanKind::Literal => colours.good,
        GrammarSpanKind::Class | GrammarSpanKind::Operator => colours.warn,
        GrammarSpanKind::Token => colours.text,
        GrammarSpanKind::Comment => colours.faint,
        GrammarSpanKind::Unknown => colours.bad,
    }
}

/// Bytes of the string, word or single character that a JSON text begins with.
fn piece_len(text: &str, first: char) -> usize {
    match first {
        '"' => quoted_len(text, '"'),
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
