//! A field for one line of text, with an edge that is seen on any ground.

use eframe::egui::{Frame, Margin, Stroke, TextEdit, Ui, vec2};

use crate::ui::theme::{self, palette};

/// The hint is shown while nothing is typed.
pub(crate) fn line_edit<'a>(ui: &Ui, text: &'a mut String, hint: &'a str) -> TextEdit<'a> {
    let colours = palette(ui);
    let frame = Frame::NONE
        .fill(colours.well)
        .stroke(Stroke::new(theme::HAIRLINE, colours.border_strong))
        .corner_radius(theme::RADIUS)
        .inner_margin(Margin::symmetric(8, 4));
    TextEdit::singleline(text)
        .hint_text(hint)
        .frame(frame)
        .min_size(vec2(0.0, theme::CONTROL))
}
