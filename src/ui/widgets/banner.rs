//! A strip that tells of something that went wrong or needs to be known, with what can be done about it.

use eframe::egui::{Align, Frame, Label, Layout, Margin, RichText, Role, Ui, WidgetInfo};

use crate::ui::theme::{self, Tone, icons, palette};

/// The text, then what `actions` draws at the right end or, in a narrow place, below.
pub(crate) fn banner<R>(
    ui: &mut Ui,
    tone: Tone,
    text: &str,
    actions: impl FnOnce(&mut Ui) -> R,
) -> R {
    let colours = palette(ui);
    let sign = match tone {
        Tone::Bad => icons::X_CIRCLE,
        Tone::Warn => icons::WARNING,
        Tone::Good => icons::CHECK_CIRCLE,
        Tone::Quiet | Tone::Accent => icons::INFO,
    };
    let frame = Frame::NONE
        .fill(colours.soft(tone))
        .corner_radius(theme::CARD_RADIUS)
        .inner_margin(Margin::symmetric(10, 6));
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let result = actions(ui);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let sign = RichText::new(sign)
                    .font(theme::icon_fill(15.0))
                    .color(colours.tone(tone));
                ui.label(sign);
                let text = RichText::new(text).font(theme::regular(theme::LABEL));
                ui.add(Label::new(text.color(colours.text)).wrap());
            });
            result
        })
        .inner
    });
    let enabled = ui.is_enabled();
    shown
        .response
        .widget_info(|| WidgetInfo::labeled(Role::Alert, enabled, text));
    shown.inner
}
