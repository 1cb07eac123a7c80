//! What the reply is held to: nothing, a schema or a grammar, with its text in reach.

use eframe::egui::{Align, Align2, Layout, RichText, Ui, Window};

use super::enforcement::{badge_ui, enforcement_ui};
use super::holding::holding_ui;
use super::kept::kept_ui;
use super::{Part, PlayState};
use crate::app::{Action, ConstraintKind, Model, Place};
use crate::constraint::WhiteSpace;
use crate::ui::theme::{self, icons};
use crate::ui::widgets::{
    CodeEditor, Entry, Language, Segmented, caption, icon_button, note, picker, switch,
};

/// Height of the editor in the column.
const EDITOR: f32 = 160.0;

const KINDS: &[(ConstraintKind, &str)] = &[
    (ConstraintKind::None, "None"),
    (ConstraintKind::Schema, "Schema"),
    (ConstraintKind::Grammar, "Grammar"),
    (ConstraintKind::Regex, "Regex"),
];

const WHITE_SPACE: &[(WhiteSpace, &str)] = &[
    (WhiteSpace::None, "None"),
    (WhiteSpace::One, "One"),
    (WhiteSpace::EIGHT, "Eight"),
    (WhiteSpace::Free, "Free"),
];

pub(super) fn constraint_ui(
    model: &mut Model,
    state: &mut PlayState,
    ui: &mut Ui,
) -> Option<Action> {
    let kind = model.draft.constraint.kind;
    ui.horizontal(|ui| {
        caption(ui, "Constraint");
        badge_ui(model, ui);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if kind != ConstraintKind::None
                && icon_button(ui, icons::PENCIL, "Edit in a large window").clicked()
            {
                state.set_open(Part::LargeEditor, true);
            }
        });
    });
    let is_large = state.is_open(Part::LargeEditor);
    let draft = &mut model.draft.constraint;
    Segmented::new("Constraint")
        .stretch()
        .show(ui, &mut draft.kind, KINDS);
    ui.add_space(theme::SMALL_GAP);
    let action = match draft.kind {
        ConstraintKind::None => {
            note(ui, "Every token is allowed.");
            None
        }
        ConstraintKind::Schema => {
            white_space_ui(&mut draft.white_space, ui);
            lenient_ui(&mut draft.switches.lenient, ui);
            let action = kept_ui(&model.draft, Place::Schema, ui);
            text_ui(model, (EDITOR, !is_large), ui);
            action
        }
        ConstraintKind::Grammar => {
            let action = grammar_menu_ui(&model.library.grammars, &draft.grammar, ui);
            let action = kept_ui(&model.draft, Place::Grammar, ui).or(action);
            text_ui(model, (EDITOR, !is_large), ui);
            action
        }
        ConstraintKind::Regex => {
            note(ui, "The whole reply matches the expression.");
            text_ui(model, (EDITOR, !is_large), ui);
            None
        }
    };
    holding_ui(model, state, ui);
    action
}

/// The same text with more room. Drawn over everything while it is open.
pub(super) fn large_editor_ui(model: &mut Model, state: &mut PlayState, ui: &Ui) {
    let kind = model.draft.constraint.kind;
    let mut open = state.is_open(Part::LargeEditor) && kind != ConstraintKind::None;
    if !open {
        state.set_open(Part::LargeEditor, false);
        return;
    }
    let title = match kind {
        ConstraintKind::Schema => "Schema",
        ConstraintKind::Regex => "Regex",
        _ => "Grammar",
    };
    let title = RichText::new(title).font(theme::semibold(theme::TITLE));
    Window::new(title)
        .id(eframe::egui::Id::unique("large constraint editor"))
        .open(&mut open)
        .collapsible(false)
        .pivot(Align2::CENTER_CENTER)
        .default_pos(ui.ctx().content_rect().center())
        .default_size([640.0, 440.0])
        .show(ui.ctx(), |ui| {
            let height = (ui.available_height() - 60.0).max(160.0);
            text_ui(model, (height, true), ui);
        });
    state.set_open(Part::LargeEditor, open);
}

fn grammar_menu_ui(grammars: &[(String, String)], text: &str, ui: &mut Ui) -> Option<Action> {
    let entries: Vec<Entry<'_>> = grammars
        .iter()
        .map(|(name, shipped)| Entry {
            title: name,
            about: "",
            chosen: shipped == text,
        })
        .collect();
    let shown = entries
        .iter()
        .find(|it| it.chosen)
        .map_or("Own grammar", |it| it.title);
    let picked = ui
        .vertical_centered_justified(|ui| picker(ui, "Shipped grammars", shown, &entries))
        .inner?;
    let (name, _) = grammars.get(picked)?;
    Some(Action::PickGrammar(name.clone()))
}

fn white_space_ui(white_space: &mut WhiteSpace, ui: &mut Ui) {
    note(ui, "Characters of white space in a row");
    Segmented::new("White space")
        .stretch()
        .show(ui, white_space, WHITE_SPACE);
    ui.add_space(theme::SMALL_GAP);
}

fn lenient_ui(lenient: &mut bool, ui: &mut Ui) {
    let about = "Lets a schema in whose keywords the mask cannot all hold to; the mask is weaker than the schema then.";
    ui.horizontal(|ui| {
        switch(ui, lenient, "Lenient schema").on_hover_text(about);
        note(ui, "Lenient").on_hover_text(about);
    });
    ui.add_space(theme::SMALL_GAP);
}

fn text_ui(model: &mut Model, (height, shown): (f32, bool), ui: &mut Ui) {
    if !shown {
        note(ui, "The text is open in a window of its own.");
        return;
    }
    let draft = &mut model.draft.constraint;
    let (name, language, text) = match draft.kind {
        ConstraintKind::None => return,
        ConstraintKind::Schema => ("Schema text", Language::Json, &mut draft.schema),
        ConstraintKind::Grammar => ("Grammar text", Language::Gbnf, &mut draft.grammar),
        ConstraintKind::Regex => ("Regex text", Language::Gbnf, &mut draft.regex),
    };
    let place = model.constraint_error.as_ref().and_then(|it| it.place);
    CodeEditor::new(name, language)
        .fault(place)
        .height(height)
        .show(ui, text);
    enforcement_ui(model, ui);
}
