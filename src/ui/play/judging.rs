//! The schema that replies are judged by: seen, edited, and named beside its lamp.

use eframe::egui::{Align, Layout, Ui};
use serde_json::Value;

use super::{Part, PlayState};
use crate::app::{Model, RunPhase};
use crate::judge::Schema;
use crate::prompt::Task;
use crate::ui::theme::{Tone, icons};
use crate::ui::widgets::{
    CodeEditor, Language, banner, note, pill, quiet_button, sentence, toned_pill,
};

const EDITOR: f32 = 160.0;

pub(super) fn judging_ui(model: &mut Model, state: &mut PlayState, ui: &mut Ui) {
    let fault = model.checked.judge_fault.as_ref();
    let task = model.library.task(&model.draft.task);
    let is_own = task.is_none_or(|it| differs(&model.draft.judge_schema, &it.schema));
    ui.horizontal(|ui| {
        state.disclosure(ui, Part::JudgeSchema, "Schema that judges");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if fault.is_some() {
                toned_pill(ui, "fault", Tone::Bad);
            } else if is_own {
                pill(ui, "own", Tone::Accent).on_hover_text("It is not the task's schema.");
            }
        });
    });
    if !state.is_open(Part::JudgeSchema) {
        return;
    }
    note(
        ui,
        "The lamp “Schema” goes by it, whatever the constraint is; the style “Schema” shows it to the model.",
    );
    CodeEditor::new("Text of the schema that judges", Language::Json)
        .fault(fault.and_then(|it| it.place))
        .height(EDITOR)
        .show(ui, &mut model.draft.judge_schema);
    if let Some(fault) = fault {
        banner(ui, Tone::Bad, &format!("Judges nothing: {fault}"));
    }
    if let Some(task) = task
        && is_own
    {
        note(
            ui,
            format!("It differs from the schema of the task “{}”.", task.title),
        );
        if quiet_button(ui, icons::ARROW_AGAIN, "Back to the task's schema").clicked() {
            model.draft.judge_schema = format!("{:#}", task.schema);
        }
    }
}

/// Which schema the lamp goes by, or why it stays unlit.
pub(super) fn judged_by(model: &Model) -> Option<String> {
    let RunPhase::Done { reply, trial } = &model.run else {
        let fault = model.checked.judge_fault.as_ref()?;
        return Some(sentence(&format!("The schema will not be judged: {fault}")));
    };
    let Some(schema) = &reply.assembly.job.given.schema else {
        return Some("Schema not judged: the one that judges was empty or no JSON.".to_owned());
    };
    if trial.lamps.schema.is_none() {
        let error = Schema::parse(schema).err()?;
        return Some(sentence(&format!("Schema not judged: {error}")));
    }
    let task = model.library.task(&trial.task);
    Some(match task {
        Some(Task {
            schema: own, title, ..
        }) if own == schema => {
            format!("Schema: judged by the task's, “{title}”.")
        }
        _ => "Schema: judged by your own, under “Schema that judges”.".to_owned(),
    })
}

/// White space does not count.
fn differs(text: &str, schema: &Value) -> bool {
    text != format!("{schema:#}")
        && serde_json::from_str::<Value>(text).map_or(true, |it| it != *schema)
}
