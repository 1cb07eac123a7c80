//! Tells values from prose, citations, links, templates and programs that only look like them.

use std::ops::Range;

use serde_json::Value;

use super::cut::{Candidate, Walk};
use super::document::{Document, Node};
use super::log::{After, Edit};
use super::words::is_type_name;
use super::{Flag, RepairKind};

impl Walk<'_> {
    /// Whether a square bracket belongs to the name before it: `items[0]`, `List[str]`.
    pub(super) fn is_index(&self, start: usize, to: usize) -> bool {
        let is_name =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b']' | b')');
        let text = &self.reply[start..to];
        text.starts_with('[')
            && start > 0
            && is_name(&self.reply.as_bytes()[start - 1])
            && !text[1..].trim_start().starts_with(['{', '['])
    }

    /// Whether brackets are a Markdown link or a placeholder of a template.
    pub(super) fn is_link(&self, start: usize, end: usize, to: usize) -> bool {
        let is_array = self.reply[start..].starts_with('[');
        is_array && self.reply[end..to].starts_with('(')
            || self.reply[..start].ends_with(['$', '!', '%', '#', '@'])
    }

    /// An empty container that a program begins with: `found = {}`.
    pub(super) fn is_start_value(&self, document: &Document, start: usize) -> bool {
        let line = || self.line_before(start).trim_end();
        document.root().is_empty() && (line().ends_with('=') || line().ends_with("return"))
    }

    /// An array of scalars in the middle of a sentence.
    pub(super) fn is_aside(&self, candidate: &Candidate) -> bool {
        let document = candidate.reading.document();
        if !matches!(document.root(), Node::Array(_)) || document.items().any(Node::is_container) {
            return false;
        }
        let line = self.line_before(candidate.start).trim();
        let behind = self.reply[candidate.end..].trim_start_matches([' ', '\t']);
        !line.is_empty()
            && !line.ends_with([':', '=', '(', '：'])
            && (is_number_mark(document) || !behind.is_empty() && !behind.starts_with(['\n', '\r']))
    }

    /// What stands before a place on its line, up to a bound.
    pub(super) fn line_before(&self, at: usize) -> &str {
        const LONGEST: usize = 200;
        let mut from = at.saturating_sub(LONGEST);
        while !self.reply.is_char_boundary(from) {
            from += 1;
        }
        let text = &self.reply[from..at];
        text.rfind('\n').map_or(text, |n| &text[n + 1..])
    }

    /// Whether an edit put quotes around the name of a type.
    fn names_type(&self, edit: &Edit) -> bool {
        edit.kind == RepairKind::BareValue
            && edit.after == After::Quoted
            && is_type_name(&self.reply[edit.place()])
    }

    /// Whether a repaired value is prose or code that only looks like JSON.
    pub(super) fn is_prose(&self, candidate: &Candidate, within: &Range<usize>) -> bool {
        let (from, to) = (within.start, within.end);
        let log = &candidate.log;
        let line = || {
            let line = self.line_before(candidate.start.max(from));
            line[line.len() - line.len().min(candidate.start - from)..].trim()
        };
        let is_cut = log.has(Flag::Truncated);
        let is_bare = || {
            let is_bare =
                |it: &Edit| matches!(it.kind, RepairKind::BareKey | RepairKind::BareValue);
            log.lost_bare_key() || log.edits.iter().any(is_bare)
        };
        let root = candidate.reading.document().root();
        if !root.is_container() {
            return true;
        }
        if is_cut && !line().is_empty() && (root.is_empty() || is_bare()) {
            return true;
        }
        if !log.has(Flag::UnquotedValue) {
            return false;
        }
        let n_types = log.edits.iter().filter(|it| self.names_type(it)).count();
        if n_types > 0 && n_types == n_leaves(candidate.reading.value(self.reply)) {
            return true;
        }
        let behind = self.reply[candidate.end..to].trim_start_matches([' ', '\t']);
        let goes_on = behind.starts_with(|c: char| c.is_alphanumeric() || "({[\"'<".contains(c));
        let line = line();
        !root.is_object() && (!line.is_empty() || goes_on)
            || line.ends_with("return")
            || line.ends_with(['=', '('])
            || self.reply[..candidate.start].ends_with(|c: char| c.is_ascii_alphanumeric())
    }
}

impl Candidate {
    /// Whether it is a mark in a text and no value: `[1]`, `[ ]`.
    pub(super) fn is_citation(&self) -> bool {
        let document = self.reading.document();
        self.aside && matches!(document.root(), Node::Array(_)) && is_number_mark(document)
    }
}

/// Scalars in a value. Its depth is bounded.
fn n_leaves(value: &Value) -> usize {
    match value {
        Value::Object(map) => map.values().map(n_leaves).sum(),
        Value::Array(items) => items.iter().map(n_leaves).sum(),
        _ => 1,
    }
}

/// Whether square brackets hold what citations and check boxes hold: a few numbers or nothing.
fn is_number_mark(array: &Document) -> bool {
    const MOST: usize = 3;
    let is_count = |it: &Node| matches!(it, Node::Unsigned(_));
    array.items().take(MOST + 1).count() <= MOST && array.items().all(is_count)
}
