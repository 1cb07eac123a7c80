//! A small on/off switch.

use eframe::egui::{
    CursorIcon, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, lerp, pos2, vec2,
};

use crate::ui::theme::{self, palette};

/// The name is read aloud; it is not drawn.
pub(crate) fn switch(ui: &mut Ui, on: &mut bool, name: &str) -> Response {
    // 1. Take the place.
    let (rect, mut response) = ui.allocate_exact_size(vec2(28.0, 16.0), Sense::click());
    // 2. Change the value.
    if response.clicked() {
        *on = !*on;
        response.mark_changed();
    }
    response.widget_info(|| WidgetInfo::selected(Role::Switch, ui.is_enabled(), *on, name));
    // 3. Draw.
    let colours = palette(ui);
    let how_on = ui.ctx().animate_bool_responsive(response.id, *on);
    let trough = colours
        .border_strong
        .lerp_to_gamma(colours.accent_fill, how_on);
    ui.painter().rect_filled(rect, theme::CARD_RADIUS, trough);
    let x = lerp(rect.left() + 8.0..=rect.right() - 8.0, how_on);
    ui.painter()
        .circle_filled(pos2(x, rect.center().y), 5.5, colours.on_accent);
    if response.has_focus() {
        let ring = Stroke::new(1.5, colours.accent);
        ui.painter()
            .rect_stroke(rect.expand(2.0), 10, ring, StrokeKind::Outside);
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}
