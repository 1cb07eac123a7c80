//! Buttons: the one that is filled, quiet ones, and those that are only an icon.

use eframe::egui::{Button, Color32, Response, RichText, Stroke, Ui, vec2};

use super::icon;
use crate::ui::theme::{self, palette};

/// The filled button; a window has one.
pub(crate) fn primary_button(ui: &mut Ui, sign: &str, name: &str) -> Response {
    let colours = palette(ui);
    let sign = RichText::new(sign)
        .font(theme::icon_fill(13.0))
        .color(colours.on_accent);
    let text = RichText::new(name)
        .font(theme::semibold(theme::BODY))
        .color(colours.on_accent);
    let button = Button::new((sign, text))
        .fill(colours.accent_fill)
        .stroke(Stroke::NONE)
        .min_size(vec2(84.0, 32.0))
        .corner_radius(theme::RADIUS + 1);
    ui.add(button).accessible_name(name)
}

/// A button of lesser weight with an icon and a word.
pub(crate) fn quiet_button(ui: &mut Ui, sign: &str, name: &str) -> Response {
    let text = RichText::new(name).font(theme::medium(theme::LABEL));
    let button = Button::new((icon(sign, 13.0).color(palette(ui).weak), text))
        .min_size(vec2(0.0, theme::CONTROL));
    ui.add(button).accessible_name(name)
}

/// Only an icon, so its name is a tooltip and is read aloud.
pub(crate) fn icon_button(ui: &mut Ui, sign: &str, name: &str) -> Response {
    let button = Button::new(icon(sign, 15.0).color(palette(ui).weak))
        .fill(Color32::TRANSPARENT)
        .frame_when_inactive(false)
        .min_size(vec2(theme::CONTROL, ui.spacing().interact_size.y));
    ui.add(button).accessible_name(name).on_hover_text(name)
}
