//! The columns side by side, row by row, so that what belongs together stands at one height.

use eframe::egui::{Align, Rangef, Rect, ScrollArea, Stroke, Ui, pos2, vec2};

use super::{CompareState, head, verdict};
use crate::app::{ColumnDraft, ColumnId, ColumnState, CompareAction, Model, Reply, RunPhase};
use crate::prompt::TemplateChoice;
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::tokens::TokenView;
use crate::ui::widgets::{banner, pill, sentence, toned_pill, weak};

/// Narrower columns cannot be read: they are scrolled sideways instead.
const LEAST_WIDTH: f32 = 212.0;
const GAP: f32 = 16.0;
/// The height that is left for the streams, and its bounds.
const STREAM_SHARE: f32 = 0.46;
const LEAST_STREAM: f32 = 150.0;

/// Where the columns stand.
pub(super) struct Layout {
    pub(super) n: usize,
    pub(super) width: f32,
    top: eframe::egui::Pos2,
    stream: f32,
}

impl Layout {
    pub(super) fn of(model: &Model, ui: &Ui, height: f32) -> Self {
        let n = model.compare.draft.columns.len();
        let gaps = GAP * n.saturating_sub(1) as f32;
        let share = (ui.available_width() - gaps) / n.max(1) as f32;
        Self {
            n,
            width: share.floor().max(LEAST_WIDTH),
            top: ui.next_widget_position(),
            stream: (height * STREAM_SHARE).max(LEAST_STREAM),
        }
    }

    /// A cell a column; the row is as high as its highest.
    pub(super) fn row(&self, ui: &mut Ui, mut draw: impl FnMut(&mut Ui, usize)) {
        self.row_of_height(ui, 0.0, &mut draw);
    }

    /// Returns how high the row came to be.
    fn row_of_height(&self, ui: &mut Ui, height: f32, draw: &mut dyn FnMut(&mut Ui, usize)) -> f32 {
        let row = ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            for idx in 0..self.n {
                let size = vec2(self.width, height);
                let place = eframe::egui::Layout::top_down(Align::Min);
                ui.allocate_ui_with_layout(size, place, |ui| {
                    ui.set_width(self.width);
                    ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
                    ui.push_id(idx, |ui| draw(ui, idx));
                });
            }
        });
        row.response.rect.height()
    }

    /// Hairlines between the columns, down to where the content ends, but not through a heading.
    pub(super) fn lines(&self, ui: &Ui, heading: Option<Rangef>) {
        let stroke = Stroke::new(theme::HAIRLINE, palette(ui).border);
        let bottom = ui.min_rect().bottom();
        let heading = heading.unwrap_or(Rangef::new(bottom, bottom));
        for idx in 1..self.n {
            let x = self.top.x + (self.width + GAP) * idx as f32 - GAP / 2.0;
            let x = x.round() + 0.5;
            ui.painter().vline(x, self.top.y..=heading.min, stroke);
            ui.painter().vline(x, heading.max..=bottom, stroke);
        }
    }

    /// The place of a cell of this height in a row that begins here.
    pub(super) fn cell(&self, top: f32, idx: usize, height: f32) -> Rect {
        let left = self.top.x + (self.width + GAP) * idx as f32;
        Rect::from_min_size(pos2(left, top), vec2(self.width, height))
    }

    /// The width of all columns.
    pub(super) fn total(&self) -> f32 {
        (self.width + GAP) * self.n as f32 - GAP
    }
}

pub(super) fn columns_ui(
    model: &Model,
    state: &mut CompareState,
    (layout, ui): (&Layout, &mut Ui),
    push: &mut dyn FnMut(CompareAction),
) {
    let columns = &model.compare.draft.columns;
    layout.row(ui, |ui, idx| head::head_ui(model, (state, idx), ui, push));
    layout.row(ui, |ui, idx| marks_ui(model, &columns[idx], ui));
    let shown = shown(model);
    let is_whole = model.compare.playback.is_whole;
    // What stands under the streams keeps its place while they are played.
    let least = if is_whole { 0.0 } else { state.stream_height };
    let height = layout.row_of_height(ui, layout.stream, &mut |ui, idx| {
        ui.set_min_height(least.min(layout.stream));
        let id = columns[idx].id;
        let n_shown = shown.iter().find(|it| it.0 == id).map(|it| it.1);
        let view = state.views.entry(id).or_default();
        view.mode = state.mode;
        view.parting = parting(model, id);
        stream_ui(model, (id, n_shown), view, ui);
    });
    if is_whole {
        state.stream_height = height;
    }
    ui.add_space(theme::SMALL_GAP);
    layout.row(ui, |ui, idx| {
        if let Some(trial) = model.compare.trial(columns[idx].id) {
            verdict::verdict_ui(trial, ui);
        }
    });
}

