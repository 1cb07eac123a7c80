//! Regular expressions: read within bounds and handed to llguidance.

use llguidance::ParserFactory;
use llguidance::api::TopLevelGrammar;

use super::guided::{GuidedWalk, byte_factory, first_line};
use super::{ConstraintError, TokenTrie};

/// Bytes of an expression.
const MAX_TEXT: usize = 10_000;
/// Brackets inside brackets.
const MAX_DEPTH: usize = 64;
/// Largest count in braces.
const MAX_COUNT: u64 = 1_000;

/// # Errors
/// What cannot be enforced, with line and column where that is known.
pub(super) fn check(text: &str) -> Result<(), ConstraintError> {
    walk(text, byte_factory()?).map(|_| ())
}

pub(super) fn compile(text: &str, trie: &TokenTrie) -> Result<GuidedWalk, ConstraintError> {
    walk(text, trie.factory())
}

/// `\d` and `\w` mean ASCII, as in JSON Schema's patterns.
fn walk(text: &str, factory: &ParserFactory) -> Result<GuidedWalk, ConstraintError> {
    let body = body(text)?;
    let body = llguidance::regex_to_lark(&body, "dw");
    let grammar = TopLevelGrammar::from_lark(format!("start: /{body}/"));
    GuidedWalk::new(grammar, factory).map_err(|it| {
        let reason = reason(&it);
        ConstraintError::new(format!(
            "the regular expression cannot be enforced: {reason}"
        ))
    })
}

/// The expression without the anchors at its ends, which go without saying.
fn body(text: &str) -> Result<String, ConstraintError> {
    if text.is_empty() {
        let message = "the regular expression is empty; expected an expression";
        return Err(ConstraintError::at(1, 1, message));
    }
    if text.len() > MAX_TEXT {
        let n = text.len();
        let message = format!("the regular expression has {n} bytes, at most {MAX_TEXT} are read");
        return Err(ConstraintError::at(1, 1, message));
    }
    let scan = Scan::of(text)?;
    let start = usize::from(text.starts_with('^'));
    let end = text.len() - usize::from(scan.ends_with_anchor);
    if (start > 0 || end < text.len()) && scan.has_outer_alternatives {
        let message = "an anchor stands in one of several alternatives; \
                       put them in brackets, as in ^(?:a|b)$";
        return Err(ConstraintError::at(1, 1, message));
    }
    let body = text.get(start..end).unwrap_or_default();
    if body.is_empty() {
        let message = "the regular expression allows nothing but an empty reply";
        return Err(ConstraintError::at(1, 1, message));
    }
    Ok(body.to_owned())
}

/// What a first look finds.
#[derive(Default)]
struct Scan {
    has_outer_alternatives: bool,
    ends_with_anchor: bool,
}

impl Scan {
    fn of(text: &str) -> Result<Self, ConstraintError> {
        let mut res = Self::default();
        let mut depth = 0_usize;
        let mut in_class = false;
        let mut rest = text.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
            match c {
                '\\' => {
                    let escaped = rest.next().map(|it| it.1);
                    if !in_class {
                        check_escape(text, at, escaped)?;
                    }
                }
                '[' if !in_class => in_class = true,
                ']' if in_class => in_class = false,
                _ if in_class => {}
                '(' => {
                    depth += 1;
                    check_group(text, at, (depth, behind))?;
                }
                ')' => depth = depth.saturating_sub(1),
                '|' if depth == 0 => res.has_outer_alternatives = true,
                '{' => check_count(text, at, behind)?,
                '^' if at > 0 => return Err(inner_anchor(text, at)),
                '$' if behind.is_empty() => res.ends_with_anchor = true,
                '$' => return Err(inner_anchor(text, at)),
                _ => {}
            }
        }
        Ok(res)
    }
}

fn check_escape(text: &str, at: usize, escaped: Option<char>) -> Result<(), ConstraintError> {
    match escaped {
        Some('b' | 'B') => Err(fault(text, at, "word boundaries cannot be enforced")),
        Some('1'..='9' | 'k') => Err(fault(
            text,
            at,
            "references back to a group cannot be enforced; write the group again",
        )),
        Some('A' | 'z' | 'Z' | 'G') => Err(inner_anchor(text, at)),
        _ => Ok(()),
    }
}

fn check_group(
    text: &str,
    at: usize,
    (depth, behind): (usize, &str),
) -> Result<(), ConstraintError> {
    if depth > MAX_DEPTH {
        let message = format!("brackets are nested more than {MAX_DEPTH} deep");
        return Err(fault(text, at, &message));
    }
    if ["?=", "?!", "?<=", "?<!"]
        .iter()
        .any(|it| behind.starts_with(it))
    {
        let message = "look-around cannot be enforced; write out what is allowed";
        return Err(fault(text, at, message));
    }
    Ok(())
}

fn check_count(text: &str, at: usize, behind: &str) -> Result<(), ConstraintError> {
    let Some((counts, _)) = behind.split_once('}') else {
        return Ok(());
    };
    let is_too_large = |it: &str| it.trim().parse::<u64>().is_ok_and(|it| it > MAX_COUNT);
    if counts.split(',').any(is_too_large) {
        let message = format!("a repetition is counted to more than {MAX_COUNT}");
        return Err(fault(text, at, &message));
    }
    Ok(())
}

fn inner_anchor(text: &str, at: usize) -> ConstraintError {
    fault(
        text,
        at,
        "an anchor stands inside the expression; the whole reply has to match, so leave it out",
    )
}

fn fault(text: &str, at: usize, message: &str) -> ConstraintError {
    let before = text.get(..at).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.chars().rev().take_while(|it| *it != '\n').count();
    ConstraintError::at(line, column, message)
}

/// The sentence of the library's message that says what is wrong.
fn reason(message: &str) -> String {
    let said = message
        .lines()
        .find_map(|it| it.trim().strip_prefix("error: "));
    said.unwrap_or_else(|| first_line(message)).to_owned()
}
