//! Two ways for one reply: the one that is shown, and one that leaves it at a token with something changed.

use serde_json::json;

use super::{Action, Effect, EnginePhase, Model, NoticeKind, Reply, RunPhase};
use crate::constraint::Constraint;
use crate::engine::{Command, RunId};
use crate::lab::ForkedFrom;
use crate::ladder::Stream;
use crate::runner::{Assembly, Job};
use crate::sampling::{Knob, Knobs};

/// The other reply, beside the one that is current.
#[derive(Debug)]
pub struct Branch {
    /// Tokens that both replies begin with.
    pub n_shared: usize,
    pub run: RunPhase,
}

/// What is changed where a reply is left.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    Knob(Knob, f64),
    Constraint(Constraint),
    /// Knobs and constraint as they stand in the draft now.
    Settings,
}

impl Model {
    /// Play's replies, the current one first, then those of Compare.
    pub(super) fn phases_mut(&mut self) -> impl Iterator<Item = &mut RunPhase> {
        let other = self.branch.as_mut().map(|it| &mut it.run);
        let compared = self.compare.runs.values_mut();
        std::iter::once(&mut self.run).chain(other).chain(compared)
    }

    /// The running reply of this id.
    pub(super) fn phase_mut(&mut self, id: RunId) -> Option<&mut RunPhase> {
        self.phases_mut()
            .find(|it| matches!(it, RunPhase::Running { reply } if reply.assembly.id == id))
    }
}

impl Change {
    /// What is changed, such as "No-repeat n-gram 3 → 0".
    pub fn words(&self, job: &Job) -> String {
        match self {
            Self::Knob(knob, value) => {
                let spec = knob.spec();
                let (old, decimals) = (job.request.knobs.get(*knob), spec.decimals);
                format!("{} {old:.decimals$} → {value:.decimals$}", spec.name)
            }
            Self::Constraint(constraint) => format!(
                "Constraint: {} → {}",
                kind(&job.request.constraint),
                kind(constraint)
            ),
            Self::Settings => "The settings on the left".to_owned(),
        }
    }

    fn apply(&self, model: &Model, job: &mut Job) {
        let request = &mut job.request;
        match self {
            Self::Knob(knob, value) => {
                // The window keeps to the range, so a refusal leaves the old value, which is a fork without change.
                drop(request.knobs.set(*knob, *value));
            }
            Self::Constraint(constraint) => request.constraint = constraint.clone(),
            Self::Settings => {
                request.knobs = model.draft.knobs.clone();
                request.constraint = model.draft.constraint.chosen();
            }
        }
        let name = job.name.trim_end_matches(" (fork)");
        job.name = format!("{name} (fork)");
        job.preset = json!({
            "v": 1,
            "name": job.name,
            "style": job.style,
            "knobs": request.knobs,
            "constraint": request.constraint,
        });
    }
}

/// The wishes about branches.
pub(super) fn on_branch(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Fork { n_shared, change } => fork(model, n_shared, &change),
        Action::SwapBranches => {
            if let Some(branch) = &mut model.branch {
                std::mem::swap(&mut model.run, &mut branch.run);
            }
            Vec::new()
        }
        Action::CloseBranch => close(model),
        _ => Vec::new(),
    }
}

/// Ends the other reply if it is still written, and puts it away. Its trial, if it has one, is on disk.
fn close(model: &mut Model) -> Vec<Effect> {
    match model.branch.take().map(|it| it.run) {
        Some(RunPhase::Running { reply }) => {
            let id = reply.assembly.id;
            vec![Effect::Send(Command::Cancel { id })]
        }
        _ => Vec::new(),
    }
}

fn fork(model: &mut Model, n_shared: usize, change: &Change) -> Vec<Effect> {
    let forked = match forked(model, n_shared, change) {
        Ok(it) => it,
        Err(message) => {
            model.notify(NoticeKind::Warning, message);
            return Vec::new();
        }
    };
    let id = model.take_id();
    let assembly = Assembly { id, ..forked };
    let request = Box::new(assembly.job.request.clone());
    model.branch = Some(Box::new(Branch {
        n_shared,
        run: RunPhase::Running {
            reply: Box::new(Reply {
                assembly,
                stream: Stream::default(),
                prefill: None,
                cancelling: false,
            }),
        },
    }));
    vec![Effect::Send(Command::Run { id, request })]
}

/// The reply to come, or why there can be none.
fn forked(model: &Model, n_shared: usize, change: &Change) -> Result<Assembly, String> {
    let RunPhase::Done { reply, trial } = &model.run else {
        return Err("Only a finished reply can be forked.".to_owned());
    };
    if model.is_running() {
        return Err("Another reply is still running.".to_owned());
    }
    if model.is_measuring() {
        return Err("The machine is being measured.".to_owned());
    }
    let EnginePhase::Ready(info) = &model.engine else {
        return Err("A model must be loaded to go on with a reply.".to_owned());
    };
    let parent = &reply.assembly;
    if info.fingerprint != parent.model.fingerprint {
        let name = &parent.model.name;
        return Err(format!(
            "Another model is loaded now: load {name} to go on with its reply."
        ));
    }
    let shared = parent.tokens.get(..n_shared);
    let shared = shared.ok_or("The reply has no such token.")?;
    let mut job = parent.job.clone();
    let words = change.words(&job);
    change.apply(model, &mut job);
    job.request.given_tokens = shared.iter().map(|it| it.token).collect();
    Ok(Assembly {
        forked_from: Some(ForkedFrom {
            trial: trial.id.clone(),
            n_tokens: n_shared,
            change: words,
        }),
        shared: shared.to_vec(),
        ..Assembly::new(RunId(0), job, (**info).clone())
    })
}

fn kind(constraint: &Constraint) -> &'static str {
    match constraint {
        Constraint::None => "none",
        Constraint::Grammar { .. } => "grammar",
        Constraint::Schema { .. } => "schema",
        Constraint::Regex { .. } => "regex",
    }
}

/// Knobs whose change at a token makes sense: all but the seed's and the limit's neighbours outside the chain.
pub fn forkable(knobs: &Knobs) -> Vec<Knob> {
    let mut all: Vec<Knob> = Knob::ALL.into_iter().collect();
    // Those that are set come first: one of them is what broke the reply.
    all.sort_by_key(|it| knobs.is_neutral(*it));
    all
}
