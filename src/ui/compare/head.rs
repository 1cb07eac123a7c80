//! The head of a column: its preset, its model, and the one thing that it does otherwise.

use eframe::egui::{DragValue, Label, RichText, Ui, vec2};

use super::CompareState;
use crate::app::{ColumnChange, ColumnDraft, CompareAction, Model, RunPhase};
use crate::lab::ConstraintChoice;
use crate::prompt::{PromptStyle, Thinking, has_switch};
use crate::sampling::Knob;
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{Entry, Segmented, icon, icon_button, note, picker};

/// What a column's change row turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Knob(Knob),
    Constraint,
    Style,
    Thinking,
}

const THINKING: &[(Thinking, &str)] = &[
    (Thinking::Template, "Model's"),
    (Thinking::On, "On"),
    (Thinking::Off, "Off"),
];
const CONSTRAINTS: &[(ConstraintChoice, &str)] = &[
    (ConstraintChoice::None, "None"),
    (ConstraintChoice::TaskGrammar, "Grammar"),
    (ConstraintChoice::TaskSchema, "Schema"),
];
const STYLES: &[(PromptStyle, &str)] = &[
    (PromptStyle::Plain, "Plain"),
    (PromptStyle::Example, "Example"),
    (PromptStyle::Schema, "Schema"),
];

/// From this width on the buttons stand beside the preset.
const WIDE: f32 = 430.0;

pub(super) fn head_ui(
    model: &Model,
    (state, idx): (&mut CompareState, usize),
    ui: &mut Ui,
    push: &mut dyn FnMut(CompareAction),
) {
    let column = &model.compare.draft.columns[idx];
    let letter = letter(model, idx);
    if ui.available_width() >= WIDE {
        ui.horizontal(|ui| {
            preset_ui(model, (column, &letter), ui, push);
            buttons_ui(model, state, (idx, &letter), (ui, push));
        });
    } else {
        preset_ui(model, (column, &letter), ui, push);
        buttons_ui(model, state, (idx, &letter), (ui, push));
    }
    model_ui(model, (column, &letter), ui, push);
    if state.changing.contains(&column.id) {
        let can_think = can_think(model) || !column.thinking.is_template();
        change_ui((state, can_think), (column, &letter), ui, push);
    }
}

/// A, B, C …
pub(super) fn letter(model: &Model, idx: usize) -> String {
    let name = model.compare.draft.name(idx);
    name.chars().take(1).collect()
}

fn preset_ui(
    model: &Model,
    (column, letter): (&ColumnDraft, &str),
    ui: &mut Ui,
    push: &mut dyn FnMut(CompareAction),
) {
    let presets = &model.library.presets;
    let entries: Vec<Entry<'_>> = presets
        .iter()
        .map(|it| Entry {
            title: &it.title,
            about: &it.about,
            chosen: it.name == column.preset.name,
        })
        .collect();
    ui.horizontal(|ui| {
        let text = RichText::new(letter).font(theme::semibold(theme::TITLE));
        ui.label(text.color(palette(ui).accent));
        let name = format!("Preset of {letter}");
        let picked = picker(ui, &name, &column.preset.title, &entries);
        if let Some(preset) = picked.and_then(|it| presets.get(it)) {
            push(CompareAction::PickPreset(column.id, preset.name.clone()));
        }
    });
}

fn buttons_ui(
    model: &Model,
    state: &mut CompareState,
    (idx, letter): (usize, &str),
    (ui, push): (&mut Ui, &mut dyn FnMut(CompareAction)),
) {
    let id = model.compare.draft.columns[idx].id;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let has_room = model.compare.has_room();
        let copy = ui.add_enabled_ui(has_room, |ui| {
            icon_button(
                ui,
                icons::COPY,
                &format!("Duplicate {letter} and change one knob"),
            )
            .clicked()
        });
        if copy.inner {
            state.awaits_copy = true;
            push(CompareAction::Duplicate(id));
        }
        if icon_button(ui, icons::PENCIL, &format!("Change a knob of {letter}")).clicked()
            && !state.changing.remove(&id)
        {
            state.changing.insert(id);
        }
        let can_open = !model.is_running();
        let open = ui.add_enabled_ui(can_open, |ui| {
            icon_button(ui, icons::ARROW_RIGHT, &format!("Open {letter} in Play")).clicked()
        });
        if open.inner {
            push(CompareAction::OpenInPlay(id));
        }
        reference_ui(model, (idx, letter), ui, push);
        if icon_button(ui, icons::TRASH, &format!("Remove {letter}")).clicked() {
            push(CompareAction::Remove(id));
        }
    });
}

/// Which column the others are held against.
fn reference_ui(
    model: &Model,
    (idx, letter): (usize, &str),
    ui: &mut Ui,
    push: &mut dyn FnMut(CompareAction),
) {
    let draft = &model.compare.draft;
    if draft.reference_place() == idx {
        let name = format!("The others are held against {letter}");
        let sign = icon(icons::CHECK_CIRCLE, 15.0).color(palette(ui).accent);
        ui.add_sized(vec2(theme::CONTROL, theme::CONTROL), Label::new(sign))
            .accessible_name(&name)
            .on_hover_text(name);
    } else if icon_button(
        ui,
        icons::CHECK_CIRCLE,
        &format!("Hold the others against {letter}"),
    )
    .clicked()
    {
        push(CompareAction::MakeReference(draft.columns[idx].id));
    }
}

