//! Which task and which of its inputs, in what style, through which template.

use eframe::egui::Ui;

use super::kept::kept_ui;
use crate::app::{Action, Model, Place};
use crate::prompt::{PromptStyle, Task, TemplateChoice, Thinking, has_switch};
use crate::ui::inputs::input_picker;
use crate::ui::widgets::{Entry, Segmented, picker};

const STYLES: &[(PromptStyle, &str)] = &[
    (PromptStyle::Plain, "Plain"),
    (PromptStyle::Example, "Example"),
    (PromptStyle::Schema, "Schema"),
];

const TEMPLATES: &[(TemplateChoice, &str)] = &[
    (TemplateChoice::Model, "Model's"),
    (TemplateChoice::ChatMl, "ChatML"),
    (TemplateChoice::Raw, "Raw"),
];

const THINKING: &[(Thinking, &str)] = &[
    (Thinking::Template, "Model's"),
    (Thinking::On, "On"),
    (Thinking::Off, "Off"),
];

pub(super) fn task_ui(model: &mut Model, ui: &mut Ui) -> Option<Action> {
    ui.horizontal_wrapped(|ui| {
        let tasks = &model.library.tasks;
        let task = tasks.iter().find(|it| it.id == model.draft.task);
        let action = task_picker_ui(tasks, task, ui).or(task.and_then(|it| {
            let picked = input_picker(ui, "Input", it, model.draft.input)?;
            Some(Action::PickInput(picked))
        }));
        let action = kept_ui(&model.draft, Place::Input, ui).or(action);
        let can_think = can_think(model);
        let prompt = &mut model.draft.prompt;
        Segmented::new("Style")
            .captioned()
            .show(ui, &mut prompt.style, STYLES);
        Segmented::new("Template")
            .captioned()
            .show(ui, &mut prompt.template, TEMPLATES);
        if can_think {
            Segmented::new("Thinking")
                .captioned()
                .show(ui, &mut prompt.thinking, THINKING);
        }
        action
    })
    .inner
}

/// Whether the loaded model's template has a switch for thinking.
fn can_think(model: &Model) -> bool {
    let template = model.info().and_then(|it| it.chat_template.as_deref());
    model.draft.prompt.template == TemplateChoice::Model && template.is_some_and(has_switch)
}

fn task_picker_ui(tasks: &[Task], chosen: Option<&Task>, ui: &mut Ui) -> Option<Action> {
    let entries: Vec<Entry<'_>> = tasks
        .iter()
        .map(|it| Entry {
            title: &it.title,
            about: &it.instruction,
            chosen: chosen.is_some_and(|chosen| chosen.id == it.id),
        })
        .collect();
    let shown = chosen.map_or("Pick a task", |it| it.title.as_str());
    let picked = picker(ui, "Task", shown, &entries)?;
    Some(Action::PickTask(tasks.get(picked)?.id.clone()))
}
