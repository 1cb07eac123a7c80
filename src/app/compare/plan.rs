//! The columns as a plan for Bench: their presets, each once, on the task's input.

use std::collections::BTreeSet;

use serde_json::Map;

use super::CompareDraft;
use super::actions::is_same;
use crate::lab::{Inputs, Plan, Preset, PresetChoice, Retry};
use crate::store::Library;

/// Fails where a plan could not say what the columns were run on.
pub(super) fn plan(draft: &CompareDraft, library: &Library) -> Result<Plan, String> {
    let Some(input) = draft.unchanged_input(library) else {
        return Err(
            "A plan runs on a task's own inputs: pick one of them in place of your text."
                .to_owned(),
        );
    };
    if draft.columns.iter().any(|it| !it.thinking.is_template()) {
        return Err(
            "A plan cannot switch thinking on or off: leave it to the model in every column."
                .to_owned(),
        );
    }
    let title = library
        .task(&draft.task)
        .map_or(draft.task.as_str(), |it| it.title.as_str());
    let presets = presets(draft);
    if presets.len() < 2 {
        return Err(
            "The columns have one preset among them: a plan compares two or more.".to_owned(),
        );
    }
    let name = format!("compare-{}-{}", draft.task, input + 1);
    let titles: Vec<&str> = presets.iter().map(|it| it.title.as_str()).collect();
    Ok(Plan {
        name: free_name(&name, |it| library.plans.iter().any(|plan| plan.name == it)),
        title: format!("{title}, input {}: {}", input + 1, titles.join(" / ")),
        about: "Made from the columns of Compare.".to_owned(),
        models: Vec::new(),
        tasks: vec![draft.task.clone()],
        inputs: Inputs::These(vec![input + 1]),
        styles: Vec::new(),
        reference: presets.first().map(|it| it.name.clone()),
        presets: presets.into_iter().map(|it| choice(it, library)).collect(),
        ablation: None,
        seeds: Vec::new(),
        examples: Vec::new(),
        retry: Retry::default(),
        parallel: 1,
        other: Map::new(),
    })
}

/// Those of the columns, each once and under a name of its own.
fn presets(draft: &CompareDraft) -> Vec<Preset> {
    let mut presets: Vec<Preset> = Vec::new();
    for column in &draft.columns {
        let mut preset = column.preset.clone();
        if presets.iter().any(|it| is_same(it, &preset)) {
            continue;
        }
        let names: BTreeSet<&str> = presets.iter().map(|it| it.name.as_str()).collect();
        preset.name = free_name(&preset.name, |it| names.contains(it));
        presets.push(preset);
    }
    presets
}

/// A preset of the library by its name, any other whole.
fn choice(preset: Preset, library: &Library) -> PresetChoice {
    match library.preset(&preset.name) {
        Some(known) if is_same(known, &preset) => PresetChoice::Named(preset.name),
        _ => PresetChoice::Own(Box::new(preset)),
    }
}

fn free_name(wish: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(wish) {
        return wish.to_owned();
    }
    let mut numbered = (2_usize..).map(|it| format!("{wish}-{it}"));
    numbered
        .find(|it| !is_taken(it))
        .unwrap_or_else(|| wish.to_owned())
}
