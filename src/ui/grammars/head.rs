//! Above the editor: what the open document is, how far it is enforced, and what can be done with it.

use eframe::egui::{Align, Key, Layout, TextEdit, Ui};

use super::GrammarsState;
use crate::app::{Action, DocumentKind, GrammarsAction, Model, Source, documents};
use crate::constraint::{Badge, SchemaSwitches, WhiteSpace};
use crate::ui::theme::{self, Tone, icons};
use crate::ui::widgets::{
    Segmented, heading, icon_button, note, pill, quiet_button, switch, toned_pill, weak,
};

const WHITE_SPACE: &[(WhiteSpace, &str)] = &[
    (WhiteSpace::None, "None"),
    (WhiteSpace::One, "One"),
    (WhiteSpace::EIGHT, "Eight"),
    (WhiteSpace::Free, "Free"),
];

/// Narrower than this, what can be done stands in a row of its own.
const NARROW: f32 = 560.0;

pub(super) fn head_ui(
    model: &mut Model,
    state: &mut GrammarsState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    let draft = &model.grammars.draft;
    let list = documents(&model.library);
    let source = list
        .iter()
        .find(|it| it.kind == draft.kind && it.name == draft.name)
        .map_or(Source::Own, |it| it.source);
    let is_narrow = ui.available_width() < NARROW;
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL);
        name_ui(model, state, ui, actions);
        state_ui(model, source, ui);
        if !is_narrow {
            tools_ui(model, source, ui, actions);
        }
    });
    if is_narrow {
        ui.horizontal(|ui| tools_ui(model, source, ui, actions));
    }
    if model.grammars.draft.kind == DocumentKind::Schema {
        ui.horizontal_wrapped(|ui| {
            note(ui, "White space in a row");
            let white_space = &mut model.grammars.draft.white_space;
            let mut has_changed = Segmented::new("White space").show(ui, white_space, WHITE_SPACE);
            has_changed |= switches_ui(&mut model.grammars.draft.switches, ui);
            if has_changed {
                actions.push(Action::Grammars(GrammarsAction::Edited));
            }
            let is_sound = model.grammars.tried.as_ref().is_some_and(|it| it.fault().is_none());
            let made = ui.add_enabled_ui(is_sound, |ui| {
                quiet_button(ui, icons::ARROW_RIGHT, "Make a grammar of it").on_hover_text(
                    "A grammar to edit by hand, as a document of its own; what it cannot hold to stands at its top.",
                )
            });
            if made.inner.clicked() {
                actions.push(Action::Grammars(GrammarsAction::MakeGrammar));
            }
        });
    }
    rule_ui(model, state, ui, actions);
}

/// How strictly the mask is made. Says whether something was switched.
fn switches_ui(switches: &mut SchemaSwitches, ui: &mut Ui) -> bool {
    let mut has_changed = false;
    for (on, name, about) in [
        (
            &mut switches.lenient,
            "Lenient",
            "Lets a schema in whose keywords the mask cannot all hold to; the mask is weaker than the schema then.",
        ),
        (
            &mut switches.one_of_as_any_of,
            "oneOf as anyOf",
            "Takes oneOf for anyOf where its branches may overlap.",
        ),
    ] {
        ui.horizontal(|ui| {
            has_changed |= switch(ui, on, name).on_hover_text(about).changed();
            note(ui, name).on_hover_text(about);
        });
    }
    has_changed
}

