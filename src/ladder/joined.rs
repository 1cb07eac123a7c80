//! String values of the tolerant parser, joined with what plus signs add to them.

use super::document::{Node, Span};
use super::log::{Edit, Fail};
use super::recognize::recognize;
use super::repair::{Parser, is_lookalike_text};
use super::scan::Quote;
use super::strings::Role;
use super::{Flag, RepairKind};

impl Parser<'_> {
    /// A quoted value, joined with what a plus sign adds to it.
    pub(super) fn string_value(&mut self, quote: Quote) -> Result<(), Box<Fail>> {
        let mut span = self.string(quote, Role::Value)?;
        while !self.string_is_cut
            && !matches!(self.scan.byte_at(self.scan.pos), Some(b',' | b'}' | b']'))
        {
            let plus = self.scan.next(self.scan.pos);
            if plus.ch != Some('+') {
                break;
            }
            let more = self.scan.next(plus.at + 1);
            let start = self.scan.pos;
            self.scan.pos = more.at;
            match more.ch.and_then(Quote::opened_by) {
                Some(quote) => {
                    let start = self.take_back_closer(start);
                    let end = self.scan.after(more.at);
                    self.log.edit(RepairKind::Concatenation, start..end, "");
                    span = self.join(span, quote)?;
                }
                None if more.ch.is_none() => {
                    self.log.edit(RepairKind::Concatenation, start..more.at, "");
                    break;
                }
                None => return Err(self.fail("only strings can be joined with a plus sign")),
            }
        }
        let starts_with_letter = self
            .scan
            .byte_at(span.place().start)
            .is_some_and(|it| it.is_ascii_alphabetic());
        // Nothing is to be told of most texts, and their first letter says so.
        if span.is_own() || self.string_is_cut || !starts_with_letter {
            self.tell_text(span);
        }
        self.add(Node::Text(span));
        self.plain_mark();
        Ok(())
    }

    /// Says what a reader must know of a string value.
    fn tell_text(&mut self, span: Span) {
        let content = self.tree.document.text(span, self.scan.text);
        let is_lookalike = is_lookalike_text(content);
        let is_double_encoded = !self.string_is_cut && self.is_double_encoded(content);
        if is_lookalike {
            self.log.flag(Flag::LookalikeDigit);
        }
        if self.string_is_cut {
            self.log.flag(Flag::Truncated);
        } else if is_double_encoded {
            self.log.flag(Flag::DoubleEncoded);
        }
    }

    /// Where the closing quote stands that ends here; what was logged of it is taken back.
    fn take_back_closer(&mut self, end: usize) -> usize {
        match self.log.edits.last() {
            Some(edit) if edit.kind == RepairKind::Quote && edit.place().end == end => {
                let start = edit.start();
                self.log.edits.pop();
                start
            }
            _ => end - 1,
        }
    }

    /// Reads a string behind a plus sign and puts it behind the one before.
    fn join(&mut self, before: Span, quote: Quote) -> Result<Span, Box<Fail>> {
        let (source, at) = (self.scan.text, self.scan.pos);
        // What was put together last stands at the end, so that the new string comes right behind it.
        let start = if before.is_own() {
            before.place().start
        } else {
            self.tree
                .document
                .keep(&source[before.place()])
                .place()
                .start
        };
        let n_edits = self.log.edits.len();
        let added = self.string(quote, Role::Value)?;
        // The opening quote is part of what joining took away.
        let is_opener = |it: &Edit| it.kind == RepairKind::Quote && it.start() == at;
        if self.log.edits.get(n_edits).is_some_and(is_opener) {
            self.log.edits.remove(n_edits);
        }
        let own = &mut self.tree.document.own;
        if !added.is_own() {
            own.push_str(&source[added.place()]);
        }
        Ok(Span::own(start, own.len()))
    }

    /// Whether a string holds JSON of its own: any container at the root, an object with keys elsewhere.
    fn is_double_encoded(&self, text: &str) -> bool {
        if text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return false;
        }
        let text = text.trim();
        if !text.starts_with(['{', '[']) || !text.ends_with(['}', ']']) {
            return false;
        }
        let has_keys = || {
            text.strip_prefix('{')
                .is_some_and(|it| !it.trim_start().starts_with('}'))
        };
        (self.tree.depth() == 0 || has_keys()) && recognize(text).is_ok()
    }
}
