//! The repair as a diff: each line that was changed, before and after, with the edits in it.

use crate::ladder::Repair;

/// Lines and edits that are shown; a loop can need thousands.
const MAX_LINES: usize = 40;
const MAX_EDITS: usize = 300;
/// Longer stretches between two edits are cut in their middle.
const MAX_GAP: usize = 36;
/// Characters of an edit's own text.
const MAX_TEXT: usize = 60;

/// A line of the reply before and after its edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiffLine {
    /// Counted from 1.
    pub number: usize,
    pub before: Vec<Segment>,
    pub after: Vec<Segment>,
}

/// A stretch of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub text: String,
    /// Index of the edit that it belongs to; none where nothing was changed.
    pub edit: Option<usize>,
}

/// The changed lines in their order.
pub(super) fn diff(reply: &str, repairs: &[Repair]) -> Vec<DiffLine> {
    let mut sorted: Vec<(usize, &Repair)> = repairs.iter().enumerate().take(MAX_EDITS).collect();
    sorted.sort_by_key(|it| it.1.offset);
    let mut lines = Vec::new();
    for edits in sorted.chunk_by(|a, b| a.1.line == b.1.line) {
        if lines.len() == MAX_LINES {
            break;
        }
        lines.extend(line(reply, edits));
    }
    lines
}

fn line(reply: &str, edits: &[(usize, &Repair)]) -> Option<DiffLine> {
    let first = edits.first()?.1;
    let start = reply
        .get(..first.offset)?
        .rfind('\n')
        .map_or(0, |it| it + 1);
    let mut line = DiffLine {
        number: first.line,
        ..DiffLine::default()
    };
    let mut at = start;
    for (idx, edit) in edits {
        let gap = reply.get(at..edit.offset).unwrap_or_default();
        let side = if at == start { Gap::Head } else { Gap::Middle };
        line.gap(gap, side);
        line.edit(*idx, edit);
        at = (edit.offset + edit.before.len()).max(at);
    }
    let rest = reply.get(at..).unwrap_or_default();
    let rest = rest.split('\n').next().unwrap_or_default();
    line.gap(rest, Gap::Tail);
    Some(line)
}

/// Where unchanged text stands in its line.
#[derive(Clone, Copy)]
enum Gap {
    Head,
    Middle,
    Tail,
}

impl DiffLine {
    /// Unchanged text; of a long one only what is next to the edits stays.
    fn gap(&mut self, text: &str, gap: Gap) {
        if text.is_empty() {
            return;
        }
        let n_chars = text.chars().count();
        let text = if n_chars <= MAX_GAP {
            text.to_owned()
        } else {
            let half = MAX_GAP / 2;
            let head: String = text.chars().take(half).collect();
            let tail: String = text.chars().skip(n_chars - half).collect();
            match gap {
                Gap::Head => format!("…{tail}"),
                Gap::Tail => format!("{head}…"),
                Gap::Middle => format!("{head}…{tail}"),
            }
        };
        let segment = Segment {
            text: text.replace('\n', "↵"),
            edit: None,
        };
        self.before.push(segment.clone());
        self.after.push(segment);
    }

    fn edit(&mut self, idx: usize, edit: &Repair) {
        for (side, text) in [
            (&mut self.before, &edit.before),
            (&mut self.after, &edit.after),
        ] {
            if !text.is_empty() {
                side.push(Segment {
                    text: shown(text),
                    edit: Some(idx),
                });
            }
        }
    }
}

fn shown(text: &str) -> String {
    let text = text.replace('\n', "↵").replace('\t', "→");
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
