//! Code blocks of Markdown: line-anchored fences of three or more backticks or tildes.

use std::ops::Range;

use super::trim::{trim, trim_end, trim_start};

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

/// The blocks of a text in their order; the last one may be open.
pub(super) struct Blocks<'a> {
    text: &'a str,
    /// Where the next line begins.
    at: usize,
}

/// All blocks of a text.
pub(super) fn blocks(text: &str) -> Blocks<'_> {
    Blocks { text, at: 0 }
}

/// So many bytes are looked at without a branch.
const AT_ONCE: usize = 32;

/// How many bytes come before the first mark of fences.
fn n_before_mark(bytes: &[u8]) -> Option<usize> {
    let mut n_bytes = 0;
    while let Some(chunk) = bytes[n_bytes..].first_chunk::<AT_ONCE>()
        && !holds_mark(chunk)
    {
        n_bytes += AT_ONCE;
    }
    let is_ended = || !bytes.last_chunk().is_none_or(holds_mark);
    if n_bytes + AT_ONCE > bytes.len() && is_ended() {
        return None;
    }
    let rest = &bytes[n_bytes..];
    let n_more = rest.iter().position(|it| matches!(it, b'`' | b'~'))?;
    Some(n_bytes + n_more)
}

/// Goes over all bytes without a branch, which takes many at once.
#[inline]
fn holds_mark(bytes: &[u8; AT_ONCE]) -> bool {
    let is_mark = |it: &u8| u8::from(*it == b'`') | u8::from(*it == b'~');
    bytes.iter().fold(0, |found, it| found | is_mark(it)) != 0
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        let (opening, first_line) = self.next_fence(opens)?;
        let start = first_line.end;
        let closing = self.next_fence(|it| closes(it, &opening));
        let closed = closing.is_some();
        let (content_end, end) = match closing {
            Some((_, line)) => (without_line_break(self.text, start, line.start), line.end),
            None => (self.text.len(), self.text.len()),
        };
        Some(Block {
            content: start..content_end,
            whole: first_line.start..end,
            label: label(opening.info),
            closed,
        })
    }
}

impl<'a> Blocks<'a> {
    /// The next fence that will do, and its line with the line break.
    fn next_fence(
        &mut self,
        will_do: impl Fn(&Fence<'_>) -> bool,
    ) -> Option<(Fence<'a>, Range<usize>)> {
        while let Some(n_before) = n_before_mark(&self.text.as_bytes()[self.at..]) {
            // The line of the mark, which alone may be a fence.
            let mark = self.at + n_before;
            let before = self.text[self.at..mark].rfind('\n');
            let start = before.map_or(self.at, |n| self.at + n + 1);
            let rest = &self.text[mark..];
            let end = mark + rest.find('\n').map_or(rest.len(), |n| n + 1);
            self.at = end;
            if let Some(fence) = fence(&self.text[start..end]).filter(&will_do) {
                return Some((fence, start..end));
            }
        }
        self.at = self.text.len();
        None
    }
}

fn fence(line: &str) -> Option<Fence<'_>> {
    let line = trim_start(line);
    let mark = *line.as_bytes().first()?;
    if mark != b'`' && mark != b'~' {
        return None;
    }
    let line = trim_end(line);
    let n_marks = line.bytes().take_while(|&byte| byte == mark).count();
    (n_marks >= 3).then(|| Fence {
        mark,
        n_marks,
        info: trim(&line[n_marks..]),
    })
}

fn opens(fence: &Fence<'_>) -> bool {
    fence.mark == b'~' || !fence.info.contains('`')
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
