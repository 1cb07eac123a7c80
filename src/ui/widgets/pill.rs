//! A small rounded mark with a word or two.

use eframe::egui::{Response, Role, Sense, Ui, WidgetInfo, vec2};

use crate::ui::theme::{self, Tone, palette};

pub(crate) fn pill(ui: &mut Ui, text: &str, tone: Tone) -> Response {
    draw(ui, text, text, tone)
}

/// The icon says by its form what the tone says by its colour.
pub(crate) fn pill_with_icon(ui: &mut Ui, icon: &str, text: &str, tone: Tone) -> Response {
    draw(ui, &format!("{icon} {text}"), text, tone)
}

fn draw(ui: &mut Ui, shown: &str, name: &str, tone: Tone) -> Response {
    let colours = palette(ui);
    let color = colours.tone(tone);
    let font = theme::medium(11.0);
    let galley = ui.painter().layout_no_wrap(shown.to_owned(), font, color);
    let size = galley.size() + vec2(14.0, 5.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    ui.painter().rect_filled(rect, 255, colours.soft(tone));
    let place = rect.center() - galley.size() / 2.0;
    ui.painter().galley(place, galley, color);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
    response
}
