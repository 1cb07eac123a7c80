//! The editor: the text, its fault marked while it is typed, and what may surprise under it.

use eframe::egui::{Frame, Margin, Panel, ScrollArea, Ui};

use super::GrammarsState;
use crate::app::{Action, DocumentKind, GrammarsAction, Model, Tried};
use crate::constraint::grammar_rules;
use crate::ui::theme::{Tone, palette};
use crate::ui::widgets::{CodeEditor, Edited, Language, banner};

/// Warnings that are shown in full; the others are counted.
const MAX_WARNINGS: usize = 5;
/// Rules are looked up in texts up to this length.
const MAX_BYTES: usize = 200_000;

pub(super) fn editor_ui(
    model: &mut Model,
    state: &mut GrammarsState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    told_ui(
        model.grammars.tried.as_deref(),
        model.grammars.draft.kind,
        ui,
    );
    let desk = &mut model.grammars;
    let (name, language) = match desk.draft.kind {
        DocumentKind::Grammar => ("Text of the grammar", Language::Gbnf),
        DocumentKind::Schema => ("Text of the schema", Language::Json),
    };
    // A fault of an older text may lie anywhere in this one.
    let fault = desk.tried.as_ref().and_then(|it| it.fault());
    let text = &mut desk.draft.text;
    let mut taken = state.completing.take_keys(ui);
    let edited = CodeEditor::new(name, language)
        .fault(fault.and_then(|it| it.place))
        .height((ui.available_height() - 4.0).max(80.0))
        .focus(std::mem::take(&mut state.focus_text))
        .caret(state.caret_wish.take())
        .show_caret(ui, text);
    let mut changed = edited.changed;
    if language == Language::Gbnf && text.len() <= MAX_BYTES {
        follow_caret(state, text, &edited);
        if let Some(place) = edited.place.filter(|_| state.completing.is_open()) {
            taken = state.completing.show(ui, place).or(taken);
        }
        if let Some(at) = taken.and_then(|idx| state.completing.take(idx, text)) {
            state.caret_wish = Some(text.get(..at).unwrap_or_default().chars().count());
            changed = true;
            ui.ctx().request_repaint();
        }
    }
    if changed {
        actions.push(Action::Grammars(GrammarsAction::Edited));
    }
}

/// Typing opens the list of names; moving away closes it. The rule under the caret can be renamed.
fn follow_caret(state: &mut GrammarsState, text: &str, edited: &Edited) {
    let Some(caret) = edited.caret else {
        return;
    };
    let found_at = Some((caret, text.len()));
    if state.rule_found_at == found_at && !edited.changed {
        return;
    }
    let had_moved = state.rule_found_at.is_some_and(|it| it.0 != caret);
    state.rule_found_at = found_at;
    let at = text
        .char_indices()
        .nth(caret)
        .map_or(text.len(), |(at, _)| at);
    if edited.changed {
        state.completing.open(text, at);
    } else if had_moved {
        state.completing.close();
    }
    let stands_here = |it: &std::ops::Range<usize>| (it.start..=it.end).contains(&at);
    state.rule = grammar_rules(text)
        .into_iter()
        .find(|it| it.definitions.iter().chain(&it.uses).any(stands_here))
        .map(|it| it.name);
}

/// What is wrong, or may surprise.
fn told_ui(tried: Option<&Tried>, kind: DocumentKind, ui: &mut Ui) {
    let Some(tried) = tried else { return };
    let notes = match kind {
        DocumentKind::Grammar => tried.examined.notes.clone(),
        // Its keywords are the rows of the report.
        DocumentKind::Schema => {
            let unread = tried.examined.unread.iter();
            unread.map(|it| format!("{it} is not read.")).collect()
        }
    };
    let (tone, text) = match tried.fault() {
        Some(fault) => (Tone::Bad, fault.to_string()),
        None if notes.is_empty() => return,
        None => {
            let mut rows = notes;
            let n_more = rows.len().saturating_sub(MAX_WARNINGS);
            rows.truncate(MAX_WARNINGS);
            if n_more > 0 {
                rows.push(format!("and {n_more} more"));
            }
            (Tone::Warn, rows.join("\n"))
        }
    };
    let frame = Frame::NONE.fill(palette(ui).bg).inner_margin(Margin {
        left: 0,
        right: 0,
        top: 8,
        bottom: 0,
    });
    Panel::bottom("told of the grammar")
        .show_separator_line(false)
        .frame(frame)
        .show(ui, |ui| {
            ScrollArea::vertical()
                .id_salt("told of the grammar")
                .max_height(120.0)
                .show(ui, |ui| banner(ui, tone, &text));
        });
}
