//! Reads a regular expression character by character.

use super::patterns::{LAST, MAX_COUNT, Term, What, subtract};

/// Groups inside groups.
const MAX_DEPTH: usize = 32;

/// A place in an expression.
pub(super) struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    pub(super) fn new(source: &str) -> Self {
        Self {
            chars: source.chars().collect(),
            at: 0,
        }
    }

    /// How many characters are read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    pub(super) fn terms(&mut self, depth: usize) -> Result<Vec<Term>, String> {
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
                .map_err(|_no_number| format!("{{{text}}} is no count"))?;
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
