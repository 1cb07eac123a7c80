//! Under which settings: presets, one knob at a time, prompt styles, examples, retries.

use eframe::egui::{DragValue, Ui, vec2};

use super::{part_ui, tick_ui, toggle};
use crate::app::{Model, PlanDraft, PlanField, RetryDraft};
use crate::lab::{MAX_PARALLEL, RetryPolicy};
use crate::prompt::{ExampleValues, PromptStyle};
use crate::ui::theme;
use crate::ui::widgets::{Entry, Segmented, line_edit, note, picker, switch, weak};

const STYLES: &[(PromptStyle, &str, &str)] = &[
    (PromptStyle::Plain, "Plain", "The instruction alone."),
    (
        PromptStyle::Example,
        "Example",
        "With the schema and the few-shot examples.",
    ),
    (PromptStyle::Schema, "Schema", "With the schema alone."),
];
const EXAMPLES: &[(ExampleValues, &str, &str)] = &[
    (ExampleValues::Own, "Own values", "As the task has them."),
    (
        ExampleValues::Swapped,
        "Another input's values",
        "What still comes from the example then follows it: a leak.",
    ),
    (
        ExampleValues::Placeholders,
        "Placeholders",
        "Stand-ins such as NAME and 0.",
    ),
];
const POLICIES: &[(RetryPolicy, &str)] = &[
    (RetryPolicy::None, "No retry"),
    (RetryPolicy::Same, "Same prompt"),
    (RetryPolicy::Error, "Error"),
    (RetryPolicy::ErrorAndReply, "Error and reply"),
];

pub(super) fn settings_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    presets_ui(draft, model, ui);
    ablation_ui(draft, model, ui);
    styles_ui(draft, model, ui);
    examples_ui(draft, model, ui);
    retry_ui(draft, model, ui);
    parallel_ui(draft, model, ui);
}

fn presets_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    part_ui(model, (PlanField::Presets, "Presets"), ui, |ui| {
        for preset in &model.library.presets {
            let is_own = own_names(draft).any(|it| it == preset.name);
            let is_on = draft.presets.contains(&preset.name) && !is_own;
            if tick_ui(ui, is_on, (&preset.title, &preset.about)) {
                if is_own {
                    draft
                        .own_presets
                        .retain(|it| it["name"] != preset.name.as_str());
                    draft.presets.retain(|it| *it != preset.name);
                }
                toggle(&mut draft.presets, &preset.name);
            }
        }
        let own: Vec<String> = own_names(draft).map(str::to_owned).collect();
        for name in own {
            let is_on = draft.presets.contains(&name);
            let title = format!("{name}  (the plan's own)");
            let about = "It stands whole in the plan, not among the presets.";
            if tick_ui(ui, is_on, (&title, about)) {
                toggle(&mut draft.presets, &name);
            }
        }
        reference_ui(draft, model, ui);
    });
}

fn own_names(draft: &PlanDraft) -> impl Iterator<Item = &str> {
    draft
        .own_presets
        .iter()
        .filter_map(|it| it["name"].as_str())
}

/// The preset that the others are compared with.
fn reference_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    let outlook = &model.bench.builder.outlook;
    let names = if outlook.presets.is_empty() {
        &draft.presets
    } else {
        &outlook.presets
    };
    if names.len() < 2 && draft.reference.is_empty() {
        return;
    }
    let first = "The first, or the ablation's base";
    let mut entries = vec![Entry {
        title: first,
        about: "",
        chosen: draft.reference.is_empty(),
    }];
    entries.extend(names.iter().map(|it| Entry {
        title: it,
        about: "",
        chosen: *it == draft.reference,
    }));
    let shown = match draft.reference.as_str() {
        "" => first,
        name => name,
    };
    let picked = ui
        .horizontal(|ui| {
            weak(ui, "Compare with");
            picker(ui, "Reference", shown, &entries)
        })
        .inner;
    match picked {
        Some(0) => draft.reference.clear(),
        Some(nth) => {
            if let Some(name) = names.get(nth - 1) {
                draft.reference.clone_from(name);
            }
        }
        None => {}
    }
}

