//! A button that shows what is chosen and opens a menu of what else there is.

use eframe::egui::{Button, Popup, PopupCloseBehavior, Response, RichText, ScrollArea, Ui, vec2};

use super::icon;
use crate::ui::theme::{self, icons, palette};

/// One row of the menu.
pub(crate) struct Entry<'a> {
    pub(crate) title: &'a str,
    /// Shown when the pointer rests on the row.
    pub(crate) about: &'a str,
    pub(crate) chosen: bool,
}

/// Returns the index of the row that was chosen. `name` is read aloud before what is shown.
pub(crate) fn picker(ui: &mut Ui, name: &str, shown: &str, entries: &[Entry<'_>]) -> Option<usize> {
    let button = button(ui, name, shown);
    let menu = Popup::menu(&button)
        .gap(4.0)
        .close_behavior(PopupCloseBehavior::CloseOnClick)
        .show(|ui| {
            ui.set_min_width(button.rect.width().max(180.0));
            ui.set_max_width(420.0);
            ui.spacing_mut().button_padding = vec2(10.0, 4.0);
            let scroll = ScrollArea::vertical().max_height(360.0);
            scroll.show(ui, |ui| rows(ui, entries)).inner
        });
    menu.and_then(|it| it.inner)
}

fn button(ui: &mut Ui, name: &str, shown: &str) -> Response {
    let colours = palette(ui);
    let text = RichText::new(shown).font(theme::medium(theme::LABEL));
    let caret = icon(icons::CARET_DOWN, 11.0).color(colours.weak);
    let button = Button::new(text)
        .right_text(caret)
        .truncate()
        .min_size(vec2(0.0, theme::CONTROL));
    ui.add(button)
        .accessible_name(format!("{name}: {shown}"))
        .on_hover_text(name)
}

fn rows(ui: &mut Ui, entries: &[Entry<'_>]) -> Option<usize> {
    let mut picked = None;
    for (idx, entry) in entries.iter().enumerate() {
        let mut row = ui.add(Button::selectable(entry.chosen, entry.title).truncate());
        if !entry.about.is_empty() {
            row = row.on_hover_text(entry.about);
        }
        if row.clicked() {
            picked = Some(idx);
        }
    }
    if entries.is_empty() {
        super::weak(ui, "Nothing here yet");
    }
    picked
}
