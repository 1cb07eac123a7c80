//! Bench: plans and experiments on the left, rates in the middle, the replies behind a cell on the right.

mod builder;
mod copied;
mod details;
mod list;
mod matrix;
mod order;
mod pair;
mod rates;
mod replies;
mod running;
mod runs;

use eframe::egui::{
    Align, CentralPanel, Frame, Label, Layout, Margin, Panel, RichText, ScrollArea, Ui,
};

use super::columns::{Side, column, edge, scroll};
use super::theme::{self, Tone, icons, palette};
use super::widgets::{Segmented, heading, note, pill, quiet_button, weak};
use crate::app::{Action, BenchAction, Model, Page, Shown};
use crate::lab::{Chart, Measure};

const LIST: f32 = 276.0;
const LIST_RANGE: std::ops::RangeInclusive<f32> = 220.0..=420.0;
const REPLIES: f32 = 380.0;
const REPLIES_RANGE: std::ops::RangeInclusive<f32> = 280.0..=620.0;

/// What is open in Bench.
#[derive(Debug, Default)]
pub struct BenchState {
    /// Which model's results are shown.
    part: usize,
    wanted: order::Wanted,
    details: details::Details,
    replies: replies::RepliesState,
    /// The path that is typed to add a model to the plan.
    model_path: String,
}

/// From this width on the title and what can be done stand in one row.
const ONE_ROW: f32 = 560.0;
/// The count of replies behind the title.
const PILL: f32 = 130.0;

pub(super) fn bench_ui(
    model: &mut Model,
    state: &mut BenchState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    let mut push = |wish| actions.push(Action::Bench(wish));
    column(Panel::left("plans"), LIST, LIST_RANGE).show(ui, |ui| {
        edge(ui, Side::Right);
        scroll("plans").show(ui, |ui| list::list_ui(model, ui, &mut push));
    });
    let is_building = model.bench.page == Page::Builder;
    let shown = model.bench.shown.as_deref();
    let has_flip = |it: &Shown| it.second.as_ref().is_some_and(|it| it.flip().is_some());
    if !is_building && shown.is_some_and(|it| it.cell.is_some() || has_flip(it)) {
        column(Panel::right("replies"), REPLIES, REPLIES_RANGE).show(ui, |ui| {
            edge(ui, Side::Left);
            scroll("replies").show(ui, |ui| {
                if let Some(shown) = shown.filter(|it| it.cell.is_none()) {
                    pair::pair_ui(shown, ui, &mut push);
                } else {
                    replies::replies_ui(model, &mut state.replies, ui, &mut push);
                }
            });
        });
    }
    let frame = Frame::NONE.fill(palette(ui).bg).inner_margin(Margin {
        left: 16,
        right: 12,
        top: 10,
        bottom: 10,
    });
    CentralPanel::default().frame(frame).show(ui, |ui| {
        running::running_ui(model, ui, &mut push);
        if is_building {
            builder::builder_ui(model, &mut state.model_path, ui, &mut push);
            return;
        }
        match model.bench.shown.as_deref() {
            Some(shown) => shown_ui(model, (shown, state), ui, &mut push),
            None => empty_ui(model, ui),
        }
    });
}

fn empty_ui(model: &Model, ui: &mut Ui) {
    if model.bench.running.is_some() {
        return;
    }
    ui.centered_and_justified(|ui| {
        weak(ui, "Pick a plan and run it, or open an experiment");
    });
}

