//! What comes before the reply, when the constraint begins, how it ends, and what is watched meanwhile.

use eframe::egui::Ui;

use super::first_stage::first_ui;
use super::{Part, PlayState};
use crate::app::{ConstraintKind, Model};
use crate::constraint::Start;
use crate::ui::widgets::{Field, Segmented, note, switch};

#[derive(Clone, Copy, PartialEq)]
enum Begins {
    Now,
    AfterThinking,
    AfterText,
}

const BEGINS: &[(Begins, &str)] = &[
    (Begins::Now, "At once"),
    (Begins::AfterThinking, "After thoughts"),
    (Begins::AfterText, "After a text"),
];

pub(super) fn holding_ui(model: &mut Model, state: &mut PlayState, ui: &mut Ui) {
    if !state.disclosure(ui, Part::Holding, "When it begins and ends") {
        return;
    }
    first_ui(&mut model.draft.first, ui);
    let is_constrained = model.draft.constraint.kind != ConstraintKind::None;
    let hold = &mut model.draft.hold;
    if is_constrained {
        note(ui, "The constraint begins");
        start_ui(&mut hold.start, ui);
        switch_ui(
            ui,
            &mut hold.close_in_time,
            "Close in time",
            "Near the token limit only what can still be closed is let through; what was lost is said.",
        );
    }
    switch_ui(
        ui,
        &mut hold.guards,
        "Loop guards",
        "Ends a reply that loops in white space, a string, a number or a list, and names the place.",
    );
}

fn start_ui(start: &mut Start, ui: &mut Ui) {
    let mut begins = match start {
        Start::Now => Begins::Now,
        Start::AfterThinking => Begins::AfterThinking,
        Start::After(_) => Begins::AfterText,
    };
    if Segmented::new("The constraint begins")
        .stretch()
        .show(ui, &mut begins, BEGINS)
    {
        *start = match begins {
            Begins::Now => Start::Now,
            Begins::AfterThinking => Start::AfterThinking,
            Begins::AfterText => Start::After("</think>".to_owned()),
        };
    }
    if let Start::After(text) = start {
        Field::new("Behind this text").code().show(ui, text);
    }
}

fn switch_ui(ui: &mut Ui, on: &mut bool, name: &str, about: &str) {
    ui.horizontal(|ui| {
        switch(ui, on, &format!("{name} switch")).on_hover_text(about);
        note(ui, name).on_hover_text(about);
    });
}
