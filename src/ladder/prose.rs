//! Tells values from prose, citations, links, templates and programs that only look like them.

use std::ops::Range;

use serde_json::Value;

use super::cut::{Candidate, Walk};
use super::log::Edit;
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
    pub(super) fn is_start_value(&self, value: &Value, start: usize) -> bool {
        let is_empty = match value {
            Value::Object(map) => map.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => false,
        };
        let line = self.line_before(start).trim_end();
        is_empty && (line.ends_with('=') || line.ends_with("return"))
    }

    /// An array of scalars in the middle of a sentence.
    pub(super) fn is_aside(&self, value: &Value, start: usize, end: usize) -> bool {
        let Value::Array(items) = value else {
            return false;
        };
        let is_flat = items.iter().all(|it| !it.is_object() && !it.is_array());
        let line = self.line_before(start).trim();
        let behind = self.reply[end..].trim_start_matches([' ', '\t']);
        is_flat
            && !line.is_empty()
            && !line.ends_with([':', '=', '(', '：'])
            && (is_number_mark(items) || !behind.is_empty() && !behind.starts_with(['\n', '\r']))
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

    /// Whether a repaired value is prose or code that only looks like JSON.
    pub(super) fn is_prose(&self, candidate: &Candidate, within: &Range<usize>) -> bool {
        let (from, to) = (within.start, within.end);
        let log = &candidate.log;
        let line = self.line_before(candidate.start.max(from));
        let line = line[line.len() - line.len().min(candidate.start - from)..].trim();
        let is_cut = log.flags.contains(&Flag::Truncated);
        let is_bare = log
            .edits
            .iter()
            .any(|it| matches!(it.kind, RepairKind::BareKey | RepairKind::BareValue));
        let is_empty = match &candidate.value {
            Value::Object(map) => map.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => true,
        };
        if !candidate.value.is_object() && !candidate.value.is_array() {
            return true;
        }
        let in_sentence = !line.is_empty();
        if is_cut && in_sentence && (is_empty || is_bare) {
            return true;
        }
        if !log.flags.contains(&Flag::UnquotedValue) {
            return false;
        }
        let n_types = log.edits.iter().filter(|it| names_type(it)).count();
        if n_types > 0 && n_types == n_leaves(&candidate.value) {
            return true;
        }
        let behind = self.reply[candidate.end..to].trim_start_matches([' ', '\t']);
        let goes_on = behind.starts_with(|c: char| c.is_alphanumeric() || "({[\"'<".contains(c));
        candidate.value.is_array() && (in_sentence || goes_on)
            || line.ends_with("return")
            || line.ends_with(['=', '('])
            || self.reply[..candidate.start].ends_with(|c: char| c.is_ascii_alphanumeric())
    }
}

impl Candidate {
    /// Whether it is a mark in a text and no value: `[1]`, `[ ]`.
    pub(super) fn is_citation(&self) -> bool {
        self.aside && self.value.as_array().is_some_and(|it| is_number_mark(it))
    }
}

/// Whether an edit put quotes around the name of a type.
fn names_type(edit: &Edit) -> bool {
    edit.kind == RepairKind::BareValue && is_type_name(edit.after.trim_matches('"'))
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
fn is_number_mark(items: &[Value]) -> bool {
    const MOST: usize = 3;
    items.len() <= MOST && items.iter().all(Value::is_u64)
}