/// How many tokens of each column playback shows.
fn shown(model: &Model) -> Vec<(ColumnId, usize)> {
    let Some(comparison) = model.compare.comparison.as_deref() else {
        return Vec::new();
    };
    let playback = model.compare.playback;
    if playback.is_whole {
        return Vec::new();
    }
    let shown = comparison.lock_step.shown(playback.n_steps);
    comparison.columns.iter().copied().zip(shown).collect()
}

/// The column's token at the divergence that is told of.
fn parting(model: &Model, id: ColumnId) -> Option<usize> {
    let comparison = model.compare.comparison.as_deref()?;
    let nth = comparison.reached(model.compare.playback)?;
    let divergence = comparison.lock_step.divergences.get(nth)?;
    divergence.at[comparison.place(id)?]
}

/// What the column is doing, and its numbers.
fn marks_ui(model: &Model, column: &ColumnDraft, ui: &mut Ui) {
    let desk = &model.compare;
    let reply = desk.run(column.id).and_then(RunPhase::reply);
    let trial = desk.trial(column.id);
    ui.spacing_mut().interact_size.y = 20.0;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let (word, tone) = match model.column_state(column.id) {
            ColumnState::Empty => ("not run yet", Tone::Quiet),
            ColumnState::Waiting => ("waiting", Tone::Quiet),
            ColumnState::Loading => ("loading its model", Tone::Accent),
            ColumnState::Running => ("running", Tone::Accent),
            ColumnState::Done => ("done", Tone::Good),
            ColumnState::Failed => ("failed", Tone::Bad),
        };
        let state = toned_pill(ui, word, tone);
        if let Some(trial) = trial {
            let stop = trial.stop.replace('_', " ");
            state.on_hover_text(&stop);
            if !matches!(
                trial.stop.as_str(),
                "end_of_generation" | "constraint_complete"
            ) {
                toned_pill(ui, &stop, Tone::Warn);
            }
        }
        if !desk.is_current(column.id) {
            pill(ui, "changed since", Tone::Accent).on_hover_text(
                "The reply is of the prompt or the settings before the change. Run again.",
            );
        }
        if let Some(reply) = reply {
            if reply.assembly.job.request.prompt.template == TemplateChoice::Raw {
                pill(ui, "no chat template", Tone::Quiet).on_hover_text(
                    "The model's file has none, so its prompt is the plain text of the messages.",
                );
            }
            let n = reply.assembly.tokens.len();
            pill(ui, &format!("{n} tokens"), Tone::Quiet);
        }
        if let Some(trial) = trial {
            let speed = trial.timings.tokens_per_second;
            pill(ui, &format!("{speed:.1} tokens/s"), Tone::Quiet);
        }
    });
}

fn stream_ui(
    model: &Model,
    (id, n_shown): (ColumnId, Option<usize>),
    view: &mut TokenView,
    ui: &mut Ui,
) {
    let run = model.compare.run(id);
    let is_running = matches!(run, Some(RunPhase::Running { .. }));
    ScrollArea::vertical()
        .id_salt(("stream", id))
        .auto_shrink([false, true])
        .stick_to_bottom(is_running)
        .show(ui, |ui| match run {
            Some(RunPhase::Failed { message }) => banner(ui, Tone::Bad, &sentence(message)),
            Some(RunPhase::Running { reply } | RunPhase::Done { reply, .. }) => {
                reply_ui((reply, is_running), n_shown, view, ui);
            }
            Some(RunPhase::Idle) | None => {
                ui.add_space(8.0);
                ui.label(crate::ui::widgets::icon(icons::LADDER, 22.0).color(palette(ui).faint));
                weak(ui, "No reply yet");
            }
        });
}

fn reply_ui(
    (reply, is_running): (&Reply, bool),
    n_shown: Option<usize>,
    view: &mut TokenView,
    ui: &mut Ui,
) {
    let tokens = &reply.assembly.tokens;
    if tokens.is_empty() {
        let words = match (is_running, reply.prefill) {
            (false, _) => "The reply is empty.".to_owned(),
            (true, Some((n, of))) if of > 0 => format!("Reading the prompt, {n} of {of} tokens"),
            (true, _) => "Reading the prompt".to_owned(),
        };
        weak(ui, words);
        return;
    }
    let n_shown = n_shown.unwrap_or(tokens.len()).min(tokens.len());
    view.show(ui, &tokens[..n_shown], is_running || n_shown < tokens.len());
}
