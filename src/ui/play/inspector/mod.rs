//! The inspector: why a token came, drawn as a flow from the model's scores to what was taken, and the fork there.

mod flow;
mod fork;
mod occurrence;
mod story;
#[cfg(test)]
mod tests;

use eframe::egui::{Align, Frame, Layout, Margin, RichText, Ui};

pub(super) use fork::ForkDraft;
pub(super) use occurrence::{Place, prompt_bytes};

use super::{Part, PlayState};
use crate::app::{Action, Model, Reply};
use crate::ui::State;
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::tokens::TokenView;
use crate::ui::widgets::{banner, elided, heading, icon_button, note, pill, quiet_button};
use story::{Choice, Same, Story};

/// What the user wants to see next.
#[derive(Clone, Copy)]
enum Step {
    Close,
    Go(usize),
    ShowOccurrence,
}

/// Draws the inspector in place of the verdict; false where no token is pinned.
pub(super) fn inspector_ui(
    model: &Model,
    state: &mut State,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) -> bool {
    let Some((reply, is_branch)) = inspected(model, state) else {
        return false;
    };
    let view = if is_branch {
        &state.branch_tokens
    } else {
        &state.tokens
    };
    let Some(index) = view.pinned else {
        return false;
    };
    let Some(story) = Story::new(reply, index) else {
        return false;
    };
    let n_tokens = reply.assembly.tokens.len();
    ui.spacing_mut().item_spacing.y = 6.0;
    let mut step = head_ui(ui, (index, n_tokens), &story);
    compare_ui(ui, &story);
    let tone = if story.blame.is_some() {
        Tone::Warn
    } else {
        Tone::Quiet
    };
    banner(ui, tone, &story.sentence);
    step = occurrence_ui(ui, &story).or(step);
    if let Some(same) = &story.same {
        step = same_ui(ui, same).or(step);
    }
    ui.add_space(theme::SMALL_GAP);
    flow::flow_ui(ui, &story);
    if !is_branch {
        ui.add_space(theme::SMALL_GAP);
        actions.extend(fork::fork_ui(model, (reply, index), &mut state.play, ui));
    }
    if let Some(step) = step {
        follow(step, (&story, is_branch), state);
    }
    true
}

/// The reply with a pinned token; the branch's comes first, since it is pinned last.
fn inspected<'a>(model: &'a Model, state: &State) -> Option<(&'a Reply, bool)> {
    if state.branch_tokens.pinned.is_some()
        && let Some(reply) = model.branch.as_ref().and_then(|it| it.run.reply())
    {
        return Some((reply, true));
    }
    state.tokens.pinned?;
    Some((model.reply()?, false))
}

fn follow(step: Step, (story, is_branch): (&Story, bool), state: &mut State) {
    let State {
        tokens,
        branch_tokens,
        play,
        ..
    } = state;
    let view = if is_branch { branch_tokens } else { tokens };
    match step {
        Step::Close => {
            view.pinned = None;
            view.pointed = None;
            play.pointed = None;
        }
        Step::Go(token) => {
            view.pin(token);
            play.pointed = None;
        }
        Step::ShowOccurrence => {
            if let Some(found) = &story.occurrence {
                point_at(found, view, play);
            }
        }
    }
}

/// Marks an earlier occurrence where it stands, and brings it into sight.
fn point_at(found: &occurrence::Occurrence, view: &mut TokenView, play: &mut PlayState) {
    match found.place {
        Place::Reply => {
            view.seek = Some(found.tokens.start);
            view.pointed = Some(found.tokens.clone());
            play.pointed = None;
        }
        Place::Prompt => {
            view.pointed = None;
            play.point_at_prompt(found.tokens.clone());
        }
    }
}

fn head_ui(ui: &mut Ui, (index, n_tokens): (usize, usize), story: &Story) -> Option<Step> {
    let mut step = None;
    ui.horizontal(|ui| {
        heading(ui, "Why this token?");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            if icon_button(ui, icons::X, "Close the inspector").clicked() {
                step = Some(Step::Close);
            }
            let next = ui.add_enabled_ui(index + 1 < n_tokens, |ui| {
                icon_button(ui, icons::CARET_DOWN, "Next token").clicked()
            });
            if next.inner {
                step = Some(Step::Go(index + 1));
            }
            let previous = ui.add_enabled_ui(index > 0, |ui| {
                icon_button(ui, icons::CARET_UP, "Previous token").clicked()
            });
            if previous.inner {
                step = Some(Step::Go(index.saturating_sub(1)));
            }
        });
    });
    ui.horizontal_wrapped(|ui| {
        let place = RichText::new(&story.place).small();
        ui.label(place.color(palette(ui).weak));
        if story.is_given {
            pill(ui, "taken over", Tone::Quiet).on_hover_text(
                "It was taken over from the reply that was forked; this is how it was chosen there.",
            );
        }
    });
    step
}

/// The wanted token against the token that came.
fn compare_ui(ui: &mut Ui, story: &Story) {
    if story.blame.is_none() {
        choice_ui(ui, "Wanted, and came", &story.came);
        return;
    }
    ui.columns(2, |columns| {
        choice_ui(&mut columns[0], "The model wanted", &story.wanted);
        choice_ui(&mut columns[1], "What came", &story.came);
    });
}

fn choice_ui(ui: &mut Ui, title: &str, choice: &Choice) {
    let colours = palette(ui);
    let frame = Frame::NONE
        .fill(colours.raised)
        .corner_radius(theme::RADIUS)
        .inner_margin(Margin::symmetric(10, 6));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.label(RichText::new(title).small().color(colours.weak));
        let text = RichText::new(&choice.text).font(theme::mono(15.0));
        elided(ui, text.color(colours.text));
        elided(ui, RichText::new(&choice.share).small().color(colours.weak));
    });
}

fn occurrence_ui(ui: &mut Ui, story: &Story) -> Option<Step> {
    let found = story.occurrence.as_ref()?;
    let name = match found.place {
        Place::Prompt => "Show it in the prompt",
        Place::Reply => "Show it in the reply",
    };
    let clicked = quiet_button(ui, icons::ARROW_RIGHT, name).clicked();
    clicked.then_some(Step::ShowOccurrence)
}

fn same_ui(ui: &mut Ui, same: &Same) -> Option<Step> {
    let mut step = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let mut go = |ui: &mut Ui, to: Option<usize>, (sign, word): (&str, &str)| {
            let name = format!("{word} token changed by {}", same.name);
            let clicked = ui
                .add_enabled_ui(to.is_some(), |ui| icon_button(ui, sign, &name).clicked())
                .inner;
            if let (true, Some(to)) = (clicked, to) {
                step = Some(Step::Go(to));
            }
        };
        go(ui, same.previous, (icons::CARET_UP, "Previous"));
        go(ui, same.next, (icons::CARET_DOWN, "Next"));
        let words = format!("{} of {} changed by {}", same.number, same.of, same.name);
        note(ui, words);
    });
    step
}

impl PlayState {
    /// Opens the rendered prompt, marks some of its tokens, and brings them into sight.
    pub(super) fn point_at_prompt(&mut self, tokens: std::ops::Range<usize>) {
        self.set_open(Part::FoldedPrompt, false);
        self.set_open(Part::RenderedPrompt, true);
        self.pointed = Some(tokens);
        self.points_at_draft = false;
        self.seek_pointed = true;
    }
}