/// Only where there is a choice.
fn model_ui(
    model: &Model,
    (column, letter): (&ColumnDraft, &str),
    ui: &mut Ui,
    push: &mut dyn FnMut(CompareAction),
) {
    if model.models.len() < 2 && column.model.is_none() {
        return;
    }
    let loaded = model.info().map_or("none", |it| it.name.as_str());
    let as_loaded = format!("Loaded model ({loaded})");
    let mut entries = vec![Entry {
        title: &as_loaded,
        about: "Whichever model is loaded when the columns are run",
        chosen: column.model.is_none(),
    }];
    entries.extend(model.models.iter().map(|it| Entry {
        title: &it.name,
        about: &it.quantization,
        chosen: column.model.as_ref() == Some(&it.path),
    }));
    let own = column.model.as_ref();
    let known = model.models.iter().find(|it| Some(&it.path) == own);
    let ran_on = match model.compare.run(column.id) {
        Some(RunPhase::Done { reply, .. }) => Some(reply.assembly.model.name.as_str()),
        _ => None,
    };
    let shown = match (own, known) {
        (None, _) => ran_on.unwrap_or("Loaded model"),
        (Some(_), Some(it)) => it.name.as_str(),
        (Some(_), None) => "A model that is not found",
    };
    let picked = picker(ui, &format!("Model of {letter}"), shown, &entries);
    match picked {
        Some(0) => push(CompareAction::PickModel(column.id, None)),
        Some(nth) => {
            let path = model.models.get(nth - 1).map(|it| it.path.clone());
            push(CompareAction::PickModel(column.id, path));
        }
        None => {}
    }
}

/// The knobs that the preset sets come first: one of them is what broke the reply.
fn change_ui(
    (state, can_think): (&mut CompareState, bool),
    (column, letter): (&ColumnDraft, &str),
    ui: &mut Ui,
    push: &mut dyn FnMut(CompareAction),
) {
    let all = choices(column, can_think);
    let first = all.first().copied().unwrap_or(Change::Style);
    let chosen = state.changes.entry(column.id).or_insert(first);
    let entries: Vec<Entry<'_>> = all
        .iter()
        .map(|it| Entry {
            title: it.name(),
            about: it.help(),
            chosen: it == chosen,
        })
        .collect();
    let name = format!("Setting to change in {letter}");
    if let Some(picked) = picker(ui, &name, chosen.name(), &entries) {
        *chosen = all.get(picked).copied().unwrap_or(first);
    }
    let push = &mut |change| push(CompareAction::Change(column.id, change));
    match *chosen {
        Change::Knob(knob) => knob_ui((column, knob), letter, ui, push),
        Change::Constraint => {
            let mut choice = column.preset.constraint.clone();
            let group = format!("Constraint of {letter}");
            if Segmented::new(&group)
                .stretch()
                .show(ui, &mut choice, CONSTRAINTS)
            {
                push(ColumnChange::Constraint(choice));
            }
        }
        Change::Style => {
            let mut style = column.preset.style;
            let group = format!("Prompt style of {letter}");
            if Segmented::new(&group)
                .stretch()
                .show(ui, &mut style, STYLES)
            {
                push(ColumnChange::Style(style));
            }
        }
        Change::Thinking => {
            let mut thinking = column.thinking;
            let group = format!("Thinking of {letter}");
            if Segmented::new(&group)
                .stretch()
                .show(ui, &mut thinking, THINKING)
            {
                push(ColumnChange::Thinking(thinking));
            }
        }
    }
}

fn knob_ui(
    (column, knob): (&ColumnDraft, Knob),
    letter: &str,
    ui: &mut Ui,
    push: &mut dyn FnMut(ColumnChange),
) {
    let spec = knob.spec();
    ui.horizontal(|ui| {
        let mut value = column.preset.knobs.get(knob);
        ui.spacing_mut().interact_size = vec2(72.0, theme::CONTROL);
        let drag = DragValue::new(&mut value)
            .range(spec.min..=spec.max)
            .speed(spec.step)
            .fixed_decimals(spec.decimals);
        let name = format!("{} in {letter}", spec.name);
        let response = ui.add(drag).accessible_name(name);
        if response.changed() {
            let fits = if spec.is_whole() {
                value.round()
            } else {
                value
            };
            push(ColumnChange::Knob(knob, fits.clamp(spec.min, spec.max)));
        }
        let was = column.base.knobs.get(knob);
        note(ui, format!("{was:.*} in the preset", spec.decimals));
    });
}

fn choices(column: &ColumnDraft, can_think: bool) -> Vec<Change> {
    let knobs = &column.base.knobs;
    let mut all: Vec<Knob> = Knob::ALL.into_iter().collect();
    all.sort_by_key(|it| knobs.is_neutral(*it));
    let knobs = all.into_iter().map(Change::Knob);
    let mut res: Vec<Change> = knobs.collect();
    let at = res.len().min(6);
    let others = [Change::Constraint, Change::Style, Change::Thinking];
    let n_others = if can_think { 3 } else { 2 };
    res.splice(at..at, others.into_iter().take(n_others));
    res
}

impl Change {
    fn name(self) -> &'static str {
        match self {
            Self::Knob(knob) => knob.spec().name,
            Self::Constraint => "Constraint",
            Self::Style => "Prompt style",
            Self::Thinking => "Thinking",
        }
    }

    fn help(self) -> &'static str {
        match self {
            Self::Knob(knob) => knob.spec().help,
            Self::Constraint => "The grammar or the schema of the task, or none.",
            Self::Style => "What stands in the prompt beside the instruction.",
            Self::Thinking => "Whether the model thinks before it answers.",
        }
    }
}

/// Whether the loaded model's template has a switch for thinking.
fn can_think(model: &Model) -> bool {
    let template = model.info().and_then(|it| it.chat_template.as_deref());
    template.is_some_and(has_switch)
}
