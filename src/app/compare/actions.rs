//! What each wish in Compare changes.

use std::path::PathBuf;

use super::column::ColumnDraft;
use super::playback::PlaybackWish;
use super::queue::{go_on, run};
use super::{COLUMNS, ColumnId, CompareDesk, CompareDraft, markdown, plan};
use crate::app::{Action, BenchAction, Effect, Model, NoticeKind, Reply, RunPhase, Tab};
use crate::engine::Command;
use crate::lab::{ConstraintChoice, Preset};
use crate::prompt::{PromptStyle, Thinking};
use crate::sampling::Knob;
use crate::store::Library;

/// A wish in the Compare view.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareAction {
    /// The input's text was changed by a widget.
    Edited,
    PickTask(String),
    PickInput(usize),
    /// Puts an earlier text of the user's own back.
    RestoreText(usize),
    /// Adds a column with a preset.
    Add(String),
    /// Adds a column with the settings that stand in Play.
    AddFromPlay,
    /// Puts a copy behind the column, to be changed.
    Duplicate(ColumnId),
    Remove(ColumnId),
    /// Holds the others against this column.
    MakeReference(ColumnId),
    PickPreset(ColumnId, String),
    Change(ColumnId, ColumnChange),
    /// None for the model that is loaded.
    PickModel(ColumnId, Option<PathBuf>),
    /// Runs all columns, one after the other.
    Run,
    Playback(PlaybackWish),
    /// Brings the column's prompt and settings to Play, with its reply.
    OpenInPlay(ColumnId),
    CopyMarkdown,
    /// Saves the columns' presets with the task's input as a plan for Bench.
    SavePlan,
}

/// The one thing that a column does otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnChange {
    Knob(Knob, f64),
    Constraint(ConstraintChoice),
    Style(PromptStyle),
    Thinking(Thinking),
}

pub(crate) fn on_compare(model: &mut Model, action: CompareAction) -> Vec<Effect> {
    match action {
        CompareAction::Run => run(model),
        CompareAction::Playback(wish) => {
            let CompareDesk {
                comparison,
                playback,
                ..
            } = &mut model.compare;
            if let Some(comparison) = comparison {
                playback.take(wish, comparison);
            }
            Vec::new()
        }
        CompareAction::OpenInPlay(id) => open_in_play(model, id),
        CompareAction::CopyMarkdown => vec![Effect::CopyText(markdown::markdown(model))],
        CompareAction::SavePlan => save_plan(model),
        edit => {
            let mut effects = on_edit(model, edit);
            effects.push(Effect::SaveCompareDraft);
            effects.extend(go_on(model));
            effects
        }
    }
}

/// The wishes that change the draft.
fn on_edit(model: &mut Model, action: CompareAction) -> Vec<Effect> {
    let Model {
        compare: desk,
        library,
        ..
    } = model;
    let draft = &mut desk.draft;
    match action {
        CompareAction::PickTask(id) => draft.take_task(library, &id),
        CompareAction::PickInput(idx) => draft.take_input(library, idx),
        CompareAction::RestoreText(idx) => draft.restore(library, idx),
        CompareAction::Add(name) => {
            if let Some(preset) = library.preset(&name) {
                draft.add(preset.clone());
                desk.comparison = None;
            }
        }
        CompareAction::AddFromPlay => {
            draft.add(Preset {
                name: "play".to_owned(),
                title: "As in Play".to_owned(),
                ..model.draft.as_preset()
            });
            desk.comparison = None;
        }
        CompareAction::Duplicate(id) => {
            draft.duplicate(id);
            desk.comparison = None;
        }
        CompareAction::Remove(id) => {
            draft.columns.retain(|it| it.id != id);
            let cancelled = desk.forget(id);
            let cancel = |id| Effect::Send(Command::Cancel { id });
            return cancelled.map(cancel).into_iter().collect();
        }
        CompareAction::MakeReference(id) => {
            if draft.place(id).is_some() {
                draft.reference = Some(id);
                desk.comparison = None;
            }
        }
        of_column => on_column(draft, library, of_column),
    }
    Vec::new()
}

