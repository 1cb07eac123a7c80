//! What the reply is judged by: a task, a schema, the input, the right answer.

use eframe::egui::{Frame, Margin, Panel, ScrollArea, Ui};

use super::{RepairPart, RepairState};
use crate::app::{Action, Model, RepairAction, RepairDraft};
use crate::prompt::Task;
use crate::ui::inputs::input_picker;
use crate::ui::theme::{Tone, palette};
use crate::ui::widgets::{
    CodeEditor, Entry, Field, Language, banner, caption, note, picker, pill, switch, toned_pill,
};

const EDITOR: f32 = 190.0;
/// Room that the opened parts take at first.
const OPEN: f32 = 290.0;

pub(super) fn given_panel_ui(
    model: &mut Model,
    state: &mut RepairState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    let frame = Frame::NONE.fill(palette(ui).bg).inner_margin(Margin {
        left: 16,
        right: 12,
        top: 6,
        bottom: 8,
    });
    let is_open = state.is_open(RepairPart::Schema) || state.is_open(RepairPart::Given);
    let panel = if is_open {
        Panel::bottom("repair given, open")
            .resizable(true)
            .default_size(OPEN)
            .size_range(120.0..=(ui.available_height() - 160.0).max(130.0))
    } else {
        Panel::bottom("repair given")
    };
    panel
        .show_separator_line(false)
        .frame(frame)
        .show(ui, |ui| {
            let has_changed = given_ui(model, state, ui, actions);
            if has_changed {
                actions.push(Action::Repair(RepairAction::Edited));
            }
        });
}

/// Says whether a text was changed.
fn given_ui(
    model: &mut Model,
    state: &mut RepairState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) -> bool {
    ui.horizontal_wrapped(|ui| {
        caption(ui, "Judged by");
        actions.extend(task_ui(model, ui));
        state.disclosure(ui, RepairPart::Schema, "Schema");
        schema_pill(model, ui);
        state.disclosure(ui, RepairPart::Given, "Input and right answer");
    });
    if !state.is_open(RepairPart::Schema) && !state.is_open(RepairPart::Given) {
        return false;
    }
    let scroll = ScrollArea::vertical()
        .id_salt("repair given")
        .auto_shrink(false);
    scroll
        .show(ui, |ui| {
            let mut has_changed = false;
            if state.is_open(RepairPart::Schema) {
                has_changed |= schema_ui(model, ui);
            }
            if state.is_open(RepairPart::Given) {
                has_changed |= texts_ui(&mut model.repair.draft, ui);
            }
            has_changed
        })
        .inner
}

fn task_ui(model: &Model, ui: &mut Ui) -> Option<Action> {
    let draft = &model.repair.draft;
    let tasks = &model.library.tasks;
    let task = tasks.iter().find(|it| it.id == draft.task);
    let none = Entry {
        title: "No task",
        about: "Only the schema judges, if there is one.",
        chosen: task.is_none(),
    };
    let of_task = |it| -> Entry<'_> {
        let it: &Task = it;
        Entry {
            title: &it.title,
            about: &it.instruction,
            chosen: task.is_some_and(|task| task.id == it.id),
        }
    };
    let mut entries = vec![none];
    entries.extend(tasks.iter().map(of_task));
    let shown = task.map_or("No task", |it| it.title.as_str());
    if let Some(picked) = picker(ui, "Task of the reply", shown, &entries) {
        let id = picked.checked_sub(1).and_then(|it| tasks.get(it));
        let id = id.map(|it| it.id.clone()).unwrap_or_default();
        return Some(Action::Repair(RepairAction::PickTask(id)));
    }
    let picked = input_picker(ui, "Input of the reply", task?, draft.input)?;
    Some(Action::Repair(RepairAction::PickInput(picked)))
}

fn schema_pill(model: &Model, ui: &mut Ui) {
    let draft = &model.repair.draft;
    let task = model.library.task(&draft.task);
    let fault = model
        .repair
        .outcome()
        .and_then(|it| it.schema_fault.as_ref());
    if draft.schema.trim().is_empty() {
        pill(ui, "none", Tone::Quiet).on_hover_text("The lamp “Schema” stays unlit.");
    } else if let Some(fault) = fault {
        toned_pill(ui, "judges nothing", Tone::Bad).on_hover_text(fault.to_string());
    } else if task.is_some_and(|it| format!("{:#}", it.schema) == draft.schema) {
        pill(ui, "the task's", Tone::Quiet);
    } else {
        pill(ui, "own", Tone::Accent);
    }
}

fn schema_ui(model: &mut Model, ui: &mut Ui) -> bool {
    let fault = model
        .repair
        .outcome()
        .and_then(|it| it.schema_fault.clone());
    let has_changed = CodeEditor::new("Text of the reply's schema", Language::Json)
        .fault(fault.as_ref().and_then(|it| it.place))
        .height(EDITOR)
        .show(ui, &mut model.repair.draft.schema);
    if let Some(fault) = fault {
        banner(ui, Tone::Bad, &format!("Judges nothing: {fault}"));
    }
    has_changed
}

fn texts_ui(draft: &mut RepairDraft, ui: &mut Ui) -> bool {
    ui.spacing_mut().item_spacing.y = 6.0;
    let mut has_changed = Field::new("Input of the reply").show(ui, &mut draft.input_text);
    if has_changed {
        draft.input = None;
    }
    has_changed |= Field::new("Right answer")
        .hint("JSON; empty where it is not known")
        .code()
        .show(ui, &mut draft.answer);
    if let Some(fault) = draft.answer_fault() {
        banner(ui, Tone::Bad, &fault);
    }
    has_changed |= Field::new("Put into the model's mouth")
        .hint("The reply goes on from this")
        .code()
        .show(ui, &mut draft.prefill);
    for (idx, example) in draft.examples.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            let name = format!("Example {} was in the prompt", idx + 1);
            has_changed |= switch(ui, &mut example.on, &name).changed();
            note(ui, format!("{} → {}", example.input, example.answer));
        });
    }
    has_changed
}
