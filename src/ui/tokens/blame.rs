//! Which part of the chain made another token come than the one that the model wanted.

use crate::engine::TokenEvent;
use crate::sampling::{Blame as Who, Stage, StageKind};

/// What can put another token in the place of the favourite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    Ban,
    Penalty,
    Cut,
    Mask,
    /// The favourite was left, and the dice took another token: that is what temperature is for.
    Draw,
}

impl Change {
    pub(crate) const ALL: [Self; 5] = [Self::Ban, Self::Penalty, Self::Cut, Self::Mask, Self::Draw];

    /// A word for legends and sentences.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Ban => "ban",
            Self::Penalty => "penalty",
            Self::Cut => "cut",
            Self::Mask => "mask",
            Self::Draw => "dice",
        }
    }

    pub(crate) fn of(stage: Stage) -> Self {
        match stage.kind() {
            StageKind::Ban => Self::Ban,
            StageKind::Penalty => Self::Penalty,
            StageKind::Truncation => Self::Cut,
            StageKind::Mask => Self::Mask,
            StageKind::Temperature => Self::Draw,
        }
    }
}

/// Who is to blame for a token that is not the favourite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blame {
    pub(crate) change: Change,
    /// The first stage that took the lead from the favourite; none where the dice did it.
    pub(crate) stage: Option<Stage>,
}

/// None where the model's favourite came.
pub(crate) fn blame(event: &TokenEvent) -> Option<Blame> {
    match event.trace.blame(event.token) {
        Who::Nobody => None,
        Who::Stage(stage) => Some(Blame {
            change: Change::of(stage),
            stage: Some(stage),
        }),
        Who::Draw => Some(Blame {
            change: Change::Draw,
            stage: None,
        }),
    }
}

/// The nearest token before or behind `from` that has the same to blame as it.
pub(crate) fn same_blame(tokens: &[TokenEvent], from: usize, forward: bool) -> Option<usize> {
    let wanted = blame(tokens.get(from)?)?;
    let is_same = |idx: &usize| blame(&tokens[*idx]) == Some(wanted);
    if forward {
        (from + 1..tokens.len()).find(is_same)
    } else {
        (0..from).rev().find(is_same)
    }
}
