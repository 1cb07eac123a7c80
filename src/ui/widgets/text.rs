//! Texts in their places: captions, headings, notes, and the frame of a card.

use eframe::egui::{Frame, Label, Margin, Response, RichText, Stroke, Ui};

use crate::ui::theme::{self, palette};

/// Names a group of controls.
pub(crate) fn caption(ui: &mut Ui, text: &str) -> Response {
    let text = RichText::new(text)
        .font(theme::semibold(theme::SMALL))
        .color(palette(ui).weak);
    ui.label(text)
}

/// Names a part of the window.
pub(crate) fn heading(ui: &mut Ui, text: &str) -> Response {
    ui.label(RichText::new(text).font(theme::semibold(theme::TITLE)))
}

/// A small text of lesser weight, on as many rows as it needs.
pub(crate) fn note(ui: &mut Ui, text: impl Into<String>) -> Response {
    let text = RichText::new(text)
        .font(theme::regular(theme::SMALL))
        .color(palette(ui).weak);
    ui.add(Label::new(text).wrap())
}

/// A text of lesser weight in the size of the rest.
pub(crate) fn weak(ui: &mut Ui, text: impl Into<String>) -> Response {
    ui.label(RichText::new(text).color(palette(ui).weak))
}

/// One row that ends in dots where it does not fit; all of it is shown on hover.
pub(crate) fn elided(ui: &mut Ui, text: RichText) -> Response {
    ui.add(Label::new(text).truncate())
}

pub(crate) fn icon(icon: &str, size: f32) -> RichText {
    RichText::new(icon).font(theme::regular(size))
}

/// A frame with a hairline that sets its content off from the column.
pub(crate) fn card(ui: &Ui) -> Frame {
    let colours = palette(ui);
    Frame::NONE
        .fill(colours.card)
        .stroke(Stroke::new(theme::HAIRLINE, colours.border))
        .corner_radius(theme::CARD_RADIUS)
        .inner_margin(Margin::symmetric(10, 8))
}

/// The sunken frame of an editor.
pub(crate) fn well(ui: &Ui) -> Frame {
    let colours = palette(ui);
    Frame::NONE
        .fill(colours.well)
        .stroke(Stroke::new(theme::HAIRLINE, colours.border))
        .corner_radius(theme::CARD_RADIUS)
        .inner_margin(Margin::same(1))
}

/// A clause as a sentence: a capital first, a full stop last.
pub(crate) fn sentence(text: &str) -> String {
    let mut chars = text.trim().chars();
    let mut res: String = chars
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    res.push_str(chars.as_str());
    if !res.ends_with(['.', '!', '?', '…']) {
        res.push('.');
    }
    res
}
