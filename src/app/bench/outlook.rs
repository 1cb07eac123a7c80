//! What a plan in the making asks for and will take, or what is wrong with it: worked out when it changes.

use std::path::{Path, PathBuf};

use super::PlanDraft;
use crate::app::{FoundModel, Library};
use crate::lab::{Plan, PlanError, Preset, Speeds, shipped_plans};

/// More replies than this are not put together in the window.
const MAX_REPLIES: usize = 100_000;

/// A part of the plan builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanField {
    Name,
    Models,
    Tasks,
    Inputs,
    Presets,
    Ablation,
    Seeds,
    Retry,
    Parallel,
    /// Several parts together.
    Whole,
}

/// What is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub field: PlanField,
    pub text: String,
}

/// What the draft comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outlook {
    /// None while the draft has a fault.
    pub plan: Option<Plan>,
    pub faults: Vec<Fault>,
    /// Replies on one model.
    pub n_cells: usize,
    /// Tokens of all of them on one model, at most.
    pub most_tokens: u64,
    /// The presets that are run, those of the ablation among them.
    pub presets: Vec<String>,
    pub models: Vec<ModelOutlook>,
}

/// What the plan will take on one model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelOutlook {
    pub path: PathBuf,
    pub title: String,
    /// None where no earlier reply of the model is known.
    pub estimate: Option<crate::lab::Estimate>,
}

/// What the outlook is worked out from.
pub(super) struct Surroundings<'a> {
    pub(super) library: &'a Library,
    pub(super) found: &'a [FoundModel],
    /// The loaded model's file.
    pub(super) loaded: Option<&'a Path>,
    pub(super) speeds: &'a Speeds,
}

impl Fault {
    pub(super) fn at(field: PlanField, text: impl Into<String>) -> Self {
        Self {
            field,
            text: text.into(),
        }
    }
}

impl Outlook {
    pub(super) fn of(draft: &PlanDraft, around: &Surroundings<'_>) -> Self {
        let mut outlook = Self::default();
        match draft.plan() {
            Err(faults) => outlook.faults = faults,
            Ok(plan) => {
                if let Err(fault) = outlook.fill(&plan, around) {
                    outlook.faults.push(fault);
                }
                outlook.plan = outlook.faults.is_empty().then_some(plan);
            }
        }
        outlook
    }

    /// The first fault of a part.
    pub fn fault(&self, field: PlanField) -> Option<&str> {
        let found = self.faults.iter().find(|it| it.field == field);
        found.map(|it| it.text.as_str())
    }

    /// Replies on all models.
    pub fn n_replies(&self) -> usize {
        self.n_cells * self.models.len().max(1)
    }

    /// Tokens and seconds over all models; none unless something is known of each of them.
    pub fn expected(&self) -> Option<(f64, f64)> {
        let known: Option<Vec<_>> = self.models.iter().map(|it| it.estimate).collect();
        let known = known.filter(|it| !it.is_empty())?;
        let tokens = known.iter().map(|it| it.tokens).sum();
        Some((tokens, known.iter().map(|it| it.seconds).sum()))
    }

    fn fill(&mut self, plan: &Plan, around: &Surroundings<'_>) -> Result<(), Fault> {
        let whole = |it: PlanError| Fault::at(PlanField::Whole, sentence(&it));
        let library = around.library;
        let presets = plan.presets(&library.presets).map_err(whole)?;
        self.presets = presets.iter().map(|it| it.name.clone()).collect();
        let n = n_replies(plan, library, &presets);
        if n > MAX_REPLIES {
            let text = format!(
                "The plan asks for more than {MAX_REPLIES} replies on a model: leave out inputs, seeds or presets."
            );
            return Err(Fault::at(PlanField::Whole, text));
        }
        let cells = plan.cells(&library.tasks, &presets).map_err(whole)?;
        self.n_cells = cells.len();
        self.most_tokens = plan.n_tokens(&cells);
        for path in paths(&plan.models, around) {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            self.models.push(ModelOutlook {
                title: title(&path, around.found),
                estimate: around.speeds.estimate(&file, &cells),
                path,
            });
        }
        Ok(())
    }
}

/// Whether a plan of this name is part of the program: own plans take other names.
pub(super) fn is_shipped(name: &str) -> bool {
    let file = format!("{name}.json");
    shipped_plans().iter().any(|it| it.0 == file)
}

/// The files of the plan's models; without any the loaded one.
pub(super) fn paths(models: &[String], around: &Surroundings<'_>) -> Vec<PathBuf> {
    if models.is_empty() {
        return around.loaded.map(Path::to_owned).into_iter().collect();
    }
    let path = |it: &String| {
        let named = around.found.iter().find(|found| found.name == *it);
        named.map_or_else(|| PathBuf::from(it), |found| found.path.clone())
    };
    models.iter().map(path).collect()
}

/// What people know a model by.
fn title(path: &Path, found: &[FoundModel]) -> String {
    let known = found.iter().find(|it| it.path == path);
    known.map_or_else(
        || {
            let name = path.file_name().unwrap_or(path.as_os_str());
            name.to_string_lossy().into_owned()
        },
        |it| it.name.clone(),
    )
}

/// At least the number of cells, without making them.
fn n_replies(plan: &Plan, library: &Library, presets: &[Preset]) -> usize {
    let n_inputs = |id: &String| match (&plan.inputs, library.task(id)) {
        (crate::lab::Inputs::These(numbers), _) => numbers.len(),
        (_, None) => 0,
        (crate::lab::Inputs::First(n), Some(task)) => task.inputs.len().min(*n),
        (crate::lab::Inputs::All, Some(task)) => task.inputs.len(),
    };
    let inputs: usize = plan.tasks.iter().map(n_inputs).sum();
    [
        presets.len(),
        plan.styles.len().max(1),
        plan.seeds.len().max(1),
        plan.examples.len().max(1),
    ]
    .iter()
    .fold(inputs, |all, n| all.saturating_mul(*n))
}

/// What is wrong and what to do; that it is this plan is plain to see.
fn sentence(error: &PlanError) -> String {
    let mut chars = error.what.chars();
    let first = chars.next().map(|it| it.to_uppercase().to_string());
    format!(
        "{}{}: {}.",
        first.unwrap_or_default(),
        chars.as_str(),
        error.advice
    )
}
