//! A lamp: one judge's finding as icon, name and word, so that it is never told by colour alone.

use eframe::egui::{
    Align2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::ui::theme::{self, Tone, icons, palette};

/// What the lamp shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Light {
    Lit,
    Dark,
    /// There was nothing to judge by.
    Unjudged,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lamp {
    pub(crate) name: &'static str,
    pub(crate) light: Light,
    /// The finding in a word.
    pub(crate) word: &'static str,
    pub(crate) help: &'static str,
}

/// Draws a lamp of this width.
pub(crate) fn lamp(ui: &mut Ui, lamp: &Lamp, width: f32) -> Response {
    let colours = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 66.0), Sense::hover());
    let (tone, sign) = match lamp.light {
        Light::Lit => (Tone::Good, icons::CHECK_CIRCLE),
        Light::Dark => (Tone::Bad, icons::X_CIRCLE),
        Light::Unjudged => (Tone::Quiet, icons::MINUS),
    };
    let (fill, edge) = if lamp.light == Light::Unjudged {
        (colours.card, colours.border)
    } else {
        (colours.soft(tone), colours.tone(tone).gamma_multiply(0.35))
    };
    let stroke = Stroke::new(theme::HAIRLINE, edge);
    ui.painter()
        .rect(rect, theme::CARD_RADIUS, fill, stroke, StrokeKind::Inside);
    let color = if lamp.light == Light::Unjudged {
        colours.faint
    } else {
        colours.tone(tone)
    };
    let font = if lamp.light == Light::Unjudged {
        theme::regular(17.0)
    } else {
        theme::icon_fill(17.0)
    };
    let text = |rect: Rect, y: f32| pos2(rect.center().x, rect.top() + y);
    let painter = ui.painter();
    let center = Align2::CENTER_CENTER;
    painter.text(text(rect, 17.0), center, sign, font, color);
    let name = theme::medium(12.0);
    painter.text(text(rect, 36.0), center, lamp.name, name, colours.text);
    let word = theme::regular(theme::SMALL);
    painter.text(text(rect, 52.0), center, lamp.word, word, color);
    let read = format!("{}: {}", lamp.name, lamp.word);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &read));
    response.on_hover_text(lamp.help)
}
