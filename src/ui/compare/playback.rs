//! Playback: its buttons and its slider, the colours of the streams, and what is said where the replies part.

use eframe::egui::{Align, Layout, ScrollArea, Slider, Ui, vec2};

use super::CompareState;
use crate::app::{CompareAction, Comparison, Model, PlaybackWish};
use crate::ui::theme::{self, Tone, icons};
use crate::ui::tokens::{ColourMode, legend_ui, legend_width};
use crate::ui::widgets::{Segmented, banner, icon_button, note, quiet_button};

/// More sentences than fit here scroll.
const MAX_TOLD: f32 = 104.0;
const MODES_WIDTH: f32 = 372.0;

pub(super) fn bar_ui(
    model: &Model,
    state: &mut CompareState,
    ui: &mut Ui,
    push: &mut dyn FnMut(CompareAction),
) {
    ui.horizontal(|ui| {
        if let Some(comparison) = model.compare.comparison.as_deref()
            && comparison.n_steps() > 0
        {
            moves_ui((model, comparison), ui, push);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if Segmented::new("Colour").show(ui, &mut state.mode, ColourMode::NAMED) {
                ui.request_repaint();
            }
            if ui.available_width() > legend_width(state.mode) {
                let size = vec2(legend_width(state.mode), theme::CONTROL);
                let place = Layout::left_to_right(Align::Center);
                ui.allocate_ui_with_layout(size, place, |ui| legend_ui(state.mode, ui));
            }
        });
    });
}

fn moves_ui(
    (model, comparison): (&Model, &Comparison),
    ui: &mut Ui,
    push: &mut dyn FnMut(CompareAction),
) {
    let playback = model.compare.playback;
    let n_all = comparison.n_steps();
    let (sign, name, wish, keys) = if playback.is_playing {
        (icons::STOP, "Pause", PlaybackWish::Pause, "Space")
    } else {
        (
            icons::PLAY,
            "Play back",
            PlaybackWish::Play,
            "Space: plays up to the next divergence",
        )
    };
    let mut wish_of = |clicked: bool, wish| {
        if clicked {
            push(CompareAction::Playback(wish));
        }
    };
    let play = quiet_button(ui, sign, name).on_hover_text(keys);
    wish_of(play.clicked(), wish);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let back = icon_button(ui, icons::MINUS, "One token back").clicked();
        wish_of(back, PlaybackWish::StepBack);
        let on = icon_button(ui, icons::PLUS, "One token on").clicked();
        wish_of(on, PlaybackWish::Step);
    });
    let has_parted = !comparison.lock_step.divergences.is_empty();
    let next = ui.add_enabled_ui(has_parted, |ui| {
        quiet_button(ui, icons::ARROW_RIGHT, "Next divergence")
            .on_hover_text("N")
            .on_disabled_hover_text("The replies are the same, token by token")
            .clicked()
    });
    wish_of(next.inner, PlaybackWish::NextDivergence);
    let mut step = playback.n_steps;
    let room = ui.available_width() - MODES_WIDTH - 90.0;
    ui.spacing_mut().slider_width = room.clamp(70.0, 300.0);
    let slider = ui.add(Slider::new(&mut step, 0..=n_all).show_value(false));
    let slider = slider.accessible_name("Step of playback").on_hover_text(
        "Left and right: a token back or on. Home: the beginning. End: whole replies.",
    );
    if slider.changed() {
        wish_of(true, PlaybackWish::GoTo(step));
    }
    note(ui, format!("{} of {n_all}", playback.n_steps));
}

/// At a divergence who parted the columns; with everything in sight, the first one.
pub(super) fn divergence_ui(model: &Model, ui: &mut Ui) {
    let Some(comparison) = model.compare.comparison.as_deref() else {
        return;
    };
    let n = comparison.partings.len();
    if let Some(nth) = comparison.reached(model.compare.playback) {
        let told = comparison.partings.get(nth).into_iter().flatten();
        let sentences: Vec<&str> = told.map(|it| it.sentence.as_str()).collect();
        let text = format!("Divergence {} of {n}. {}", nth + 1, sentences.join("\n"));
        ScrollArea::vertical()
            .id_salt("divergence")
            .max_height(MAX_TOLD)
            .min_scrolled_height(MAX_TOLD)
            .show(ui, |ui| banner(ui, Tone::Warn, &text));
    } else if n == 0
        && comparison
            .lock_step
            .steps
            .iter()
            .any(|it| it.iter().flatten().count() > 1)
    {
        banner(ui, Tone::Good, "The replies are the same, token by token.");
    }
    if comparison.mixes_models {
        note(
            ui,
            "The models cut texts into other tokens: their replies are aligned by the tokens' texts.",
        );
    }
}
