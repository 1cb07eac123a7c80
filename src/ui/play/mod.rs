//! Play: knobs on the left, prompt and reply in the middle, ladder and verdict on the right.

mod branches;
mod chain_order;
mod constraint;
mod ending;
mod enforcement;
mod examples;
mod facts;
mod first_stage;
mod forecast;
mod holding;
mod inspector;
mod judging;
mod kept;
mod knobs;
mod lint;
mod prompt;
mod recorded;
mod rendered;
mod reply;
mod task;
#[cfg(test)]
mod tests;
mod token_knobs;
mod verdict;

use std::collections::BTreeSet;
use std::ops::Range;

use eframe::egui::{CentralPanel, Frame, Margin, Panel, Rangef, ScrollArea, Stroke, Ui};

use super::State;
use super::columns::{Side, column, edge, scroll};
use super::theme::{self, palette};
use super::widgets::disclosure;
use crate::app::{Action, Model};
use crate::constraint::Badge;

/// What can be opened and closed in Play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Only the heading of the prompt is in sight, so that the reply has the room.
    FoldedPrompt,
    RenderedPrompt,
    /// System message and the reply's beginning.
    MoreTexts,
    /// The knobs that few people turn.
    MoreKnobs,
    StopTexts,
    /// The stages of the chain, to be moved.
    ChainOrder,
    /// The tokens that the n-gram ban will forbid.
    Forecast,
    /// What is likely to break JSON, and why.
    Lint,
    LogitBias,
    TokenBan,
    /// The constraint's text in a window of its own.
    LargeEditor,
    /// When the constraint begins and ends.
    Holding,
    /// The schema that replies are judged by.
    JudgeSchema,
    /// What mask and stages did to the reply.
    ChainFacts,
    /// What was written before the reply.
    FirstStage,
}

/// What is open in Play, and what is folded.
#[derive(Debug, Default)]
pub struct PlayState {
    open: BTreeSet<Part>,
    /// The input asks for the cursor.
    pub focus_input: bool,
    /// The example that is being edited.
    pub example: Option<usize>,
    /// JSON pointers of what is folded in the value's tree.
    pub folded: BTreeSet<String>,
    /// How far the shown trial was held to its constraint, by the trial's id: finding out can take half a second.
    held: Option<(String, Option<Badge>)>,
    /// The change that is put together for a fork.
    fork: inspector::ForkDraft,
    /// Tokens of the shown reply's prompt that are pointed at.
    pub pointed: Option<Range<usize>>,
    /// They are to come into sight.
    seek_pointed: bool,
    /// They are the draft's prompt's, not the shown reply's.
    points_at_draft: bool,
    /// The token that a bias is to be for, and the characters to be banned, while they are typed.
    bias_text: String,
    ban_text: String,
    /// The fork for which the prompt was folded in a low window.
    folded_for: Option<crate::engine::RunId>,
}

impl PlayState {
    pub fn is_open(&self, part: Part) -> bool {
        self.open.contains(&part)
    }

    pub fn set_open(&mut self, part: Part, open: bool) {
        if open {
            self.open.insert(part);
        } else {
            self.open.remove(&part);
        }
    }

    fn disclosure(&mut self, ui: &mut Ui, part: Part, name: &str) -> bool {
        let mut open = self.is_open(part);
        disclosure(ui, &mut open, name);
        self.set_open(part, open);
        open
    }
}

pub(super) fn play_ui(
    model: &mut Model,
    state: &mut State,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    let colours = palette(ui);
    column(Panel::left("knobs"), theme::KNOBS_WIDTH, theme::KNOBS_RANGE).show(ui, |ui| {
        edge(ui, Side::Right);
        scroll("knobs").show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            actions.extend(knobs::preset_ui(model, ui));
            actions.extend(lint::lint_ui(model, &mut state.play, ui));
            ui.add_space(10.0);
            actions.extend(constraint::constraint_ui(model, &mut state.play, ui));
            ui.add_space(theme::SMALL_GAP);
            judging::judging_ui(model, &mut state.play, ui);
            ui.add_space(14.0);
            knobs::knobs_ui(model, &mut state.play, ui);
        });
    });
    column(
        Panel::right("ladder"),
        theme::LADDER_WIDTH,
        theme::LADDER_RANGE,
    )
    .show(ui, |ui| {
        edge(ui, Side::Left);
        scroll("ladder").show(ui, |ui| {
            if !inspector::inspector_ui(model, state, ui, actions) {
                actions.extend(verdict::column_ui(model, &mut state.play, ui));
            }
        });
    });
    let frame = Frame::NONE.fill(colours.bg);
    CentralPanel::default()
        .frame(frame)
        .show(ui, |ui| middle_ui(model, state, ui, actions));
    constraint::large_editor_ui(model, &mut state.play, ui);
}

/// The prompt above, folded or with its own scroll bar, the reply under it: so the reply is always in sight.
fn middle_ui(model: &mut Model, state: &mut State, ui: &mut Ui, actions: &mut Vec<Action>) {
    let height = ui.available_height();
    let frame = Frame::NONE.inner_margin(Margin {
        left: 20,
        right: 12,
        top: 10,
        bottom: 6,
    });
    if state.play.is_open(Part::FoldedPrompt) {
        Panel::top("folded prompt")
            .show_separator_line(false)
            .frame(frame)
            .show(ui, |ui| {
                actions.extend(prompt::head_ui(model, &mut state.play, ui));
            });
    } else {
        Panel::top("prompt")
            .resizable(true)
            .default_size(prompt_height(height))
            .size_range(Rangef::new(120.0, (height - 150.0).max(130.0)))
            .show_separator_line(false)
            .frame(frame)
            .show(ui, |ui| {
                actions.extend(prompt::head_ui(model, &mut state.play, ui));
                let scroll = ScrollArea::vertical()
                    .id_salt("prompt")
                    .auto_shrink(false)
                    .content_margin(Margin {
                        right: 8,
                        bottom: 8,
                        ..Margin::ZERO
                    });
                scroll.show(ui, |ui| {
                    actions.extend(prompt::prompt_ui(model, &mut state.play, ui));
                });
            });
    }
    let top = ui.available_rect_before_wrap().top() + 0.5;
    let line = Stroke::new(theme::HAIRLINE, palette(ui).border);
    ui.painter().hline(ui.max_rect().x_range(), top, line);
    Frame::NONE
        .inner_margin(Margin {
            left: 20,
            right: 12,
            top: 10,
            bottom: 0,
        })
        .show(ui, |ui| actions.extend(reply::reply_ui(model, state, ui)));
}

/// A low window gives the reply the larger part.
fn prompt_height(height: f32) -> f32 {
    height * if height < 640.0 { 0.42 } else { 0.52 }
}
