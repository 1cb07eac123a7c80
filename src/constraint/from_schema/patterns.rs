//! Simple regular expressions as pieces of a grammar, for the inside of a JSON string.

use super::expression::{Expression, class};
use super::pattern_reader::Reader;

/// A pattern that a grammar can hold to.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// As it stands in the schema.
    pub(super) source: String,
    branches: Vec<Branch>,
}

/// One of the alternatives at the top, and whether it must begin and end where the string does.
#[derive(Clone, Debug)]
struct Branch {
    begins: bool,
    ends: bool,
    terms: Vec<Term>,
}

/// Something and how often it comes.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) what: What,
    pub(super) least: u64,
    pub(super) most: Option<u64>,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Char(char),
    /// Characters as sorted ranges.
    Set(Vec<(u32, u32)>),
    Group(Vec<Vec<Term>>),
}

/// Highest count in braces.
pub(super) const MAX_COUNT: u64 = 1_000;
pub(super) const LAST: u32 = 0x0010_FFFF;

/// # Errors
/// What a grammar is not made of, in words.
pub(super) fn parse(source: &str) -> Result<Pattern, String> {
    let mut reader = Reader::new(source);
    let mut branches = Vec::new();
    loop {
        let begins = reader.eat('^');
        let terms = reader.terms(0)?;
        let ends = reader.eat('$');
        branches.push(Branch {
            begins,
            ends,
            terms,
        });
        if reader.eat('|') {
            continue;
        }
        return match reader.peek() {
            None => Ok(Pattern {
                source: source.to_owned(),
                branches,
            }),
            Some(c) => Err(format!(
                "{c:?} is not expected at character {}",
                reader.at() + 1
            )),
        };
    }
}

impl Pattern {
    /// Whether it is one class of characters again and again, so that a length can be counted.
    pub(super) fn is_run(&self) -> bool {
        self.run().is_some()
    }

    /// The inside of a string. `length` counts where [`Self::is_run`].
    pub(super) fn expression(
        &self,
        character: &Expression,
        (least, most): (u64, Option<u64>),
    ) -> Expression {
        if let Some(run) = self.run() {
            let least = least.max(run.least);
            let most = match (most, run.most) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            let most = most.map(|it| it.max(least)).filter(|it| *it <= MAX_COUNT);
            return run.what.expression().repeated(least.min(MAX_COUNT), most);
        }
        let any = || character.clone().repeated(0, None);
        Expression::choice(self.branches.iter().map(|branch| {
            let mut parts = Vec::new();
            if !branch.begins {
                parts.push(any());
            }
            parts.push(sequence(&branch.terms));
            if !branch.ends {
                parts.push(any());
            }
            Expression::sequence(parts)
        }))
    }

    fn run(&self) -> Option<&Term> {
        match self.branches.as_slice() {
            [branch] if branch.begins && branch.ends => match branch.terms.as_slice() {
                [term] if !matches!(term.what, What::Group(_)) => Some(term),
                _ => None,
            },
            _ => None,
        }
    }
}

impl What {
    fn expression(&self) -> Expression {
        match self {
            Self::Char(c) => Expression::literal(&quoted(*c)),
            Self::Set(ranges) => set(ranges),
            Self::Group(branches) => Expression::choice(branches.iter().map(|it| sequence(it))),
        }
    }
}

/// Plain characters in a row become one literal.
fn sequence(terms: &[Term]) -> Expression {
    let mut parts = Vec::new();
    let mut plain = String::new();
    for term in terms {
        if let Term {
            what: What::Char(c),
            least: 1,
            most: Some(1),
        } = term
        {
            plain.push_str(&quoted(*c));
        } else {
            if !plain.is_empty() {
                parts.push(Expression::literal(&std::mem::take(&mut plain)));
            }
            parts.push(term.what.expression().repeated(term.least, term.most));
        }
    }
    if !plain.is_empty() {
        parts.push(Expression::literal(&plain));
    }
    Expression::sequence(parts)
}

/// A character as it stands inside a JSON string.
fn quoted(c: char) -> String {
    let text = serde_json::Value::from(c.to_string()).to_string();
    text.get(1..text.len().saturating_sub(1))
        .unwrap_or_default()
        .to_owned()
}

/// A set of characters as they stand inside a JSON string.
fn set(ranges: &[(u32, u32)]) -> Expression {
    let has = |point: u32| ranges.iter().any(|it| it.0 <= point && point <= it.1);
    let escaped = ['"', '\\', '\n', '\r', '\t', '\u{8}', '\u{c}'];
    let plain = subtract(ranges, &[(0, 0x1F), (0x22, 0x22), (0x5C, 0x5C)]);
    let mut parts = Vec::new();
    if !plain.is_empty() {
        // A set that goes to the end is read more easily by what is not in it.
        let is_open = plain.last().is_some_and(|it| it.1 == LAST);
        parts.push(if is_open {
            class(&subtract(&[(0, LAST)], &plain), true)
        } else {
            class(&plain, false)
        });
    }
    for c in escaped {
        if has(u32::from(c)) {
            parts.push(Expression::literal(&quoted(c)));
        }
    }
    Expression::choice(parts)
}

/// Sorted ranges without others.
pub(super) fn subtract(ranges: &[(u32, u32)], others: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut res = ranges.to_vec();
    for (low, high) in others {
        let mut next = Vec::new();
        for (a, b) in res {
            if b < *low || a > *high {
                next.push((a, b));
                continue;
            }
            if a < *low {
                next.push((a, low - 1));
            }
            if b > *high {
                next.push((high + 1, b));
            }
        }
        res = next;
    }
    res
}
