//! A second run that the shown experiment is held against.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::counted::{Counted, ToCount};
use super::{BenchDesk, Shown};
use crate::app::{Effect, Model};
use crate::lab::{Flip, Measure, Trial, TwoRuns};

/// A wish about the second run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunsAction {
    /// Holds the shown experiment against the one in this folder.
    Compare(PathBuf),
    /// Lets go of the second run.
    Close,
    /// Reads both replies of a flip; the index is that of the flip.
    Pick(usize),
}

/// What is done beside the window's thread.
#[derive(Clone, Debug, PartialEq)]
pub enum RunsEffect {
    /// Read the second run and hold the shown experiment against it.
    Read {
        folder: PathBuf,
        title: String,
        /// The folder of the shown experiment, and its replies.
        shown: (PathBuf, Vec<Arc<Trial>>),
    },
    /// Count the replies anew, and hold them against the second run if there is one.
    Count {
        shown: PathBuf,
        to_count: Box<ToCount>,
        second: Option<Vec<Arc<Trial>>>,
    },
    /// Free replies that nobody looks at any more.
    LetGo(Vec<Arc<Trial>>),
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub enum RunsNews {
    Second(Box<Second>),
    Counted {
        shown: PathBuf,
        counted: Box<Counted>,
        runs: Option<Box<TwoRuns>>,
    },
}

/// The second run, and what both say together.
#[derive(Clone, Debug, PartialEq)]
pub struct Second {
    pub folder: PathBuf,
    pub title: String,
    pub trials: Vec<Arc<Trial>>,
    /// The folder of the experiment that is held against it.
    against: PathBuf,
    /// The second run is the reference.
    pub runs: TwoRuns,
    /// The flip whose replies are read.
    pub picked: Option<usize>,
    /// Flips of the measure that is counted.
    listed: Vec<usize>,
}

impl Second {
    pub fn new(
        (folder, title): (PathBuf, String),
        trials: Vec<Arc<Trial>>,
        (against, shown): (&Path, &[Arc<Trial>]),
    ) -> Self {
        Self {
            runs: two_runs(&trials, shown),
            against: against.to_owned(),
            folder,
            title,
            trials,
            picked: None,
            listed: Vec::new(),
        }
    }

    /// Indices of the flips of the measure that is counted, what was lost first.
    pub fn listed(&self) -> &[usize] {
        &self.listed
    }

    pub fn flip(&self) -> Option<&Flip> {
        self.picked.and_then(|it| self.runs.flips.get(it))
    }

    pub(super) fn list(&mut self, measure: Measure) {
        let flips = self.runs.flips.iter().enumerate();
        let mut found: Vec<(bool, usize)> = flips
            .filter_map(|(idx, it)| Some((it.turn(measure)?.is_won, idx)))
            .collect();
        found.sort_by_key(|it| it.0);
        self.listed = found.into_iter().map(|it| it.1).collect();
    }

    fn take(&mut self, runs: TwoRuns, measure: Measure) {
        let pair = self.flip().map(|it| it.pair);
        let mut flips = runs.flips.iter();
        self.picked = pair.and_then(|pair| flips.position(|it| it.pair == pair));
        self.runs = runs;
        self.list(measure);
    }
}

/// Holds a run against its reference.
pub fn two_runs(reference: &[Arc<Trial>], other: &[Arc<Trial>]) -> TwoRuns {
    let [reference, other] =
        [reference, other].map(|it| it.iter().map(AsRef::as_ref).collect::<Vec<&Trial>>());
    TwoRuns::of(&reference, &other)
}

pub(super) fn on_runs(desk: &mut BenchDesk, action: RunsAction) -> Vec<Effect> {
    let Some(shown) = &mut desk.shown else {
        return Vec::new();
    };
    match action {
        RunsAction::Compare(folder) => {
            let known = desk.experiments.iter().find(|it| it.folder == folder);
            let title = known.map_or_else(String::new, |it| it.title.clone());
            return vec![Effect::Runs(Box::new(RunsEffect::Read {
                folder,
                title,
                shown: (shown.folder.clone(), shown.trials.clone()),
            }))];
        }
        RunsAction::Close => {
            let second = shown.second.take();
            return second.map(|it| let_go(it.trials)).into_iter().collect();
        }
        RunsAction::Pick(flip) => {
            if let Some(second) = &mut shown.second {
                second.picked = Some(flip);
                shown.cell = None;
                shown.list();
            }
        }
    }
    Vec::new()
}

/// Something that was done beside the window's thread is ready; what belongs to another experiment falls away.
pub fn on_runs_news(model: &mut Model, news: RunsNews) -> Vec<Effect> {
    let Some(shown) = &mut model.bench.shown else {
        return Vec::new();
    };
    match news {
        RunsNews::Second(mut second) if second.against == shown.folder => {
            second.list(shown.measure);
            second.picked = second.listed.first().copied();
            if second.picked.is_some() {
                shown.cell = None;
                shown.list();
            }
            shown.second = Some(second);
        }
        RunsNews::Counted {
            shown: folder,
            counted,
            runs,
        } if folder == shown.folder => {
            let is_behind = counted.n_trials < shown.trials.len();
            shown.is_counting = is_behind;
            shown.take_counted(*counted);
            if let (Some(second), Some(runs)) = (&mut shown.second, runs) {
                second.take(*runs, shown.measure);
            }
            if is_behind {
                return vec![count(shown)];
            }
        }
        // Another experiment was opened meanwhile.
        RunsNews::Second(_) | RunsNews::Counted { .. } => {}
    }
    Vec::new()
}

/// Takes in a reply of the running experiment.
pub(super) fn on_trial(shown: &mut Shown, trial: Trial) -> Vec<Effect> {
    if shown.add_one(trial) {
        return vec![count(shown)];
    }
    if let (false, Some(second)) = (shown.is_counting, &mut shown.second) {
        second.take(two_runs(&second.trials, &shown.trials), shown.measure);
    }
    Vec::new()
}

/// Another experiment takes the place of the one that was shown.
pub(super) fn show(desk: &mut BenchDesk, shown: Box<Shown>) -> Vec<Effect> {
    let old = desk.shown.replace(shown);
    let many = old.and_then(|it| it.into_many());
    many.map(let_go).into_iter().collect()
}

fn let_go(trials: Vec<Arc<Trial>>) -> Effect {
    Effect::Runs(Box::new(RunsEffect::LetGo(trials)))
}

fn count(shown: &Shown) -> Effect {
    Effect::Runs(Box::new(RunsEffect::Count {
        shown: shown.folder.clone(),
        to_count: Box::new(shown.to_count()),
        second: shown.second.as_ref().map(|it| it.trials.clone()),
    }))
}
