//! The bar on top: logo, tabs, model, run button, theme.

use eframe::egui::{Align, Layout, Rect, RichText, Sense, Ui, vec2};

use super::data_menu::data_menu_ui;
use super::model_picker::model_picker_ui;
use super::{TABS, is_running, run_action, run_hindrance};
use crate::app::{Action, Model, ThemeChoice};
use crate::ui::State;
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{Segmented, icon_button, primary_button};

pub(super) fn top_bar_ui(model: &Model, state: &mut State, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal_centered(|ui| {
        ui.add_space(f32::from(theme::MARGIN));
        logo_ui(ui);
        ui.label(RichText::new("Stepladder").font(theme::semibold(15.0)));
        ui.add_space(10.0);
        let mut tab = model.tab;
        let tabs = TABS.map(|(tab, name, _)| (tab, name));
        if Segmented::new("").show(ui, &mut tab, &tabs) {
            actions.push(Action::ShowTab(tab));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(12.0);
            actions.extend(theme_ui(model.settings.theme, ui));
            actions.extend(data_menu_ui(ui));
            // Repair runs nothing; a reply that is under way can be cancelled from there all the same.
            if run_action(model).is_some() || model.is_running() {
                actions.extend(run_ui(model, ui));
            }
            model_picker_ui(model, state, ui, actions);
        });
    });
}

/// The mark is a ladder: two rails and three rungs.
fn logo_ui(ui: &mut Ui) {
    let colours = palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(26.0, 26.0), Sense::hover());
    let painter = ui.painter();
    painter.rect_filled(rect, theme::RADIUS + 1, colours.accent_fill);
    for x in [8.0, 15.8] {
        let rail = Rect::from_min_size(rect.min + vec2(x, 5.0), vec2(2.2, 16.0));
        painter.rect_filled(rail, 1, colours.on_accent);
    }
    for y in [8.0, 12.0, 16.0] {
        let rung = Rect::from_min_size(rect.min + vec2(8.0, y), vec2(10.0, 2.0));
        painter.rect_filled(rung, 0, colours.on_accent);
    }
}

fn theme_ui(choice: ThemeChoice, ui: &mut Ui) -> Option<Action> {
    let (sign, name, other) = match choice {
        ThemeChoice::Dark => (icons::SUN, "Switch to the light theme", ThemeChoice::Light),
        ThemeChoice::Light => (icons::MOON, "Switch to the dark theme", ThemeChoice::Dark),
    };
    let clicked = icon_button(ui, sign, name).clicked();
    clicked.then_some(Action::SetTheme(other))
}

fn run_ui(model: &Model, ui: &mut Ui) -> Option<Action> {
    if is_running(model) {
        let button = primary_button(ui, icons::STOP, "Cancel").on_hover_text("Esc");
        return button.clicked().then_some(Action::Cancel);
    }
    let hindrance = run_hindrance(model);
    let button = ui
        .add_enabled_ui(hindrance.is_none(), |ui| {
            primary_button(ui, icons::PLAY, "Run")
        })
        .inner
        .on_hover_text("Ctrl+Enter")
        .on_disabled_hover_text(hindrance.unwrap_or_default());
    run_action(model).filter(|_| button.clicked())
}
