//! Which plan `bench` runs: one that is named, or one made of tasks and presets.

use std::path::Path;

use super::args::BenchArguments;
use super::table::counted;
use super::{out, run};
use crate::lab::{Ablation, Inputs, Plan, PresetChoice, Retry};
use crate::prompt::PromptStyle;
use crate::store::{Library, MAX_DOCUMENT, read_given};

/// The plan that is named, or one made of what else is given.
pub(super) fn plan(arguments: &BenchArguments, library: &Library) -> Result<Plan, String> {
    if let Some(name) = &arguments.plan {
        return named_plan(name, library);
    }
    if arguments.task.is_empty() {
        let known: Vec<_> = library.plans.iter().map(|it| it.name.as_str()).collect();
        return Err(format!(
            "no plan is given; PLAN; name a file or one of {}, or use --task and --preset",
            known.join(", ")
        ));
    }
    check_names(arguments, library)?;
    own_plan(arguments)
}

/// Whether there is something to run, and every task and preset by the names that were typed.
fn check_names(arguments: &BenchArguments, library: &Library) -> Result<(), String> {
    for name in &arguments.task {
        let task = run::task(name, library)?;
        let n = task.inputs.len();
        if let Some(asked) = arguments.inputs.filter(|it| *it > n) {
            let inputs = counted(n as u64, "input");
            out::say(&format!(
                "warning: --inputs {asked}: task {name} has only {inputs}"
            ));
        }
    }
    if arguments.preset.is_empty() && arguments.ablate.is_none() {
        let known: Vec<_> = library.presets.iter().map(|it| it.name.as_str()).collect();
        return Err(format!(
            "no preset is given; --preset; give --preset with some of {}",
            known.join(", ")
        ));
    }
    for name in &arguments.preset {
        run::preset(name, library)?;
    }
    Ok(())
}

fn own_plan(arguments: &BenchArguments) -> Result<Plan, String> {
    Ok(Plan {
        name: "own".to_owned(),
        title: "Own plan".to_owned(),
        about: String::new(),
        models: Vec::new(),
        tasks: arguments.task.clone(),
        inputs: arguments.inputs.map_or(Inputs::All, Inputs::First),
        styles: arguments
            .style
            .iter()
            .map(|it| PromptStyle::from(*it))
            .collect(),
        presets: arguments
            .preset
            .iter()
            .cloned()
            .map(PresetChoice::Named)
            .collect(),
        ablation: arguments.ablate.as_deref().map(ablation).transpose()?,
        reference: None,
        seeds: match arguments.seeds {
            0 => Vec::new(),
            n => (42..42 + n).collect(),
        },
        examples: Vec::new(),
        retry: Retry::default(),
        parallel: 1,
        other: serde_json::Map::new(),
    })
}

/// A file, or a plan by its name; a folder of that name, such as the one that `bench` makes, does not stand in its way.
fn named_plan(name: &Path, library: &Library) -> Result<Plan, String> {
    let known = library.plans.iter().find(|it| Path::new(&it.name) == name);
    if let Some(plan) = known.filter(|_| !name.is_file()) {
        return Ok(plan.clone());
    }
    let place = name.display();
    let text = read_given(name, MAX_DOCUMENT).map_err(|it| {
        let known: Vec<_> = library.plans.iter().map(|it| it.name.as_str()).collect();
        format!(
            "cannot read the plan: {it}; {place}; check the path, or name one of {}",
            known.join(", ")
        )
    })?;
    let plan = Plan::parse(&text, &place.to_string()).map_err(|it| it.to_string())?;
    for it in plan.slips() {
        out::say(&format!("warning: {place}: {it}"));
    }
    Ok(plan)
}

fn ablation(text: &str) -> Result<Ablation, String> {
    let (base, target) = text
        .split_once(':')
        .ok_or_else(|| format!("{text} names one preset; --ablate; write BASE:TARGET"))?;
    Ok(Ablation {
        base: base.to_owned(),
        target: target.to_owned(),
    })
}
