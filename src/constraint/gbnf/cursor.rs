//! A reading position in a grammar text, and the faults that are found there.

use crate::constraint::ConstraintError;

#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The position in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let it = self.peek()?;
        self.at += it.len_utf8();
        Some(it)
    }

    pub(super) fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    /// Passes over everything that is blank, line breaks among it.
    pub(super) fn skip_white(&mut self) {
        self.take_while(|it| matches!(it, ' ' | '\t' | '\r' | '\n'));
    }

    /// Passes over blanks and comments, and over line breaks where a rule may go on after one.
    pub(super) fn skip_blanks(&mut self, across_lines: bool) {
        while let Some(it) = self.peek() {
            match it {
                ' ' | '\t' => self.at += 1,
                '\r' | '\n' if across_lines => self.at += 1,
                '#' => {
                    self.take_while(|it| !matches!(it, '\r' | '\n'));
                }
                _ => break,
            }
        }
    }

    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|it| !wanted(it)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    pub(super) fn take_name(&mut self) -> &'t str {
        self.take_while(is_name_char)
    }

    /// What stands here, as it is quoted in a message.
    pub(super) fn found(&self) -> String {
        match self.peek() {
            None => "the end of the grammar".to_owned(),
            Some('\r' | '\n') => "the end of the line".to_owned(),
            Some(it) if is_name_char(it) => {
                let mut ahead = *self;
                let name: String = ahead.take_name().chars().take(40).collect();
                format!("`{name}`")
            }
            Some(it) if is_invisible(it) => {
                format!("the invisible character U+{:04X}", u32::from(it))
            }
            Some(it) => format!("`{it}`"),
        }
    }
}

fn is_invisible(it: char) -> bool {
    let is_mark = matches!(it, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}');
    is_mark || it.is_control() || it.is_whitespace()
}

pub(super) fn is_name_char(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '-'
}

/// A fault at a byte position of `text`. Lines and columns (characters) count from 1.
pub(crate) fn fault(text: &str, at: usize, message: impl Into<String>) -> ConstraintError {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |it| it + 1);
    let line = before.bytes().filter(|it| *it == b'\n').count() + 1;
    let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
    ConstraintError {
        message: message.into(),
        place: Some((line, column)),
        within: None,
    }
}