fn shown_ui(
    model: &Model,
    (shown, state): (&Shown, &mut BenchState),
    ui: &mut Ui,
    push: &mut dyn FnMut(BenchAction),
) {
    head_ui(model, shown, ui, push);
    if shown.parts.is_empty() {
        weak(ui, "No reply yet");
        return;
    }
    state.part = state.part.min(shown.parts.len() - 1);
    ui.horizontal_wrapped(|ui| {
        let mut measure = shown.measure;
        let measures = Measure::ALL.map(|it| (it, it.label()));
        if Segmented::new("Counted").show(ui, &mut measure, &measures) {
            push(BenchAction::SetMeasure(measure));
        }
        if shown.parts.len() > 1 {
            let models = shown.parts.iter().enumerate();
            let models: Vec<(usize, &str)> =
                models.map(|(idx, it)| (idx, it.title.as_str())).collect();
            Segmented::new("Model").show(ui, &mut state.part, &models);
        }
        state.wanted.show(ui);
    });
    note(ui, shown.measure.says());
    ScrollArea::vertical()
        .id_salt("results")
        .auto_shrink(false)
        .show(ui, |ui| {
            let part = &shown.parts[state.part];
            let rows = state.wanted.rows(part, shown.measure);
            ui.add_space(theme::SMALL_GAP);
            runs::runs_ui(shown, ui, push);
            rates::rates_ui((part, &rows), shown.measure, ui);
            chart_ui(Chart::Rates(shown.measure), ui, push);
            ui.add_space(theme::GAP);
            heading(ui, "By task");
            matrix::matrix_ui((shown, state.part, &rows), ui, push);
            ui.add_space(theme::GAP);
            heading(ui, "How far replies climbed");
            rates::rungs_ui((part, &rows), ui);
            chart_ui(Chart::Rungs, ui, push);
            ui.add_space(theme::GAP);
            state.details.show((shown, state.part), &rows, ui);
            copied::copied_ui(part, ui);
        });
}

fn chart_ui(chart: Chart, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    let name = match chart {
        Chart::Rates(_) => "Save chart as PNG",
        Chart::Rungs => "Save rungs as PNG",
    };
    if quiet_button(ui, icons::COPY, name)
        .on_hover_text("Writes it into the experiment's folder, with the results of every model")
        .clicked()
    {
        push(BenchAction::SaveChart(chart));
    }
}

fn head_ui(model: &Model, shown: &Shown, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    if ui.available_width() < ONE_ROW {
        ui.horizontal(|ui| title_ui(shown, ui));
        ui.horizontal_wrapped(|ui| deeds_ui(model, shown, ui, push));
        return;
    }
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            deeds_ui(model, shown, ui, push);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                title_ui(shown, ui);
            });
        });
    });
}

fn title_ui(shown: &Shown, ui: &mut Ui) {
    let n_models = shown.parts.len().max(shown.plan.models.len()).max(1);
    let n_asked = shown.n_cells * n_models;
    let n_done = shown.n_answered;
    let (text, tone) = if n_done < n_asked {
        (format!("{n_done} of {n_asked} replies"), Tone::Warn)
    } else {
        (format!("{n_done} replies"), Tone::Quiet)
    };
    ui.scope(|ui| {
        // A long title leaves room for the count.
        ui.set_max_width((ui.available_width() - PILL).max(PILL));
        let title = RichText::new(&shown.plan.title).font(theme::semibold(theme::TITLE));
        ui.add(Label::new(title).truncate());
    });
    pill(ui, &text, tone);
}

/// What can be done with the experiment that is shown.
fn deeds_ui(model: &Model, shown: &Shown, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    if quiet_button(ui, icons::COPY, "Save report")
        .on_hover_text("Writes report.html, report.md and trials.csv beside the trials")
        .clicked()
    {
        push(BenchAction::SaveReport);
    }
    let has_model = model.info().is_some() || !shown.plan.models.is_empty();
    let is_free = model.bench.running.is_none() && has_model && !model.is_running();
    let resumed = ui.add_enabled_ui(is_free, |ui| {
        quiet_button(ui, icons::PLAY, "Go on").on_hover_text(
            "Runs what is open of the plan, on the models that it names or the loaded one",
        )
    });
    if resumed.inner.clicked() {
        push(BenchAction::Resume);
    }
    runs::choose_ui((model, shown), ui, push);
}
