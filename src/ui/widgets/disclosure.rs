//! A row that opens and closes what is under it.

use eframe::egui::{CursorIcon, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::ui::theme::{self, icons, palette};

/// Turns `open` on a click.
pub(crate) fn disclosure(ui: &mut Ui, open: &mut bool, name: &str) {
    let colours = palette(ui);
    let font = theme::medium(theme::LABEL);
    let galley = ui
        .painter()
        .layout_no_wrap(name.to_owned(), font, colours.text);
    let size = vec2(galley.size().x + 20.0, 24.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    if response.clicked() {
        *open = !*open;
    }
    response.widget_info(|| {
        WidgetInfo::selected(Role::DisclosureTriangle, ui.is_enabled(), *open, name)
    });
    let color = if response.hovered() || response.has_focus() {
        colours.text
    } else {
        colours.weak
    };
    let caret = if *open {
        icons::CARET_DOWN
    } else {
        icons::CARET_RIGHT
    };
    ui.painter().text(
        pos2(rect.left() + 6.0, rect.center().y),
        eframe::egui::Align2::CENTER_CENTER,
        caret,
        theme::regular(12.0),
        color,
    );
    let place = pos2(rect.left() + 18.0, rect.center().y - galley.size().y / 2.0);
    ui.painter()
        .galley_with_override_text_color(place, galley, color);
    response.on_hover_cursor(CursorIcon::PointingHand);
}
