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
    let mut blocks = Vec::new();
    let mut open: Option<(Fence<'_>, usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(fence) = fence(line) else { continue };
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

fn fence(line: &str) -> Option<Fence<'_>> {
    let line = line.trim();
    let mark = *line.as_bytes().first()?;
    if mark != b'`' && mark != b'~' {
        return None;
    }
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

fn label(info: &str) -> Label {
    let word = info
        .split([' ', '\t', '{', ','])
        .next()
        .unwrap_or_default()
        .trim_start_matches('.')
        .to_ascii_lowercase();
    match word.as_str() {
        "json" | "json5" | "jsonc" | "jsonl" | "ndjson" | "application/json" => Label::Json,
        "" | "text" | "txt" | "plaintext" | "output" => Label::None,
        _ => Label::Foreign,
    }
}

fn without_line_break(text: &str, start: usize, end: usize) -> usize {
    let content = &text[start..end.max(start)];
    let content = content.strip_suffix('\n').unwrap_or(content);
    start + content.strip_suffix('\r').unwrap_or(content).len()
}
