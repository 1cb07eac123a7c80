//! Splits off what is not the answer: thinking blocks and the tags around tool calls.

use std::ops::Range;

use super::openers::{Openers, may_be_tag, may_hold_tag};
use super::trim::trim_start;

/// The parts of a reply that can hold the answer, and what was split off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Split {
    /// The parts that a tag ends.
    before_tags: Vec<Range<usize>>,
    /// The part that ends with the reply; most replies are nothing else.
    last: Option<Range<usize>>,
    pub(super) thinking: Vec<Range<usize>>,
    pub(super) has_tool_tags: bool,
}

/// What a tag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    ThinkOpen,
    ThinkClose,
    /// Ends thinking if there was any, and says nothing otherwise.
    Answer,
    /// Around or before a tool call: only the tag itself goes.
    Tool,
}

/// A split under way.
#[derive(Default)]
struct Splitter {
    split: Split,
    /// Where the region under way began.
    start: usize,
    thinking_since: Option<usize>,
}

/// Counts the quotes of the line up to a place.
#[derive(Default)]
struct Quotes {
    at: usize,
    odd: bool,
    escaped: bool,
}

/// Names of thinking blocks, whatever brackets stand around them.
const THINK_NAMES: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reason",
    "reflection",
    "analysis",
    "scratchpad",
    "internal_monologue",
    "seed:think",
    "antthinking",
    "inner_thoughts",
];

/// Names of tool call tags.
const TOOL_NAMES: &[&str] = &[
    "tool_call",
    "tool_calls",
    "toolcall",
    "function_call",
    "function_calls",
    "function",
    "tool",
    "tool_use",
    "tool_code",
    "python_tag",
    "action",
    "invoke",
    "tools",
    "tool_request",
    "tool_call_begin",
    "tool_call_end",
    "tool_calls_begin",
    "tool_calls_end",
    "tool_sep",
    "tool_calls_section_begin",
    "tool_calls_section_end",
    "tool_call_argument_begin",
    "plugin",
    "action_start",
    "action_end",
    "start_action",
    "end_action",
];

/// Tags that mean something only as a whole.
const FIXED: &[(&str, Tag)] = &[
    ("<|end|>", Tag::Answer),
    ("<|channel>thought", Tag::ThinkOpen),
    ("<channel|>", Tag::ThinkClose),
    ("<unused94>thought", Tag::ThinkOpen),
    ("<unused95>", Tag::ThinkClose),
];

/// Other shapes: name for the start, name for the end.
const THINK_PAIRS: &[(&str, &str)] = &[
    ("begin_of_thought", "end_of_thought"),
    ("start_thinking", "end_thinking"),
    ("begin_of_thinking", "end_of_thinking"),
    ("begin_thought", "end_thought"),
    ("begin_think", "end_think"),
    ("inner_prefix", "inner_suffix"),
];

impl Split {
    /// The parts that can hold the answer, in their order.
    pub(super) fn regions(&self) -> impl DoubleEndedIterator<Item = &Range<usize>> {
        self.before_tags.iter().chain(&self.last)
    }
}

