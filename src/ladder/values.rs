//! What the tolerant parser makes of a bare word: a literal, a number, text or nothing.

use super::document::{Node, Span};
use super::log::{Fail, FailKind, Put, shortened};
use super::numbers::{self, Numeral};
use super::repair::Parser;
use super::words::{self, Cut, Literal};
use super::{Flag, RepairKind};

impl Parser<'_> {
    pub(super) fn word_value(
        &mut self,
        word: &str,
        at: usize,
        is_last: bool,
    ) -> Result<(), Box<Fail>> {
        if let Some(literal) = words::literal(word) {
            self.literal_value(literal, word, at);
            return Ok(());
        }
        if is_last && self.tree.depth() > 0 && self.cut_word(word, at) {
            return Ok(());
        }
        match numbers::numeral(word) {
            Numeral::Strict { number, exact } => self.number_value(number, exact, word),
            Numeral::Mended { number, exact } => {
                let end = at + word.len();
                self.log
                    .edit(RepairKind::Number, at..end, number.to_string());
                self.number_value(number, exact, word);
            }
            Numeral::Overflow => {
                return Err(Box::new(Fail {
                    at,
                    message: format!(
                        "{} is beyond the numbers JSON readers hold",
                        shortened(word)
                    ),
                    kind: FailKind::Overflow,
                }));
            }
            Numeral::AsText if self.tree.depth() == 0 && !word.starts_with('0') => {
                return Err(self.fail_at(at, "digits that are no number are no value"));
            }
            Numeral::AsText => {
                self.log.flag(Flag::NumberAsString);
                self.keep_text(RepairKind::Number, word, at);
            }
            Numeral::No => return self.text_value(word, at),
        }
        if is_last && self.tree.depth() > 0 {
            self.log.flag(Flag::NumberMaybeCut);
            self.log
                .note(format!("{} may go on behind the end.", shortened(word)));
        }
        Ok(())
    }

    /// A word that the end of the text may have cut: true when that settles what it is.
    fn cut_word(&mut self, word: &str, at: usize) -> bool {
        match words::completed(word) {
            Cut::Completed(literal) => {
                self.log.flag(Flag::Truncated);
                self.literal_value(literal, word, at);
            }
            Cut::Unclear => self.drop_word(word, at),
            Cut::Text => return false,
        }
        true
    }

    pub(super) fn literal_value(&mut self, literal: Literal, word: &str, at: usize) {
        if literal.json() != word {
            self.log
                .edit(RepairKind::Literal, at..at + word.len(), literal.json());
        }
        if literal == Literal::Nonfinite {
            self.log.flag(Flag::Nonfinite);
            self.log
                .note(format!("{word} is no JSON value; null stands for it."));
        }
        self.add(literal.node());
    }

    fn number_value(&mut self, number: serde_json::Number, exact: bool, word: &str) {
        if !exact {
            self.log.flag(Flag::BigNumber);
            self.log
                .note(format!("{word} does not fit; {number} stands for it."));
        }
        self.add(number.into());
    }

    /// Text without quotes, unless it is a program's.
    pub(super) fn text_value(&mut self, word: &str, at: usize) -> Result<(), Box<Fail>> {
        if words::is_code(word) || self.tree.key() == Some(word) {
            return Err(self.fail_at(at, "a name stands where a value is due"));
        }
        if self.tree.depth() == 0 {
            return Err(self.fail_at(at, "bare words are no value"));
        }
        if numbers::has_lookalike(word) {
            self.log.flag(Flag::LookalikeDigit);
        } else {
            self.log.flag(Flag::UnquotedValue);
        }
        self.keep_text(RepairKind::BareValue, word, at);
        Ok(())
    }

    fn keep_text(&mut self, kind: RepairKind, word: &str, at: usize) {
        let end = at + word.len();
        self.log.edit(kind, at..end, Put::Quoted);
        self.add(Node::Text(Span::source(at, end)));
    }

    /// A word at the end that can have been several things.
    fn drop_word(&mut self, word: &str, at: usize) {
        self.log
            .edit(RepairKind::Truncation, at..at + word.len(), "");
        self.log
            .note(format!("{word} was cut off and can mean several things."));
        self.scan.pos = self.scan.text.len();
        self.item_is_cut = true;
    }
}
