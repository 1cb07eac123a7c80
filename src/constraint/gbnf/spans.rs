//! Splits a grammar text into coloured pieces and lists its rules, whatever state it is in while it is typed.

use std::collections::HashMap;
use std::ops::Range;

use super::cursor::{Cursor, fault, is_name_char};
use crate::constraint::ConstraintError;

/// What a piece of a grammar text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrammarSpanKind {
    /// The name of a rule where it is defined.
    Definition,
    /// The name of a rule where it is used.
    RuleName,
    /// A text in quotes.
    Literal,
    /// A class in square brackets, or the dot.
    Class,
    /// A token by name or number, such as `<think>`, `<[1000]>` or `!<think>`.
    Token,
    /// `::=`, bars, brackets, quantifiers and counts.
    Operator,
    Comment,
    /// What has no meaning in a grammar.
    Unknown,
}

/// A piece of a grammar text; bytes that are in no piece are blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarSpan {
    pub kind: GrammarSpanKind,
    /// Bytes from the start of the text.
    pub range: Range<usize>,
}

/// A rule name with all places at which it stands, in bytes from the start of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulePlaces {
    pub name: String,
    /// Empty for a name that is used only; more than one entry is a fault of the text.
    pub definitions: Vec<Range<usize>>,
    pub uses: Vec<Range<usize>>,
}

/// The names that a beginning of a name may become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// What is to be replaced, in bytes from the start of the text.
    pub range: Range<usize>,
    pub names: Vec<String>,
}

/// The pieces of a grammar text in its order, for highlighting. Never fails: an open text ends with its line.
pub fn grammar_spans(text: &str) -> Vec<GrammarSpan> {
    let mut cursor = Cursor::new(text);
    let mut res: Vec<GrammarSpan> = Vec::new();
    loop {
        cursor.skip_white();
        let start = cursor.at();
        let Some(next) = cursor.peek() else {
            return res;
        };
        let kind = span(&mut cursor, next);
        let range = start..cursor.at();
        match res.last_mut() {
            Some(last)
                if kind == GrammarSpanKind::Unknown
                    && last.kind == kind
                    && last.range.end == start =>
            {
                last.range.end = range.end;
            }
            _ => res.push(GrammarSpan { kind, range }),
        }
    }
}

/// Every rule name of a grammar text, in the order in which they first stand there.
pub fn grammar_rules(text: &str) -> Vec<RulePlaces> {
    let mut res: Vec<RulePlaces> = Vec::new();
    let mut ids: HashMap<&str, usize> = HashMap::new();
    for GrammarSpan { kind, range } in grammar_spans(text) {
        if !matches!(
            kind,
            GrammarSpanKind::Definition | GrammarSpanKind::RuleName
        ) {
            continue;
        }
        let name = text.get(range.clone()).unwrap_or_default();
        let id = *ids.entry(name).or_insert(res.len());
        if id == res.len() {
            res.push(RulePlaces {
                name: name.to_owned(),
                ..RulePlaces::default()
            });
        }
        let Some(rule) = res.get_mut(id) else {
            continue;
        };
        if kind == GrammarSpanKind::Definition {
            rule.definitions.push(range);
        } else {
            rule.uses.push(range);
        }
    }
    res
}

