//! Keeps what a user typed text: no special token of a model may arise from it.
//!
//! A chat template joins its own control tokens and the user's text into one string, and in that string
//! `<|im_end|>` typed by the user is the same as the template's. So each such place in the messages gets
//! a mark before rendering, after the token's first character; the rendered text is split at the marks
//! and its segments are tokenised one by one. No segment holds the whole token, so none can become it.

use std::collections::{HashMap, HashSet};

use super::Message;

/// Candidates for the mark, in order: Unicode's noncharacters, then a private-use plane.
const MARKS: [std::ops::RangeInclusive<char>; 2] =
    ['\u{FDD0}'..='\u{FDEF}', '\u{F0000}'..='\u{FFFFD}'];

/// A model's special tokens, made ready to be looked for.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    specials: HashSet<String>,
    /// Lengths in bytes of the specials, longest first, by first character.
    lengths: HashMap<char, Vec<usize>>,
}

impl Guard {
    /// Special tokens of one character are left out: a split cannot take them apart.
    pub fn new(specials: &[String]) -> Self {
        let mut guard = Self::default();
        for special in specials {
            let mut chars = special.chars();
            let (Some(first), Some(_)) = (chars.next(), chars.next()) else {
                continue;
            };
            let lengths = guard.lengths.entry(first).or_default();
            if !lengths.contains(&special.len()) {
                lengths.push(special.len());
            }
            guard.specials.insert(special.clone());
        }
        guard
    }

    /// Puts the mark into every special token that stands in the text.
    pub fn mark(&self, text: &str, mark: char) -> String {
        let mut marked = String::with_capacity(text.len());
        for (idx, c) in text.char_indices() {
            marked.push(c);
            if self.is_special_at(&text[idx..], c) {
                marked.push(mark);
            }
        }
        marked
    }

    fn is_special_at(&self, rest: &str, first: char) -> bool {
        self.lengths.get(&first).is_some_and(|lengths| {
            lengths
                .iter()
                .any(|it| rest.get(..*it).is_some_and(|it| self.specials.contains(it)))
        })
    }
}

/// Marks every special token in the messages' texts; gives the mark, a character that occurs in none of them.
pub fn protect(messages: &[Message], specials: &[String]) -> (Vec<Message>, char) {
    let guard = Guard::new(specials);
    let mark = free_mark(messages.iter().map(|it| it.content.as_str()));
    let marked = messages
        .iter()
        .map(|it| Message {
            role: it.role,
            content: guard.mark(&it.content, mark),
        })
        .collect();
    (marked, mark)
}

/// The first mark that occurs in none of the texts: messages, prefill, template.
pub fn free_mark<'a>(texts: impl IntoIterator<Item = &'a str>) -> char {
    let used: HashSet<char> = texts
        .into_iter()
        .flat_map(str::chars)
        .filter(|it| MARKS.iter().any(|range| range.contains(it)))
        .collect();
    MARKS
        .into_iter()
        .flatten()
        .find(|it| !used.contains(it))
        .unwrap_or('\u{FDD0}')
}

/// A rendered text without its marks, and the segments between them, in order. Joined, they are the text.
pub fn segments(rendered: &str, mark: char) -> (String, Vec<String>) {
    let segments: Vec<_> = rendered
        .split(mark)
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect();
    (segments.concat(), segments)
}
