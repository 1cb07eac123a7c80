//! A plan in the making: any text is allowed here, nothing that was typed is lost.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::outlook::{Fault, PlanField};
use crate::lab::{
    Ablation, Inputs, MAX_PARALLEL, MOST_RETRIES, Plan, Preset, PresetChoice, Retry, RetryPolicy,
};
use crate::prompt::{ExampleValues, PromptStyle, is_name};

/// Seeds that a plan may ask for in the window; more are a slip of the pen.
const MAX_SEEDS: usize = 1_000;
/// Drafts that are kept beside the one in work.
const MAX_KEPT: usize = 10;

/// The draft in work and earlier ones that were never saved as plans, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanDrafts {
    pub v: u32,
    pub draft: PlanDraft,
    pub kept: Vec<PlanDraft>,
    /// Fields this version does not know, kept as they were.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// All that is chosen and typed in the plan builder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanDraft {
    pub name: String,
    pub title: String,
    pub about: String,
    /// By path; empty for the loaded model.
    pub models: Vec<String>,
    /// By id.
    pub tasks: Vec<String>,
    pub inputs: InputsDraft,
    /// In place of the presets' own; empty for those.
    pub styles: Vec<PromptStyle>,
    /// By name, in the order of the rows.
    pub presets: Vec<String>,
    /// Presets that stand whole in the plan, as their files would hold them.
    pub own_presets: Vec<Value>,
    pub ablation: AblationDraft,
    /// Empty for the ablation's base, else the first preset.
    pub reference: String,
    pub seeds: String,
    pub examples: Vec<ExampleValues>,
    pub retry: RetryDraft,
    /// Replies that are evaluated together; 0 and 1 for each alone.
    pub parallel: u32,
    /// The plan that it was made of, whole: what the window does not show stays as it was.
    pub from: Value,
}

/// Which inputs of each task. All choices are kept while another is in use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputsDraft {
    pub kind: InputsKind,
    pub first: usize,
    /// Numbers from 1.
    pub numbers: BTreeSet<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputsKind {
    #[default]
    All,
    First,
    Chosen,
}

/// From which preset to which, one knob at a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AblationDraft {
    pub is_on: bool,
    pub base: String,
    pub target: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RetryDraft {
    pub policy: RetryPolicy,
    pub most: u32,
    /// JSON that stands for the value after the last failure; empty for none.
    pub default: String,
}

impl Default for InputsDraft {
    fn default() -> Self {
        Self {
            kind: InputsKind::All,
            first: 4,
            numbers: BTreeSet::new(),
        }
    }
}

impl Default for RetryDraft {
    fn default() -> Self {
        Self {
            policy: RetryPolicy::None,
            most: 1,
            default: String::new(),
        }
    }
}

impl RetryDraft {
    /// Retries that can be asked for.
    pub const RANGE: RangeInclusive<u32> = 1..=MOST_RETRIES as u32;
}

impl PlanDrafts {
    /// Puts another draft in place; what was in work is kept unless it says nothing that a saved plan does not.
    pub fn put(&mut self, draft: PlanDraft, saved: &[Plan]) {
        let old = std::mem::replace(&mut self.draft, draft);
        let is_saved = saved.iter().any(|it| PlanDraft::of(it) == old);
        if !is_saved && !old.is_empty() {
            self.kept.retain(|it| *it != old);
            self.kept.insert(0, old);
            self.kept.truncate(MAX_KEPT);
        }
    }
}