/// The text with one rule under a new name everywhere.
///
/// # Errors
/// The new name is no name, or another rule has it, or there is no such rule.
pub fn rename_rule(text: &str, name: &str, new_name: &str) -> Result<String, ConstraintError> {
    if new_name.is_empty() || !new_name.chars().all(is_name_char) {
        let message = format!("{new_name:?} is no name; expected letters, digits and dashes");
        return Err(fault(text, 0, message));
    }
    let rules = grammar_rules(text);
    if let Some(taken) = rules
        .iter()
        .find(|it| it.name == new_name && it.name != name)
    {
        let places = taken.definitions.iter().chain(&taken.uses);
        let at = places.map(|it| it.start).next().unwrap_or(0);
        let message = format!("the name {new_name} is taken by another rule");
        return Err(fault(text, at, message));
    }
    let Some(rule) = rules.iter().find(|it| it.name == name) else {
        return Err(fault(text, 0, format!("there is no rule named {name}")));
    };
    let mut places: Vec<&Range<usize>> = rule.definitions.iter().chain(&rule.uses).collect();
    places.sort_by_key(|it| it.start);
    let mut res = String::with_capacity(text.len());
    let mut from = 0;
    for place in places {
        res.push_str(text.get(from..place.start).unwrap_or_default());
        res.push_str(new_name);
        from = place.end;
    }
    res.push_str(text.get(from..).unwrap_or_default());
    Ok(res)
}

/// The rule names that the name before the byte `at` may become; none where no name can stand.
pub fn complete_rule(text: &str, at: usize) -> Completion {
    let spans = grammar_spans(text);
    let around = spans
        .iter()
        .find(|it| it.range.start < at && at <= it.range.end);
    let range = match around {
        Some(it)
            if matches!(
                it.kind,
                GrammarSpanKind::RuleName | GrammarSpanKind::Definition
            ) =>
        {
            it.range.clone()
        }
        Some(it) if it.kind == GrammarSpanKind::Operator && it.range.end == at => at..at,
        Some(_) => return Completion::default(),
        None => at..at,
    };
    let typed = text.get(range.start..at).unwrap_or_default();
    let is_new = |it: &RulePlaces| {
        let places = it.definitions.iter().chain(&it.uses);
        places.filter(|it| **it != range).count() > 0
    };
    let mut names: Vec<String> = grammar_rules(text)
        .into_iter()
        .filter(|it| it.name.starts_with(typed) && it.name != typed && is_new(it))
        .map(|it| it.name)
        .collect();
    names.sort_unstable();
    Completion { range, names }
}

fn span(cursor: &mut Cursor<'_>, next: char) -> GrammarSpanKind {
    if is_name_char(next) {
        cursor.take_name();
        let mut ahead = *cursor;
        ahead.skip_blanks(false);
        return if ahead.eat("::=") {
            GrammarSpanKind::Definition
        } else {
            GrammarSpanKind::RuleName
        };
    }
    if cursor.eat("::=") || cursor.eat("|") {
        return GrammarSpanKind::Operator;
    }
    cursor.bump();
    match next {
        '#' => {
            cursor.take_while(|it| !matches!(it, '\r' | '\n'));
            GrammarSpanKind::Comment
        }
        '"' => delimited(cursor, '"', GrammarSpanKind::Literal),
        '[' => delimited(cursor, ']', GrammarSpanKind::Class),
        '.' => GrammarSpanKind::Class,
        '<' => delimited(cursor, '>', GrammarSpanKind::Token),
        '!' if cursor.eat("<") => delimited(cursor, '>', GrammarSpanKind::Token),
        '{' => {
            cursor.take_while(|it| it.is_ascii_digit() || matches!(it, ',' | ' ' | '\t'));
            cursor.eat("}");
            GrammarSpanKind::Operator
        }
        '(' | ')' | '*' | '+' | '?' => GrammarSpanKind::Operator,
        _ => GrammarSpanKind::Unknown,
    }
}

/// Goes on to the closing character, over escapes, and not beyond the line unless it closes on a later one.
fn delimited(cursor: &mut Cursor<'_>, close: char, kind: GrammarSpanKind) -> GrammarSpanKind {
    while let Some(it) = cursor.peek() {
        if matches!(it, '\r' | '\n') {
            return kind;
        }
        cursor.bump();
        if it == close {
            return kind;
        }
        if it == '\\'
            && kind != GrammarSpanKind::Token
            && cursor.peek().is_some_and(|it| !matches!(it, '\r' | '\n'))
        {
            cursor.bump();
        }
    }
    kind
}
