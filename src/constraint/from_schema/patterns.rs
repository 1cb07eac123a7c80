//! Simple regular expressions as pieces of a grammar, for the inside of a JSON string.

use super::expression::{Expression, class};

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
struct Term {
    what: What,
    least: u64,
    most: Option<u64>,
}

#[derive(Clone, Debug)]
enum What {
    Char(char),
    /// Characters as sorted ranges.
    Set(Vec<(u32, u32)>),
    Group(Vec<Vec<Term>>),
}

/// Groups inside groups.
const MAX_DEPTH: usize = 32;
/// Highest count in braces.
const MAX_COUNT: u64 = 1_000;
const LAST: u32 = 0x0010_FFFF;

/// # Errors
/// What a grammar is not made of, in words.
pub(super) fn parse(source: &str) -> Result<Pattern, String> {
    let mut reader = Reader {
        chars: source.chars().collect(),
        at: 0,
    };
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
                reader.at + 1
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
        match term {
            Term {
                what: What::Char(c),
                least: 1,
                most: Some(1),
            } => plain.push_str(&quoted(*c)),
            _ => {
                if !plain.is_empty() {
                    parts.push(Expression::literal(&std::mem::take(&mut plain)));
                }
                parts.push(term.what.expression().repeated(term.least, term.most));
            }
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
fn subtract(ranges: &[(u32, u32)], others: &[(u32, u32)]) -> Vec<(u32, u32)> {
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

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn terms(&mut self, depth: usize) -> Result<Vec<Term>, String> {
        let mut terms = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')' | '$') {
                break;
            }
            let what = self.what(depth)?;
            let (least, most) = self.count()?;
            terms.push(Term { what, least, most });
        }
        Ok(terms)
    }

    fn what(&mut self, depth: usize) -> Result<What, String> {
        match self.next() {
            Some('(') => self.group(depth + 1),
            Some('[') => self.set().map(What::Set),
            Some('.') => Ok(What::Set(subtract(&[(0, LAST)], &[(10, 10)]))),
            Some('\\') => self.escape(),
            Some('^') => Err("an anchor stands in the middle of it".to_owned()),
            Some(c @ ('*' | '+' | '?')) => Err(format!("{c:?} has nothing to repeat")),
            Some(c) => Ok(What::Char(c)),
            None => Err("it ends too early".to_owned()),
        }
    }

    fn group(&mut self, depth: usize) -> Result<What, String> {
        if depth > MAX_DEPTH {
            return Err(format!("its groups are nested more than {MAX_DEPTH} deep"));
        }
        if self.eat('?') && !self.eat(':') {
            self.eat('P');
            let is_named = self.eat('<') && !matches!(self.peek(), Some('=' | '!'));
            if !is_named {
                return Err("it has look-around or flags".to_owned());
            }
            while self.next().is_some_and(|it| it != '>') {}
        }
        let mut branches = vec![self.terms(depth)?];
        while self.eat('|') {
            branches.push(self.terms(depth)?);
        }
        if self.peek() == Some('$') {
            return Err("an anchor stands in the middle of it".to_owned());
        }
        if self.eat(')') {
            Ok(What::Group(branches))
        } else {
            Err("a group is never closed".to_owned())
        }
    }

    fn escape(&mut self) -> Result<What, String> {
        let c = self.next().ok_or("it ends in a backslash")?;
        if let Some(ranges) = named_set(c) {
            return Ok(What::Set(ranges));
        }
        self.escaped(c).map(What::Char)
    }

    fn escaped(&mut self, c: char) -> Result<char, String> {
        match c {
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'f' => Ok('\u{c}'),
            'x' => self.hexadecimal(2),
            'u' => self.hexadecimal(4),
            c if !c.is_alphanumeric() => Ok(c),
            c => Err(format!("it has the escape \\{c}")),
        }
    }

    fn hexadecimal(&mut self, n_digits: usize) -> Result<char, String> {
        let digits = self.chars.get(self.at..self.at + n_digits);
        let digits: String = digits.unwrap_or_default().iter().collect();
        self.at += n_digits;
        u32::from_str_radix(&digits, 16)
            .ok()
            .and_then(char::from_u32)
            .ok_or_else(|| format!("{digits:?} is no code point"))
    }

    fn set(&mut self) -> Result<Vec<(u32, u32)>, String> {
        let is_negated = self.eat('^');
        let mut ranges = Vec::new();
        loop {
            let c = self.next().ok_or("a class is never closed")?;
            let low = match c {
                ']' => break,
                '[' => return Err("a class stands in a class".to_owned()),
                '\\' => {
                    let c = self.next().ok_or("a class is never closed")?;
                    if let Some(named) = named_set(c) {
                        ranges.extend(named);
                        continue;
                    }
                    self.escaped(c)?
                }
                c => c,
            };
            let is_range = self.peek() == Some('-')
                && self.chars.get(self.at + 1).is_some_and(|it| *it != ']');
            if !is_range {
                ranges.push((u32::from(low), u32::from(low)));
                continue;
            }
            self.at += 1;
            let high = match self.next() {
                Some('\\') => {
                    let c = self.next().ok_or("a class is never closed")?;
                    self.escaped(c)?
                }
                Some(c) => c,
                None => return Err("a class is never closed".to_owned()),
            };
            if high < low {
                return Err(format!("the range {low}-{high} ends before it begins"));
            }
            ranges.push((u32::from(low), u32::from(high)));
        }
        if ranges.is_empty() {
            return Err("it has an empty class".to_owned());
        }
        let united = subtract(&[(0, LAST)], &ranges);
        Ok(if is_negated {
            united
        } else {
            subtract(&[(0, LAST)], &united)
        })
    }

    /// How often the term before comes. A lazy sign says nothing of what is matched.
    fn count(&mut self) -> Result<(u64, Option<u64>), String> {
        let count = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.braces(),
            _ => return Ok((1, Some(1))),
        };
        self.at += 1;
        self.eat('?');
        Ok(count)
    }

    fn braces(&mut self) -> Result<(u64, Option<u64>), String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.next() {
                Some('}') => break,
                Some(c) => text.push(c),
                None => return Err("a count is never closed".to_owned()),
            }
        }
        self.eat('?');
        let read = |it: &str| {
            let n = it
                .parse::<u64>()
                .map_err(|_| format!("{{{text}}} is no count"))?;
            if n > MAX_COUNT {
                return Err(format!("it counts to {n}"));
            }
            Ok(n)
        };
        match text.split_once(',') {
            None => read(&text).map(|it| (it, Some(it))),
            Some((least, "")) => read(least).map(|it| (it, None)),
            Some((least, most)) => Ok((read(least)?, Some(read(most)?))),
        }
    }
}

fn named_set(c: char) -> Option<Vec<(u32, u32)>> {
    let points = |ranges: &[(char, char)]| -> Vec<(u32, u32)> {
        ranges
            .iter()
            .map(|it| (u32::from(it.0), u32::from(it.1)))
            .collect()
    };
    let set = match c.to_ascii_lowercase() {
        'd' => points(&[('0', '9')]),
        'w' => points(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
        's' => points(&[
            ('\t', '\r'),
            (' ', ' '),
            ('\u{a0}', '\u{a0}'),
            ('\u{feff}', '\u{feff}'),
        ]),
        _ => return None,
    };
    Some(if c.is_ascii_uppercase() {
        subtract(&[(0, LAST)], &set)
    } else {
        set
    })
}
