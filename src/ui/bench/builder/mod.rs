//! The plan builder: what is asked, of which models, under which settings, and what that comes to.

mod asked;
mod models;
mod outlook;
mod settings;

use eframe::egui::{Align, Checkbox, Layout, RichText, ScrollArea, Stroke, Ui};

use crate::app::{BenchAction, BuildAction, Fault, Model, PlanDraft, PlanField};
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::widgets::{Entry, Field, banner, caption, card, heading, picker, quiet_button};

/// From this width on the parts stand in two columns.
const WIDE: f32 = 760.0;
/// Wider than this, what is ticked and what it belongs to stand too far apart.
const WIDEST: f32 = 1_100.0;

pub(super) fn builder_ui(
    model: &mut Model,
    path: &mut String,
    ui: &mut Ui,
    push: &mut dyn FnMut(BenchAction),
) {
    let mut draft = model.bench.builder.drafts.draft.clone();
    let mut wishes = Vec::new();
    head_ui(model, ui, &mut wishes);
    ScrollArea::vertical()
        .id_salt("plan builder")
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.set_max_width(ui.available_width().min(WIDEST));
            outlook::outlook_ui(model, ui, &mut wishes);
            ui.add_space(theme::SMALL_GAP);
            names_ui(&mut draft, model, ui);
            ui.add_space(theme::SMALL_GAP);
            if ui.available_width() >= WIDE {
                ui.columns_const(|[left, right]| {
                    asked_ui(&mut draft, (model, path), left, &mut wishes);
                    settings::settings_ui(&mut draft, model, right);
                });
            } else {
                asked_ui(&mut draft, (model, path), ui, &mut wishes);
                settings::settings_ui(&mut draft, model, ui);
            }
            ui.add_space(theme::GAP);
        });
    if draft != model.bench.builder.drafts.draft {
        model.bench.builder.drafts.draft = draft;
        push(BenchAction::Build(BuildAction::Edited));
    }
    for wish in wishes {
        push(BenchAction::Build(wish));
    }
}

fn asked_ui(
    draft: &mut PlanDraft,
    (model, path): (&Model, &mut String),
    ui: &mut Ui,
    wishes: &mut Vec<BuildAction>,
) {
    models::models_ui(draft, (model, path), ui, wishes);
    asked::tasks_ui(draft, model, ui);
    asked::inputs_ui(draft, model, ui);
    asked::seeds_ui(draft, model, ui);
}

fn head_ui(model: &Model, ui: &mut Ui, wishes: &mut Vec<BuildAction>) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL);
        heading(ui, "Plan");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if quiet_button(ui, icons::X, "Close")
                .on_hover_text("Shows the results again; what is chosen here stays")
                .clicked()
            {
                wishes.push(BuildAction::Close);
            }
            earlier_ui(model, ui, wishes);
        });
    });
}

/// Drafts that another one took the place of.
fn earlier_ui(model: &Model, ui: &mut Ui, wishes: &mut Vec<BuildAction>) {
    let kept = &model.bench.builder.drafts.kept;
    if kept.is_empty() {
        return;
    }
    let titles: Vec<String> = kept
        .iter()
        .map(|it| match it.title.trim() {
            "" => it.name.clone(),
            title => title.to_owned(),
        })
        .collect();
    let entries: Vec<Entry<'_>> = titles
        .iter()
        .zip(kept)
        .map(|(title, it)| Entry {
            title,
            about: &it.about,
            chosen: false,
        })
        .collect();
    if let Some(idx) = picker(ui, "Earlier drafts", "Earlier drafts", &entries) {
        wishes.push(BuildAction::Restore(idx));
    }
}

fn names_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    ui.columns_const(|[left, right]| {
        Field::new("Name of the plan")
            .hint("its file and the word on the command line")
            .code()
            .show(left, &mut draft.name);
        Field::new("Title")
            .hint("how it stands in lists and reports")
            .show(right, &mut draft.title);
    });
    // Names stand in a file's name: no line breaks.
    draft.name.retain(|it| it != '\n');
    draft.title.retain(|it| it != '\n');
    fault_ui(model, PlanField::Name, ui);
}

/// A part of the plan in its card, with what is wrong in it.
fn part_ui(
    model: &Model,
    (field, title): (PlanField, &str),
    ui: &mut Ui,
    draw: impl FnOnce(&mut Ui),
) {
    card(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        caption(ui, title);
        draw(ui);
        fault_ui(model, field, ui);
    });
    ui.add_space(theme::SMALL_GAP);
}

fn fault_ui(model: &Model, field: PlanField, ui: &mut Ui) {
    if let Some(text) = model.bench.builder.outlook.fault(field) {
        banner(ui, Tone::Bad, text);
    }
}

/// All faults that have no part of their own.
fn whole_faults(model: &Model) -> impl Iterator<Item = &Fault> {
    let faults = model.bench.builder.outlook.faults.iter();
    faults.filter(|it| it.field == PlanField::Whole)
}

/// A box to tick; says whether it was.
fn tick_ui(ui: &mut Ui, is_on: bool, (title, about): (&str, &str)) -> bool {
    let mut ticked = is_on;
    let text = RichText::new(title)
        .font(theme::regular(theme::LABEL))
        .color(palette(ui).text);
    let mut response = ui
        .scope(|ui| {
            ui.spacing_mut().interact_size.y = 22.0;
            // An empty box would hardly be seen on a card.
            let edge = Stroke::new(theme::HAIRLINE, palette(ui).border_strong);
            ui.visuals_mut().widgets.inactive.bg_stroke = edge;
            ui.add(Checkbox::new(&mut ticked, text))
        })
        .inner;
    if !about.is_empty() {
        response = response.on_hover_text(about);
    }
    response.changed()
}

/// Puts an entry in or takes it out.
fn toggle<T: PartialEq + Clone>(list: &mut Vec<T>, entry: &T) {
    if list.contains(entry) {
        list.retain(|it| it != entry);
    } else {
        list.push(entry.clone());
    }
}
