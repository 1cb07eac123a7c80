//! The reply as it comes: its tokens, how far it is, how it ended.

use eframe::egui::{
    Align, Frame, Layout, Margin, Panel, ProgressBar, RichText, ScrollArea, Ui, vec2,
};

use super::PlayState;
use super::branches::branches_ui;
use super::ending::ending_ui;
use super::enforcement::{badge_words, held};
use super::facts::facts_ui;
use super::first_stage::written_ui;
use super::recorded::{self, recorded_ui};
use crate::app::{Action, EnginePhase, Model, Reply, RunPhase};
use crate::constraint::Badge;
use crate::lab::Trial;
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::tokens::{legend_ui, legend_width};
use crate::ui::widgets::{
    Entry, Segmented, banner, heading, icon, icon_button, note, picker, toned_pill, weak,
};
use crate::ui::{ColourMode, State};

/// The height from which there is room for the track under the reply.
const LEAST_FOR_TRACK: f32 = 190.0;

/// Height of a row of marks.
const MARK_ROW: f32 = 20.0;

/// A fact about the reply.
#[derive(Debug, PartialEq)]
pub(super) struct Mark {
    pub(super) text: String,
    pub(super) tone: Tone,
    /// Empty where the words say it all.
    pub(super) help: String,
}

pub(super) fn reply_ui(model: &mut Model, state: &mut State, ui: &mut Ui) -> Option<Action> {
    let action = head_ui(model, &mut state.tokens.mode, ui);
    if let Some(branch) = model.branch.as_deref() {
        return branches_ui(model, branch, state, ui).or(action);
    }
    state.tokens.parting = None;
    let marks = marks(&model.run, held(model, &mut state.play));
    if !marks.is_empty() {
        ui.scope(|ui| {
            ui.spacing_mut().interact_size.y = MARK_ROW;
            ui.horizontal_wrapped(|ui| marks_ui(&marks, ui));
        });
    }
    track_ui(model, state, ui);
    let scroll = ScrollArea::vertical()
        .id_salt("reply")
        .auto_shrink(false)
        .stick_to_bottom(matches!(model.run, RunPhase::Running { .. }))
        .content_margin(Margin {
            right: 8,
            top: 6,
            bottom: 16,
            left: 0,
        });
    scroll.show(ui, |ui| {
        // In a low window these would leave no room for the reply if they did not scroll with it.
        if let RunPhase::Done { trial, .. } = &model.run {
            ending_ui(trial, &mut model.draft.constraint, ui);
            facts_ui(trial, &mut state.play, ui);
        }
        match &model.run {
            RunPhase::Running { reply, .. } => beginning_ui(reply, None, &mut state.play, ui),
            RunPhase::Done { reply, trial } => {
                beginning_ui(reply, Some(trial.as_ref()), &mut state.play, ui);
            }
            RunPhase::Idle | RunPhase::Failed { .. } => {}
        }
        tokens_ui(model, state, ui);
    });
    action
}

/// What stands before the model's own tokens: a first stage, and the prefill.
fn beginning_ui(reply: &Reply, trial: Option<&Trial>, state: &mut PlayState, ui: &mut Ui) {
    written_ui(reply, trial, state, ui);
    let prefill = &reply.assembly.job.request.prompt.prefill;
    // Behind thoughts it comes later, among the reply's own tokens.
    if prefill.is_empty() || !reply.assembly.view.rendered.ends_with(prefill) {
        return;
    }
    let colours = palette(ui);
    ui.horizontal_wrapped(|ui| {
        note(ui, "Prefill");
        let text = RichText::new(prefill).font(theme::mono(theme::CODE));
        ui.label(
            text.color(colours.accent)
                .background_color(colours.accent_soft),
        )
        .on_hover_text(
            "The prompt ends with this, and the reply goes on behind it. The ladder reads both.",
        );
    });
}

/// Under the reply, where there is room for it beside some rows of text.
fn track_ui(model: &Model, state: &mut State, ui: &mut Ui) {
    let tokens = model.reply().map_or(&[][..], |it| &it.assembly.tokens);
    if tokens.is_empty() || ui.available_height() < LEAST_FOR_TRACK {
        state.tokens.hovered = None;
        return;
    }
    let frame = Frame::NONE.inner_margin(Margin {
        right: 8,
        top: 6,
        bottom: 8,
        left: 0,
    });
    Panel::bottom("track")
        .show_separator_line(false)
        .frame(frame)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let view = &mut state.tokens;
            let touched = view.track.show(ui, tokens, view.pinned);
            view.hovered = touched.hovered;
            if let Some(token) = touched.clicked {
                view.pin(token);
            }
        });
}