/// Splits a reply. Tags inside strings are content.
pub(super) fn split(reply: &str) -> Split {
    let mut splitter = Splitter::default();
    let mut quotes = Quotes::default();
    let mut at = splitter.take_bare_channels(reply);
    quotes.reset(at);
    if !may_hold_tag(reply.as_bytes()) {
        return splitter.finish(reply);
    }
    let mut openers = Openers::new(reply);
    while let Some(opener) = openers.next(reply, at) {
        at = opener;
        let found = if may_be_tag(&reply.as_bytes()[at..]) {
            tag_at(reply, at)
        } else {
            None
        };
        let Some((tag, end)) = found else {
            at += reply[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        if splitter.thinking_since.is_some() || !quotes.is_odd_at(reply, at) {
            splitter.take(tag, at..end);
            quotes.reset(end);
        }
        at = end;
    }
    splitter.finish(reply)
}

impl Splitter {
    /// Channels whose marks were lost on the way: `analysis…assistantfinal…`. Returns where the answer begins.
    fn take_bare_channels(&mut self, reply: &str) -> usize {
        const NAME: &str = "analysis";
        const ANSWER: &str = "assistantfinal";
        let found = reply.strip_prefix(NAME).and_then(|it| it.find(ANSWER));
        let Some(n) = found else { return 0 };
        let end = NAME.len() + n;
        self.split.thinking.push(NAME.len()..end);
        self.start = end + ANSWER.len();
        self.start
    }

    fn take(&mut self, tag: Tag, place: Range<usize>) {
        match (tag, self.thinking_since) {
            (Tag::ThinkOpen, None) => {
                self.split.before_tags.push(self.start..place.start);
                self.thinking_since = Some(place.end);
            }
            (Tag::ThinkClose | Tag::Answer, Some(since)) => {
                self.split.thinking.push(since..place.start);
                self.thinking_since = None;
                self.start = place.end;
            }
            // The template ate the opening tag: all before it was thought.
            (Tag::ThinkClose, None) => {
                let parts = &mut self.split.before_tags;
                let first = parts.first().map_or(self.start, |it| it.start);
                parts.clear();
                self.split.thinking.push(first..place.start);
                self.start = place.end;
            }
            (Tag::Tool, None) => {
                self.split.has_tool_tags = true;
                self.split.before_tags.push(self.start..place.start);
                self.start = place.end;
            }
            _ => {}
        }
    }

    /// Ends the last part; parts that hold nothing go.
    fn finish(mut self, reply: &str) -> Split {
        match self.thinking_since {
            Some(since) => self.split.thinking.push(since..reply.len()),
            None => self.split.last = Some(self.start..reply.len()),
        }
        let holds_text = |it: &Range<usize>| !trim_start(&reply[it.clone()]).is_empty();
        self.split.before_tags.retain(holds_text);
        self.split.last = self.split.last.filter(holds_text);
        self.split
    }
}

/// What a tag says about thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thinking {
    Opens,
    Closes,
}

/// Judges one tag with its brackets.
pub(super) fn thinking(tag: &str) -> Option<Thinking> {
    match tag_at(tag, 0)?.0 {
        Tag::ThinkOpen => Some(Thinking::Opens),
        Tag::ThinkClose => Some(Thinking::Closes),
        Tag::Answer | Tag::Tool => None,
    }
}

/// The tag that starts at a place, and the offset behind it.
fn tag_at(reply: &str, at: usize) -> Option<(Tag, usize)> {
    const LONGEST: usize = 80;
    let rest = &reply[at..];
    if let Some(found) = channel_at(rest) {
        return Some((found.0, at + found.1));
    }
    let closer = match rest.chars().next()? {
        '<' => '>',
        '[' => ']',
        _ => '▷',
    };
    let (n_bytes, _) = rest
        .char_indices()
        .take(LONGEST)
        .skip(1)
        .find(|(_, c)| matches!(c, '>' | ']' | '\n' | '▷'))?;
    if !rest[n_bytes..].starts_with(closer) {
        return None;
    }
    let end = at + n_bytes + closer.len_utf8();
    let inner = rest[..n_bytes].trim_start_matches(['<', '[', '◁']);
    let inner = inner.trim_matches(['|', '｜']);
    let (closing, name) = match inner.strip_prefix('/') {
        Some(name) => (true, name.trim_start_matches(['|', '｜'])),
        None => (false, inner),
    };
    let word = name.split([' ', '=']).next().unwrap_or_default();
    // Square brackets are common in prose: only capitals are tags there.
    if closer == ']' && word.chars().any(char::is_lowercase) {
        return None;
    }
    named(&word.to_lowercase().replace('▁', "_"), closing).map(|tag| (tag, end))
}

fn named(word: &str, closing: bool) -> Option<Tag> {
    // Some families put a name of their own before or behind: `mm:think`, `longcat_think`, `think_never_used_…`.
    let own = word.rsplit(':').next().unwrap_or(word);
    let is_think = THINK_NAMES.contains(&word)
        || THINK_NAMES.contains(&own)
        || own.ends_with("_think")
        || own.starts_with("think_");
    if is_think && !word.starts_with("begin_") && !word.starts_with("end_") {
        return Some(if closing {
            Tag::ThinkClose
        } else {
            Tag::ThinkOpen
        });
    }
    if THINK_PAIRS.iter().any(|(open, _)| *open == word) {
        return Some(Tag::ThinkOpen);
    }
    if THINK_PAIRS.iter().any(|(_, close)| *close == word) {
        return Some(Tag::ThinkClose);
    }
    let is_tool = TOOL_NAMES.contains(&own) || own.ends_with("_tool_call");
    is_tool.then_some(Tag::Tool)
}

/// Channels: `<|channel|>analysis<|message|>…<|end|>` thinks, `<|channel|>final<|message|>` answers.
fn channel_at(rest: &str) -> Option<(Tag, usize)> {
    if rest.starts_with("<|channel|>") {
        let end = rest.find("<|message|>")?;
        let name = &rest["<|channel|>".len()..end];
        if name.len() > 120 {
            return None;
        }
        let tag = if name.starts_with("final") {
            Tag::Answer
        } else if name.starts_with("commentary") && name.contains("to=") {
            Tag::Tool
        } else {
            Tag::ThinkOpen
        };
        return Some((tag, end + "<|message|>".len()));
    }
    FIXED
        .iter()
        .find(|(text, _)| rest.starts_with(text))
        .map(|(text, tag)| (*tag, text.len()))
}

impl Quotes {
    /// Whether a place is inside a string that began on its line; places must not go back.
    fn is_odd_at(&mut self, reply: &str, at: usize) -> bool {
        for &byte in &reply.as_bytes()[self.at.min(at)..at] {
            match byte {
                b'\n' => (self.odd, self.escaped) = (false, false),
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.odd = !self.odd,
                _ => {}
            }
        }
        self.at = at.max(self.at);
        self.odd
    }

    /// Begins anew behind a tag.
    fn reset(&mut self, at: usize) {
        *self = Self {
            at,
            ..Self::default()
        };
    }
}
