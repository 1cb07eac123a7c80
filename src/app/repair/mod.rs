//! Repair: a pasted reply, what it is judged by, and what comes of the climb; no model is needed.

mod actions;
mod case;
mod diff;
mod draft;
mod marks;
mod outcome;
mod places;
mod report;
mod samples;
mod spans;
mod words;

pub use actions::{RepairAction, on_case_saved, on_climbed, on_reply_read};
pub(super) use actions::{on_repair, open_in_repair, open_trial};
pub use case::case;
use case::case_id;
pub use diff::{DiffLine, Segment};
pub use draft::{KeptReply, RepairDraft};
pub use marks::{Mark, MarkKind};
pub use outcome::{Asked, Outcome, outcome};
pub use places::Places;
pub use report::report;
pub use samples::{Sample, sample_files, samples};
pub use words::flag_words;

use serde_json::Value;

/// Replies longer than this many bytes are climbed beside the window's thread, and shown without an editor.
pub const LARGE: usize = 200_000;

/// The state behind the view.
#[derive(Debug, Default)]
pub struct RepairDesk {
    pub draft: RepairDraft,
    pub phase: ClimbPhase,
    /// The candidate that the user took in place of the ladder's own choice.
    pub picked: Option<usize>,
    /// The case that was saved last, without its id; so that it is not saved twice.
    pub saved: Option<Value>,
    /// The id that the next climb gets.
    next_id: u64,
}

/// How far the climb is.
#[derive(Debug, Default)]
pub enum ClimbPhase {
    /// There is nothing to climb.
    #[default]
    Empty,
    /// A large reply is being climbed elsewhere. `stale`: the texts have changed since.
    Working {
        id: u64,
        stale: bool,
    },
    Done(Box<Outcome>),
}

impl RepairDesk {
    /// Opens with what was typed before; the climb comes next.
    pub fn new(draft: RepairDraft) -> Self {
        Self {
            draft,
            ..Self::default()
        }
    }

    /// What came of the climb, when there is something.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.phase {
            ClimbPhase::Done(outcome) => Some(outcome),
            ClimbPhase::Empty | ClimbPhase::Working { .. } => None,
        }
    }

    pub fn is_large(&self) -> bool {
        self.draft.reply.len() > LARGE
    }
}
