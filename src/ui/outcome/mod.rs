//! What came of a reply, as Play and Repair show it: lamps and cause, ladder, edits, value, findings.

mod findings;
mod growing;
mod ladder;
mod lamps;
mod repairs;
#[cfg(test)]
mod tests;
mod value_tree;

pub(crate) use findings::{
    Finding, Section, after_defaults_ui, answer_findings, leak_findings, schema_findings,
};
pub(crate) use growing::growing_ui;
pub(crate) use ladder::{RungRow, RungState, ladder_ui, rows};
pub(crate) use lamps::{cause_ui, lamps, lamps_ui};
pub(crate) use repairs::{Edits, remarks_ui, repairs_head_ui, repairs_ui};
#[cfg(test)]
use value_tree::TreeRow;
pub(crate) use value_tree::{Tree, TreeClick, tree_ui};