impl PlanDraft {
    /// Everything of a plan.
    pub fn of(plan: &Plan) -> Self {
        let (mut presets, mut own_presets) = (Vec::new(), Vec::new());
        for choice in &plan.presets {
            match choice {
                PresetChoice::Named(name) => presets.push(name.clone()),
                PresetChoice::Own(preset) => {
                    presets.push(preset.name.clone());
                    own_presets.push(preset.to_json());
                }
            }
        }
        let ablation = plan.ablation.as_ref();
        Self {
            name: plan.name.clone(),
            title: plan.title.clone(),
            about: plan.about.clone(),
            models: plan.models.clone(),
            tasks: plan.tasks.clone(),
            inputs: InputsDraft::of(&plan.inputs),
            styles: plan.styles.clone(),
            presets,
            own_presets,
            ablation: AblationDraft {
                is_on: ablation.is_some(),
                base: ablation.map(|it| it.base.clone()).unwrap_or_default(),
                target: ablation.map(|it| it.target.clone()).unwrap_or_default(),
            },
            reference: plan.reference.clone().unwrap_or_default(),
            seeds: seeds_text(&plan.seeds),
            examples: plan.examples.clone(),
            retry: RetryDraft::of(&plan.retry),
            parallel: if plan.parallel > 1 { plan.parallel } else { 0 },
            from: plan.to_json(),
        }
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The plan that this says; else all that is wrong with it, each with its place.
    pub fn plan(&self) -> Result<Plan, Vec<Fault>> {
        let mut faults = Vec::new();
        self.check(&mut faults);
        let seeds = seeds(&self.seeds).unwrap_or_else(|text| {
            faults.push(Fault::at(PlanField::Seeds, text));
            Vec::new()
        });
        let retry = self.retry.retry().unwrap_or_else(|text| {
            faults.push(Fault::at(PlanField::Retry, text));
            Retry::default()
        });
        let presets = self.choices().unwrap_or_else(|text| {
            faults.push(Fault::at(PlanField::Presets, text));
            Vec::new()
        });
        let base = Plan::parse(&self.from.to_string(), "the draft").ok();
        let title = self.title.trim();
        let plan = Plan {
            name: self.name.trim().to_owned(),
            title: if title.is_empty() { &self.name } else { title }.to_owned(),
            about: self.about.trim().to_owned(),
            models: self.models.clone(),
            tasks: self.tasks.clone(),
            inputs: self.inputs.inputs(),
            styles: self.styles.clone(),
            presets,
            ablation: self.ablation.is_on.then(|| Ablation {
                base: self.ablation.base.clone(),
                target: self.ablation.target.clone(),
            }),
            reference: Some(self.reference.clone()).filter(|it| !it.is_empty()),
            seeds,
            examples: self.examples.clone(),
            retry,
            parallel: self.parallel.clamp(1, MAX_PARALLEL),
            other: base.map(|it| it.other).unwrap_or_default(),
        };
        if faults.is_empty() {
            Ok(plan)
        } else {
            Err(faults)
        }
    }

    /// What can be said without the library.
    fn check(&self, faults: &mut Vec<Fault>) {
        let mut fault = |is_wrong: bool, field, text: &str| {
            if is_wrong {
                faults.push(Fault::at(field, text));
            }
        };
        let name = self.name.trim();
        fault(
            !is_name(name) || name.starts_with('.'),
            PlanField::Name,
            "The plan needs a name of letters, digits, “-”, “_”, “.” and “+”: type one.",
        );
        fault(
            self.tasks.is_empty(),
            PlanField::Tasks,
            "No task is chosen: switch one on.",
        );
        let is_chosen = self.inputs.kind == InputsKind::Chosen;
        fault(
            is_chosen && self.inputs.numbers.is_empty(),
            PlanField::Inputs,
            "No input is chosen: pick some, or take all.",
        );
        let ablation = &self.ablation;
        fault(
            self.presets.is_empty() && !ablation.is_on,
            PlanField::Presets,
            "No preset is chosen: switch one on, or use one knob at a time.",
        );
        let is_half = ablation.base.is_empty() || ablation.target.is_empty();
        fault(
            ablation.is_on && is_half,
            PlanField::Ablation,
            "One knob at a time goes from a preset to another: choose both.",
        );
        fault(
            ablation.is_on && !is_half && ablation.base == ablation.target,
            PlanField::Ablation,
            "Base and target are the same preset, so no knob differs: choose another target.",
        );
    }

    fn choices(&self) -> Result<Vec<PresetChoice>, String> {
        let own = |name: &str| {
            let mut all = self.own_presets.iter();
            all.find(|it| it.get("name").and_then(Value::as_str) == Some(name))
        };
        let choice = |name: &String| match own(name) {
            None => Ok(PresetChoice::Named(name.clone())),
            Some(json) => Preset::parse(&json.to_string(), &self.name)
                .map(|it| PresetChoice::Own(Box::new(it)))
                .map_err(|it| format!("The plan's own preset {name} cannot be used: {it}.")),
        };
        self.presets.iter().map(choice).collect()
    }
}

impl InputsDraft {
    fn of(inputs: &Inputs) -> Self {
        let mut draft = Self::default();
        match inputs {
            Inputs::All => {}
            Inputs::First(n) => {
                draft.kind = InputsKind::First;
                draft.first = *n;
            }
            Inputs::These(numbers) => {
                draft.kind = InputsKind::Chosen;
                draft.numbers = numbers.iter().copied().collect();
            }
        }
        draft
    }

    fn inputs(&self) -> Inputs {
        match self.kind {
            InputsKind::All => Inputs::All,
            InputsKind::First => Inputs::First(self.first.max(1)),
            InputsKind::Chosen => Inputs::These(self.numbers.iter().copied().collect()),
        }
    }
}

impl RetryDraft {
    fn of(retry: &Retry) -> Self {
        Self {
            policy: retry.policy,
            most: retry.most.max(1),
            default: retry
                .default
                .as_ref()
                .map(Value::to_string)
                .unwrap_or_default(),
        }
    }

    fn retry(&self) -> Result<Retry, String> {
        if self.policy == RetryPolicy::None {
            return Ok(Retry::default());
        }
        let text = self.default.trim();
        let default = if text.is_empty() {
            None
        } else {
            let value = serde_json::from_str(text);
            Some(value.map_err(|it| {
                format!("What stands for a value that never came is no JSON ({it}): mend it, or leave it empty.")
            })?)
        };
        Ok(Retry {
            policy: self.policy,
            most: self.most.clamp(*Self::RANGE.start(), *Self::RANGE.end()),
            default,
        })
    }
}

/// `42, 44-46` as numbers, each once.
fn seeds(text: &str) -> Result<Vec<u32>, String> {
    let mut seeds = Vec::new();
    let parts = text.split([',', ' ']).map(str::trim);
    for part in parts.filter(|it| !it.is_empty()) {
        let wrong = || format!("“{part}” is no seed: write whole numbers such as 42, 44-46.");
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: u32 = first.parse().map_err(|_not_whole| wrong())?;
        let last: u32 = last.parse().map_err(|_not_whole| wrong())?;
        if last < first {
            return Err(wrong());
        }
        if (last - first) as usize >= MAX_SEEDS || seeds.len() > MAX_SEEDS {
            return Err(format!(
                "“{part}” makes more than {MAX_SEEDS} seeds: take fewer."
            ));
        }
        for seed in first..=last {
            if !seeds.contains(&seed) {
                seeds.push(seed);
            }
        }
    }
    Ok(seeds)
}

/// Runs of numbers stand as a range.
fn seeds_text(seeds: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for seed in seeds {
        match runs.last_mut() {
            Some(run) if run.1.checked_add(1) == Some(*seed) => run.1 = *seed,
            _ => runs.push((*seed, *seed)),
        }
    }
    let texts = runs.iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    });
    texts.collect::<Vec<_>>().join(", ")
}
