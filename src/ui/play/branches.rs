//! Two branches of a reply side by side: what was changed, how each went on, how each was judged.

use eframe::egui::{Align, Layout, Rect, RichText, ScrollArea, Stroke, Ui, UiBuilder, vec2};

use super::reply::{marks, marks_ui};
use super::{Part, PlayState};
use crate::app::{Action, Branch, Model, RunPhase};
use crate::judge::Lamps;
use crate::ladder::Rung;
use crate::ui::State;
use crate::ui::outcome::lamps;
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::tokens::TokenView;
use crate::ui::widgets::{
    Light, banner, elided, icon_button, note, pill_with_icon, quiet_button, sentence, toned_pill,
    weak,
};

/// Narrower than this, the branches stand one above the other.
const NARROW: f32 = 430.0;
const GAP: f32 = 14.0;
/// The height that two branches need, under which the prompt is folded.
const LEAST_HEIGHT: f32 = 300.0;

/// One column, as it is drawn.
struct Side<'a> {
    title: String,
    run: &'a RunPhase,
    is_current: bool,
}

pub(super) fn branches_ui(
    model: &Model,
    branch: &Branch,
    state: &mut State,
    ui: &mut Ui,
) -> Option<Action> {
    let parting = parting(&model.run, branch);
    state.tokens.parting = parting;
    state.branch_tokens.parting = parting;
    state.branch_tokens.mode = state.tokens.mode;
    fold_prompt(branch, &mut state.play, ui);
    let place = ui.available_rect_before_wrap();
    let (first, second) = halves(place);
    let line = Stroke::new(theme::HAIRLINE, palette(ui).border);
    if first.left() < second.left() {
        ui.painter()
            .vline(first.right() + GAP / 2.0, place.y_range(), line);
    } else {
        ui.painter()
            .hline(place.x_range(), second.top() - 3.0, line);
    }
    let current = Side {
        title: title(&model.run),
        run: &model.run,
        is_current: true,
    };
    let other = Side {
        title: title(&branch.run),
        run: &branch.run,
        is_current: false,
    };
    let mut action = None;
    let State {
        tokens,
        branch_tokens,
        ..
    } = state;
    for (side, view, place) in [
        (current, &mut *tokens, first),
        (other, &mut *branch_tokens, second),
    ] {
        let builder = UiBuilder::new().max_rect(place).id_salt(side.is_current);
        let wish = ui
            .scope_builder(builder, |ui| side_ui(&side, view, ui))
            .inner;
        action = wish.or(action);
    }
    // The inspector is about one token: the one that was pinned last.
    if branch_tokens.pinned.is_some() && tokens.pinned.is_some() {
        tokens.pinned = None;
    }
    if action == Some(Action::SwapBranches) {
        std::mem::swap(tokens, branch_tokens);
    }
    action
}

/// In a low window two replies need the room that the prompt takes; once a fork, so that it can be unfolded.
fn fold_prompt(branch: &Branch, state: &mut PlayState, ui: &Ui) {
    let id = branch.run.reply().map(|it| it.assembly.id);
    if id.is_some() && state.folded_for != id && ui.available_height() < LEAST_HEIGHT {
        state.set_open(Part::FoldedPrompt, true);
        state.folded_for = id;
    }
}

/// The first token at which the replies differ; none while one of them has not come so far.
pub(super) fn parting(run: &RunPhase, branch: &Branch) -> Option<usize> {
    let ours = &run.reply()?.assembly.tokens;
    let theirs = &branch.run.reply()?.assembly.tokens;
    let mut pairs = ours
        .iter()
        .zip(theirs)
        .enumerate()
        .skip(branch.n_shared.min(ours.len()));
    let differs = pairs.find(|(_, (a, b))| a.token != b.token).map(|it| it.0);
    differs.or_else(|| {
        let (short, long) = (ours.len().min(theirs.len()), ours.len().max(theirs.len()));
        let is_over = matches!(
            (run, &branch.run),
            (RunPhase::Done { .. }, RunPhase::Done { .. })
        );
        (is_over && short < long).then_some(short)
    })
}

