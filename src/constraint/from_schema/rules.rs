//! The rules of a grammar in the making: their names, their order, and those that every JSON grammar needs.

use std::collections::{BTreeSet, HashSet};

use super::Gap;
use super::expression::Expression;
use crate::constraint::WhiteSpace;

/// Rules as they will be written.
pub(super) struct Rules {
    list: Vec<Rule>,
    taken: HashSet<String>,
    basics: BTreeSet<Basic>,
    white_space: WhiteSpace,
}

struct Rule {
    name: String,
    comment: String,
    body: String,
}

/// Rules that are the same in every grammar, in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Basic {
    Value,
    Object,
    Array,
    String,
    Character,
    Escape,
    Number,
    Integer,
    Boolean,
    Null,
    Blank,
}

/// A place among the rules that is kept for a rule.
#[derive(Clone, Copy)]
pub(super) struct Slot(usize);

const BASICS: &[Basic] = &[
    Basic::Value,
    Basic::Object,
    Basic::Array,
    Basic::String,
    Basic::Character,
    Basic::Escape,
    Basic::Number,
    Basic::Integer,
    Basic::Boolean,
    Basic::Null,
    Basic::Blank,
];

impl Basic {
    fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Object => "object",
            Self::Array => "array",
            Self::String => "string",
            Self::Character => "char",
            Self::Escape => "escape",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Null => "null",
            Self::Blank => "ws",
        }
    }

    /// Those that it names.
    fn needs(self) -> &'static [Self] {
        match self {
            Self::Value => &[
                Self::Object,
                Self::Array,
                Self::String,
                Self::Number,
                Self::Boolean,
                Self::Null,
            ],
            Self::Object => &[Self::String, Self::Value, Self::Blank],
            Self::Array => &[Self::Value, Self::Blank],
            Self::String => &[Self::Character],
            Self::Character => &[Self::Escape],
            Self::Number => &[Self::Integer],
            _ => &[],
        }
    }

    fn body(self, white_space: WhiteSpace) -> String {
        let ws = if white_space == WhiteSpace::None {
            ""
        } else {
            " ws"
        };
        match self {
            Self::Value => "object | array | string | number | boolean | null".to_owned(),
            Self::Object => format!(
                "\"{{\"{ws} (string{ws} \":\"{ws} value ({} string{ws} \":\"{ws} value)*)?{ws} \"}}\"",
                format!("{ws} \",\"{ws}").trim_start()
            ),
            Self::Array => format!(
                "\"[\"{ws} (value ({} value)*)?{ws} \"]\"",
                format!("{ws} \",\"{ws}").trim_start()
            ),
            Self::String => "\"\\\"\" char* \"\\\"\"".to_owned(),
            Self::Character => "[^\"\\\\\\x00-\\x1F] | escape".to_owned(),
            // Half a pair of surrogates is no character.
            Self::Escape => "\"\\\\\" ([\"\\\\bfnrt] | \"u\" ([0-9a-ce-fA-CE-F] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2}))".to_owned(),
            Self::Number => "integer (\".\" [0-9]+)? ([eE] [-+]? [0-9]{1,2})?".to_owned(),
            Self::Integer => "\"-\"? (\"0\" | [1-9] [0-9]*)".to_owned(),
            Self::Boolean => "\"true\" | \"false\"".to_owned(),
            Self::Null => "\"null\"".to_owned(),
            Self::Blank => match white_space {
                WhiteSpace::None => "\"\"".to_owned(),
                WhiteSpace::One => "[ \\t\\n\\r]?".to_owned(),
                WhiteSpace::UpTo(n) => format!("[ \\t\\n\\r]{{0,{n}}}"),
                WhiteSpace::Free => "[ \\t\\n\\r]*".to_owned(),
            },
        }
    }
}

impl Rules {
    pub(super) fn new(white_space: WhiteSpace) -> Self {
        let mut taken: HashSet<String> = BASICS.iter().map(|it| it.name().to_owned()).collect();
        taken.insert("root".to_owned());
        Self {
            list: Vec::new(),
            taken,
            basics: BTreeSet::new(),
            white_space,
        }
    }

