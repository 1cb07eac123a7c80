//! The states of the tolerant parser: what a key, a colon, a value and their ends may look like.

use super::document::{Node, offset};
use super::keys::KeyLike;
use super::log::{Fail, FailKind, shortened};
use super::repair::{Parser, State};
use super::scan::{Quote, is_word};
use super::strings::Role;
use super::tree::{Container, Kind};
use super::{Flag, RepairKind};

impl Parser<'_> {
    pub(super) fn key(&mut self, c: char) -> Result<(), Box<Fail>> {
        if let Some(quote) = plain_quote(c) {
            return self.string_key(quote);
        }
        if self.closes_plainly(b'}') {
            self.close_plainly();
            return Ok(());
        }
        let at = self.scan.pos;
        let width = self.scan.after(at) - at;
        if let Some(n_bytes) = self.scan.ellipsis(at) {
            return self.ellipsis(n_bytes);
        }
        match c {
            '}' | ']' | ')' => self.close(c),
            ',' => {
                self.log.edit(RepairKind::Comma, at..at + width, "");
                self.scan.pos += width;
                Ok(())
            }
            ':' if self.tree.is_empty() && self.scan.next(at + width).ch == Some('}') => {
                self.log.edit(RepairKind::Colon, at..at + width, "");
                self.scan.pos += width;
                Ok(())
            }
            '{' if self.tree.parent_kind() == Kind::Array && !self.tree.is_empty() => {
                self.close_before(at)
            }
            '\\' => Err(self.escaped_or("a key or a closing brace is due")),
            _ => {
                if let Some(quote) = Quote::opened_by(c) {
                    return self.string_key(quote);
                }
                self.comma = None;
                self.word_key()
            }
        }
    }

    fn string_key(&mut self, quote: Quote) -> Result<(), Box<Fail>> {
        let key = self.string(quote, Role::Key)?;
        self.comma = None;
        if self.string_is_cut {
            self.item_is_cut = true;
            self.log
                .note("A key was cut off and is left out.".to_owned());
        } else {
            self.tree.set_key(key);
            self.state = State::Colon;
            self.plain_mark();
        }
        Ok(())
    }

    pub(super) fn colon(&mut self, c: char) -> Result<(), Box<Fail>> {
        let at = self.scan.pos;
        let width = self.scan.after(at) - at;
        if c != ':'
            && self
                .tree
                .key()
                .is_some_and(|it| it.trim_end().ends_with(':'))
        {
            return Err(self.fail("a key without its closing quote"));
        }
        match c {
            ':' => {
                self.mend_structure(RepairKind::Colon, ":");
                self.scan.pos += width;
            }
            '=' => {
                let width = if self.scan.starts_with(at, "=>") {
                    2
                } else {
                    1
                };
                self.log.edit(RepairKind::Colon, at..at + width, ":");
                self.scan.pos += width;
            }
            '{' | '[' | '-' | '0'..='9' => self.log.edit(RepairKind::Colon, at..at, ":"),
            _ if Quote::opened_by(c).is_some() || self.literal_ends(at) => {
                self.log.edit(RepairKind::Colon, at..at, ":");
            }
            _ => return Err(self.fail("a colon is due after the key")),
        }
        self.state = State::Value;
        Ok(())
    }

    pub(super) fn value(&mut self, c: char) -> Result<(), Box<Fail>> {
        if let Some(quote) = plain_quote(c) {
            return self.string_value(quote);
        }
        if self.open_plainly() {
            return self.check_depth();
        }
        let at = self.scan.pos;
        let width = self.scan.after(at) - at;
        if let Some(n_bytes) = self.scan.ellipsis(at) {
            return self.ellipsis(n_bytes);
        }
        match c {
            '{' | '[' | '(' => {
                let container = match c {
                    '{' => Container::Object,
                    '[' => Container::Array,
                    _ => Container::Tuple {
                        comma: false,
                        edit: offset(self.log.edits.len()),
                    },
                };
                if c == '(' {
                    // What it stands for shows when it closes.
                    self.log.edit(RepairKind::Bracket, at..at + width, "[");
                } else {
                    self.mend_bracket(c);
                }
                self.scan.pos += width;
                self.open(container);
                self.check_depth()
            }
            '}' | ']' | ')' | ',' => self.no_value(c, width),
            ':' if self.tree.kind() == Kind::Object => {
                self.log.edit(RepairKind::Colon, at..at + width, "");
                self.scan.pos += width;
                Ok(())
            }
            '\\' => Err(self.escaped_or("a value is due")),
            _ => {
                if let Some(quote) = Quote::opened_by(c) {
                    return self.string_value(quote);
                }
                self.comma = None;
                self.bare_value()
            }
        }
    }

    /// A comma or a closing bracket where a value is due.
    fn no_value(&mut self, c: char, width: usize) -> Result<(), Box<Fail>> {
        let at = self.scan.pos;
        match self.tree.kind() {
            Kind::Object => {
                self.log.edit(RepairKind::Literal, at..at, "null");
                let key = shortened(self.tree.key().unwrap_or_default());
                self.log
                    .note(format!("\"{key}\" has no value; null stands for it."));
                self.add(Node::Null);
                Ok(())
            }
            Kind::Root => Err(self.fail("a value is due")),
            Kind::Array | Kind::Round if c == ',' => {
                self.log.edit(RepairKind::Comma, at..at + width, "");
                self.scan.pos += width;
                Ok(())
            }
            Kind::Array | Kind::Round => self.close(c),
        }
    }

    pub(super) fn after(&mut self, c: char) -> Result<(), Box<Fail>> {
        let at = self.scan.pos;
        if let (Kind::Object, Some(b'}')) | (Kind::Array, Some(b']')) =
            (self.tree.kind(), self.scan.byte_at(at))
        {
            self.close_plainly();
            return Ok(());
        }
        if let Some(n_bytes) = self.scan.ellipsis(at) {
            return self.ellipsis(n_bytes);
        }
        match c {
            ',' => {
                self.mend_structure(RepairKind::Comma, ",");
                let end = self.scan.after(at);
                self.comma = Some((at, end));
                self.tree.saw_comma();
                self.scan.pos = end;
                self.state = self.item_state();
                Ok(())
            }
            '}' | ']' | ')' => self.close(c),
            _ if self.tree.kind() == Kind::Object => {
                if c == '{' && self.tree.parent_kind() == Kind::Array {
                    return self.close_before(at);
                }
                let starts_pair = Quote::opened_by(c).is_some() || is_word(c);
                if !starts_pair || matches!(self.key_like(at), KeyLike::No) {
                    return Err(self.fail("a comma or a closing brace is due"));
                }
                self.missing_comma(at);
                Ok(())
            }
            ':' => Err(self.fail("a colon stands in an array")),
            '\\' => Err(self.escaped_or("a comma or a closing bracket is due")),
            _ => {
                self.missing_comma(at);
                Ok(())
            }
        }
    }

    fn missing_comma(&mut self, at: usize) {
        self.log.edit(RepairKind::Comma, at..at, ",");
        self.state = self.item_state();
    }

    /// Something was left out on purpose: `...`.
    fn ellipsis(&mut self, n_bytes: usize) -> Result<(), Box<Fail>> {
        let at = self.scan.pos;
        let end = at + n_bytes;
        if self.scan.char_at(end).is_some_and(is_word) || self.tree.depth() == 0 {
            return Err(self.fail("dots before a name are a program's, not JSON's"));
        }
        if let Some(key) = self.tree.take_key() {
            self.log.note(format!(
                "\"{}\" was left out by the reply.",
                shortened(&key)
            ));
        }
        // Words such as "and 5 more" belong to it.
        let rest = &self.scan.text[end..];
        let n_more = rest.find([',', '}', ']', '\n', '"']).unwrap_or(rest.len());
        let end = end + rest[..n_more].trim_end().len();
        self.log.edit(RepairKind::Ellipsis, at..end, "");
        self.log.flag(Flag::Elided);
        self.scan.pos = end;
        self.state = State::After;
        Ok(())
    }

    /// Every quote escaped, or a plain failure.
    #[expect(clippy::unnecessary_box_returns, reason = "results stay small")]
    fn escaped_or(&self, message: &str) -> Box<Fail> {
        let at = self.scan.pos;
        let mut fail = self.fail(message);
        let is_escape = ["\\\"", "\\n", "\\t", "\\r"]
            .iter()
            .any(|it| self.scan.starts_with(at, it));
        if is_escape && !self.tree.has_any() {
            fail.kind = FailKind::Escaped;
        }
        fail
    }
}

/// The kind of quote, for those that nearly all strings begin with.
#[inline]
fn plain_quote(c: char) -> Option<Quote> {
    match c {
        '"' => Some(Quote::Double),
        '\'' => Some(Quote::Single),
        '“' | '”' => Some(Quote::CurlyDouble),
        _ => None,
    }
}