fn ablation_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    part_ui(
        model,
        (PlanField::Ablation, "One knob at a time"),
        ui,
        |ui| {
            ui.horizontal(|ui| {
                switch(ui, &mut draft.ablation.is_on, "Use one knob at a time");
                note(
                    ui,
                    "A preset for each setting in which two presets differ, and both of them.",
                );
            });
            if !draft.ablation.is_on {
                return;
            }
            ui.horizontal_wrapped(|ui| {
                weak(ui, "from");
                preset_picker(model, ("Base", &mut draft.ablation.base), ui);
                weak(ui, "to");
                preset_picker(model, ("Target", &mut draft.ablation.target), ui);
            });
            let outlook = &model.bench.builder.outlook;
            let base = format!("{}+", draft.ablation.base);
            let added = outlook.presets.iter().filter(|it| it.starts_with(&base));
            let added: Vec<&str> = added.map(String::as_str).collect();
            if !added.is_empty() {
                note(ui, format!("Adds {}.", added.join(", ")));
            }
        },
    );
}

fn preset_picker(model: &Model, (name, chosen): (&str, &mut String), ui: &mut Ui) {
    let presets = &model.library.presets;
    let entries: Vec<Entry<'_>> = presets
        .iter()
        .map(|it| Entry {
            title: &it.title,
            about: &it.about,
            chosen: it.name == *chosen,
        })
        .collect();
    let known = presets.iter().find(|it| it.name == *chosen);
    let shown = match (known, chosen.as_str()) {
        (Some(it), _) => it.title.as_str(),
        (None, "") => "Choose",
        (None, other) => other,
    };
    let picked = ui
        .scope(|ui| {
            ui.set_max_width(190.0);
            picker(ui, name, shown, &entries)
        })
        .inner;
    if let Some(preset) = picked.and_then(|it| presets.get(it)) {
        chosen.clone_from(&preset.name);
    }
}

fn styles_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    part_ui(model, (PlanField::Whole, "Prompt styles"), ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            for (style, title, about) in STYLES {
                if tick_ui(ui, draft.styles.contains(style), (title, about)) {
                    toggle(&mut draft.styles, style);
                }
            }
        });
        if draft.styles.is_empty() {
            note(ui, "None ticked: each preset has its own.");
        }
    });
}

fn examples_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    part_ui(
        model,
        (PlanField::Whole, "Values in the examples"),
        ui,
        |ui| {
            ui.horizontal_wrapped(|ui| {
                for (values, title, about) in EXAMPLES {
                    if tick_ui(ui, draft.examples.contains(values), (title, about)) {
                        toggle(&mut draft.examples, values);
                    }
                }
            });
            note(
                ui,
                "None ticked: their own. With others each question is asked again, and the report tells which values follow the example.",
            );
        },
    );
}

fn retry_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    part_ui(model, (PlanField::Retry, "When a reply fails"), ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            Segmented::new("Retry").show(ui, &mut draft.retry.policy, POLICIES);
        });
        if draft.retry.policy == RetryPolicy::None {
            return;
        }
        note(ui, words(draft.retry.policy));
        ui.horizontal(|ui| {
            ui.spacing_mut().interact_size = vec2(56.0, theme::CONTROL);
            weak(ui, "at most");
            ui.add(DragValue::new(&mut draft.retry.most).range(RetryDraft::RANGE))
                .accessible_name("Retries at most");
            weak(ui, "times");
        });
        let hint = "JSON that stands for the value after the last failure; empty for none";
        let edit = line_edit(ui, &mut draft.retry.default, hint)
            .font(theme::mono(theme::CODE))
            .desired_width(f32::INFINITY);
        ui.add(edit).accessible_name("Value after the last failure");
    });
}

fn parallel_ui(draft: &mut PlanDraft, model: &Model, ui: &mut Ui) {
    part_ui(model, (PlanField::Parallel, "At the same time"), ui, |ui| {
        let mut width = draft.parallel.max(1);
        ui.horizontal(|ui| {
            ui.spacing_mut().interact_size = vec2(56.0, theme::CONTROL);
            ui.add(DragValue::new(&mut width).range(1..=MAX_PARALLEL))
                .accessible_name("Replies at the same time");
            weak(ui, if width == 1 { "reply" } else { "replies" });
        });
        draft.parallel = if width == 1 { 0 } else { width };
        note(
            ui,
            if width == 1 {
                "Each reply is what it would be alone, to the bit."
            } else {
                "Quicker, but near-ties can fall otherwise than alone. Every record names the width."
            },
        );
    });
}

fn words(policy: RetryPolicy) -> &'static str {
    match policy {
        RetryPolicy::None => "",
        RetryPolicy::Same => "The same prompt is asked again with the next seed.",
        RetryPolicy::Error => "What was wrong is put into the prompt.",
        RetryPolicy::ErrorAndReply => {
            "The failed reply and what was wrong with it are put into the prompt."
        }
    }
}
