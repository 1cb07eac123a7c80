//! Repair: a pasted reply on the left, the ladder it climbs and what comes of it on the right.

mod candidates;
mod cards;
mod columns;
mod diff;
mod flags;
mod given;
mod paint;
mod reply;
mod value;

use std::collections::BTreeSet;
use std::ops::Range;

use eframe::egui::{CentralPanel, Frame, Margin, Panel, Ui};

use super::columns::{Side, column, edge, scroll};
use super::theme::{self, palette};
use super::widgets::{LargeRows, disclosure};
use crate::app::{Action, Model, Outcome, RepairAction};

/// From this width on, ladder and value have a column each.
const WIDE: f32 = 1_200.0;
const WIDE_COLUMN: f32 = 356.0;
const COLUMN_RANGE: std::ops::RangeInclusive<f32> = 300.0..=520.0;

/// What can be opened and closed in Repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RepairPart {
    Schema,
    /// Input, examples and right answer.
    Given,
    Advice,
    Thinking,
}

/// What is open, folded and pointed at in Repair.
#[derive(Debug, Default)]
pub struct RepairState {
    open: BTreeSet<RepairPart>,
    /// JSON pointers of what is folded in the value's tree.
    folded: BTreeSet<String>,
    /// What was clicked last.
    pub lit: Option<Lit>,
    /// The part of the value under the pointer in the text.
    hovered: Option<String>,
    /// Bytes of the reply that are to be scrolled to and selected.
    go_to: Option<Range<usize>>,
    /// The reply asks for the cursor.
    pub focus_reply: bool,
    large: LargeRows,
    /// Counts the replies, so that a place in another one is not pointed at.
    generation: u64,
    /// Whether the edits are listed one by one; none: as their number suggests.
    edits_open: Option<bool>,
}

/// One thing that is pointed at, in the text and beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lit {
    /// Bytes of the reply.
    pub bytes: Option<Range<usize>>,
    /// JSON pointer into the value.
    pub pointer: Option<String>,
    /// Index of an edit.
    pub edit: Option<usize>,
}

impl RepairState {
    fn is_open(&self, part: RepairPart) -> bool {
        self.open.contains(&part)
    }

    fn disclosure(&mut self, ui: &mut Ui, part: RepairPart, name: &str) -> bool {
        let mut open = self.is_open(part);
        disclosure(ui, &mut open, name);
        if open {
            self.open.insert(part);
        } else {
            self.open.remove(&part);
        }
        open
    }

    /// Folds a branch of the value, or unfolds it.
    fn turn(&mut self, pointer: String) {
        if !self.folded.remove(&pointer) {
            self.folded.insert(pointer);
        }
    }

    /// Lights something and goes to its place in the text.
    fn go(&mut self, lit: Lit) {
        self.go_to.clone_from(&lit.bytes);
        self.lit = Some(lit);
    }

    /// To a part of the value.
    fn go_to_pointer(&mut self, outcome: &Outcome, pointer: &str) {
        self.go(Lit {
            bytes: outcome.places.range(pointer),
            pointer: Some(pointer.to_owned()),
            edit: None,
        });
    }

    /// A click in the text lights what stands there.
    fn light_at(&mut self, outcome: &Outcome, at: usize) {
        let edit = outcome.climb.repairs().iter().position(|it| {
            let end = it.offset + it.before.len().max(1);
            (it.offset..end).contains(&at)
        });
        let pointer = outcome.places.at(at).map(str::to_owned);
        let bytes = pointer.as_ref().and_then(|it| outcome.places.range(it));
        self.lit = Some(Lit {
            bytes,
            pointer,
            edit,
        });
    }

    /// The part of the value that is pointed at.
    fn pointer(&self) -> Option<&str> {
        let clicked = self.lit.as_ref().and_then(|it| it.pointer.as_deref());
        self.hovered.as_deref().or(clicked)
    }
}

pub(super) fn repair_ui(
    model: &mut Model,
    state: &mut RepairState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    let n_before = actions.len();
    let is_wide = ui.available_width() >= WIDE;
    let width = if is_wide {
        WIDE_COLUMN
    } else {
        theme::LADDER_WIDTH
    };
    column(Panel::right("repair right"), width, COLUMN_RANGE).show(ui, |ui| {
        edge(ui, Side::Left);
        scroll("repair right").show(ui, |ui| {
            columns::verdict_ui(model, state, ui, actions);
            if !is_wide {
                ui.add_space(theme::GAP - 6.0);
                columns::ladder_column_ui(model, state, ui, actions);
            }
            columns::value_column_ui(model, state, ui, actions);
        });
    });
    if is_wide {
        column(Panel::right("repair ladder"), width, COLUMN_RANGE).show(ui, |ui| {
            edge(ui, Side::Left);
            scroll("repair ladder").show(ui, |ui| {
                columns::ladder_column_ui(model, state, ui, actions);
            });
        });
    }
    given::given_panel_ui(model, state, ui, actions);
    let frame = Frame::NONE.fill(palette(ui).bg).inner_margin(Margin {
        left: 16,
        right: 12,
        top: 10,
        bottom: 10,
    });
    CentralPanel::default()
        .frame(frame)
        .show(ui, |ui| reply::reply_ui(model, state, ui, actions));
    forget_places(state, &actions[n_before..]);
}

/// Another reply or another value has other places.
fn forget_places(state: &mut RepairState, actions: &[Action]) {
    let changes = |it: &Action| {
        matches!(
            it,
            Action::Repair(wish) if !matches!(wish, RepairAction::Browse | RepairAction::SaveCase)
        )
    };
    if actions.iter().any(changes) {
        state.lit = None;
        state.hovered = None;
        state.go_to = None;
        state.generation += 1;
    }
}
