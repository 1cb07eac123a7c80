//! Code blocks of Markdown: line-anchored fences of three or more backticks or tildes.

use std::ops::Range;

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// What stands between the fences, without the line breaks beside them.
    pub(super) content: Range<usize>,
    /// From the opening fence to behind the closing one.
    pub(super) whole: Range<usize>,
    pub(super) label: Label,
    /// The closing fence is there.
    pub(super) closed: bool,
}

/// What the word behind the opening fence promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Json,
    None,
    /// Another language.
    Foreign,
}

/// An opening or closing fence line.
struct Fence<'a> {
    mark: u8,
    n_marks: usize,
    info: &'a str,
}

/// All blocks of a text in their order; the last one may be open.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    if !may_hold_fence(text.as_bytes()) {
        return Vec::new();
    }
    let mut blocks = Vec::with_capacity(1);
    let mut open: Option<(Fence<'_>, usize, usize)> = None;
    let mut lines = MarkedLines::new(text);
    while let Some((start, at)) = lines.next() {
        let Some(fence) = fence(&text[start..at]) else {
            continue;
        };
        match &open {
            None if !fence.info.contains('`') || fence.mark == b'~' => {
                open = Some((fence, start, at));
            }
            Some((opening, whole, content)) if closes(&fence, opening) => {
                blocks.push(Block {
                    content: *content..without_line_break(text, *content, start),
                    whole: *whole..at,
                    label: label(opening.info),
                    closed: true,
                });
                open = None;
            }
            _ => {}
        }
    }
    if let Some((opening, whole, content)) = open {
        blocks.push(Block {
            content: content..text.len(),
            whole: whole..text.len(),
            label: label(opening.info),
            closed: false,
        });
    }
    blocks
}

/// Whether a mark of fences stands anywhere. Goes over all bytes without a branch, which takes many at once.
fn may_hold_fence(bytes: &[u8]) -> bool {
    let is_mark = |it: &u8| u8::from(*it == b'`') | u8::from(*it == b'~');
    bytes.iter().fold(0, |found, it| found | is_mark(it)) != 0
}

/// The lines of a text that hold a mark at all; most hold none and are not looked at.
struct MarkedLines<'a> {
    text: &'a str,
    at: usize,
    /// The next places of the two marks, each looked for only when it was passed.
    marks: [usize; 2],
}

impl<'a> MarkedLines<'a> {
    const MARKS: [char; 2] = ['`', '~'];

    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            marks: Self::MARKS.map(|it| text.find(it).unwrap_or(usize::MAX)),
        }
    }

    /// Start and end of the next line that holds a mark, its line break included.
    fn next(&mut self) -> Option<(usize, usize)> {
        let rest = &self.text[self.at..];
        for (place, mark) in self.marks.iter_mut().zip(Self::MARKS) {
            if *place < self.at {
                *place = rest.find(mark).map_or(usize::MAX, |n| self.at + n);
            }
        }
        let mark = self.marks[0].min(self.marks[1]);
        let before = self.text.get(self.at..mark)?;
        let start = before.rfind('\n').map_or(self.at, |n| self.at + n + 1);
        let end = self.text[mark..].find('\n');
        self.at = end.map_or(self.text.len(), |n| mark + n + 1);
        Some((start, self.at))
    }
}

fn fence(line: &str) -> Option<Fence<'_>> {
    let line = line.trim_start();
    let mark = *line.as_bytes().first()?;
    if mark != b'`' && mark != b'~' {
        return None;
    }
    let line = line.trim_end();
    let n_marks = line.bytes().take_while(|&byte| byte == mark).count();
    (n_marks >= 3).then(|| Fence {
        mark,
        n_marks,
        info: line[n_marks..].trim(),
    })
}

fn closes(fence: &Fence<'_>, opening: &Fence<'_>) -> bool {
    fence.mark == opening.mark && fence.n_marks >= opening.n_marks && fence.info.is_empty()
}

/// What blocks of JSON are labelled.
const JSON: &[&str] = &[
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "ndjson",
    "application/json",
];

fn label(info: &str) -> Label {
    let word = info
        .split([' ', '\t', '{', ','])
        .next()
        .unwrap_or_default()
        .trim_start_matches('.');
    let is_one_of = |names: &[&str]| names.iter().any(|it| it.eq_ignore_ascii_case(word));
    if word.is_empty() || is_one_of(&["text", "txt", "plaintext", "output"]) {
        Label::None
    } else if is_one_of(JSON) {
        Label::Json
    } else {
        Label::Foreign
    }
}

fn without_line_break(text: &str, start: usize, end: usize) -> usize {
    let content = &text[start..end.max(start)];
    let content = content.strip_suffix('\n').unwrap_or(content);
    start + content.strip_suffix('\r').unwrap_or(content).len()
}
