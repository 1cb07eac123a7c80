//! Which models are asked: those that were found, and files besides.

use std::path::PathBuf;

use eframe::egui::{Align, Button, Layout, Ui};

use super::{part_ui, tick_ui, toggle};
use crate::app::{BuildAction, Model, PlanDraft, PlanField};
use crate::ui::theme::icons;
use crate::ui::widgets::{icon_button, line_edit, note};

pub(super) fn models_ui(
    draft: &mut PlanDraft,
    (model, path): (&Model, &mut String),
    ui: &mut Ui,
    wishes: &mut Vec<BuildAction>,
) {
    part_ui(model, (PlanField::Models, "Models"), ui, |ui| {
        for found in &model.models {
            let place = found.path.display().to_string();
            let is_on = draft.models.contains(&place) || draft.models.contains(&found.name);
            let about = format!("{}\n{place}", found.quantization);
            if tick_ui(ui, is_on, (&found.name, &about)) {
                draft.models.retain(|it| *it != found.name);
                if is_on {
                    draft.models.retain(|it| *it != place);
                } else {
                    toggle(&mut draft.models, &place);
                }
            }
        }
        others_ui(draft, model, ui);
        if draft.models.is_empty() {
            note(
                ui,
                "None ticked: the plan runs on the model that is loaded.",
            );
        }
        path_ui(path, ui, wishes);
    });
}

/// Files that the search did not find.
fn others_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    let is_found = |it: &str| {
        let mut all = model.models.iter();
        all.any(|found| found.name == it || found.path.display().to_string() == it)
    };
    let others: Vec<String> = draft
        .models
        .iter()
        .filter(|it| !is_found(it))
        .cloned()
        .collect();
    for other in others {
        let file = PathBuf::from(&other);
        let name = file
            .file_name()
            .unwrap_or(file.as_os_str())
            .to_string_lossy();
        if tick_ui(ui, true, (&name, &other)) {
            toggle(&mut draft.models, &other);
        }
    }
}

fn path_ui(path: &mut String, ui: &mut Ui, wishes: &mut Vec<BuildAction>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, icons::FOLDER_OPEN, "Look for a model file").clicked() {
                wishes.push(BuildAction::BrowseForModel);
            }
            let typed = path.trim().to_owned();
            let added = ui
                .add_enabled(!typed.is_empty(), Button::new("Add"))
                .accessible_name("Add the typed model")
                .clicked();
            let edit =
                line_edit(ui, path, "or type a GGUF file's path").desired_width(f32::INFINITY);
            let field = ui.add(edit).accessible_name("Path of a model for the plan");
            let entered =
                field.lost_focus() && ui.input(|it| it.key_pressed(eframe::egui::Key::Enter));
            if (added || entered) && !typed.is_empty() {
                wishes.push(BuildAction::AddModel(PathBuf::from(typed)));
                path.clear();
            }
        });
    });
}
