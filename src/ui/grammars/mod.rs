//! Grammars: the documents on the left, the editor in the middle, and what the text lets through on the right.

mod bench;
mod completing;
mod documents;
mod editor;
mod examples;
mod head;
mod outcome;
mod report;
mod steps;

use eframe::egui::{CentralPanel, Frame, Margin, Panel, Ui};

use super::columns::{Side, column, edge, scroll};
use super::theme::{self, palette};
use super::widgets::Segmented;
use crate::app::{Action, DocumentKind, Model};

const DOCUMENTS: f32 = 212.0;
const DOCUMENTS_RANGE: std::ops::RangeInclusive<f32> = 160.0..=320.0;
/// From this window's width on, the right column has more room.
const WIDE: f32 = 1_200.0;
const BENCH: f32 = 430.0;
const NARROW_BENCH: f32 = 330.0;
const BENCH_RANGE: std::ops::RangeInclusive<f32> = 280.0..=640.0;

/// What the right column shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Page {
    #[default]
    Tests,
    Examples,
    Report,
    Steps,
}

/// What is open and pointed at in Grammars.
#[derive(Debug, Default)]
pub struct GrammarsState {
    page: Page,
    /// The editor asks for the cursor.
    pub focus_text: bool,
    /// Where the caret is put, in characters.
    caret_wish: Option<usize>,
    completing: completing::Completing,
    /// The rule that the caret stands on.
    rule: Option<String>,
    /// The caret and the length of the text when `rule` was found.
    rule_found_at: Option<(usize, usize)>,
    /// The rule's new name, while it is typed.
    new_rule_name: Option<(String, String)>,
    /// The document's new name, while it is typed.
    new_name: Option<String>,
}

pub(super) fn grammars_ui(
    model: &mut Model,
    state: &mut GrammarsState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    let n_before = actions.len();
    let is_wide = ui.available_width() >= WIDE;
    column(Panel::left("documents"), DOCUMENTS, DOCUMENTS_RANGE).show(ui, |ui| {
        edge(ui, Side::Right);
        scroll("documents").show(ui, |ui| documents::documents_ui(model, ui, actions));
    });
    let width = if is_wide { BENCH } else { NARROW_BENCH };
    let name = if is_wide { "bench" } else { "narrow bench" };
    column(Panel::right(name), width, BENCH_RANGE).show(ui, |ui| {
        edge(ui, Side::Left);
        scroll("bench").show(ui, |ui| bench_ui(model, state, ui, actions));
    });
    let frame = Frame::NONE.fill(palette(ui).bg).inner_margin(Margin {
        left: 16,
        right: 12,
        top: 10,
        bottom: 10,
    });
    CentralPanel::default().frame(frame).show(ui, |ui| {
        head::head_ui(model, state, ui, actions);
        editor::editor_ui(model, state, ui, actions);
    });
    forget_places(state, &actions[n_before..]);
}

fn bench_ui(model: &mut Model, state: &mut GrammarsState, ui: &mut Ui, actions: &mut Vec<Action>) {
    let mut pages = vec![
        (Page::Tests, "Tests"),
        (Page::Examples, "Examples"),
        (Page::Steps, "Steps"),
    ];
    if model.grammars.draft.kind == DocumentKind::Schema {
        pages.insert(1, (Page::Report, "Enforcement"));
    }
    if !pages.iter().any(|it| it.0 == state.page) {
        state.page = pages[1].0;
    }
    Segmented::new("Show")
        .stretch()
        .show(ui, &mut state.page, &pages);
    ui.add_space(theme::SMALL_GAP);
    match state.page {
        Page::Tests => bench::tests_ui(model, ui, actions),
        Page::Examples => examples::examples_ui(model, ui, actions),
        Page::Report => report::report_ui(model, ui),
        Page::Steps => steps::steps_ui(model, ui, actions),
    }
}

/// Another text has other places.
fn forget_places(state: &mut GrammarsState, actions: &[Action]) {
    use crate::app::GrammarsAction as Wish;
    let changes = |it: &Action| {
        matches!(
            it,
            Action::Grammars(
                Wish::Open(..)
                    | Wish::New(_)
                    | Wish::Duplicate
                    | Wish::Rename(_)
                    | Wish::Delete
                    | Wish::Revert
                    | Wish::Restore(_)
            )
        )
    };
    if actions.iter().any(changes) {
        *state = GrammarsState {
            page: state.page,
            ..GrammarsState::default()
        };
    }
}
