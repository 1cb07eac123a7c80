//! The reply: typed, pasted or dropped, with its marks.

use std::ops::Range;

use eframe::egui::{Align, Layout, Ui};

use super::paint::paints;
use super::{RepairState, cards};
use crate::app::{
    Action, ClimbPhase, KeptReply, Mark, MarkKind, Model, Outcome, RepairAction, samples,
};
use crate::ui::theme::{Tone, icons, palette};
use crate::ui::widgets::{
    Entry, MarkStyle, MarkedEditor, TextMark, heading, icon_button, large_text, note, picker, pill,
};

const HINT: &str = "Paste or type a model's reply here, or drop a file on the window.";
/// Characters of an earlier reply that its row in the menu shows.
const N_CHARS: usize = 60;

pub(super) fn reply_ui(
    model: &mut Model,
    state: &mut RepairState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    head_ui(model, ui, actions);
    if model.repair.is_large() {
        large_ui(model, state, ui);
        return;
    }
    let is_empty = model.repair.draft.reply.is_empty();
    if is_empty {
        actions.extend(cards::cards_ui(ui));
    }
    let marks = text_marks(model.repair.outcome(), false);
    let chars = |bytes: &Range<usize>| char_range(&model.repair.draft.reply, bytes);
    let paints = model
        .repair
        .outcome()
        .map(|it| paints(it, palette(ui)))
        .unwrap_or_default();
    let lit = state.pointer_bytes(model.repair.outcome());
    let editor = MarkedEditor {
        name: "Reply to climb",
        hint: HINT,
        marks: &marks,
        paints: &paints,
        lit: lit.as_ref().map(chars),
        go_to: state.go_to.take().as_ref().map(chars),
        takes_focus: std::mem::take(&mut state.focus_reply),
    };
    let pointed = editor.show(ui, &mut model.repair.draft.reply);
    if pointed.changed {
        actions.push(Action::Repair(RepairAction::Edited));
        return;
    }
    let Some(outcome) = model.repair.outcome() else {
        return;
    };
    let byte = |at: usize| byte_of(&model.repair.draft.reply, at);
    if let Some(at) = pointed.clicked {
        state.light_at(outcome, byte(at));
    }
    let hovered = pointed.hovered.and_then(|it| outcome.places.at(byte(it)));
    state.hovered = hovered.map(str::to_owned);
}

fn head_ui(model: &Model, ui: &mut Ui, actions: &mut Vec<Action>) {
    let draft = &model.repair.draft;
    ui.horizontal(|ui| {
        heading(ui, "Reply");
        if !draft.reply.is_empty() {
            pill(ui, &size_words(&draft.reply), Tone::Quiet);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if !draft.reply.is_empty() && icon_button(ui, icons::TRASH, "Clear the reply").clicked()
            {
                actions.push(Action::Repair(RepairAction::Clear));
            }
            if icon_button(ui, icons::FOLDER_OPEN, "Open a reply").clicked() {
                actions.push(Action::Repair(RepairAction::Browse));
            }
            actions.extend(samples_ui(&draft.reply, ui));
            actions.extend(kept_ui(&draft.kept, ui));
        });
    });
}

fn size_words(reply: &str) -> String {
    let n_bytes = reply.len();
    if n_bytes > 100_000 {
        return format!("{:.1} MB", n_bytes as f64 / 1e6);
    }
    let n_chars = reply.chars().count();
    let n_lines = reply.lines().count();
    let lines = if n_lines == 1 { "line" } else { "lines" };
    format!("{n_chars} characters · {n_lines} {lines}")
}

fn samples_ui(reply: &str, ui: &mut Ui) -> Option<Action> {
    let entries: Vec<Entry<'_>> = samples()
        .iter()
        .map(|it| Entry {
            title: &it.title,
            about: &it.about,
            chosen: it.reply == reply,
        })
        .collect();
    let chosen = samples().iter().find(|it| it.reply == reply);
    let shown = chosen.map_or("Broken replies", |it| it.title.as_str());
    let picked = picker(ui, "Broken replies to learn from", shown, &entries)?;
    let id = samples().get(picked)?.id.clone();
    Some(Action::Repair(RepairAction::LoadSample(id)))
}

fn kept_ui(kept: &[KeptReply], ui: &mut Ui) -> Option<Action> {
    if kept.is_empty() {
        return None;
    }
    let title = |it: &KeptReply| -> String {
        let line = it.reply.lines().find(|it| !it.trim().is_empty());
        line.unwrap_or_default().chars().take(N_CHARS).collect()
    };
    let titles: Vec<String> = kept.iter().map(title).collect();
    let entries: Vec<Entry<'_>> = titles
        .iter()
        .map(|title| Entry {
            title,
            about: "",
            chosen: false,
        })
        .collect();
    let picked = picker(ui, "Earlier replies", "Your earlier", &entries)?;
    Some(Action::Repair(RepairAction::Restore(picked)))
}

/// Too large for an editor: shown, climbed, and replaced as a whole.
fn large_ui(model: &Model, state: &mut RepairState, ui: &mut Ui) {
    let desk = &model.repair;
    let words = match desk.phase {
        ClimbPhase::Working { .. } => "This reply is large and is being climbed.",
        _ => "This reply is too large to be edited here; it can be read, climbed and replaced.",
    };
    note(ui, words);
    let generation = state.generation;
    state.large.prepare(generation, &desk.draft.reply);
    let marks = text_marks(desk.outcome(), true);
    let go_to = state.go_to.take();
    let text = (desk.draft.reply.as_str(), &state.large);
    let clicked = large_text(ui, text, &marks, go_to.as_ref());
    if let Some((at, outcome)) = clicked.zip(desk.outcome()) {
        state.light_at(outcome, at);
    }
}

/// What is marked in the text, in characters or in bytes.
fn text_marks(outcome: Option<&Outcome>, in_bytes: bool) -> Vec<TextMark> {
    let marks = outcome.map(|it| it.marks.as_slice()).unwrap_or_default();
    let text_mark = |it: &Mark| {
        let (tone, style) = look(it.kind);
        TextMark {
            chars: if in_bytes {
                it.bytes.clone()
            } else {
                it.chars.clone()
            },
            tone,
            style,
            text: it.text.clone(),
        }
    };
    marks.iter().map(text_mark).collect()
}

fn look(kind: MarkKind) -> (Tone, MarkStyle) {
    match kind {
        MarkKind::Rung(rung) => (Tone::Bad, MarkStyle::Note(rung.into())),
        MarkKind::Edit(_) => (Tone::Good, MarkStyle::Tint),
        MarkKind::Fault(_) => (Tone::Bad, MarkStyle::Under),
        MarkKind::Difference(_) | MarkKind::Leak(_) => (Tone::Warn, MarkStyle::Under),
    }
}

impl RepairState {
    /// Where in the text what is pointed at stands.
    fn pointer_bytes(&self, outcome: Option<&Outcome>) -> Option<Range<usize>> {
        let clicked = self.lit.as_ref().and_then(|it| it.bytes.clone());
        clicked.filter(|_| outcome.is_some())
    }
}

fn char_range(text: &str, bytes: &Range<usize>) -> Range<usize> {
    let count = |end: usize| {
        let head = text.get(..end.min(text.len()));
        head.map_or(0, |it| it.chars().count())
    };
    count(bytes.start)..count(bytes.end)
}

fn byte_of(text: &str, at: usize) -> usize {
    text.char_indices().nth(at).map_or(text.len(), |it| it.0)
}
