//! A strip that tells of something that went wrong or needs to be known, with what can be done about it.

use eframe::egui::{
    Align, Align2, Frame, Label, Layout, Margin, Rect, RichText, Role, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};

use crate::ui::theme::{self, Tone, icons, palette};

/// Narrower than this, what can be done stands under the text.
const NARROW: f32 = 460.0;
/// Where the text begins, right of the sign.
const TEXT: f32 = 24.0;

pub(crate) fn banner(ui: &mut Ui, tone: Tone, text: &str) {
    framed(ui, (tone, text), |ui| {
        let place = ui.available_rect_before_wrap();
        text_ui(ui, (tone, text), place);
    });
}

/// With what `actions` draws at the right end or, in a narrow place, under the text.
pub(crate) fn banner_with<R>(
    ui: &mut Ui,
    tone: Tone,
    text: &str,
    actions: impl FnOnce(&mut Ui) -> R,
) -> R {
    framed(ui, (tone, text), |ui| {
        let place = ui.available_rect_before_wrap();
        if place.width() < NARROW {
            text_ui(ui, (tone, text), place);
            return ui
                .horizontal(|ui| {
                    ui.add_space(TEXT);
                    actions(ui)
                })
                .inner;
        }
        let row = Rect::from_min_size(place.min, vec2(place.width(), theme::CONTROL));
        let at_right = UiBuilder::new()
            .max_rect(row)
            .layout(Layout::right_to_left(Align::Center));
        let actions = ui.scope_builder(at_right, actions);
        let left_of_it = pos2(actions.response.rect.left() - 8.0, place.bottom());
        let place = Rect::from_min_max(place.min + vec2(0.0, 6.0), left_of_it);
        text_ui(ui, (tone, text), place);
        actions.inner
    })
}

fn framed<R>(ui: &mut Ui, (tone, text): (Tone, &str), content: impl FnOnce(&mut Ui) -> R) -> R {
    let frame = Frame::NONE
        .fill(palette(ui).soft(tone))
        .corner_radius(theme::CARD_RADIUS)
        .inner_margin(Margin::symmetric(10, 6));
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        content(ui)
    });
    let enabled = ui.is_enabled();
    shown
        .response
        .widget_info(|| WidgetInfo::labeled(Role::Alert, enabled, text));
    shown.inner
}

fn text_ui(ui: &mut Ui, (tone, text): (Tone, &str), place: Rect) {
    let colours = palette(ui);
    let sign = match tone {
        Tone::Bad => icons::X_CIRCLE,
        Tone::Warn => icons::WARNING,
        Tone::Good => icons::CHECK_CIRCLE,
        Tone::Quiet | Tone::Accent => icons::INFO,
    };
    let font = theme::icon_fill(15.0);
    let at = place.min + vec2(8.0, 7.5);
    ui.painter()
        .text(at, Align2::CENTER_CENTER, sign, font, colours.tone(tone));
    let place = Rect::from_min_max(place.min + vec2(TEXT, 0.0), place.max);
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        let text = RichText::new(text).font(theme::regular(theme::LABEL));
        ui.add(Label::new(text.color(colours.text)).wrap());
    });
}
