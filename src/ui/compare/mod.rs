//! Compare: the prompt on top, playback under it, then the columns side by side and their values field by field.

mod columns;
mod fields;
mod head;
mod playback;
mod prompt;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};

use eframe::egui::{CentralPanel, Frame, Key, Margin, Panel, Popup, ScrollArea, Ui};

use super::theme::{Tone, palette};
use super::tokens::{ColourMode, TokenView};
use super::widgets::banner;
use crate::app::{Action, ColumnId, ColumnState, CompareAction, EnginePhase, Model, PlaybackWish};
use head::Change;

/// Seconds between two steps of playback.
const PACE: f64 = 0.12;

/// What is open in Compare, and what is laid out.
#[derive(Debug, Default)]
pub struct CompareState {
    /// The input's text asks for the cursor.
    pub focus_input: bool,
    mode: ColourMode,
    views: BTreeMap<ColumnId, TokenView>,
    /// Columns whose change row is open.
    changing: BTreeSet<ColumnId>,
    /// What each of them is changing.
    changes: BTreeMap<ColumnId, Change>,
    /// A copy was asked for: its change row opens when it is there.
    awaits_copy: bool,
    only_differences: bool,
    /// How high the whole replies are.
    stream_height: f32,
    /// When the last step of playback was made.
    last_tick: f64,
}

pub(super) fn compare_ui(
    model: &mut Model,
    state: &mut CompareState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    let mut push = |wish| actions.push(Action::Compare(wish));
    state.tidy(model);
    keys(model, ui, &mut push);
    tick(model, state, ui, &mut push);
    let colours = palette(ui);
    let frame = Frame::NONE.fill(colours.panel).inner_margin(Margin {
        left: 16,
        right: 12,
        top: 10,
        bottom: 8,
    });
    Panel::top("compare prompt")
        .show_separator_line(false)
        .frame(frame)
        .show(ui, |ui| prompt::prompt_ui(model, state, ui, &mut push));
    let frame = Frame::NONE.fill(colours.bg).inner_margin(Margin {
        left: 16,
        right: 12,
        top: 8,
        bottom: 4,
    });
    Panel::top("compare playback")
        .show_separator_line(false)
        .frame(frame)
        .show(ui, |ui| {
            playback::bar_ui(model, state, ui, &mut push);
            told_ui(model, ui);
            playback::divergence_ui(model, ui);
        });
    let frame = Frame::NONE.fill(colours.bg).inner_margin(Margin {
        left: 16,
        right: 4,
        top: 4,
        bottom: 0,
    });
    CentralPanel::default().frame(frame).show(ui, |ui| {
        let height = ui.available_height();
        ScrollArea::both()
            .id_salt("columns")
            .auto_shrink(false)
            .content_margin(Margin {
                right: 8,
                bottom: 12,
                ..Margin::ZERO
            })
            .show(ui, |ui| {
                let layout = columns::Layout::of(model, ui, height);
                columns::columns_ui(model, state, (&layout, ui), &mut push);
                let heading = fields::fields_ui(model, state, (&layout, ui));
                layout.lines(ui, heading);
            });
    });
}

impl CompareState {
    /// Forgets columns that are gone, and opens the change row of a copy.
    fn tidy(&mut self, model: &Model) {
        let columns = &model.compare.draft.columns;
        let stands = |id: &ColumnId| columns.iter().any(|it| it.id == *id);
        self.views.retain(|it, _| stands(it));
        self.changing.retain(stands);
        self.changes.retain(|it, _| stands(it));
        if std::mem::take(&mut self.awaits_copy)
            && let Some(newest) = columns.iter().map(|it| it.id).max()
        {
            self.changing.insert(newest);
        }
    }

    /// Closes the token that is pinned in some column; false where none is.
    pub(super) fn close_pin(&mut self) -> bool {
        let pins = self.views.values_mut().filter_map(|it| it.pinned.take());
        pins.count() > 0
    }
}

/// What a stranger does first, or what hinders.
fn told_ui(model: &Model, ui: &mut Ui) {
    let desk = &model.compare;
    let is_untouched = desk
        .draft
        .columns
        .iter()
        .all(|it| model.column_state(it.id) == ColumnState::Empty);
    if !is_untouched {
        return;
    }
    match &model.engine {
        EnginePhase::NoModel => banner(
            ui,
            Tone::Warn,
            "No model is loaded: choose one at the top right, and then press Run.",
        ),
        EnginePhase::Failed { message, .. } => banner(
            ui,
            Tone::Bad,
            &format!("The model could not be loaded: {message}. Choose another at the top right."),
        ),
        _ if desk.draft.columns.len() < 2 => banner(
            ui,
            Tone::Quiet,
            "Add columns: two to six presets answer the same prompt side by side.",
        ),
        _ => banner(
            ui,
            Tone::Quiet,
            "Every column answers the same prompt with its own settings. Press Run (Ctrl+Enter), then play the replies in lock step: playback stops where they part and names the stage and the setting behind it.",
        ),
    }
}

/// Where no field has the cursor, the keys move playback.
fn keys(model: &Model, ui: &Ui, push: &mut dyn FnMut(CompareAction)) {
    let is_typing = ui.memory(|it| it.focused().is_some());
    if model.compare.comparison.is_none() || is_typing || Popup::is_any_open(ui.ctx()) {
        return;
    }
    let play = if model.compare.playback.is_playing {
        PlaybackWish::Pause
    } else {
        PlaybackWish::Play
    };
    for (key, wish) in [
        (Key::Space, play),
        (Key::ArrowRight, PlaybackWish::Step),
        (Key::ArrowLeft, PlaybackWish::StepBack),
        (Key::N, PlaybackWish::NextDivergence),
        (Key::Home, PlaybackWish::GoTo(0)),
        (Key::End, PlaybackWish::ShowAll),
    ] {
        if ui.input(|it| it.key_pressed(key) && it.modifiers.is_none()) {
            push(CompareAction::Playback(wish));
        }
    }
}

fn tick(model: &Model, state: &mut CompareState, ui: &Ui, push: &mut dyn FnMut(CompareAction)) {
    if !model.compare.playback.is_playing {
        return;
    }
    let now = ui.input(|it| it.time);
    if now - state.last_tick >= PACE {
        state.last_tick = now;
        push(CompareAction::Playback(PlaybackWish::Tick));
    }
    ui.request_repaint_after(std::time::Duration::from_secs_f64(PACE));
}
