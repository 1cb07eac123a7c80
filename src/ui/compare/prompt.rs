//! The prompt that all columns share, and what can be done with all of them.

use eframe::egui::{Align, Layout, ScrollArea, Ui, vec2};

use super::CompareState;
use crate::app::{CompareAction, CompareDraft, Model};
use crate::ui::inputs::{first_line, input_picker};
use crate::ui::theme::icons;
use crate::ui::widgets::{Entry, Field, picker, quiet_button};

/// A longer text scrolls in its field.
const MAX_TEXT: f32 = 78.0;
const PICKER: f32 = 190.0;

pub(super) fn prompt_ui(
    model: &mut Model,
    state: &mut CompareState,
    ui: &mut Ui,
    push: &mut dyn FnMut(CompareAction),
) {
    ui.horizontal(|ui| {
        task_ui(model, ui, push);
        add_ui(model, ui, push);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if quiet_button(ui, icons::STACK, "Save as plan")
                .on_hover_text("These presets on this input, to be run in Bench")
                .clicked()
            {
                push(CompareAction::SavePlan);
            }
            if quiet_button(ui, icons::COPY, "Copy as Markdown").clicked() {
                push(CompareAction::CopyMarkdown);
            }
        });
    });
    ScrollArea::vertical()
        .id_salt("compare text")
        .max_height(MAX_TEXT)
        .show(ui, |ui| {
            let field = Field::new("Text of the input").hint("The text that every column answers");
            let takes_focus = std::mem::take(&mut state.focus_input);
            if field
                .focus(takes_focus)
                .show(ui, &mut model.compare.draft.text)
            {
                push(CompareAction::Edited);
            }
        });
}

fn task_ui(model: &Model, ui: &mut Ui, push: &mut dyn FnMut(CompareAction)) {
    let (draft, library) = (&model.compare.draft, &model.library);
    let task = library.task(&draft.task);
    let entries: Vec<Entry<'_>> = library
        .tasks
        .iter()
        .map(|it| Entry {
            title: &it.title,
            about: &it.instruction,
            chosen: it.id == draft.task,
        })
        .collect();
    let shown = task.map_or("Pick a task", |it| it.title.as_str());
    let picked = narrow(ui, |ui| picker(ui, "Task", shown, &entries));
    if let Some(task) = picked.and_then(|it| library.tasks.get(it)) {
        push(CompareAction::PickTask(task.id.clone()));
    }
    let Some(task) = task else { return };
    let unchanged = draft.unchanged_input(library);
    let picked = narrow(ui, |ui| input_picker(ui, "Input", task, unchanged));
    if let Some(idx) = picked {
        push(CompareAction::PickInput(idx));
    }
    kept_ui(draft, ui, push);
}

/// Texts of the user's own that an input took the place of.
fn kept_ui(draft: &CompareDraft, ui: &mut Ui, push: &mut dyn FnMut(CompareAction)) {
    if draft.kept.is_empty() {
        return;
    }
    let titles: Vec<String> = draft.kept.iter().map(|it| first_line(it)).collect();
    let entries: Vec<Entry<'_>> = titles
        .iter()
        .zip(&draft.kept)
        .map(|(title, about)| Entry {
            title,
            about,
            chosen: false,
        })
        .collect();
    let picked = narrow(ui, |ui| {
        picker(ui, "Earlier texts", "Earlier texts", &entries)
    });
    if let Some(idx) = picked {
        push(CompareAction::RestoreText(idx));
    }
}

/// A picker as wide as its text, but not wider than this.
fn narrow<R>(ui: &mut Ui, draw: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope(|ui| {
        ui.set_max_width(PICKER);
        draw(ui)
    })
    .inner
}

fn add_ui(model: &Model, ui: &mut Ui, push: &mut dyn FnMut(CompareAction)) {
    let presets = &model.library.presets;
    let mut entries = vec![Entry {
        title: "As in Play",
        about: "The settings that stand in Play now",
        chosen: false,
    }];
    entries.extend(presets.iter().map(|it| Entry {
        title: &it.title,
        about: &it.about,
        chosen: false,
    }));
    let has_room = model.compare.has_room();
    let picked = ui
        .add_enabled_ui(has_room, |ui| {
            ui.spacing_mut().interact_size = vec2(0.0, 28.0);
            narrow(ui, |ui| {
                picker(ui, "Add a column", "Add a column", &entries)
            })
        })
        .inner;
    match picked {
        Some(0) => push(CompareAction::AddFromPlay),
        Some(nth) => {
            if let Some(preset) = presets.get(nth - 1) {
                push(CompareAction::Add(preset.name.clone()));
            }
        }
        None => {}
    }
}
