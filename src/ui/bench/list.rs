//! The plans to run, and the experiments that were run.

use eframe::egui::{Button, RichText, Ui, vec2};

use crate::app::{BenchAction, BuildAction, Model};
use crate::lab::Plan;
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{caption, note, primary_button, quiet_button, weak};

pub(super) fn list_ui(model: &Model, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    caption(ui, "Plans");
    let chosen = model.chosen_plan();
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        for plan in &model.library.plans {
            let is_chosen = chosen.is_some_and(|it| it.name == plan.name);
            if row_ui(ui, &plan.title, is_chosen, &format!("Plan {}", plan.name)) {
                push(BenchAction::PickPlan(plan.name.clone()));
            }
        }
    });
    if let Some(plan) = chosen {
        ui.add_space(theme::SMALL_GAP);
        plan_ui(model, plan, ui, push);
    }
    ui.add_space(theme::SMALL_GAP);
    build_ui(model, ui, push);
    ui.add_space(theme::GAP);
    caption(ui, "Experiments");
    if model.bench.experiments.is_empty() {
        weak(ui, "None yet");
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        for experiment in &model.bench.experiments {
            let shown = model.bench.shown.as_ref();
            let is_open = shown.is_some_and(|it| it.folder == experiment.folder);
            let name = experiment.folder.file_name().unwrap_or_default();
            let name = format!("Experiment {}", name.to_string_lossy());
            if row_ui(ui, &experiment.title, is_open, &name) {
                push(BenchAction::Open(experiment.folder.clone()));
            }
            let date: String = name.chars().skip(11).take(16).collect();
            note(ui, format!("{date}, {} replies", experiment.n_trials));
        }
    });
}

fn row_ui(ui: &mut Ui, title: &str, is_chosen: bool, name: &str) -> bool {
    let text = RichText::new(title).color(palette(ui).text);
    let button = Button::selectable(is_chosen, text)
        .right_text("")
        .truncate()
        .min_size(vec2(ui.available_width(), 26.0));
    ui.add(button).accessible_name(name).clicked() && !is_chosen
}

/// The ways into the plan builder.
fn build_ui(model: &Model, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    let mut push = |wish| push(BenchAction::Build(wish));
    ui.horizontal_wrapped(|ui| {
        if let Some(plan) = model.chosen_plan()
            && quiet_button(ui, icons::PENCIL, "Change a copy")
                .on_hover_text("Begins a plan with all that this one says")
                .clicked()
        {
            push(BuildAction::Copy(plan.name.clone()));
        }
        if quiet_button(ui, icons::PLUS, "New plan").clicked() {
            push(BuildAction::New);
        }
        if !model.bench.builder.drafts.draft.is_empty()
            && quiet_button(ui, icons::ARROW_RIGHT, "Open draft")
                .on_hover_text("The plan that was being put together")
                .clicked()
        {
            push(BuildAction::Open);
        }
    });
}

/// What the chosen plan asks for, and the button that runs it.
fn plan_ui(model: &Model, plan: &Plan, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    note(ui, plan.about.as_str());
    let presets = plan.presets(&model.library.presets);
    let cells = presets.and_then(|it| plan.cells(&model.library.tasks, &it));
    let mut obstacle = match (&model.bench.running, model.info()) {
        (Some(_), _) => Some("An experiment is running".to_owned()),
        (None, _) if model.is_running() => Some("A reply is running".to_owned()),
        (None, _) if model.is_measuring() => Some("The machine is being measured".to_owned()),
        (None, None) if plan.models.is_empty() => Some("Open a model first".to_owned()),
        (None, _) => None,
    };
    match cells {
        Ok(cells) => {
            note(
                ui,
                format!(
                    "{} replies, at most {} tokens",
                    cells.len(),
                    plan.n_tokens(&cells)
                ),
            );
        }
        Err(error) => obstacle = Some(error.to_string()),
    }
    let button = ui.add_enabled_ui(obstacle.is_none(), |ui| {
        primary_button(ui, icons::PLAY, "Run plan")
    });
    if button.inner.clicked() {
        push(BenchAction::Start);
    }
    if let Some(text) = obstacle {
        note(ui, text);
    }
}
