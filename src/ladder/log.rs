//! What the tolerant parser did: edits, flags, notes, and why it gave up.

use std::borrow::Cow;
use std::ops::Range;

use super::{Flag, RepairKind};

/// One edit, in bytes of the text that was parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) kind: RepairKind,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) after: After,
}

/// What an edit puts in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum After {
    Text(&'static str),
    /// What was there, as a string of JSON.
    Quoted,
    Own(Box<str>),
}

/// Edits in the order of the text, flags without repetition, notes.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub(super) edits: Vec<Edit>,
    pub(super) flags: Vec<Flag>,
    pub(super) notes: Vec<String>,
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fail {
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) kind: FailKind,
}

/// What a failure means for the rest of the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailKind {
    /// Nothing of it was JSON: the search goes on right behind the bracket.
    Prose,
    /// It was JSON up to there: what lies inside is a part and never the answer.
    Broken,
    /// Every quote is escaped: to be read again with one layer of escapes taken off.
    Escaped,
    /// Nested too deeply: no value at all.
    Depth,
    /// A number without a value: no value at all.
    Overflow,
}

impl Log {
    #[inline]
    pub(super) fn edit(
        &mut self,
        kind: RepairKind,
        place: Range<usize>,
        after: impl Into<After>,
    ) {
        self.edits.push(Edit {
            kind,
            start: place.start,
            end: place.end,
            after: after.into(),
        });
    }

    #[inline]
    pub(super) fn flag(&mut self, flag: Flag) {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }

    pub(super) fn note_once(&mut self, note: &str) {
        if !self.notes.iter().any(|it| it == note) {
            self.note(note.to_owned());
        }
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }
}

impl Log {
    /// The same log where no edit leaves open what it puts in; needed where the reply differs from the text.
    pub(super) fn spelled_out(mut self, text: &str) -> Self {
        for edit in &mut self.edits {
            if edit.after == After::Quoted {
                edit.after = quoted(&text[edit.start..edit.end]).into();
            }
        }
        self
    }
}

impl After {
    /// The text that is put in; `before` is what was there.
    pub(super) fn text(&self, before: &str) -> Cow<'static, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Quoted => Cow::Owned(quoted(before)),
            Self::Own(text) => Cow::Owned(text.to_string()),
        }
    }
}

impl From<&'static str> for After {
    fn from(text: &'static str) -> Self {
        Self::Text(text)
    }
}

impl From<String> for After {
    fn from(text: String) -> Self {
        Self::Own(text.into())
    }
}

/// A word as a string of JSON.
fn quoted(word: &str) -> String {
    if word
        .bytes()
        .any(|byte| byte < 0x20 || matches!(byte, b'"' | b'\\'))
    {
        return serde_json::to_string(word).unwrap_or_default();
    }
    ["\"", word, "\""].concat()
}

/// At most so much of a text that it stays readable in a sentence.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
