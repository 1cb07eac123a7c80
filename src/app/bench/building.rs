//! What each wish in the plan builder changes.

use std::path::PathBuf;

use super::outlook::{Fault, PlanField, Surroundings, is_shipped};
use super::{BenchEffect, Outlook, Page, PlanDraft, PlanDrafts, actions};
use crate::app::{Effect, Model, NoticeKind};
use crate::lab::{Plan, Speeds};

/// A wish in the plan builder.
#[derive(Clone, Debug, PartialEq)]
pub enum BuildAction {
    /// Shows the draft that is in work.
    Open,
    /// Begins an empty plan.
    New,
    /// Begins with all that a plan says.
    Copy(String),
    /// Something was chosen or typed.
    Edited,
    /// Adds a model by its file.
    AddModel(PathBuf),
    /// Opens the system's file dialog for a model.
    BrowseForModel,
    /// Brings back an earlier draft.
    Restore(usize),
    /// Saves the draft among the user's own plans.
    Save,
    /// Runs the draft as it is.
    Run,
    /// Shows the results again; the draft stays.
    Close,
}

/// The plan builder: the drafts, and what the one in work comes to.
#[derive(Debug, Default)]
pub struct Builder {
    pub drafts: PlanDrafts,
    pub outlook: Outlook,
    /// What earlier replies took.
    pub speeds: Speeds,
}

pub(super) fn on_build(model: &mut Model, action: BuildAction) -> Vec<Effect> {
    let Model { bench, library, .. } = &mut *model;
    let drafts = &mut bench.builder.drafts;
    match action {
        BuildAction::Open => {
            bench.page = Page::Builder;
            refresh(model);
            return Vec::new();
        }
        BuildAction::Close => {
            bench.page = Page::Results;
            return Vec::new();
        }
        BuildAction::BrowseForModel => return vec![Effect::Bench(BenchEffect::BrowseForModel)],
        BuildAction::New => {
            let draft = PlanDraft {
                name: free_name("my-plan", &library.plans),
                ..PlanDraft::default()
            };
            drafts.put(draft, &library.plans);
            bench.page = Page::Builder;
        }
        BuildAction::Copy(name) => {
            let Some(plan) = library.plans.iter().find(|it| it.name == name) else {
                return Vec::new();
            };
            drafts.put(copy(plan, &library.plans), &library.plans);
            bench.page = Page::Builder;
        }
        BuildAction::AddModel(path) => add_model(&mut drafts.draft, &path),
        BuildAction::Restore(idx) if idx < drafts.kept.len() => {
            let draft = drafts.kept.remove(idx);
            drafts.put(draft, &library.plans);
        }
        BuildAction::Save => return save(model),
        BuildAction::Run => return run(model),
        BuildAction::Edited | BuildAction::Restore(_) => {}
    }
    refresh(model);
    vec![Effect::Bench(BenchEffect::SaveDraft)]
}

/// What earlier replies took was read.
pub fn on_speeds(model: &mut Model, speeds: Speeds) {
    model.bench.builder.speeds = speeds;
    refresh(model);
}

/// Works the outlook out anew.
pub(in crate::app) fn refresh(model: &mut Model) {
    let outlook = Outlook::of(
        &model.bench.builder.drafts.draft,
        &Surroundings {
            library: &model.library,
            found: &model.models,
            loaded: model.info().map(|it| it.path.as_path()),
            speeds: &model.bench.builder.speeds,
        },
    );
    model.bench.builder.outlook = outlook;
}

impl Model {
    /// Opens the plan builder's drafts as they were left.
    pub fn open_plans(&mut self, drafts: Option<PlanDrafts>) {
        self.bench.builder.drafts = drafts.unwrap_or_default();
        refresh(self);
    }
}

/// An own plan under its name, so that saving it changes it; a shipped one under another.
fn copy(plan: &Plan, known: &[Plan]) -> PlanDraft {
    let mut draft = PlanDraft::of(plan);
    if is_shipped(&plan.name) {
        draft.name = free_name(&format!("my-{}", plan.name), known);
    }
    draft
}

fn free_name(wish: &str, known: &[Plan]) -> String {
    let is_free = |name: &str| known.iter().all(|it| it.name != name);
    let numbered = (2_usize..).map(|it| format!("{wish}-{it}"));
    let mut names = std::iter::once(wish.to_owned()).chain(numbered);
    names.find(|it| is_free(it)).unwrap_or_default()
}

fn add_model(draft: &mut PlanDraft, path: &std::path::Path) {
    let path = path.display().to_string();
    if !draft.models.contains(&path) {
        draft.models.push(path);
    }
}

fn save(model: &mut Model) -> Vec<Effect> {
    refresh(model);
    let builder = &mut model.bench.builder;
    let Some(plan) = builder.outlook.plan.clone() else {
        return Vec::new();
    };
    let plans = &mut model.library.plans;
    let from = builder.drafts.draft.from.get("name");
    let is_same = from.and_then(serde_json::Value::as_str) == Some(plan.name.as_str());
    let is_taken = plans.iter().any(|it| it.name == plan.name);
    if is_shipped(&plan.name) || (is_taken && !is_same) {
        let text = format!(
            "There is another plan “{}” already: give this one another name.",
            plan.name
        );
        builder
            .outlook
            .faults
            .push(Fault::at(PlanField::Name, text));
        return Vec::new();
    }
    plans.retain(|it| it.name != plan.name);
    plans.push(plan.clone());
    // From now on it is that plan's draft.
    builder.drafts.draft = PlanDraft::of(&plan);
    model.bench.plan.clone_from(&plan.name);
    let text = format!(
        "The plan “{}” is saved; it stands among the plans.",
        plan.title
    );
    model.notify(NoticeKind::Info, text);
    refresh(model);
    vec![
        Effect::SavePlan(Box::new(plan)),
        Effect::Bench(BenchEffect::SaveDraft),
    ]
}

fn run(model: &mut Model) -> Vec<Effect> {
    refresh(model);
    match model.bench.builder.outlook.plan.clone() {
        Some(plan) => actions::start(model, (PathBuf::new(), plan), false),
        None => Vec::new(),
    }
}
