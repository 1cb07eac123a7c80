//! The value as a tree whose rows lead to their places in the reply.

use eframe::egui::Ui;

use super::RepairState;
use crate::app::{Action, Outcome};
use crate::judge::{Leaf, Source};
use crate::ui::outcome::{Tree, TreeClick, tree_ui};
use crate::ui::theme::{self, Tone, icons};
use crate::ui::widgets::{heading, icon_button, pill};

/// Draws nothing without a value.
pub(super) fn value_ui(outcome: &Outcome, state: &mut RepairState, ui: &mut Ui) -> Option<Action> {
    let value = outcome.climb.value()?;
    ui.add_space(theme::GAP - 6.0);
    let action = ui
        .horizontal(|ui| {
            heading(ui, "Value");
            let n = outcome.previews.len();
            if let Some(idx) = outcome.chosen
                && n > 1
            {
                pill(ui, &format!("{} of {n}", idx + 1), Tone::Warn);
            }
            let copied = icon_button(ui, icons::COPY, "Copy the value").clicked();
            copied.then(|| Action::CopyText(format!("{value:#}")))
        })
        .inner;
    let mut tree = Tree::new(value, &state.folded, &outcome.faults);
    tree.leads = true;
    tree.lit = state.pointer().map(str::to_owned);
    let leaves = &outcome.judgement.origins.leaves;
    // Without an input everything would count as invented.
    let has_input = leaves.iter().any(|it| it.source == Source::Input);
    for row in &mut tree.rows {
        let leaf = leaves.iter().find(|it| it.path == row.pointer);
        let leaf = leaf.filter(|it| has_input || it.source != Source::Invented);
        row.word = leaf.and_then(origin_word);
    }
    match tree_ui(&tree, ui) {
        Some(TreeClick::Fold(pointer)) => state.turn(pointer),
        Some(TreeClick::Lead(pointer)) => state.go_to_pointer(outcome, &pointer),
        None => {}
    }
    action
}

/// Where a value comes from; nothing for what may stand anywhere.
fn origin_word(leaf: &Leaf) -> Option<(String, Tone)> {
    let example = leaf.places.iter().find_map(|it| it.example);
    Some(match leaf.source {
        Source::Input => ("input".to_owned(), Tone::Quiet),
        Source::Example => match example {
            Some(number) => (format!("example {number}"), Tone::Warn),
            None => ("example".to_owned(), Tone::Warn),
        },
        Source::Schema => ("schema".to_owned(), Tone::Quiet),
        Source::Instruction => ("instruction".to_owned(), Tone::Quiet),
        Source::Derived => ("concluded".to_owned(), Tone::Quiet),
        Source::Invented => ("invented".to_owned(), Tone::Warn),
        Source::Common => return None,
    })
}
