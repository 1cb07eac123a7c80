//! The column of knobs: preset, one row a knob, what the penalties count, the order of the chain.

use eframe::egui::{Align, Layout, Ui};

use super::chain_order::chain_order_ui;
use super::token_knobs::token_knobs_ui;
use super::{Part, PlayState};
use crate::app::{Action, Model, RunPhase};
use crate::sampling::{
    Knob, KnobEffect, KnobSpec, Knobs, Order, Origin, Provenance, Scope, provenance,
};
use crate::ui::theme::{self, Tone, icons};
use crate::ui::widgets::{
    Entry, Field, KnobRow, Look, OriginForm, RowOrigin, Segmented, caption, head_with, icon_button,
    knob_row, note, picker, pill, sentence,
};

/// Always in sight; the others while they are set or asked for.
const COMMON: &[Knob] = &[
    Knob::Temperature,
    Knob::TopK,
    Knob::TopP,
    Knob::MinP,
    Knob::RepetitionPenalty,
    Knob::NoRepeatNgramSize,
    Knob::Seed,
    Knob::MaxTokens,
];

const SCOPES: &[(Scope, &str)] = &[
    (Scope::PromptAndReply, "Prompt + reply"),
    (Scope::Reply, "Reply only"),
];

pub(super) fn knobs_ui(model: &mut Model, state: &mut PlayState, ui: &mut Ui) {
    caption(ui, "Sampling");
    let told = Told::of(model);
    let more = state.is_open(Part::MoreKnobs);
    let Model { draft, preview, .. } = model;
    let report = match &preview.shown {
        Some(Ok(view)) => Some(&view.token_knobs),
        _ => None,
    };
    let knobs = &mut draft.knobs;
    rows_ui(knobs, (&shown(knobs, more), &told), ui);
    ui.add_space(theme::SMALL_GAP);
    state.disclosure(ui, Part::MoreKnobs, "More knobs");
    if more || !knobs.logit_bias.is_empty() || !knobs.token_ban.is_empty() {
        token_knobs_ui(knobs, report, state, ui);
    }
    stop_ui(&mut knobs.stop, state, ui);
    ui.add_space(10.0);
    order_ui(&mut knobs.order, ui);
    if state.disclosure(ui, Part::ChainOrder, "Move the stages") {
        ui.scope(|ui| chain_order_ui(knobs, ui));
    }
}

/// What there is to tell of each knob beside its value.
struct Told {
    origins: Vec<Provenance>,
    /// What the knobs did in the reply that is shown.
    effects: Vec<KnobEffect>,
}

impl Told {
    fn of(model: &Model) -> Self {
        let preset = model.library.preset(&model.draft.preset);
        let suggested = model.info().map_or(&[][..], |it| &it.sampling);
        let effects = match &model.run {
            RunPhase::Done { trial, .. } => trial.trace.knobs.clone(),
            _ => Vec::new(),
        };
        Self {
            origins: provenance(&model.draft.knobs, preset.map(|it| &it.knobs), suggested),
            effects,
        }
    }

    fn origin(&self, knob: Knob) -> Option<RowOrigin<'static>> {
        let found = self.origins.iter().find(|it| it.knob == knob)?;
        let (word, form) = match found.origin {
            Origin::Default => ("Default", OriginForm::Hollow),
            Origin::ModelFile => ("From the model's file", OriginForm::Square),
            Origin::Preset => ("From the preset", OriginForm::Filled),
            Origin::Changed => ("Changed by you", OriginForm::Ringed),
        };
        Some(RowOrigin {
            word,
            form,
            back: found.back,
        })
    }

    /// What the self-test found while the knob stood where it stands now.
    fn remark(&self, knob: Knob) -> Option<String> {
        let origin = self.origins.iter().find(|it| it.knob == knob)?;
        let same = |it: &&KnobEffect| it.knob == knob && (it.value - origin.value).abs() < 1e-9;
        let effect = self.effects.iter().find(same).map(KnobEffect::sentence)?;
        effect.split_once(": ").map(|it| sentence(it.1))
    }

    /// What the model's file suggests, if that is another value.
    fn suggested(&self, knob: Knob) -> Option<f64> {
        self.origins.iter().find(|it| it.knob == knob)?.suggested
    }
}

/// The common knobs, those that are set, and all of them where more are asked for.
pub(super) fn shown(knobs: &Knobs, more: bool) -> Vec<Knob> {
    let is_shown = |it: &Knob| more || COMMON.contains(it) || !knobs.is_neutral(*it);
    Knob::ALL.into_iter().filter(is_shown).collect()
}

/// Under a knob that counts tokens, once it is set, stands which tokens it counts.
fn rows_ui(knobs: &mut Knobs, (shown, told): (&[Knob], &Told), ui: &mut Ui) {
    let idle = knobs.idle();
    for &knob in shown {
        let reason = idle.iter().find(|(it, _)| *it == knob);
        one_knob_ui(knobs, (knob, reason.map(|it| it.1.as_str()), told), ui);
        let is_set = !knobs.is_neutral(knob);
        match knob {
            Knob::RepetitionPenalty if is_set => {
                scope_ui(ui, "Penalty counts", &mut knobs.penalty_scope);
            }
            Knob::NoRepeatNgramSize if is_set => {
                scope_ui(ui, "N-gram ban counts", &mut knobs.ngram_scope);
            }
            _ => {}
        }
    }
}

