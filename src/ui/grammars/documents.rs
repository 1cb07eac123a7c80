//! The list of grammars and schemas.

use eframe::egui::{Align, Button, Layout, RichText, Ui, vec2};

use crate::app::{Action, Document, DocumentKind, GrammarsAction, Model, Source, documents};
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::widgets::{Entry, caption, icon_button, picker, pill, quiet_button};

/// Room for the mark behind a name.
const MARK: f32 = 62.0;

pub(super) fn documents_ui(model: &Model, ui: &mut Ui, actions: &mut Vec<Action>) {
    let list = documents(&model.library);
    for (kind, title, new) in [
        (DocumentKind::Grammar, "Grammars", "New grammar"),
        (DocumentKind::Schema, "Schemas", "New schema"),
    ] {
        ui.horizontal(|ui| {
            caption(ui, title);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if icon_button(ui, icons::PLUS, new).clicked() {
                    actions.push(Action::Grammars(GrammarsAction::New(kind)));
                }
            });
        });
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            for document in list.iter().filter(|it| it.kind == kind) {
                row_ui(document, model, ui, actions);
            }
        });
        ui.add_space(theme::GAP);
    }
    if quiet_button(ui, icons::FOLDER_OPEN, "Open a file").clicked() {
        actions.push(Action::Grammars(GrammarsAction::Browse));
    }
    kept_ui(model, ui, actions);
}

fn row_ui(document: &Document, model: &Model, ui: &mut Ui, actions: &mut Vec<Action>) {
    let draft = &model.grammars.draft;
    let is_open = draft.kind == document.kind && draft.name == document.name;
    let mark = match document.source {
        Source::Shipped => None,
        Source::Changed => Some(("edited", Tone::Accent)),
        Source::Own => Some(("own", Tone::Quiet)),
    };
    ui.horizontal(|ui| {
        let room = if mark.is_some() { MARK } else { 0.0 };
        let colours = palette(ui);
        let text = RichText::new(&document.name).font(theme::mono(theme::LABEL));
        let button = Button::selectable(is_open, text.color(colours.text))
            .right_text("")
            .truncate()
            .min_size(vec2(ui.available_width() - room, 24.0));
        ui.scope(|ui| {
            ui.set_max_width(ui.available_width() - room);
            let name = format!("Open {}", document.kind.key(&document.name));
            if ui.add(button).accessible_name(name).clicked() && !is_open {
                let wish = GrammarsAction::Open(document.kind, document.name.clone());
                actions.push(Action::Grammars(wish));
            }
        });
        if let Some((word, tone)) = mark {
            pill(ui, word, tone);
        }
    });
}

/// What was deleted or taken back.
fn kept_ui(model: &Model, ui: &mut Ui, actions: &mut Vec<Action>) {
    let kept = &model.grammars.draft.kept;
    if kept.is_empty() {
        return;
    }
    let entries: Vec<Entry<'_>> = kept
        .iter()
        .map(|it| Entry {
            title: &it.name,
            about: &it.text,
            chosen: false,
        })
        .collect();
    ui.add_space(theme::SMALL_GAP);
    if let Some(idx) = picker(ui, "Earlier texts", "Earlier texts", &entries) {
        actions.push(Action::Grammars(GrammarsAction::Restore(idx)));
    }
}
