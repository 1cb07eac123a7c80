//! Reasoning as a channel of its own: which templates know it, and where it ends in a reply.

/// The words between which a model thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThinkingTags {
    pub open: &'static str,
    pub close: &'static str,
}

/// Tags by model family, as their chat templates write them.
const TAGS: &[ThinkingTags] = &[
    tags("<think>", "</think>"),
    tags("<thinking>", "</thinking>"),
    tags("<thought>", "</thought>"),
    tags("<reasoning>", "</reasoning>"),
    tags("<seed:think>", "</seed:think>"),
    tags("[THINK]", "[/THINK]"),
    tags("<|START_THINKING|>", "<|END_THINKING|>"),
];

/// A piece of a reply, by channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    pub thinking: String,
    pub answer: String,
}

/// How a rendered prompt leaves a model that knows thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mind {
    /// It does not think aloud: the template knows no thinking, or the prompt closes the block.
    Answers,
    /// The prompt opened the block, or the template's switch is on and the model will open it.
    Thinks,
    /// The template knows thinking and leaves to the model whether it begins.
    Unknown,
}

/// Splits a reply as it streams. Only a block at the reply's beginning is thinking: the same tag inside
/// the answer is the answer's own text.
#[derive(Clone, Debug)]
pub struct ThinkingSplit {
    tags: ThinkingTags,
    phase: Phase,
    /// Text that may turn out to be part of a tag.
    held: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing but white space has come.
    Start,
    Thinking,
    /// The block was closed, and its white space is still to be skipped.
    Closed,
    Answer,
}

/// Whether a chat template knows thinking, and by which tags. A template that only has the switch
/// `enable_thinking` is taken to use `<think>`.
pub fn thinking_tags(template: &str) -> Option<ThinkingTags> {
    TAGS.iter()
        .find(|it| template.contains(it.open) || template.contains(it.close))
        .or_else(|| TAGS.first().filter(|_| has_switch(template)))
        .copied()
}

/// Whether the template lets thinking be switched off by `enable_thinking`.
pub fn has_switch(template: &str) -> bool {
    template.contains("enable_thinking")
}

/// Whether a rendered prompt ends inside a block, so that the reply begins with thinking.
pub fn is_open(rendered: &str, tags: ThinkingTags) -> bool {
    match (rendered.rfind(tags.open), rendered.rfind(tags.close)) {
        (Some(open), Some(close)) => {
            open > close && rendered[open + tags.open.len()..].trim().is_empty()
        }
        (Some(open), None) => rendered[open + tags.open.len()..].trim().is_empty(),
        (None, _) => false,
    }
}

/// Tells from the prompt and from the same prompt with thinking switched off (none where the template has no
/// switch), both without a prefill.
pub fn mind(template: &str, rendered: &str, switched_off: Option<&str>) -> Mind {
    let Some(tags) = thinking_tags(template) else {
        return Mind::Answers;
    };
    if is_open(rendered, tags) {
        return Mind::Thinks;
    }
    if rendered.trim_end().ends_with(tags.close) {
        return Mind::Answers;
    }
    match switched_off {
        Some(off) if off == rendered => Mind::Answers,
        Some(_) => Mind::Thinks,
        None => Mind::Unknown,
    }
}

impl ThinkingSplit {
    /// `is_open`: the prompt opened the block already.
    pub fn new(tags: ThinkingTags, is_open: bool) -> Self {
        Self {
            tags,
            phase: if is_open {
                Phase::Thinking
            } else {
                Phase::Start
            },
            held: String::new(),
        }
    }

    /// Takes the next piece of the reply; gives what is certain by now.
    pub fn push(&mut self, piece: &str) -> Split {
        self.held.push_str(piece);
        let mut split = Split::default();
        while self.step(&mut split) {}
        split
    }

    /// The reply is over: what was held back is no tag.
    pub fn finish(mut self) -> Split {
        let held = std::mem::take(&mut self.held);
        match self.phase {
            Phase::Thinking => Split {
                thinking: held,
                answer: String::new(),
            },
            Phase::Closed => Split::default(),
            Phase::Start | Phase::Answer => Split {
                thinking: String::new(),
                answer: held,
            },
        }
    }

    /// Moves on by one phase or takes what is certain; false when more text is needed.
    fn step(&mut self, split: &mut Split) -> bool {
        match self.phase {
            Phase::Start => {
                let text = self.held.trim_start();
                if let Some(rest) = text.strip_prefix(self.tags.open) {
                    self.held = rest.to_owned();
                    self.phase = Phase::Thinking;
                    return true;
                }
                if self.tags.open.starts_with(text) {
                    return false;
                }
                self.phase = Phase::Answer;
                true
            }
            Phase::Thinking => self.step_thinking(split),
            Phase::Closed => {
                self.held = self.held.trim_start().to_owned();
                if self.held.is_empty() {
                    return false;
                }
                self.phase = Phase::Answer;
                true
            }
            Phase::Answer => {
                split.answer.push_str(&self.held);
                self.held.clear();
                false
            }
        }
    }

    fn step_thinking(&mut self, split: &mut Split) -> bool {
        let close = self.tags.close;
        if let Some((thinking, rest)) = self.held.split_once(close) {
            split.thinking.push_str(thinking);
            self.held = rest.to_owned();
            self.phase = Phase::Closed;
            return true;
        }
        let n_certain = self.held.len() - overlap(&self.held, close);
        split.thinking.push_str(&self.held[..n_certain]);
        self.held.drain(..n_certain);
        false
    }
}

const fn tags(open: &'static str, close: &'static str) -> ThinkingTags {
    ThinkingTags { open, close }
}

/// Bytes at the text's end that may be the beginning of the tag.
fn overlap(text: &str, tag: &str) -> usize {
    (1..tag.len())
        .rev()
        .find(|it| tag.is_char_boundary(*it) && text.ends_with(&tag[..*it]))
        .unwrap_or(0)
}
