//! Reads texts in quotes, character classes and escapes.

use super::cursor::{Cursor, fault};
use crate::constraint::ConstraintError;

const MAX_CODE_POINT: u32 = 0x0010_FFFF;

/// Every character.
pub(super) fn any() -> Vec<(u32, u32)> {
    vec![(0, MAX_CODE_POINT)]
}

/// Reads a text in quotes; the cursor stands on the opening quote.
pub(super) fn literal(text: &str, cursor: &mut Cursor<'_>) -> Result<String, ConstraintError> {
    let at = cursor.at();
    cursor.bump();
    let mut res = String::new();
    loop {
        match cursor.peek() {
            None => {
                return Err(fault(text, at, "this text is never closed; expected `\"`"));
            }
            Some('"') => {
                cursor.bump();
                return Ok(res);
            }
            Some(_) => res.push(character(text, cursor)?),
        }
    }
}

/// Reads a class in square brackets, which may be left empty; the cursor stands on the opening one.
pub(super) fn class(
    text: &str,
    cursor: &mut Cursor<'_>,
) -> Result<Vec<(u32, u32)>, ConstraintError> {
    let at = cursor.at();
    cursor.bump();
    let negated = cursor.eat("^");
    let mut ranges = Vec::new();
    loop {
        match cursor.peek() {
            None => {
                return Err(fault(text, at, "this class is never closed; expected `]`"));
            }
            Some(']') => break,
            Some(_) => ranges.push(range(text, cursor)?),
        }
    }
    cursor.bump();
    if ranges.is_empty() {
        // As llama.cpp reads `[]` and `[^]`; the caller says so.
        return Ok(ranges);
    }
    let ranges = union(ranges);
    let ranges = if negated { complement(&ranges) } else { ranges };
    if ranges.is_empty() {
        return Err(fault(text, at, "this class matches no character"));
    }
    Ok(ranges)
}

fn range(text: &str, cursor: &mut Cursor<'_>) -> Result<(u32, u32), ConstraintError> {
    let at = cursor.at();
    let low = u32::from(character(text, cursor)?);
    let mut ahead = *cursor;
    if !ahead.eat("-") || ahead.peek().is_none_or(|it| it == ']') {
        return Ok((low, low));
    }
    *cursor = ahead;
    let high = u32::from(character(text, cursor)?);
    if high < low {
        return Err(fault(text, at, "this range ends before it begins"));
    }
    Ok((low, high))
}

/// Reads one character or escape.
fn character(text: &str, cursor: &mut Cursor<'_>) -> Result<char, ConstraintError> {
    let at = cursor.at();
    match cursor.bump() {
        Some('\\') => {}
        Some(it) => return Ok(it),
        None => return Err(fault(text, at, "expected a character, found the end")),
    }
    match cursor.bump() {
        Some('x') => code_point(text, cursor, 2),
        Some('u') => code_point(text, cursor, 4),
        Some('U') => code_point(text, cursor, 8),
        Some('n') => Ok('\n'),
        Some('r') => Ok('\r'),
        Some('t') => Ok('\t'),
        Some(it @ ('\\' | '"' | '[' | ']' | '-')) => Ok(it),
        Some('0'..='9') => Err(fault(
            text,
            at,
            "octal escapes are not read, in llama.cpp neither; expected hexadecimal, such as \\x1B",
        )),
        _ => Err(fault(
            text,
            at,
            "unknown escape; expected one of \\n \\r \\t \\\\ \\\" \\[ \\] \\- \\x41 \\u0041 \\U00000041",
        )),
    }
}

fn code_point(text: &str, cursor: &mut Cursor<'_>, n: usize) -> Result<char, ConstraintError> {
    let at = cursor.at();
    let digits: String = cursor.rest().chars().take(n).collect();
    if digits.len() != n || !digits.chars().all(|it| it.is_ascii_hexdigit()) {
        return Err(fault(text, at, format!("expected {n} hexadecimal digits")));
    }
    cursor.eat(&digits);
    u32::from_str_radix(&digits, 16)
        .ok()
        .and_then(char::from_u32)
        .ok_or_else(|| fault(text, at, format!("{digits} is not a Unicode character")))
}

fn union(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut res: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
    for (low, high) in ranges {
        match res.last_mut() {
            Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            _ => res.push((low, high)),
        }
    }
    res
}

fn complement(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut res = Vec::with_capacity(ranges.len() + 1);
    let mut from = 0;
    for (low, high) in ranges {
        if from < *low {
            res.push((from, low - 1));
        }
        from = high + 1;
    }
    if from <= MAX_CODE_POINT {
        res.push((from, MAX_CODE_POINT));
    }
    res
}