/// The wishes that change one column.
fn on_column(draft: &mut CompareDraft, library: &Library, action: CompareAction) {
    match action {
        CompareAction::PickPreset(id, name) => {
            let preset = library.preset(&name);
            with_column(draft, id, |it| {
                if let Some(preset) = preset {
                    it.base.clone_from(preset);
                    it.preset.clone_from(preset);
                }
            });
        }
        CompareAction::Change(id, change) => with_column(draft, id, |it| it.take(change)),
        CompareAction::PickModel(id, path) => with_column(draft, id, |it| it.model = path),
        _ => {}
    }
}

fn with_column(draft: &mut CompareDraft, id: ColumnId, change: impl FnOnce(&mut ColumnDraft)) {
    if let Some(column) = draft.column_mut(id) {
        change(column);
    }
}

impl ColumnDraft {
    fn take(&mut self, change: ColumnChange) {
        match change {
            // The window keeps to the range, so a refusal leaves the old value.
            ColumnChange::Knob(knob, value) => drop(self.set_knob(knob, value)),
            ColumnChange::Constraint(choice) => self.preset.constraint = choice,
            ColumnChange::Style(style) => self.preset.style = style,
            ColumnChange::Thinking(thinking) => self.thinking = thinking,
        }
        self.rename();
    }
}

fn open_in_play(model: &mut Model, id: ColumnId) -> Vec<Effect> {
    let Some(column) = model.compare.draft.column(id).cloned() else {
        return Vec::new();
    };
    if model.is_running() {
        model.notify(NoticeKind::Warning, "A reply is still being written.");
        return Vec::new();
    }
    let Model {
        compare: desk,
        draft,
        library,
        ..
    } = model;
    if let Some(task) = library.task(&desk.draft.task) {
        draft.take_task(task, library);
        match desk.draft.unchanged_input(library) {
            Some(idx) => draft.take_input(task, idx, library),
            None => draft.prompt.input.clone_from(&desk.draft.text),
        }
    }
    draft.take_preset(&column.preset, library);
    draft.prompt.thinking = column.thinking;
    draft.preset.clone_from(&column.base.name);
    if let Some(RunPhase::Done { reply, trial }) = desk.runs.get(&id) {
        let reply = Box::new(Reply {
            assembly: reply.assembly.clone(),
            prefill: None,
            stream: reply.stream.clone(),
            cancelling: false,
        });
        model.run = RunPhase::Done {
            reply,
            trial: trial.clone(),
        };
        model.branch = None;
    }
    model.tab = Tab::Play;
    crate::app::on_action::draft_edited(model)
}

fn save_plan(model: &mut Model) -> Vec<Effect> {
    let plan = match plan::plan(&model.compare.draft, &model.library) {
        Ok(it) => it,
        Err(text) => {
            model.notify(NoticeKind::Warning, text);
            return Vec::new();
        }
    };
    let has_models = model
        .compare
        .draft
        .columns
        .iter()
        .any(|it| it.model.is_some());
    let models = if has_models {
        " A plan names no models: run it on each of them."
    } else {
        ""
    };
    let text = format!(
        "Saved as the plan “{}”; it stands in Bench.{models}",
        plan.title
    );
    model.notify(NoticeKind::Info, text);
    let name = plan.name.clone();
    let effect = Effect::SavePlan(Box::new(plan.clone()));
    model.library.plans.push(plan);
    let pick = Action::Bench(BenchAction::PickPlan(name));
    let mut effects = crate::app::on_action(model, pick);
    effects.push(effect);
    effects
}

impl CompareDesk {
    /// Whether another column can be added.
    pub fn has_room(&self) -> bool {
        self.draft.columns.len() < *COLUMNS.end()
    }
}

/// Two presets under one name would be one preset to a plan.
pub(super) fn is_same(one: &Preset, other: &Preset) -> bool {
    one.to_json() == other.to_json()
}