fn halves(place: Rect) -> (Rect, Rect) {
    if place.width() < NARROW {
        let height = (place.height() - 6.0) / 2.0;
        let size = vec2(place.width(), height);
        let below = place.left_top() + vec2(0.0, height + 6.0);
        (
            Rect::from_min_size(place.min, size),
            Rect::from_min_size(below, size),
        )
    } else {
        let width = (place.width() - GAP) / 2.0;
        let size = vec2(width, place.height());
        let right = place.left_top() + vec2(width + GAP, 0.0);
        (
            Rect::from_min_size(place.min, size),
            Rect::from_min_size(right, size),
        )
    }
}

fn title(run: &RunPhase) -> String {
    let fork = run.reply().and_then(|it| it.assembly.forked_from.as_ref());
    fork.map_or("As it was".to_owned(), |it| it.change.clone())
}

fn side_ui(side: &Side<'_>, view: &mut TokenView, ui: &mut Ui) -> Option<Action> {
    ui.spacing_mut().item_spacing.y = 4.0;
    let action = head_ui(side, ui);
    let marks = marks(side.run, None);
    let trial = match side.run {
        RunPhase::Done { trial, .. } => Some(trial.as_ref()),
        _ => None,
    };
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        ui.horizontal_wrapped(|ui| {
            marks_ui(&marks[..marks.len().min(2)], ui);
            if let Some(trial) = trial {
                judged_ui(trial.climb.rung, trial.lamps, ui);
            }
        });
    });
    let salt = if side.is_current {
        "current branch"
    } else {
        "other branch"
    };
    ScrollArea::vertical()
        .id_salt(salt)
        .auto_shrink(false)
        .stick_to_bottom(matches!(side.run, RunPhase::Running { .. }))
        .show(ui, |ui| {
            if let Some(cause) = trial.and_then(|it| it.cause.as_ref()) {
                banner(ui, Tone::Bad, &sentence(&cause.message));
            }
            match side.run {
                RunPhase::Failed { message } => {
                    banner(ui, Tone::Bad, &sentence(message));
                }
                RunPhase::Idle => {}
                RunPhase::Running { reply } | RunPhase::Done { reply, .. } => {
                    if reply.assembly.tokens.is_empty() {
                        weak(ui, "Reading the prompt");
                    } else {
                        let streaming = matches!(side.run, RunPhase::Running { .. });
                        view.show(ui, &reply.assembly.tokens, streaming);
                    }
                }
            }
        });
    action
}

fn head_ui(side: &Side<'_>, ui: &mut Ui) -> Option<Action> {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut action = None;
            if side.is_current {
                note(ui, "current")
                    .on_hover_text("The verdict and the ladder on the right are this reply's.");
            } else {
                if icon_button(ui, icons::X, "Close this branch").clicked() {
                    action = Some(Action::CloseBranch);
                }
                let is_done = matches!(side.run, RunPhase::Done { .. });
                let swap = ui.add_enabled_ui(is_done, |ui| {
                    quiet_button(ui, icons::CHECK, "Make current").clicked()
                });
                if swap.inner {
                    action = Some(Action::SwapBranches);
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let title = RichText::new(&side.title).font(theme::semibold(theme::BODY));
                elided(ui, title).on_hover_text(&side.title);
            });
            action
        })
        .inner
    })
    .inner
}

/// Rung and lamps in a row of marks.
pub(super) fn judged_ui(rung: Option<Rung>, of: Lamps, ui: &mut Ui) {
    match rung {
        Some(Rung::AsIs) => toned_pill(ui, "rung 1", Tone::Good),
        Some(rung) => toned_pill(ui, &format!("rung {}", u8::from(rung)), Tone::Warn),
        None => toned_pill(ui, "no rung", Tone::Bad),
    };
    for lamp in lamps(Some(of)) {
        let (sign, tone) = match lamp.light {
            Light::Lit => (icons::CHECK, Tone::Good),
            Light::Dark => (icons::X, Tone::Bad),
            Light::Unjudged => continue,
        };
        let read = format!("{}: {}", lamp.name, lamp.word);
        pill_with_icon(ui, sign, lamp.name, tone).on_hover_text(read);
    }
}
