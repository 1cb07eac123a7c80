//! What the driver can do, and how often each is chosen.

use std::fmt;

/// One kind of thing that a user, or bad luck, does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Runs a reply to its end.
    Run,
    /// Runs, and cancels in the middle.
    RunAndCancel,
    /// Runs, and kills the engine's process in the middle.
    RunAndKill,
    /// Kills the engine while nothing runs.
    KillAtRest,
    Compare,
    CompareAndCancel,
    StartPlan,
    /// Ends the plan behind its reply, and takes it up again.
    StopAndResumePlan,
    /// Kills the engine of a plan.
    KillDuringPlan,
    OtherModel,
    /// Loads, and loads something else at once.
    CancelLoad,
    Unload,
    Tab,
    Preset,
    Task,
    TypeInput,
    TypeReply,
    TypeGrammar,
    Theme,
}

/// Each with its weight: short ones are frequent, plans are rare.
pub(crate) const KINDS: [(Kind, usize); 19] = [
    (Kind::Run, 14),
    (Kind::RunAndCancel, 8),
    (Kind::RunAndKill, 3),
    (Kind::KillAtRest, 2),
    (Kind::Compare, 2),
    (Kind::CompareAndCancel, 2),
    (Kind::StartPlan, 1),
    (Kind::StopAndResumePlan, 2),
    (Kind::KillDuringPlan, 1),
    (Kind::OtherModel, 3),
    (Kind::CancelLoad, 2),
    (Kind::Unload, 1),
    (Kind::Tab, 12),
    (Kind::Preset, 10),
    (Kind::Task, 8),
    (Kind::TypeInput, 10),
    (Kind::TypeReply, 8),
    (Kind::TypeGrammar, 8),
    (Kind::Theme, 3),
];

/// The kind that a number below [`total`] stands for.
pub(crate) fn kind(mut number: usize) -> Kind {
    for (kind, weight) in KINDS {
        if number < weight {
            return kind;
        }
        number -= weight;
    }
    Kind::Tab
}

pub(crate) fn total() -> usize {
    KINDS.iter().map(|it| it.1).sum()
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
