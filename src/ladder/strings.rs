//! Strings of the tolerant parser: quotes of all kinds, escapes good and bad, raw control characters.

use super::content::Content;
use super::document::Span;
use super::log::{Fail, FailKind, Put};
use super::quotes::Verdict;
use super::repair::Parser;
use super::scan::{Quote, is_blank};
use super::tree::Kind;
use super::{Flag, RepairKind};

/// Whether a string is a key or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Key,
    Value,
}

/// An open string and what has been seen inside it.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) quote: Quote,
    pub(super) role: Role,
    /// Where its content begins.
    pub(super) start: usize,
    /// Quotes taken as content.
    pub(super) n_inner: usize,
    /// Curly quotes opened and not closed inside.
    pub(super) n_curly: usize,
    /// Braces and brackets opened minus closed inside.
    pub(super) braces: isize,
    pub(super) brackets: isize,
    /// A quote was taken as content although structure followed it.
    pub(super) doubtful: bool,
    /// What was taken as content looks like further strings or pairs.
    pub(super) swallows: bool,
}

impl Open {
    #[inline]
    fn new(quote: Quote, role: Role, start: usize) -> Self {
        Self {
            quote,
            role,
            start,
            n_inner: 0,
            n_curly: 0,
            braces: 0,
            brackets: 0,
            doubtful: false,
            swallows: false,
        }
    }
}

