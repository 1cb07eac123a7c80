//! The frame around every view: top bar, notices, status line, keyboard.

mod crash;
mod data_menu;
mod device_choice;
mod get_models;
mod load_settings;
mod measuring;
mod model_card;
mod model_picker;
mod notices;
mod status;
mod top_bar;

use eframe::egui::{
    CentralPanel, Frame, Key, KeyboardShortcut, Modifiers, Panel, Popup, Stroke, Ui, vec2,
};

use super::theme::{self, palette};
use super::{Part, State, bench, compare, grammars, play, repair};
use crate::app::{Action, CompareAction, EnginePhase, MachineAction, Model, RunPhase, Tab};

/// To the input, as a browser's shortcut goes to its address.
const INPUT: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::L);
/// Each tab with its key, in the order in which they stand.
const TABS: [(Tab, &str, Key); 5] = [
    (Tab::Play, "Play", Key::Num1),
    (Tab::Compare, "Compare", Key::Num2),
    (Tab::Bench, "Bench", Key::Num3),
    (Tab::Repair, "Repair", Key::Num4),
    (Tab::Grammars, "Grammars", Key::Num5),
];
const RUN: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Enter);

/// Draws the whole window and returns what the user wants done.
pub fn shell_ui(model: &mut Model, state: &mut State, ui: &mut Ui) -> Vec<Action> {
    let draft = model.draft.clone();
    let mut actions = Vec::new();
    actions.extend(shortcut(model, state, ui));
    bar(Panel::top("top bar").exact_size(theme::TOP_BAR)).show(ui, |ui| {
        hairline(ui, Edge::Below);
        top_bar::top_bar_ui(model, state, ui, &mut actions);
    });
    bar(Panel::bottom("status line").exact_size(theme::STATUS_LINE)).show(ui, |ui| {
        hairline(ui, Edge::Above);
        status::status_ui(&status::Status::of(model), ui);
    });
    actions.extend(notices::notices_ui(model, ui));
    CentralPanel::default()
        .frame(Frame::NONE.fill(palette(ui).bg))
        .show(ui, |ui| match model.tab {
            Tab::Play => play::play_ui(model, state, ui, &mut actions),
            Tab::Compare => compare::compare_ui(model, &mut state.compare, ui, &mut actions),
            Tab::Repair => repair::repair_ui(model, &mut state.repair, ui, &mut actions),
            Tab::Bench => bench::bench_ui(model, &mut state.bench, ui, &mut actions),
            Tab::Grammars => grammars::grammars_ui(model, &mut state.grammars, ui, &mut actions),
        });
    if model.draft != draft {
        actions.push(Action::DraftEdited);
    }
    actions
}

/// What Run does in the tab that is shown; none where it runs nothing.
fn run_action(model: &Model) -> Option<Action> {
    match model.tab {
        Tab::Play => Some(Action::Run),
        Tab::Compare => Some(Action::Compare(CompareAction::Run)),
        Tab::Bench | Tab::Repair | Tab::Grammars => None,
    }
}

/// Whether there is a reply that Cancel ends.
fn is_running(model: &Model) -> bool {
    matches!(model.run, RunPhase::Running { .. }) || model.compare.is_running()
}

/// Why Run cannot do anything now; none when it can.
fn run_hindrance(model: &Model) -> Option<String> {
    if model.tab == Tab::Compare {
        return model.compare_obstacle();
    }
    let is_unrendered = matches!(model.preview.shown, Some(Err(_)));
    let unrendered = is_unrendered.then(|| "The prompt cannot be rendered".to_owned());
    model.obstacle().or(unrendered)
}

fn shortcut(model: &Model, state: &mut State, ui: &Ui) -> Option<Action> {
    let is_running = is_running(model);
    for (tab, _, key) in TABS {
        let keys = KeyboardShortcut::new(Modifiers::COMMAND, key);
        if ui.input_mut(|it| it.consume_shortcut(&keys)) {
            return Some(Action::ShowTab(tab));
        }
    }
    if ui.input_mut(|it| it.consume_shortcut(&INPUT)) {
        match model.tab {
            Tab::Repair => state.repair.focus_reply = true,
            Tab::Grammars => state.grammars.focus_text = true,
            Tab::Compare => state.compare.focus_input = true,
            Tab::Bench => {}
            Tab::Play => {
                state.play.set_open(Part::FoldedPrompt, false);
                state.play.focus_input = true;
            }
        }
        return None;
    }
    if ui.input_mut(|it| it.consume_shortcut(&RUN)) {
        let can_run = !is_running && run_hindrance(model).is_none();
        return run_action(model).filter(|_| can_run);
    }
    if !ui.input(|it| it.key_pressed(Key::Escape)) || Popup::is_any_open(ui.ctx()) {
        return None;
    }
    if closes_something(state) {
        return None;
    }
    match model.engine {
        EnginePhase::Loading { .. } => Some(Action::CancelLoad),
        _ if model.is_measuring() => Some(Action::Machine(MachineAction::Cancel)),
        _ => is_running.then_some(Action::Cancel),
    }
}

/// Escape first closes what lies over the window.
fn closes_something(state: &mut State) -> bool {
    let is_large = state.play.is_open(Part::LargeEditor);
    state.play.set_open(Part::LargeEditor, false);
    let closes_pin =
        state.branch_tokens.pinned.take().is_some() || state.tokens.pinned.take().is_some();
    if closes_pin {
        state.tokens.pointed = None;
        state.branch_tokens.pointed = None;
        state.play.pointed = None;
    }
    let closes_compared = state.compare.close_pin();
    closes_pin || closes_compared || is_large || state.tokens.track.clear_brush()
}

fn bar(panel: Panel) -> Panel {
    panel.show_separator_line(false).frame(Frame::NONE)
}

#[derive(Clone, Copy, PartialEq)]
enum Edge {
    Above,
    Below,
}

/// Fills the bar and sets it off by a line.
fn hairline(ui: &Ui, edge: Edge) {
    let colours = palette(ui);
    let rect = ui.max_rect();
    ui.painter().rect_filled(rect, 0, colours.panel);
    let y = match edge {
        Edge::Above => rect.top() + 0.5,
        Edge::Below => rect.bottom() - 0.5,
    };
    let x_range = rect.expand2(vec2(20.0, 0.0)).x_range();
    ui.painter()
        .hline(x_range, y, Stroke::new(theme::HAIRLINE, colours.border));
}
