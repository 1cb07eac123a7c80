//! A text field in a card, with its name inside.

use eframe::egui::{FontId, Frame, Margin, RichText, Stroke, TextEdit, Ui};

use super::text::card;
use crate::ui::theme::{self, palette};

/// A text to type. Grows with its text.
pub(crate) struct Field<'a> {
    name: &'a str,
    hint: &'a str,
    rows: usize,
    font: FontId,
    takes_focus: bool,
}

impl<'a> Field<'a> {
    pub(crate) fn new(name: &'a str) -> Self {
        Self {
            name,
            hint: "",
            rows: 1,
            font: theme::regular(theme::BODY),
            takes_focus: false,
        }
    }

    /// Shown while nothing is typed.
    pub(crate) fn hint(mut self, hint: &'a str) -> Self {
        self.hint = hint;
        self
    }

    /// The height of the empty field.
    pub(crate) fn rows(mut self, rows: usize) -> Self {
        self.rows = rows;
        self
    }

    /// Puts the cursor into the field.
    pub(crate) fn focus(mut self, takes_focus: bool) -> Self {
        self.takes_focus = takes_focus;
        self
    }

    pub(crate) fn code(mut self) -> Self {
        self.font = theme::mono(theme::CODE);
        self
    }

    /// Says whether the text was changed.
    pub(crate) fn show(self, ui: &mut Ui, text: &mut String) -> bool {
        let colours = palette(ui);
        let id = ui.scope_id().with(self.name);
        if self.takes_focus {
            ui.memory_mut(|it| it.request_focus(id));
        }
        let edge = if ui.memory(|it| it.has_focus(id)) {
            colours.accent
        } else {
            colours.border
        };
        let frame = card(ui)
            .stroke(Stroke::new(theme::HAIRLINE, edge))
            .inner_margin(Margin {
                left: 12,
                right: 12,
                top: 6,
                bottom: 8,
            });
        let response = frame.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let name = RichText::new(self.name)
                .font(theme::medium(theme::SMALL))
                .color(colours.faint);
            let label = ui.label(name);
            ui.spacing_mut().interact_size.y = 0.0;
            let hint = RichText::new(self.hint).color(colours.faint);
            let edit = TextEdit::multiline(text)
                .id(id)
                .hint_text(hint)
                .margin(Margin::ZERO)
                .frame(Frame::NONE)
                .desired_rows(self.rows)
                .desired_width(f32::INFINITY)
                .font(self.font)
                .text_color(colours.text);
            ui.add(edit).labelled_by(label.id)
        });
        response.inner.changed()
    }
}