/// The name, or the field in which another one is typed.
fn name_ui(model: &Model, state: &mut GrammarsState, ui: &mut Ui, actions: &mut Vec<Action>) {
    let draft = &model.grammars.draft;
    let Some(name) = &mut state.new_name else {
        heading(ui, &draft.name);
        if icon_button(ui, icons::PENCIL, "Rename the document").clicked() {
            state.new_name = Some(draft.name.clone());
        }
        return;
    };
    match typed_ui(ui, "New name of the document", name) {
        Typed::Taken => {
            let wish = GrammarsAction::Rename(name.clone());
            actions.push(Action::Grammars(wish));
            state.new_name = None;
        }
        Typed::Left => state.new_name = None,
        Typed::Open => {}
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Typed {
    Open,
    Taken,
    Left,
}

/// A name that is typed: Enter or the tick takes it, Escape or the cross leaves it.
fn typed_ui(ui: &mut Ui, label: &str, name: &mut String) -> Typed {
    let edit = TextEdit::singleline(name)
        .desired_width(160.0)
        .font(theme::mono(theme::CODE));
    let response = ui.add(edit).accessible_name(label);
    let is_entered = response.lost_focus() && ui.input(|it| it.key_pressed(Key::Enter));
    if is_entered || icon_button(ui, icons::CHECK, "Take this name").clicked() {
        return Typed::Taken;
    }
    let is_left = ui.input(|it| it.key_pressed(Key::Escape));
    if is_left || icon_button(ui, icons::X, "Keep the old name").clicked() {
        return Typed::Left;
    }
    if !response.has_focus() && !response.lost_focus() {
        response.request_focus();
    }
    Typed::Open
}

fn state_ui(model: &Model, source: Source, ui: &mut Ui) {
    match source {
        Source::Shipped => pill(ui, "shipped", Tone::Quiet).on_hover_text(
            "What you type is saved as your own; the shipped text comes back by one click.",
        ),
        Source::Changed => pill(ui, "edited", Tone::Accent).on_hover_text(
            "Saved as your own; Play and presets use it in place of the shipped one.",
        ),
        Source::Own => pill(ui, "own", Tone::Quiet).on_hover_text("Saved in the data folder."),
    };
    let Some(tried) = &model.grammars.tried else {
        return;
    };
    let (word, tone) = match (tried.fault(), tried.examined.badge) {
        (Some(_), _) => ("has a fault", Tone::Bad),
        (None, _) if tried.examined.is_weaker => ("weaker than the schema", Tone::Warn),
        (None, Badge::Enforced) => ("enforced", Tone::Good),
        (None, Badge::Partly) => ("partly enforced", Tone::Warn),
        (None, Badge::None) => ("not enforced", Tone::Bad),
    };
    toned_pill(ui, word, tone);
}

fn tools_ui(model: &Model, source: Source, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        buttons_ui(model, source, ui, actions);
    });
}

/// From right to left.
fn buttons_ui(model: &Model, source: Source, ui: &mut Ui, actions: &mut Vec<Action>) {
    let draft = &model.grammars.draft;
    let mut push = |wish| actions.push(Action::Grammars(wish));
    let is_faulty = model
        .grammars
        .tried
        .as_ref()
        .is_some_and(|it| it.fault().is_some());
    let used = ui.add_enabled_ui(!is_faulty, |ui| {
        quiet_button(ui, icons::ARROW_RIGHT, "Use in Play")
            .on_disabled_hover_text("Mend the fault first.")
    });
    if used.inner.clicked() {
        push(GrammarsAction::UseInPlay);
    }
    ui.add_space(6.0);
    match source {
        Source::Shipped => {}
        Source::Changed => {
            if icon_button(ui, icons::ARROW_AGAIN, "Back to the shipped text").clicked() {
                push(GrammarsAction::Revert);
            }
        }
        Source::Own => {
            if icon_button(ui, icons::TRASH, "Delete the document").clicked() {
                push(GrammarsAction::Delete);
            }
        }
    }
    if icon_button(ui, icons::FOLDER_OPEN, "Save as a file").clicked() {
        push(GrammarsAction::SaveAs);
    }
    if icon_button(ui, icons::STACK, "Duplicate the document").clicked() {
        push(GrammarsAction::Duplicate);
    }
    if icon_button(ui, icons::COPY, "Copy the text").clicked() {
        actions.push(Action::CopyText(draft.text.clone()));
    }
}

/// Renames the rule that the caret stands on, everywhere.
fn rule_ui(model: &Model, state: &mut GrammarsState, ui: &mut Ui, actions: &mut Vec<Action>) {
    if model.grammars.draft.kind != DocumentKind::Grammar {
        return;
    }
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL);
        if let Some((old, new)) = &mut state.new_rule_name {
            weak(ui, format!("Rename {old} everywhere to"));
            match typed_ui(ui, "New name of the rule", new) {
                Typed::Taken => {
                    let (name, new_name) = (old.clone(), new.clone());
                    let wish = GrammarsAction::RenameRule { name, new_name };
                    actions.push(Action::Grammars(wish));
                    state.new_rule_name = None;
                }
                Typed::Left => state.new_rule_name = None,
                Typed::Open => {}
            }
            return;
        }
        match &state.rule {
            Some(rule) => {
                if quiet_button(ui, icons::PENCIL, &format!("Rename the rule {rule}")).clicked() {
                    state.new_rule_name = Some((rule.clone(), rule.clone()));
                }
            }
            None => {
                note(
                    ui,
                    "Rule names are completed as you type; put the caret on one to rename it.",
                );
            }
        }
    });
}
