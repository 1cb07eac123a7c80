//! What is known of the texts of the draft that are checked as they are typed.

use super::{ConstraintDraft, ConstraintKind};
use crate::constraint::{Badge, Constraint, ConstraintError};
use crate::judge::Schema;

/// What is known of the texts that were checked last.
#[derive(Debug)]
pub struct Checked {
    /// None before the first check.
    pub constraint: Option<Constraint>,
    /// What may be shown beside that constraint.
    pub badge: Badge,
    /// A sentence each: what of the constraint is not enforced, and what may surprise.
    pub warnings: Vec<String>,
    pub judge_schema: Option<String>,
    /// Why that schema judges nothing; none when it judges.
    pub judge_fault: Option<ConstraintError>,
}

impl Default for Checked {
    fn default() -> Self {
        Self {
            constraint: None,
            badge: Badge::None,
            warnings: Vec::new(),
            judge_schema: None,
            judge_fault: None,
        }
    }
}

impl Checked {
    /// Whether the constraint is the one that was checked.
    pub fn is_of(&self, draft: &ConstraintDraft) -> bool {
        match (&self.constraint, draft.kind) {
            (Some(Constraint::None), ConstraintKind::None) => true,
            (Some(Constraint::Grammar { text }), ConstraintKind::Grammar) => *text == draft.grammar,
            (
                Some(Constraint::Schema {
                    text,
                    white_space,
                    switches,
                }),
                ConstraintKind::Schema,
            ) => {
                *text == draft.schema
                    && *white_space == draft.white_space
                    && *switches == draft.switches
            }
            (Some(Constraint::Regex { text }), ConstraintKind::Regex) => *text == draft.regex,
            _ => false,
        }
    }
}

/// Why a schema judges nothing; none when it judges.
pub(super) fn judge_fault(text: &str) -> Option<ConstraintError> {
    let fault = |message: String, place| ConstraintError {
        message,
        place,
        within: None,
    };
    if text.trim().is_empty() {
        return Some(fault("there is no schema".to_owned(), None));
    }
    match serde_json::from_str(text) {
        Ok(value) => {
            let error = Schema::parse(&value).err()?;
            Some(ConstraintError {
                within: error.place,
                ..fault(error.message, None)
            })
        }
        Err(error) => {
            let message = error.to_string();
            let end = message.rfind(" at line ").unwrap_or(message.len());
            let message = message.get(..end).unwrap_or(&message);
            let place = (error.line().max(1), error.column().max(1));
            Some(fault(format!("it is not JSON: {message}"), Some(place)))
        }
    }
}
