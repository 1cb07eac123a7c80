//! Bare words: the literals of JSON, Python and JavaScript, whole or cut, and plain text.

use serde_json::Value;

use super::document::Node;

/// A literal of some language and what it is in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    True,
    False,
    Null,
    /// Not a number, or infinite: JSON has no such value.
    Nonfinite,
}

/// Every spelling; a cut word is completed only when all that begin like it mean the same.
const LITERALS: &[(&str, Literal)] = &[
    ("true", Literal::True),
    ("false", Literal::False),
    ("null", Literal::Null),
    ("True", Literal::True),
    ("False", Literal::False),
    ("None", Literal::Null),
    ("TRUE", Literal::True),
    ("FALSE", Literal::False),
    ("NULL", Literal::Null),
    ("Null", Literal::Null),
    ("NONE", Literal::Null),
    ("nil", Literal::Null),
    ("undefined", Literal::Null),
    ("NaN", Literal::Nonfinite),
    ("nan", Literal::Nonfinite),
    ("Infinity", Literal::Nonfinite),
    ("-Infinity", Literal::Nonfinite),
    ("+Infinity", Literal::Nonfinite),
    ("-NaN", Literal::Nonfinite),
    ("inf", Literal::Nonfinite),
    ("-inf", Literal::Nonfinite),
];

/// What the end of the text makes of a word that stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// One meaning only.
    Completed(Literal),
    /// Several meanings: there is no value.
    Unclear,
    /// No literal begins like this.
    Text,
}

impl Literal {
    pub(super) fn value(self) -> Value {
        match self {
            Self::True => Value::Bool(true),
            Self::False => Value::Bool(false),
            Self::Null | Self::Nonfinite => Value::Null,
        }
    }

    pub(super) fn node(self) -> Node {
        match self {
            Self::True => Node::Bool(true),
            Self::False => Node::Bool(false),
            Self::Null | Self::Nonfinite => Node::Null,
        }
    }

    pub(super) fn json(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Null | Self::Nonfinite => "null",
        }
    }
}

/// The literal a whole word stands for.
pub(super) fn literal(word: &str) -> Option<Literal> {
    // Most words are none, and their length or their first letter says so.
    if word.len() > LONGEST || !word.starts_with(is_first_letter) {
        return None;
    }
    let starts_alike =
        |name: &str| name.len() == word.len() && name.as_bytes().first() == word.as_bytes().first();
    LITERALS
        .iter()
        .find(|(name, _)| starts_alike(name) && *name == word)
        .map(|(_, literal)| *literal)
}

/// The length of the longest literal.
const LONGEST: usize = 9;

/// Whether a literal begins with this letter.
fn is_first_letter(c: char) -> bool {
    matches!(
        c,
        't' | 'f' | 'n' | 'T' | 'F' | 'N' | 'u' | 'I' | '-' | '+' | 'i'
    )
}

/// What a word that the end of the text cut can have been.
pub(super) fn completed(word: &str) -> Cut {
    if word == "-" || word == "+" {
        return Cut::Unclear;
    }
    let mut meanings = LITERALS
        .iter()
        .filter(|(name, _)| name.len() > word.len() && name.starts_with(word))
        .map(|(_, literal)| *literal);
    let Some(first) = meanings.next() else {
        return Cut::Text;
    };
    // JSON's own words are what a reply most likely began to write.
    if ["true", "false", "null"]
        .iter()
        .any(|name| name.starts_with(word))
    {
        return Cut::Completed(first);
    }
    if meanings.all(|it| it == first) {
        Cut::Completed(first)
    } else {
        Cut::Unclear
    }
}

/// Words that stand before a quote in Python and change nothing that JSON keeps.
pub(super) fn is_string_prefix(word: &str) -> bool {
    matches!(word, "u" | "U" | "b" | "B" | "r" | "R")
}

/// Names of types: a schema that is echoed, when nothing else stands in it.
pub(super) fn is_type_name(word: &str) -> bool {
    matches!(
        word,
        "string"
            | "str"
            | "number"
            | "integer"
            | "int"
            | "float"
            | "boolean"
            | "bool"
            | "array"
            | "object"
            | "any"
            | "date"
    )
}

/// Whether a bare value is a piece of a program, a template or a schema instead of a value.
pub(super) fn is_code(word: &str) -> bool {
    word.starts_with('<')
        || word.ends_with(';')
        || word.contains("=>")
        || word.contains("==")
        || word.contains("({")
        || word.starts_with("lambda ")
        || (word.contains(" if ") && word.contains(" else "))
        || (word.contains(" for ") && word.contains(" in "))
}
