//! Text made comparable: no case, one kind of white space, plain digits, quotes and dashes; each place stays known.

use super::digits;

/// A text folded for comparison, with the way back to the bytes of the original.
#[derive(Clone, Debug, Default)]
pub(super) struct Folded {
    pub(super) text: String,
    /// For each byte of `text`, where its character begins in the original.
    starts: Vec<usize>,
    /// The same for where it ends.
    ends: Vec<usize>,
}

impl Folded {
    pub(super) fn new(original: &str) -> Self {
        let mut folded = Self::default();
        for (start, c) in original.char_indices() {
            let end = start + c.len_utf8();
            if is_invisible(c) {
                continue;
            }
            if c.is_whitespace() {
                if !folded.text.ends_with(' ') {
                    folded.push(' ', start, end);
                }
                continue;
            }
            if let Some((number, _)) = digits::lookalike(c) {
                for digit in number.to_string().chars() {
                    folded.push(digit, start, end);
                }
                continue;
            }
            for lower in plain(c).to_lowercase() {
                folded.push(lower, start, end);
            }
        }
        folded
    }

    /// The original's bytes behind a part of the folded text, which must not be empty.
    pub(super) fn original(&self, start: usize, end: usize) -> (usize, usize) {
        let from = self.starts.get(start).copied().unwrap_or_default();
        let to = self.ends.get(end.saturating_sub(1)).copied();
        (from, to.unwrap_or(from))
    }

    /// Where `needle` (folded) first stands as whole words, in bytes of the original.
    pub(super) fn find_words(&self, needle: &str) -> Option<(usize, usize)> {
        let (start, end) = find_words(&self.text, needle)?;
        Some(self.original(start, end))
    }

    fn push(&mut self, c: char, start: usize, end: usize) {
        self.text.push(c);
        for _ in 0..c.len_utf8() {
            self.starts.push(start);
            self.ends.push(end);
        }
    }
}

/// The folded text alone, without white space at its ends.
pub(super) fn fold(text: &str) -> String {
    Folded::new(text).text.trim().to_owned()
}

/// Where a text first stands as whole words inside another, in bytes; both are folded.
pub(super) fn find_words(text: &str, needle: &str) -> Option<(usize, usize)> {
    let (first, last) = (needle.chars().next()?, needle.chars().next_back()?);
    text.match_indices(needle).find_map(|(start, _)| {
        let end = start + needle.len();
        let before = text[..start].chars().next_back();
        let after = text[end..].chars().next();
        let is_cut =
            |inside: char, outside: Option<char>| is_word(inside) && outside.is_some_and(is_word);
        (!is_cut(first, before) && !is_cut(last, after)).then_some((start, end))
    })
}

/// The words of a folded text; a run of Han, kana or Hangul counts as one.
pub(super) fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .collect()
}

/// A word without the ending of an English plural: `eggs` and `egg`, `berries` and `berry` become the same.
pub(super) fn stem(word: &str) -> &str {
    if !word.is_ascii() || word.len() < 4 || word.ends_with("ss") {
        return word;
    }
    let endings = ["ies", "oes", "ches", "shes", "sses", "xes", "s", "y"];
    let ending = endings.iter().find(|it| word.ends_with(**it));
    match ending.copied() {
        Some("ches" | "shes" | "sses" | "xes" | "oes") => &word[..word.len() - 2],
        Some(ending) => &word[..word.len() - ending.len()],
        None => word,
    }
}

/// Han, kana and Hangul, as far as names are written with them: no space parts their words.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a character joins with its neighbours to a word.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !is_ideograph(c)
}

/// Zero-width characters and byte order marks, which say nothing.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{00AD}'
    )
}

/// Full-width forms, quotes and dashes as ASCII has them.
fn plain(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{2032}' => '\'',
        '\u{201C}' | '\u{201D}' | '\u{201F}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{3002}' => '.',
        '\u{3001}' => ',',
        _ => c,
    }
}