    /// The name of a rule that every JSON grammar knows; it will be written.
    pub(super) fn basic(&mut self, basic: Basic) -> Expression {
        let mut left = vec![basic];
        while let Some(it) = left.pop() {
            let is_idle = it == Basic::Blank && self.white_space == WhiteSpace::None;
            if !is_idle && self.basics.insert(it) {
                left.extend(it.needs());
            }
        }
        Expression::atom(basic.name())
    }

    /// The white space that may stand at a place; nothing under the strictest policy.
    pub(super) fn blank(&mut self) -> Expression {
        if self.white_space == WhiteSpace::None {
            return Expression::atom("");
        }
        self.basic(Basic::Blank)
    }

    /// Keeps a place for a rule, with a name that is like the wanted one.
    pub(super) fn reserve(&mut self, wanted: &str, comment: &str) -> (Slot, Expression) {
        let name = self.free_name(wanted);
        self.list.push(Rule {
            name: name.clone(),
            comment: comment.to_owned(),
            body: String::new(),
        });
        (Slot(self.list.len() - 1), Expression::atom(name))
    }

    pub(super) fn fill(&mut self, slot: Slot, body: Expression) {
        if let Some(rule) = self.list.get_mut(slot.0) {
            rule.body = if body.text.is_empty() {
                "\"\"".to_owned()
            } else {
                body.text
            };
        }
    }

    /// Forgets a rule that turned out to allow nothing.
    pub(super) fn drop(&mut self, slot: Slot) {
        if let Some(rule) = self.list.get_mut(slot.0) {
            rule.body.clear();
        }
    }

    /// The whole grammar.
    pub(super) fn text(&self, root: &Expression, gaps: &[Gap]) -> String {
        let mut res = String::new();
        if !gaps.is_empty() {
            res.push_str("# Not held to:\n");
            for gap in gaps {
                res.push_str(&comment(&format!("{} {}", gap.pointer, gap.message)));
            }
            res.push('\n');
        }
        res.push_str(&line("root", &root.text));
        for rule in self.list.iter().filter(|it| !it.body.is_empty()) {
            if !rule.comment.is_empty() {
                res.push('\n');
                res.push_str(&comment(&rule.comment));
            }
            res.push_str(&line(&rule.name, &rule.body));
        }
        if !self.basics.is_empty() {
            res.push('\n');
        }
        for basic in &self.basics {
            let body = basic.body(self.white_space);
            res.push_str(&line(basic.name(), &body));
        }
        res
    }

    fn free_name(&mut self, wanted: &str) -> String {
        let base = rule_name(wanted);
        let mut name = base.clone();
        let mut n = 1;
        while !self.taken.insert(name.clone()) {
            n += 1;
            name = format!("{base}-{n}");
        }
        name
    }
}

/// Longest comment that is taken over from a schema, in characters.
const MAX_COMMENT: usize = 100;
/// Longest rule name, in characters.
const MAX_NAME: usize = 40;

fn comment(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let cut: String = text.chars().take(MAX_COMMENT).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("# {cut}{more}\n")
}

/// Letters, digits and dashes, as a grammar takes them.
fn rule_name(wanted: &str) -> String {
    let mut res = String::new();
    for c in wanted.chars() {
        if c.is_ascii_alphanumeric() {
            let begins_word =
                c.is_ascii_uppercase() && res.ends_with(|it: char| it.is_ascii_lowercase());
            if begins_word {
                res.push('-');
            }
            res.push(c.to_ascii_lowercase());
        } else if !res.ends_with('-') && !res.is_empty() {
            res.push('-');
        }
        if res.len() >= MAX_NAME {
            break;
        }
    }
    let res = res.trim_end_matches('-');
    if res.starts_with(|it: char| it.is_ascii_lowercase()) {
        res.to_owned()
    } else {
        format!("field-{res}").trim_end_matches('-').to_owned()
    }
}

/// A rule as it stands in a grammar.
fn line(name: &str, body: &str) -> String {
    format!("{name} ::= {body}\n")
}
