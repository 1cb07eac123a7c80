//! A recorded reply in Play: its text and verdict as recorded, the settings under which it was written.

use serde_json::Value;

use crate::app::{
    Draft, Effect, ExampleDraft, Library, Model, NoticeKind, Place, Reply, RunPhase, Tab,
};
use crate::engine::{ModelInfo, PromptView};
use crate::lab::{Preset, Trial};
use crate::ladder::Stream;
use crate::prompt::{TemplateChoice, Thinking};
use crate::runner::Assembly;

/// The record holds no trace of single tokens, so there are none: Play shows the text, and Run writes it anew.
pub(super) fn open_in_play(model: &mut Model) -> Vec<Effect> {
    let trial = model.bench.shown.as_ref().and_then(|it| it.read());
    let Some(trial) = trial.cloned() else {
        return Vec::new();
    };
    if model.is_running() {
        model.notify(NoticeKind::Warning, "A reply is still being written.");
        return Vec::new();
    }
    if let Err(text) = take_settings(&mut model.draft, &trial, &model.library) {
        model.notify(NoticeKind::Warning, text);
    }
    if model.info().is_some_and(|it| it.chat_template.is_none()) {
        model.draft.prompt.template = TemplateChoice::Raw;
    }
    let attempt = trial.cell.as_ref().map_or(1, |it| it.attempt);
    if attempt > 1 {
        let text = format!(
            "This is attempt {attempt}: its prompt, as recorded, may also hold what was wrong before. Run asks without that."
        );
        model.notify(NoticeKind::Info, text);
    }
    let id = model.take_id();
    let mut assembly = Assembly::new(id, model.draft.job(&model.library), info(&trial));
    assembly.attempt = trial.attempt;
    assembly.view = PromptView {
        rendered: trial.prompt.clone(),
        tokens: trial.prompt_tokens.clone(),
        ..PromptView::default()
    };
    model.run = RunPhase::Done {
        reply: Box::new(Reply {
            assembly,
            prefill: None,
            stream: Stream::default(),
            cancelling: false,
        }),
        trial: Box::new(trial),
    };
    model.branch = None;
    model.tab = Tab::Play;
    crate::app::on_action::draft_edited(model)
}

/// Task, input, preset and examples of the reply. The error says what could not be set.
fn take_settings(draft: &mut Draft, trial: &Trial, library: &Library) -> Result<(), String> {
    let task = library.task(&trial.task);
    if let Some(task) = task {
        draft.take_unchanged(task, library);
        let asked = trial.input.filter(|it| {
            let known = task.inputs.get(*it);
            known.is_some_and(|it| it.text == trial.input_text)
        });
        match asked {
            Some(idx) => draft.take_input(task, idx, library),
            None => draft.put(Place::Input, trial.input_text.clone(), library),
        }
        let values = trial.cell.as_ref().map(|it| it.examples);
        let shown = values.zip(trial.input);
        if let Some(other) = shown.and_then(|(values, idx)| values.put_into(task, idx)) {
            draft.prompt.examples = other.examples.iter().map(ExampleDraft::of).collect();
        }
    }
    draft.prompt.template = TemplateChoice::Model;
    draft.prompt.thinking = Thinking::default();
    draft.prompt.prefill.clone_from(&trial.prefill);
    let name = trial.preset.get("name").and_then(Value::as_str);
    let preset = Preset::parse(&trial.preset.to_string(), "the record");
    let preset =
        preset.map_err(|it| format!("The settings of this reply cannot be read: {it}."))?;
    draft.take_preset(&preset, library);
    name.unwrap_or_default().clone_into(&mut draft.preset);
    draft.prompt.style = trial.style;
    match task {
        Some(_) => Ok(()),
        None => Err(format!(
            "The task “{}” is gone from the library: the prompt in Play is another one.",
            trial.task
        )),
    }
}

fn info(trial: &Trial) -> ModelInfo {
    let stamp = &trial.model;
    ModelInfo {
        name: stamp.file.clone(),
        path: stamp.file.clone().into(),
        bytes: stamp.bytes,
        fingerprint: stamp.fingerprint.clone(),
        architecture: stamp.architecture.clone(),
        quantization: stamp.quantization.clone(),
        device: stamp.device.clone(),
        n_threads: stamp.n_threads,
        n_ctx: stamp.n_ctx,
        ..ModelInfo::default()
    }
}
