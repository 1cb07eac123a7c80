//! A small rounded mark with a word or two.

use eframe::egui::{Response, Role, Sense, Ui, WidgetInfo, vec2};

use crate::ui::theme::{self, Tone, icons, palette};

pub(crate) fn pill(ui: &mut Ui, text: &str, tone: Tone) -> Response {
    draw(ui, text, text, tone)
}

/// The icon says by its form what the tone says by its colour.
pub(crate) fn pill_with_icon(ui: &mut Ui, icon: &str, text: &str, tone: Tone) -> Response {
    draw(ui, &format!("{icon} {text}"), text, tone)
}

/// With the tone's own icon, where it has one.
pub(crate) fn toned_pill(ui: &mut Ui, text: &str, tone: Tone) -> Response {
    match sign_of(tone) {
        Some(sign) => pill_with_icon(ui, sign, text, tone),
        None => pill(ui, text, tone),
    }
}

/// What a tone says without its colour.
fn sign_of(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Quiet | Tone::Accent => None,
        Tone::Good => Some(icons::CHECK),
        Tone::Warn => Some(icons::WARNING),
        Tone::Bad => Some(icons::X),
    }
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
