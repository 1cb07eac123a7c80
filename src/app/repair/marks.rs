//! What is marked in the reply's text: the rungs' messages, the edits, the faults, the leaks, each at its place.

use std::ops::Range;

use super::places::Places;
use crate::judge::{Fault, Judgement};
use crate::ladder::{Climb, Rung};

/// Marks that are made; a loop can need thousands of edits.
const MAX_MARKS: usize = 600;

/// Something to be seen in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub kind: MarkKind,
    /// Bytes of the reply; empty for what was put in between two characters.
    pub bytes: Range<usize>,
    /// The same in characters.
    pub chars: Range<usize>,
    pub text: String,
}

/// What a mark stands for; numbers are indices into the lists of the climb and the judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    Rung(Rung),
    Edit(usize),
    Fault(usize),
    Difference(usize),
    Leak(usize),
}

/// All marks, in the order of the text.
pub(super) fn marks(
    reply: &str,
    (climb, judgement, faults): (&Climb, &Judgement, &[Fault]),
    places: &Places,
) -> Vec<Mark> {
    let mut marks = climb_marks(reply, climb);
    marks.extend(judged_marks(reply, (judgement, faults), places));
    count_chars(reply, &mut marks);
    marks
}

/// What the rungs said, and what the repair changed.
fn climb_marks(reply: &str, climb: &Climb) -> Vec<Mark> {
    let lines = Lines::new(reply);
    let said = climb.attempts().iter().map(|it| {
        let start = lines.offset(it.error.line, it.error.column);
        let n_bytes = reply[start..].chars().next().map_or(0, char::len_utf8);
        let message = it.error.message.clone();
        mark(MarkKind::Rung(it.rung), start..start + n_bytes, message)
    });
    let edits = climb.repairs().iter().enumerate().take(MAX_MARKS);
    let edits = edits.map(|(idx, it)| {
        let end = (it.offset + it.before.len()).min(reply.len());
        let after = if it.after.is_empty() {
            "taken out".to_owned()
        } else {
            format!("becomes {}", it.after)
        };
        mark(MarkKind::Edit(idx), it.offset.min(end)..end, after)
    });
    said.chain(edits).collect()
}

/// What the judges found, where it has a place.
fn judged_marks(
    reply: &str,
    (judgement, faults): (&Judgement, &[Fault]),
    places: &Places,
) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (idx, it) in faults.iter().enumerate().take(MAX_MARKS) {
        let range = if is_about_key(it) {
            places.key_range(&it.instance_path)
        } else {
            fault_range(places, &it.instance_path, reply)
        };
        let message = || it.message.clone();
        marks.extend(range.map(|range| mark(MarkKind::Fault(idx), range, message())));
    }
    let differences = judgement.correctness.iter().flat_map(|it| &it.differences);
    for (idx, it) in differences.enumerate().take(MAX_MARKS) {
        let range = fault_range(places, &it.path, reply);
        let text = || format!("should be {}", it.expected);
        marks.extend(range.map(|range| mark(MarkKind::Difference(idx), range, text())));
    }
    for (idx, it) in judgement.leaks.iter().enumerate().take(MAX_MARKS) {
        let range = places.range(&it.path);
        let text = || format!("stands in example {}", it.example);
        marks.extend(range.map(|range| mark(MarkKind::Leak(idx), range, text())));
    }
    marks
}

fn mark(kind: MarkKind, bytes: Range<usize>, text: String) -> Mark {
    Mark {
        kind,
        bytes,
        chars: 0..0,
        text,
    }
}

fn is_about_key(fault: &Fault) -> bool {
    matches!(
        fault.keyword.as_str(),
        "additionalProperties" | "unevaluatedProperties"
    )
}

/// Of an object or a list only the opening bracket is marked: underlining all of it would hide what is in it.
fn fault_range(places: &Places, pointer: &str, reply: &str) -> Option<Range<usize>> {
    let range = places.range(pointer)?;
    let is_container = reply.get(range.clone())?.starts_with(['{', '[']);
    Some(if is_container {
        range.start..range.start + 1
    } else {
        range
    })
}

/// Fills in the places in characters, in one pass over the text.
fn count_chars(reply: &str, marks: &mut [Mark]) {
    let mut wanted: Vec<usize> = marks
        .iter()
        .flat_map(|it| [it.bytes.start, it.bytes.end])
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut counted = Vec::with_capacity(wanted.len());
    let (mut done, mut n_chars) = (0, 0);
    for at in &wanted {
        n_chars += reply.get(done..*at).map_or(0, |it| it.chars().count());
        done = *at;
        counted.push(n_chars);
    }
    let chars = |at: usize| {
        wanted
            .binary_search(&at)
            .ok()
            .and_then(|idx| counted.get(idx))
            .copied()
            .unwrap_or_default()
    };
    for mark in marks.iter_mut() {
        mark.chars = chars(mark.bytes.start)..chars(mark.bytes.end);
    }
    marks.sort_by_key(|it| it.bytes.start);
}

/// The line table of a text.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let breaks = text.bytes().enumerate().filter(|it| it.1 == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|it| it.0 + 1));
        Self {
            text,
            starts: starts.collect(),
        }
    }

    /// The byte of a line and column, both from 1, the column in characters.
    fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.starts.get(line.saturating_sub(1)).copied();
        let start = start.unwrap_or(self.text.len());
        let rest = &self.text[start..];
        let at = rest.char_indices().nth(column.saturating_sub(1));
        at.map_or(self.text.len(), |it| start + it.0)
    }
}
