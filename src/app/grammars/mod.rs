//! Grammars: the texts that hold replies to a form, tried on other texts; only steps by tokens need a model.

mod actions;
mod documents;
mod draft;
mod keeping;
mod trial;

pub(super) use actions::on_grammars;
pub use actions::{GrammarsAction, on_document_read, on_tried};
pub use documents::{Document, DocumentKind, Source, documents};
pub use draft::{GrammarsDraft, KeptDocument, TestText};
pub use trial::{AskedTrial, Tried, TriedText, try_all};

use crate::constraint::Walk;
use crate::engine::RunId;

/// The state behind the view.
#[derive(Debug, Default)]
pub struct GrammarsDesk {
    pub draft: GrammarsDraft,
    /// What came of the last trial; of an older text while another one is under way.
    pub tried: Option<Box<Tried>>,
    pub steps: Steps,
    /// The trial that is out; at most one is.
    working: Option<u64>,
    /// The texts have changed since it was asked for.
    is_stale: bool,
    next_id: u64,
}

/// A text stepped through token by token.
#[derive(Debug, Default)]
pub enum Steps {
    #[default]
    Unasked,
    Working(RunId),
    /// `text` is what was stepped through.
    Done {
        text: String,
        walk: Box<Walk>,
    },
    Failed(String),
}

impl GrammarsDesk {
    /// Opens with what was typed before.
    pub fn new(draft: GrammarsDraft) -> Self {
        Self {
            draft,
            ..Self::default()
        }
    }

    /// Whether what is shown was found for the text that stands there now.
    pub fn is_tried(&self) -> bool {
        self.working.is_none() && self.tried.is_some()
    }
}
