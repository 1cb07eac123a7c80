//! The menu of everything that is kept: export and import.

use eframe::egui::{Popup, PopupCloseBehavior, Ui};

use crate::app::Action;
use crate::ui::theme::icons;
use crate::ui::widgets::icon_button;

/// What can be chosen, with what it does in a sentence.
const ROWS: [(&str, &str, Choice); 3] = [
    (
        "Export everything…",
        "Presets, tasks, plans, grammars, schemas, settings, drafts, trials and experiments, in one file",
        Choice::Export { with_trials: true },
    ),
    (
        "Export without trials…",
        "The same without trials and experiments: what was written by hand",
        Choice::Export { with_trials: false },
    ),
    (
        "Import…",
        "Takes in what such a file holds. What differs from what is here comes in beside it; nothing is overwritten",
        Choice::Import,
    ),
];

#[derive(Clone, Copy)]
enum Choice {
    Export { with_trials: bool },
    Import,
}

pub(super) fn data_menu_ui(ui: &mut Ui) -> Option<Action> {
    let button = icon_button(ui, icons::STACK, "Export and import");
    let mut chosen = None;
    Popup::menu(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClick)
        .show(|ui| {
            for (label, help, choice) in ROWS {
                if ui.button(label).on_hover_text(help).clicked() {
                    chosen = Some(choice);
                }
            }
        });
    chosen.map(|it| match it {
        Choice::Export { with_trials } => Action::Export { with_trials },
        Choice::Import => Action::Import(None),
    })
}
