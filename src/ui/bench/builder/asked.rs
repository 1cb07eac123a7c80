//! What the models are asked: tasks, inputs, seeds.

use eframe::egui::{Button, DragValue, RichText, Ui, vec2};

use super::{part_ui, tick_ui, toggle};
use crate::app::{InputsDraft, InputsKind, Model, PlanDraft, PlanField};
use crate::prompt::Task;
use crate::ui::theme::{self, palette};
use crate::ui::widgets::{Segmented, line_edit, note};

const KINDS: &[(InputsKind, &str)] = &[
    (InputsKind::All, "All"),
    (InputsKind::First, "The first"),
    (InputsKind::Chosen, "Chosen"),
];
/// Inputs that are offered one by one.
const MAX_NUMBERS: usize = 200;

pub(super) fn tasks_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    part_ui(model, (PlanField::Tasks, "Tasks"), ui, |ui| {
        for task in &model.library.tasks {
            let n = task.inputs.len();
            let inputs = if n == 1 { "input" } else { "inputs" };
            let title = format!("{}  ({n} {inputs})", task.title);
            let is_on = draft.tasks.contains(&task.id);
            if tick_ui(ui, is_on, (&title, &task.instruction)) {
                toggle(&mut draft.tasks, &task.id);
            }
        }
    });
}

pub(super) fn inputs_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    part_ui(
        model,
        (PlanField::Inputs, "Inputs of each task"),
        ui,
        |ui| {
            ui.horizontal_wrapped(|ui| {
                Segmented::new("Inputs").show(ui, &mut draft.inputs.kind, KINDS);
                if draft.inputs.kind == InputsKind::First {
                    ui.spacing_mut().interact_size = vec2(56.0, theme::CONTROL);
                    ui.add(DragValue::new(&mut draft.inputs.first).range(1..=10_000))
                        .accessible_name("Number of inputs");
                }
            });
            if draft.inputs.kind == InputsKind::Chosen {
                let chosen = |it: &&Task| draft.tasks.contains(&it.id);
                let tasks: Vec<&Task> = model.library.tasks.iter().filter(chosen).collect();
                numbers_ui(&mut draft.inputs, &tasks, ui);
            }
        },
    );
}

/// One button a number; its texts are shown on hover.
fn numbers_ui(inputs: &mut InputsDraft, tasks: &[&Task], ui: &mut Ui) {
    // A plan takes the same numbers of every task.
    let n = tasks.iter().map(|it| it.inputs.len()).min().unwrap_or(0);
    if n == 0 {
        note(ui, "Choose a task with inputs first.");
        return;
    }
    let beyond = inputs.numbers.iter().copied().filter(|it| *it > n);
    let numbers: Vec<usize> = (1..=n.min(MAX_NUMBERS)).chain(beyond).collect();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for number in numbers {
            let texts: Vec<String> = tasks
                .iter()
                .filter_map(|it| {
                    let input = it.inputs.get(number - 1)?;
                    Some(format!("{}: {}", it.title, input.text))
                })
                .collect();
            let text = RichText::new(number.to_string())
                .font(theme::mono(12.0))
                .color(palette(ui).text);
            let is_on = inputs.numbers.contains(&number);
            let button = Button::selectable(is_on, text).min_size(vec2(30.0, 24.0));
            let clicked = ui
                .add(button)
                .accessible_name(format!("Input {number}"))
                .on_hover_text(texts.join("\n"))
                .clicked();
            if clicked && !inputs.numbers.remove(&number) {
                inputs.numbers.insert(number);
            }
        }
    });
    if tasks.iter().any(|it| it.inputs.len() > n) {
        note(ui, format!("As many as every chosen task has: {n}."));
    }
}

pub(super) fn seeds_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    part_ui(model, (PlanField::Seeds, "Seeds"), ui, |ui| {
        let edit = line_edit(ui, &mut draft.seeds, "the presets' own; or 42, 44-46")
            .desired_width(f32::INFINITY);
        ui.add(edit).accessible_name("Seeds of the plan");
        note(
            ui,
            "Each input is asked once with each seed. Greedy decoding gives the same reply to all of them.",
        );
    });
}
