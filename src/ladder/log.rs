//! What the tolerant parser did: edits, flags, notes, and why it gave up.

use std::borrow::Cow;
use std::ops::Range;

use super::document::{Offset, offset};
use super::{Flag, RepairKind};

/// One edit, in bytes of the text that was parsed. There can be very many, so it is small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    start: Offset,
    end: Offset,
    pub(super) kind: RepairKind,
    pub(super) after: After,
}

/// What an edit puts in, as the log keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// One of the texts that are put in most.
    Common(u8),
    /// What was there, as a string of JSON.
    Quoted,
    /// One of the log's own texts.
    Own(u32),
}

/// What an edit puts in.
#[derive(Clone, Debug)]
pub(super) enum Put {
    Text(&'static str),
    /// What was there, as a string of JSON.
    Quoted,
    Own(String),
}

/// What edits put in most.
const COMMON: [&str; 16] = [
    "", "\"", ",", ":", "null", "true", "false", "{", "}", "[", "]", "\\n", "\\\\", "\\\"", " ",
    "'",
];

/// The place among the common texts, found by length and bytes.
#[inline]
fn common(text: &str) -> Option<u8> {
    Some(match text.as_bytes() {
        [] => 0,
        [b'"'] => 1,
        [b','] => 2,
        [b':'] => 3,
        [b'n', b'u', b'l', b'l'] => 4,
        [b't', b'r', b'u', b'e'] => 5,
        [b'f', b'a', b'l', b's', b'e'] => 6,
        [b'{'] => 7,
        [b'}'] => 8,
        [b'['] => 9,
        [b']'] => 10,
        [b'\\', b'n'] => 11,
        [b'\\', b'\\'] => 12,
        [b'\\', b'"'] => 13,
        [b' '] => 14,
        [b'\''] => 15,
        _ => return None,
    })
}

/// Edits in the order of the text, and what few replies give cause for. It is moved about, so it is small.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub(super) edits: Vec<Edit>,
    rare: Option<Box<Rare>>,
}

/// What most logs have nothing of.
#[derive(Clone, Debug, Default)]
pub(super) struct Rare {
    /// What edits put in that is not common.
    texts: Vec<Box<str>>,
    /// A bare key was read and went again with what was cut off.
    lost_bare_key: bool,
    /// None is there twice.
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
    /// An empty log with room for so many edits.
    pub(super) fn with_room(n_edits: usize) -> Self {
        Self {
            edits: Vec::with_capacity(n_edits),
            rare: None,
        }
    }

    #[inline]
    pub(super) fn edit(&mut self, kind: RepairKind, place: Range<usize>, put: impl Into<Put>) {
        let after = self.kept(put.into());
        self.edits.push(Edit {
            start: offset(place.start),
            end: offset(place.end),
            kind,
            after,
        });
    }

    /// An edit that puts in a double quote, of which there are most.
    #[inline]
    pub(super) fn quote(&mut self, place: Range<usize>) {
        self.edits.push(Edit {
            start: offset(place.start),
            end: offset(place.end),
            kind: RepairKind::Quote,
            after: After::Common(1),
        });
    }

    /// Changes what an edit puts in.
    pub(super) fn amend(&mut self, edit: usize, put: impl Into<Put>) {
        let after = self.kept(put.into());
        if let Some(edit) = self.edits.get_mut(edit) {
            edit.after = after;
        }
    }

    #[inline]
    fn kept(&mut self, put: Put) -> After {
        match put {
            Put::Text(text) => match common(text) {
                Some(n) => After::Common(n),
                None => self.own(text.to_owned()),
            },
            Put::Quoted => After::Quoted,
            Put::Own(text) => self.own(text),
        }
    }

    #[cold]
    fn own(&mut self, text: String) -> After {
        let texts = &mut self.rare().texts;
        texts.push(text.into());
        After::Own(offset(texts.len() - 1))
    }

    pub(super) fn flag(&mut self, flag: Flag) {
        if !self.has(flag) {
            self.rare().flags.push(flag);
        }
    }

    #[inline]
    pub(super) fn has(&self, flag: Flag) -> bool {
        self.flags().contains(&flag)
    }

    #[inline]
    pub(super) fn flags(&self) -> &[Flag] {
        self.rare.as_ref().map_or(&[], |it| &it.flags)
    }

    pub(super) fn note_once(&mut self, note: &str) {
        if !self.rare().notes.iter().any(|it| it == note) {
            self.note(note.to_owned());
        }
    }

    #[cold]
    pub(super) fn note(&mut self, note: String) {
        self.rare().notes.push(note);
    }

    pub(super) fn lose_bare_key(&mut self) {
        self.rare().lost_bare_key = true;
    }

    pub(super) fn lost_bare_key(&self) -> bool {
        self.rare.as_ref().is_some_and(|it| it.lost_bare_key)
    }

    #[cold]
    fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// Flags and notes, to be taken away.
    #[inline]
    pub(super) fn told(&mut self) -> Option<&mut Rare> {
        self.rare.as_deref_mut()
    }
}

impl Log {
    /// The same log where no edit leaves open what it puts in; needed where the reply differs from the text.
    pub(super) fn spelled_out(mut self, text: &str) -> Self {
        for n in 0..self.edits.len() {
            let edit = self.edits[n];
            if edit.after == After::Quoted {
                self.amend(n, quoted(&text[edit.place()]));
            }
        }
        self
    }

    /// The same log so many bytes further on.
    #[inline]
    pub(super) fn shifted(mut self, by: usize) -> Self {
        if by > 0 {
            let by = offset(by);
            for edit in &mut self.edits {
                edit.start += by;
                edit.end += by;
            }
        }
        self
    }

    /// The same log with offsets of another text.
    pub(super) fn moved(mut self, to: impl Fn(usize) -> usize) -> Self {
        for edit in &mut self.edits {
            let place = edit.place();
            edit.start = offset(to(place.start));
            edit.end = offset(to(place.end));
        }
        self
    }
}

impl Log {
    /// The text that an edit puts in; `before` is what was there.
    pub(super) fn after(&self, edit: &Edit, before: &str) -> Cow<'static, str> {
        match edit.after {
            After::Common(n) => Cow::Borrowed(COMMON[usize::from(n)]),
            After::Quoted => Cow::Owned(quoted(before)),
            After::Own(n) => {
                let texts = self.rare.as_ref().map(|it| &it.texts);
                let text = texts.and_then(|it| it.get(n as usize));
                Cow::Owned(text.map_or_else(String::new, ToString::to_string))
            }
        }
    }
}

impl Edit {
    pub(super) fn start(&self) -> usize {
        self.start as usize
    }

    pub(super) fn place(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl From<&'static str> for Put {
    #[inline]
    fn from(text: &'static str) -> Self {
        Self::Text(text)
    }
}

impl From<String> for Put {
    fn from(text: String) -> Self {
        Self::Own(text)
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
