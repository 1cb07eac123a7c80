//! Classes of characters by name or by their members, for the ban of tokens.

use serde_json::Value;

use super::KnobError;

/// A class of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CharClass {
    /// `0` to `9`.
    AsciiDigit,
    /// Every character that Unicode calls numeric: also ², ½, ②, Ⅷ, ２.
    Numeric,
    AsciiLetter,
    Uppercase,
    /// Spaces, tabs and line breaks of any kind.
    WhiteSpace,
    /// The two characters that break a line.
    LineBreak,
    /// ASCII punctuation, such as `{`, `"` and `:`.
    Punctuation,
    /// Anything beyond ASCII.
    NonAscii,
    /// Characters and ranges in brackets, as they stand in the file: `[0-9a-f]`.
    Members {
        text: String,
        ranges: Vec<(char, char)>,
    },
}

/// The named classes.
const NAMED: [(&str, CharClass); 8] = [
    ("ascii_digit", CharClass::AsciiDigit),
    ("numeric", CharClass::Numeric),
    ("ascii_letter", CharClass::AsciiLetter),
    ("uppercase", CharClass::Uppercase),
    ("white_space", CharClass::WhiteSpace),
    ("line_break", CharClass::LineBreak),
    ("punctuation", CharClass::Punctuation),
    ("non_ascii", CharClass::NonAscii),
];

impl CharClass {
    /// The names that a file can use, beside members in brackets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name)
    }

    /// Reads a name, or members in brackets. `-` stands for itself at the end, and `]` at the beginning.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some((_, class)) = NAMED.iter().find(|(name, _)| *name == text) {
            return Some(class.clone());
        }
        let members = text.strip_prefix('[')?.strip_suffix(']')?;
        let ranges = read_ranges(members)?;
        Some(Self::Members {
            text: text.to_owned(),
            ranges,
        })
    }

    /// The form in a file, which `parse` reads.
    pub fn key(&self) -> &str {
        if let Self::Members { text, .. } = self {
            return text;
        }
        let named = NAMED.iter().find(|(_, class)| class == self);
        named.map_or("", |(name, _)| name)
    }

    pub fn holds(&self, it: char) -> bool {
        match self {
            Self::AsciiDigit => it.is_ascii_digit(),
            Self::Numeric => it.is_numeric(),
            Self::AsciiLetter => it.is_ascii_alphabetic(),
            Self::Uppercase => it.is_uppercase(),
            Self::WhiteSpace => it.is_whitespace(),
            Self::LineBreak => matches!(it, '\n' | '\r'),
            Self::Punctuation => it.is_ascii_punctuation(),
            Self::NonAscii => !it.is_ascii(),
            Self::Members { ranges, .. } => ranges.iter().any(|(a, b)| (*a..=*b).contains(&it)),
        }
    }

    /// Whether a reader may take a character that is not held for one that is: full-width forms of it, and for
    /// digits every other numeric character.
    pub fn looks_held(&self, it: char) -> bool {
        if self.holds(it) {
            return false;
        }
        let holds_digit = ('0'..='9').any(|digit| self.holds(digit));
        let full_width = matches!(it, '\u{ff01}'..='\u{ff5e}');
        let plain = char::from_u32((it as u32).wrapping_sub(0xfee0)).filter(|_| full_width);
        plain.is_some_and(|it| self.holds(it)) || holds_digit && it.is_numeric() && !it.is_ascii()
    }

    pub(super) fn read_all(value: &Value) -> Result<Vec<Self>, KnobError> {
        let classes = value.as_array().and_then(|items| {
            items
                .iter()
                .map(|it| it.as_str().and_then(Self::parse))
                .collect()
        });
        classes.ok_or_else(|| KnobError {
            key: "token_ban".to_owned(),
            value: value.to_string(),
            range: format!(
                "a list of classes of characters: {}, or members in brackets such as [0-9a-f]",
                Self::names().collect::<Vec<_>>().join(", ")
            ),
        })
    }
}

fn read_ranges(members: &str) -> Option<Vec<(char, char)>> {
    let signs: Vec<char> = members.chars().collect();
    let mut ranges = Vec::new();
    let mut place = 0;
    while let Some(&first) = signs.get(place) {
        if let (Some('-'), Some(&last)) = (signs.get(place + 1), signs.get(place + 2)) {
            if first > last {
                return None;
            }
            ranges.push((first, last));
            place += 3;
        } else {
            ranges.push((first, first));
            place += 1;
        }
    }
    (!ranges.is_empty()).then_some(ranges)
}