pub(super) fn marks(run: &RunPhase, held: Option<Badge>) -> Vec<Mark> {
    let (reply, trial) = match run {
        RunPhase::Idle | RunPhase::Failed { .. } => return Vec::new(),
        RunPhase::Running { reply, .. } => (reply, None),
        RunPhase::Done { reply, trial } => (reply, Some(trial.as_ref())),
    };
    let mut marks = Vec::new();
    if reply.assembly.attempt >= 2 {
        marks.push(Mark {
            text: "second try after the engine was lost".to_owned(),
            tone: Tone::Warn,
            help: "The first try ended with the engine's process; what it had written is void."
                .to_owned(),
        });
    }
    if let Some(trial) = trial {
        let detail = trial.stop_detail.as_deref();
        marks.push(stop_mark(&trial.stop, detail));
    }
    marks.extend(held.map(|it| held_mark(it, trial)));
    let n_tokens = reply.assembly.tokens.len();
    if n_tokens > 0 {
        marks.push(quiet(format!(
            "{n_tokens} {}",
            if n_tokens == 1 { "token" } else { "tokens" }
        )));
    }
    if let Some(trial) = trial {
        let timings = &trial.timings;
        marks.push(quiet(format!("{:.1} tokens/s", timings.tokens_per_second)));
        let first = Mark {
            help: kept_words(timings.n_kept, reply.assembly.view.tokens.len()),
            ..quiet(format!("first token {}", duration(timings.first_token_ms)))
        };
        marks.push(first);
    }
    marks
}

/// Why the first token came so soon.
fn kept_words(n_kept: u32, n_prompt: usize) -> String {
    if n_kept == 0 {
        return String::new();
    }
    format!(
        "{n_kept} of the prompt's {n_prompt} tokens were kept from the run before. Only whole chunks are kept, so the \
         reply is the same as without."
    )
}

fn tokens_ui(model: &Model, state: &mut State, ui: &mut Ui) {
    match &model.run {
        RunPhase::Idle => empty_ui(empty_words(&model.engine), ui),
        RunPhase::Failed { message } => {
            banner(ui, Tone::Bad, message);
        }
        RunPhase::Running { reply, .. } if reply.assembly.tokens.is_empty() => {
            prefill_ui(reply, ui);
        }
        RunPhase::Running { reply, .. } => state.tokens.show(ui, &reply.assembly.tokens, true),
        RunPhase::Done { reply, trial } if reply.assembly.tokens.is_empty() => {
            recorded_ui(trial, ui);
        }
        RunPhase::Done { reply, .. } => state.tokens.show(ui, &reply.assembly.tokens, false),
    }
}

fn quiet(text: String) -> Mark {
    Mark {
        text,
        tone: Tone::Quiet,
        help: String::new(),
    }
}

/// The stop reason in words, and whether it bodes well.
pub(super) fn stop_mark(stop: &str, detail: Option<&str>) -> Mark {
    let (text, tone) = match stop {
        "end_of_generation" => ("ended by itself", Tone::Good),
        "constraint_complete" => ("constraint complete", Tone::Good),
        "stop_string" => ("stop text", Tone::Quiet),
        "cancelled" => ("cancelled", Tone::Quiet),
        "token_limit" => ("token limit", Tone::Warn),
        "context_full" => ("context full", Tone::Warn),
        "loop_guard" => ("stopped a loop", Tone::Warn),
        "dead_end" => ("dead end", Tone::Bad),
        "engine_lost" => ("engine lost", Tone::Bad),
        other => (other, Tone::Quiet),
    };
    Mark {
        text: text.to_owned(),
        tone,
        help: detail.unwrap_or_default().to_owned(),
    }
}

/// How far the mask held the reply to its constraint.
fn held_mark(badge: Badge, trial: Option<&Trial>) -> Mark {
    let (word, tone) = badge_words(badge);
    let help = match badge {
        Badge::Enforced => "No token that breaks the constraint could be written.",
        Badge::Partly => "What the mask cannot enforce was checked when the reply was there.",
        Badge::None if trial.is_some_and(|it| it.stop == "engine_lost") => {
            "The engine was lost before the mask could do its work."
        }
        Badge::None => "A constraint was asked for, and no mask was at work.",
    };
    Mark {
        text: format!("constraint {}", word.to_lowercase()),
        tone,
        help: help.to_owned(),
    }
}

fn duration(ms: f64) -> String {
    if ms >= 1_000.0 {
        format!("{:.1} s", ms / 1_000.0)
    } else {
        format!("{ms:.0} ms")
    }
}