pub(super) fn preset_ui(model: &Model, ui: &mut Ui) -> Option<Action> {
    let presets = &model.library.presets;
    let chosen = presets.iter().find(|it| it.name == model.draft.preset);
    ui.horizontal(|ui| {
        caption(ui, "Preset");
        if chosen.is_some() && !model.draft.is_preset(&model.library) {
            pill(ui, "edited", Tone::Accent).on_hover_text(
                "Knobs, style or constraint have moved on since the preset was picked.",
            );
        }
    });
    let entries: Vec<Entry<'_>> = presets
        .iter()
        .map(|it| Entry {
            title: &it.title,
            about: &it.about,
            chosen: it.name == model.draft.preset,
        })
        .collect();
    let shown = chosen.map_or("Pick a preset", |it| it.title.as_str());
    let picked = ui
        .vertical_centered_justified(|ui| picker(ui, "Preset", shown, &entries))
        .inner?;
    let preset = presets.get(picked)?;
    Some(Action::PickPreset(preset.name.clone()))
}

fn one_knob_ui(knobs: &mut Knobs, (knob, idle, told): (Knob, Option<&str>, &Told), ui: &mut Ui) {
    let spec = knob.spec();
    let remark = told.remark(knob);
    let mut value = knobs.get(knob);
    let row = KnobRow {
        name: spec.name,
        help: spec.help,
        min: spec.min,
        max: spec.max,
        step: spec.step,
        decimals: spec.decimals,
        look: look(spec),
        least: (knob == Knob::PenaltyLastN).then_some("all"),
        idle,
        origin: told.origin(knob),
        remark: remark.as_deref(),
        suggested: told.suggested(knob),
    };
    let changed = if knob == Knob::Seed {
        seed_ui(&row, &mut value, ui)
    } else {
        knob_row(ui, &row, &mut value)
    };
    if changed {
        let fits = if spec.decimals == 0 {
            value.round()
        } else {
            value
        };
        // The widget keeps to the range, so a refusal means a value that is no number: the old one stays.
        drop(knobs.set(knob, fits.clamp(spec.min, spec.max)));
    }
}

/// A seed has a die to throw beside its value.
fn seed_ui(row: &KnobRow<'_>, seed: &mut f64, ui: &mut Ui) -> bool {
    let die = |ui: &mut Ui| icon_button(ui, icons::DICE, "Pick another seed").clicked();
    let (_, typed, thrown) = head_with(ui, row, seed, die);
    if thrown {
        *seed = next_seed(*seed);
    }
    thrown || typed
}

/// A walk through small numbers that does not repeat soon: seeds are told to others, so they should be short.
pub(super) fn next_seed(seed: f64) -> f64 {
    (seed * 7_621.0 + 1.0).rem_euclid(32_768.0)
}

pub(super) fn look(spec: &KnobSpec) -> Look {
    let span = spec.max - spec.min;
    match spec.decimals {
        0 if span > 2_000.0 => Look::Value,
        0 if span > 50.0 && spec.min >= 0.0 => Look::LogSlider,
        _ => Look::Slider,
    }
}

fn scope_ui(ui: &mut Ui, name: &str, scope: &mut Scope) {
    note(ui, name);
    Segmented::new(name).stretch().show(ui, scope, SCOPES);
    ui.add_space(8.0);
}

fn stop_ui(stop: &mut Vec<String>, state: &mut PlayState, ui: &mut Ui) {
    ui.horizontal(|ui| {
        state.disclosure(ui, Part::StopTexts, "Stop texts");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if !stop.is_empty() {
                pill(ui, &stop.len().to_string(), Tone::Quiet);
            }
        });
    });
    if !state.is_open(Part::StopTexts) {
        return;
    }
    let mut text = stop.join("\n");
    if Field::new("One a line; the reply ends where one appears")
        .code()
        .rows(2)
        .show(ui, &mut text)
    {
        // A last empty row is kept while it is typed: it is how the next text begins.
        *stop = if text.is_empty() {
            Vec::new()
        } else {
            text.split('\n').map(str::to_owned).collect()
        };
    }
}

#[derive(Clone, Copy, PartialEq)]
enum OrderChoice {
    Transformers,
    LlamaCpp,
    Other,
}

fn order_ui(order: &mut Order, ui: &mut Ui) {
    caption(ui, "Order of the chain");
    let mut choice = if *order == Order::transformers() {
        OrderChoice::Transformers
    } else if *order == Order::llama_cpp() {
        OrderChoice::LlamaCpp
    } else {
        OrderChoice::Other
    };
    let mut choices = vec![
        (OrderChoice::Transformers, "Transformers"),
        (OrderChoice::LlamaCpp, "llama.cpp"),
    ];
    if choice == OrderChoice::Other {
        choices.push((OrderChoice::Other, "Own"));
    }
    if Segmented::new("Order")
        .stretch()
        .show(ui, &mut choice, &choices)
    {
        *order = match choice {
            OrderChoice::Transformers => Order::transformers(),
            OrderChoice::LlamaCpp => Order::llama_cpp(),
            OrderChoice::Other => order.clone(),
        };
    }
    let about = match choice {
        OrderChoice::Transformers => "Temperature before top-k, top-p and min-p.",
        OrderChoice::LlamaCpp => "Temperature last, after the cuts.",
        OrderChoice::Other => "As the preset has it.",
    };
    note(ui, about);
}
