//! Reads how often an item comes: a mark or counts in braces.

use super::cursor::{Cursor, fault};
use super::limits::MAX_REPETITIONS;
use crate::constraint::ConstraintError;

/// How often an item comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) min: u32,
    /// No bound when absent.
    pub(super) max: Option<u32>,
    /// A bound was asked for that is too high to be counted, and so there is none.
    pub(super) is_cut: bool,
}

/// Reads `*`, `+`, `?` or counts in braces; the cursor stands on the first character.
pub(super) fn counts(text: &str, cursor: &mut Cursor<'_>) -> Result<Counts, ConstraintError> {
    let (min, max) = match cursor.bump() {
        Some('*') => (0, None),
        Some('+') => (1, None),
        Some('?') => (0, Some(1)),
        _ => in_braces(text, cursor)?,
    };
    let is_cut = max.is_some_and(|it| it > MAX_REPETITIONS);
    Ok(Counts {
        min,
        max: max.filter(|_| !is_cut),
        is_cut,
    })
}

fn in_braces(text: &str, cursor: &mut Cursor<'_>) -> Result<(u32, Option<u32>), ConstraintError> {
    let at = cursor.at();
    let expected = |cursor: &Cursor<'_>, what: &str| {
        let message = format!("expected {what}, found {}", cursor.found());
        Err(fault(text, cursor.at(), message))
    };
    let min = count(cursor);
    let max = if cursor.eat(",") {
        let max = count(cursor);
        if min.is_none() && max.is_none() {
            return expected(cursor, "a count on one side of the comma");
        }
        max
    } else if min.is_none() {
        return expected(cursor, "a count");
    } else {
        min
    };
    if !cursor.eat("}") {
        return expected(cursor, "`}` after the counts of a repetition");
    }
    let min = min.unwrap_or(0);
    if min > MAX_REPETITIONS {
        let message = format!("at most {MAX_REPETITIONS} repetitions can be asked for");
        return Err(fault(text, at, message));
    }
    if max.is_some_and(|max| max < min) {
        return Err(fault(text, at, "the second count is below the first"));
    }
    Ok((min, max))
}

fn count(cursor: &mut Cursor<'_>) -> Option<u32> {
    cursor.skip_blanks(true);
    let digits = cursor.take_while(|it| it.is_ascii_digit());
    cursor.skip_blanks(true);
    if digits.is_empty() {
        return None;
    }
    // Whatever is too large to be read is too large to be counted too.
    Some(digits.parse().unwrap_or(u32::MAX))
}