fn head_ui(model: &Model, mode: &mut ColourMode, ui: &mut Ui) -> Option<Action> {
    let in_head = matches!(mode, ColourMode::Confidence | ColourMode::Rank);
    let action = ui
        .horizontal(|ui| {
            heading(ui, "Reply");
            let room = ui.available_width();
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_space(2.0);
                let action = copy_ui(model, ui);
                let action = open_ui(model, ui).or(action);
                modes_ui(mode, room, ui);
                if in_head && ui.available_width() > legend_width(*mode) {
                    let size = vec2(legend_width(*mode), theme::CONTROL);
                    let place = Layout::left_to_right(Align::Center);
                    ui.allocate_ui_with_layout(size, place, |ui| legend_ui(*mode, ui));
                }
                action
            })
            .inner
        })
        .inner;
    if !in_head && *mode != ColourMode::Plain {
        ui.scope(|ui| {
            ui.spacing_mut().interact_size.y = MARK_ROW;
            ui.horizontal_wrapped(|ui| legend_ui(*mode, ui));
        });
    }
    action
}

/// All modes in sight, or a menu of them in a narrow place.
fn modes_ui(mode: &mut ColourMode, room: f32, ui: &mut Ui) {
    if room > 460.0 {
        Segmented::new("Colour by").show(ui, mode, ColourMode::NAMED);
        return;
    }
    let entries: Vec<Entry<'_>> = ColourMode::NAMED
        .iter()
        .map(|(it, title)| Entry {
            title,
            about: "",
            chosen: it == mode,
        })
        .collect();
    let shown = ColourMode::NAMED
        .iter()
        .find(|it| it.0 == *mode)
        .map_or("", |it| it.1);
    if let Some((picked, _)) =
        picker(ui, "Colour by", shown, &entries).and_then(|it| ColourMode::NAMED.get(it))
    {
        *mode = *picked;
    }
}

/// A finished reply can be taken apart in Repair.
fn open_ui(model: &Model, ui: &mut Ui) -> Option<Action> {
    if !matches!(model.run, RunPhase::Done { .. }) {
        return None;
    }
    let opened = icon_button(ui, icons::LADDER, "Open in Repair").clicked();
    opened.then_some(Action::OpenInRepair)
}

fn copy_ui(model: &Model, ui: &mut Ui) -> Option<Action> {
    let (reply, trial) = match &model.run {
        RunPhase::Running { reply, .. } => (reply, None),
        RunPhase::Done { reply, trial } => (reply, Some(trial.as_ref())),
        RunPhase::Idle | RunPhase::Failed { .. } => return None,
    };
    let copied = icon_button(ui, icons::COPY, "Copy the reply").clicked();
    copied.then(|| Action::CopyText(recorded::text(reply, trial)))
}

pub(super) fn marks_ui(marks: &[Mark], ui: &mut Ui) {
    ui.spacing_mut().item_spacing.x = 6.0;
    for mark in marks {
        let response = toned_pill(ui, &mark.text, mark.tone);
        if !mark.help.is_empty() {
            response.on_hover_text(&mark.help);
        }
    }
}

/// What there is to do first.
fn empty_words(engine: &EnginePhase) -> (&'static str, &'static str) {
    match engine {
        EnginePhase::Ready(_) => ("No reply yet", "Press Run, or Ctrl+Enter"),
        EnginePhase::Loading { .. } => {
            ("Loading the model", "It can be run as soon as it is there")
        }
        EnginePhase::Restarting { .. } => ("Starting the engine again", "This takes a moment"),
        EnginePhase::NoModel | EnginePhase::Failed { .. } => {
            ("No model is loaded", "Choose one at the top right")
        }
    }
}

fn empty_ui((title, what_to_do): (&str, &str), ui: &mut Ui) {
    let colours = palette(ui);
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.5 - 60.0).max(12.0));
        ui.label(icon(icons::LADDER, 30.0).color(colours.faint));
        let title = RichText::new(title)
            .font(theme::medium(theme::TITLE))
            .color(colours.weak);
        ui.label(title);
        ui.label(RichText::new(what_to_do).color(colours.faint));
    });
}

/// While the model reads the prompt no token can come; the bar shows that it works.
fn prefill_ui(reply: &Reply, ui: &mut Ui) {
    let (n_done, n_total) = reply.prefill.unwrap_or((0, 0));
    let share = n_done as f32 / n_total.max(1) as f32;
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.5 - 50.0).max(12.0));
        weak(ui, "Reading the prompt");
        // The trough would have the colour of what is behind it.
        ui.visuals_mut().extreme_bg_color = palette(ui).hover;
        let bar = ProgressBar::new(share)
            .desired_width(240.0)
            .desired_height(6.0)
            .corner_radius(3)
            .fill(palette(ui).accent_fill);
        ui.add(bar).accessible_name("Reading the prompt");
        if n_total > 0 {
            let text = format!("{n_done} of {n_total} tokens");
            ui.label(RichText::new(text).small().color(palette(ui).faint));
        }
    });
}