impl Parser<'_> {
    /// Reads the string whose opening quote stands at the position. Whether the end of the text came before its
    /// closing quote stands in `string_is_cut`.
    pub(super) fn string(&mut self, quote: Quote, role: Role) -> Result<Span, Box<Fail>> {
        self.string_is_cut = false;
        let at = self.scan.pos;
        let width = self.scan.char_at(at).map_or(1, char::len_utf8);
        self.mend_quote(at, width);
        self.scan.pos += width;
        let start = self.scan.pos;
        if let Some(end) = self.plain_end(quote, role) {
            return Ok(Span::source(start, end));
        }
        self.marked_string(quote, role, at)
    }

    /// Reads on behind the opening quote of a string, which stands at a place, whatever the string holds.
    #[inline(never)]
    fn marked_string(&mut self, quote: Quote, role: Role, at: usize) -> Result<Span, Box<Fail>> {
        let start = self.scan.pos;
        let mut open = Open::new(quote, role, start);
        let buffer = std::mem::take(&mut self.buffer);
        let mut out = Content::new(self.scan.text, open.start, buffer);
        loop {
            let n_plain = self.scan.plain_run(self.scan.pos);
            out.take(self.scan.pos, n_plain);
            self.scan.pos += n_plain;
            let Some(c) = self.scan.char_at(self.scan.pos) else {
                break;
            };
            if c == '\\' {
                self.escape(&mut out);
            } else if quote.may_close(c) {
                if self.quote_in_string(c, &mut open, &mut out)? {
                    return Ok(self.finish_string(out));
                }
                if role == Role::Key
                    && open.n_inner > 0
                    && (open.braces > 0 || out.as_str().contains(':'))
                {
                    let mut fail = self.fail_at(at, "the quotes of this key cannot be paired");
                    if out.as_str().starts_with(char::is_alphanumeric) {
                        fail.kind = FailKind::Broken;
                    }
                    return Err(fail);
                }
            } else {
                self.plain(c, &mut open, &mut out);
            }
        }
        self.unclosed(&open, out)
    }

    /// Where the content of a string ends that holds nothing remarkable up to its own quote.
    #[inline]
    fn plain_end(&mut self, quote: Quote, role: Role) -> Option<usize> {
        let closer = quote.closer();
        let start = self.scan.pos;
        let end = start + self.scan.plain_run(start);
        let is_closer = match quote.ascii() {
            Some(byte) => self.scan.byte_at(end) == Some(byte),
            None => self.scan.starts_with(end, closer),
        };
        if !is_closer {
            return None;
        }
        // Right before these marks an only quote always closes.
        let behind = end + closer.len();
        let closes = match self.scan.byte_at(behind) {
            Some(b':') => role == Role::Key,
            Some(b'}' | b']') => role == Role::Value && self.tree.depth() > 0,
            Some(b',') => role == Role::Value && self.comma_shuts(behind + 1),
            _ => false,
        };
        if !closes && !self.only_quote_closes(end, &mut Open::new(quote, role, start)) {
            return None;
        }
        self.mend_quote(end, closer.len());
        self.scan.pos = behind;
        Some(end)
    }

    #[inline(never)]
    fn only_quote_closes(&self, at: usize, open: &mut Open) -> bool {
        let closer = self.scan.char_at(at);
        closer.is_some_and(|it| self.verdict(at, it, open) == Verdict::Close)
    }

    /// Takes a quote inside a string; true when the string ends there.
    fn quote_in_string(
        &mut self,
        c: char,
        open: &mut Open,
        out: &mut Content<'_>,
    ) -> Result<bool, Box<Fail>> {
        let at = self.scan.pos;
        let verdict = self.verdict(at, c, open);
        if open.swallows && matches!(verdict, Verdict::Close | Verdict::EndBefore(_)) {
            return Err(Box::new(Fail {
                kind: FailKind::Broken,
                ..*self.fail_at(open.start, "the quotes of this string cannot be paired")
            }));
        }
        match verdict {
            Verdict::Close => {
                self.mend_quote(at, c.len_utf8());
                self.scan.pos += c.len_utf8();
                return Ok(true);
            }
            Verdict::EndBefore(end) => {
                self.end_before(end, out)?;
                return Ok(true);
            }
            Verdict::Refuse => {
                return Err(self.fail_at(at, "two strings side by side can be one or two values"));
            }
            Verdict::Inner if self.is_valid || !open.quote.is_own(c) => {
                self.plain(c, open, out);
                return Ok(false);
            }
            Verdict::Inner => {}
        }
        open.n_inner += 1;
        if c == '"' {
            self.log.edit(RepairKind::InnerQuote, at..at + 1, "\\\"");
        }
        if c == '"' || open.n_inner % 2 == 1 || !self.is_between_letters(at) {
            self.log.flag(Flag::AmbiguousQuotes);
        }
        if c == '”' && open.n_curly > 0 {
            open.n_curly -= 1;
        }
        out.take(at, c.len_utf8());
        self.scan.pos += c.len_utf8();
        Ok(false)
    }

    /// An apostrophe between letters is no riddle.
    fn is_between_letters(&self, at: usize) -> bool {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        is_letter(self.scan.before(at)) && is_letter(self.scan.char_at(self.scan.after(at)))
    }

    fn plain(&mut self, c: char, open: &mut Open, out: &mut Content<'_>) {
        match c {
            '{' => open.braces += 1,
            '}' => open.braces -= 1,
            '[' => open.brackets += 1,
            ']' => open.brackets -= 1,
            // Below other quotes it is content, but JSON has it escaped.
            '"' => {
                let at = self.scan.pos;
                self.log.edit(RepairKind::InnerQuote, at..at + 1, "\\\"");
            }
            '“' | '„' => open.n_curly += 1,
            '”' => open.n_curly = open.n_curly.saturating_sub(1),
            _ if (c as u32) < 0x20 => {
                let after = match c {
                    '\n' => Put::Text("\\n"),
                    '\r' => Put::Text("\\r"),
                    '\t' => Put::Text("\\t"),
                    _ => format!("\\u{:04x}", c as u32).into(),
                };
                let at = self.scan.pos;
                self.log
                    .edit(RepairKind::ControlCharacter, at..at + 1, after);
            }
            _ => {}
        }
        out.take(self.scan.pos, c.len_utf8());
        self.scan.pos += c.len_utf8();
    }

    /// Ends a string whose closing quote was forgotten at an earlier place.
    fn end_before(&mut self, end: usize, out: &mut Content<'_>) -> Result<(), Box<Fail>> {
        if !out.is_plain_from(end) {
            return Err(self.fail_at(end, "the quotes of this string cannot be paired"));
        }
        let n_over = self.scan.pos - end;
        out.shorten(n_over);
        while self.log.edits.last().is_some_and(|it| it.start() >= end) {
            self.log.edits.pop();
        }
        // A path such as `"C:\dir\"`: the quote was meant to close, the backslash to stay.
        if self.scan.text[..end].ends_with("\\\"") && out.as_str().ends_with('"') {
            out.replace_last('\\');
            self.log.flag(Flag::BadEscape);
            self.log.edit(RepairKind::Escape, end - 2..end - 1, "\\\\");
        } else {
            self.log.edit(RepairKind::Quote, end..end, "\"");
        }
        self.log.flag(Flag::AmbiguousQuotes);
        self.scan.pos = end;
        Ok(())
    }

    /// The end of the text came inside the string.
    fn unclosed(&mut self, open: &Open, mut out: Content<'_>) -> Result<Span, Box<Fail>> {
        if open.doubtful && open.n_inner > 0 {
            return Err(self.fail_at(open.start, "the quotes of this string cannot be paired"));
        }
        if (open.role == Role::Value || out.as_str().find(':').is_some_and(|n| n > 0))
            && let Some(end) = self.closers_at_end(open)
        {
            if open.n_inner > 0 || open.role == Role::Key {
                // A quoted key was JSON: what stands inside is a part and never the answer.
                return Err(Box::new(Fail {
                    kind: FailKind::Broken,
                    ..*self.fail_at(open.start, "the quotes of this string cannot be paired")
                }));
            }
            self.end_before(end, &mut out)?;
            return Ok(self.finish_string(out));
        }
        let end = self.scan.pos;
        self.log.edit(RepairKind::Truncation, end..end, "\"");
        self.string_is_cut = true;
        Ok(self.finish_string(out))
    }

    /// Where the brackets begin that end the text and close exactly what is open.
    fn closers_at_end(&self, open: &Open) -> Option<usize> {
        if self.tree.depth() == 0 || (open.braces >= 0 && open.brackets >= 0) {
            return None;
        }
        let content = &self.scan.text[open.start..];
        let mut rest = content;
        for open in &self.tree.open {
            rest = rest.trim_end_matches(is_blank);
            rest = match open.kind() {
                Kind::Object => rest.strip_suffix('}')?,
                Kind::Array => rest.strip_suffix(']')?,
                Kind::Round | Kind::Root => rest.strip_suffix(')')?,
            };
        }
        let trimmed = rest.trim_end_matches(is_blank);
        if rest[trimmed.len()..].contains('\n') {
            rest = trimmed;
        }
        Some(open.start + rest.len())
    }

    /// Logs a quote that is not JSON's.
    #[inline]
    fn mend_quote(&mut self, at: usize, width: usize) {
        if self.scan.byte_at(at) != Some(b'"') {
            self.log.quote(at..at + width);
        }
    }

    /// Says where the content of a string that has ended stands.
    fn finish_string(&mut self, out: Content<'_>) -> Span {
        let (stretch, buffer) = out.finish();
        let span = match stretch {
            Some((start, end)) => Span::source(start, end),
            None => self.tree.document.keep(&buffer),
        };
        self.buffer = buffer;
        span
    }

    /// Whether a call or tuple is open, so that a round bracket can follow a string.
    pub(super) fn in_round(&self) -> bool {
        self.tree.has(Kind::Round)
    }
}
