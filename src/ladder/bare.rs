//! Bare words of the tolerant parser: keys and values without quotes, numbers, literals, calls.

use super::document::{Node, Span};
use super::keys::KeyLike;
use super::log::{Fail, Put};
use super::numbers;
use super::repair::{Parser, State};
use super::scan::{Quote, is_blank, is_word, structure};
use super::tree::{Container, Kind};
use super::words::{self, Literal};
use super::{Flag, RepairKind};

impl Parser<'_> {
    /// A key without quotes.
    pub(super) fn word_key(&mut self) -> Result<(), Box<Fail>> {
        let at = self.scan.pos;
        let mut end = at + self.plain_word(at);
        if end > at && self.scan.byte_at(end) == Some(b':') {
            self.scan.count(2);
            self.take_word_key(at, end, end);
            return Ok(());
        }
        while let Some(c) = self.scan.char_at(end) {
            let stops = structure(c).is_some_and(|c| c != '(' && c != ')')
                || matches!(
                    c,
                    '\n' | '"' | '\'' | '“' | '”' | '‘' | '=' | ';' | '<' | '\\' | '`'
                );
            if stops {
                break;
            }
            end += c.len_utf8();
        }
        let mut word = &self.scan.text[at..end];
        if !word.ends_with(is_word) {
            word = word.trim_end_matches(is_blank);
        }
        let end = at + word.len();
        let next = self.scan.next(end);
        if word.is_empty() {
            return Err(self.fail("a key is due"));
        }
        if next.ch.is_none() {
            self.log.edit(RepairKind::Truncation, at..end, "");
            self.log
                .note("A key was cut off and is left out.".to_owned());
            self.scan.pos = self.scan.text.len();
            self.item_is_cut = true;
            return Ok(());
        }
        // A key that lost its opening quote only.
        let lost_quote = next.ch == Some('"') && self.scan.next(next.at + 1).ch == Some(':');
        let has_colon = next.ch == Some(':') || lost_quote;
        let has_value = next.spaced
            && next.ch.and_then(Quote::opened_by).is_some()
            && self.key_like(next.at) != KeyLike::Strong;
        if !has_colon && (!has_value || word.contains(is_blank)) {
            return Err(self.fail("a bare word is no key without a colon"));
        }
        let behind = if lost_quote { next.at + 1 } else { end };
        self.take_word_key(at, end, behind);
        Ok(())
    }

    /// Takes the key between two places and goes on at a third.
    #[inline]
    fn take_word_key(&mut self, at: usize, end: usize, behind: usize) {
        self.log.edit(RepairKind::BareKey, at..end, Put::Quoted);
        self.tree.set_key(Span::source(at, end));
        self.scan.pos = behind;
        self.state = State::Colon;
        self.plain_mark();
    }

    /// How many bytes from a place on are letters and digits of ASCII.
    fn plain_word(&self, at: usize) -> usize {
        let rest = &self.scan.text.as_bytes()[at..];
        let ends = |it: &u8| !it.is_ascii_alphanumeric() && *it != b'_';
        let n_bytes = rest.iter().position(ends).unwrap_or(rest.len());
        self.scan.count(n_bytes);
        n_bytes
    }

    /// A value without quotes.
    pub(super) fn bare_value(&mut self) -> Result<(), Box<Fail>> {
        let at = self.scan.pos;
        let starts_number = self.scan.byte_at(at).is_some_and(|it| it.is_ascii_digit());
        if starts_number && let Some((end, number)) = self.plain_number(at) {
            self.scan.pos = end;
            self.add(Node::Unsigned(number));
            self.plain_mark();
            return Ok(());
        }
        if starts_number && let Some((end, number)) = self.plain_decimal(at) {
            self.scan.pos = end;
            self.add(Node::Float(number));
            return Ok(());
        }
        if let Some((end, literal)) = self.plain_literal(at) {
            self.scan.pos = end;
            self.literal_value(literal, &self.scan.text[at..end], at);
            return Ok(());
        }
        if self.call()? {
            return Ok(());
        }
        let (end, lost_quote) = self.word_end(at)?;
        let word = self.scan.text[at..end].trim_end_matches(is_blank);
        if word.is_empty() {
            return Err(self.fail("a value is due"));
        }
        if !lost_quote
            && words::is_string_prefix(word)
            && let Some(quote) = self.scan.char_at(end).and_then(Quote::opened_by)
        {
            self.log.edit(RepairKind::Wrapper, at..end, "");
            self.scan.pos = end;
            return self.string_value(quote);
        }
        let end = at + word.len();
        let is_last = end == self.scan.text.len();
        self.scan.pos = end;
        if lost_quote && self.log.has(Flag::UnquotedValue) {
            return Err(self.fail_at(end, "where this string begins cannot be said"));
        }
        if lost_quote {
            self.scan.pos = end + 1;
            self.log.flag(Flag::AmbiguousQuotes);
            return self.text_value(word, at);
        }
        self.word_value(word, at, is_last)
    }

    /// A whole number that leaves nothing to be judged, and where it ends: structure stands right behind it.
    fn plain_number(&self, at: usize) -> Option<(usize, u64)> {
        const LONGEST: usize = 16;
        let rest = &self.scan.text.as_bytes()[at..];
        let mut n_digits = 0;
        let mut number = 0;
        for digit in rest.iter().take(LONGEST) {
            if !digit.is_ascii_digit() {
                break;
            }
            number = number * 10 + u64::from(digit - b'0');
            n_digits += 1;
        }
        self.scan.step();
        let ends = match rest.get(n_digits)? {
            b'}' | b']' => true,
            // In an object a comma may stand between the digits of one number.
            b',' => !rest.get(n_digits + 1).is_some_and(u8::is_ascii_digit),
            _ => false,
        };
        // With a zero before them, digits are no number.
        let is_whole = n_digits == 1 || n_digits > 1 && rest[0] != b'0';
        (is_whole && ends).then_some((at + n_digits, number))
    }

    /// A short decimal fraction with structure right behind it, and where it ends. All its digits are within what
    /// f64 holds exactly, and so is the power of ten: one division rounds right.
    fn plain_decimal(&self, at: usize) -> Option<(usize, f64)> {
        const LONGEST: usize = 15;
        let rest = &self.scan.text.as_bytes()[at..];
        let is_part = |it: &&u8| it.is_ascii_digit() || **it == b'.';
        let n_bytes = rest.iter().take(LONGEST + 1).take_while(is_part).count();
        self.scan.step();
        if n_bytes > LONGEST {
            return None;
        }
        let (token, behind) = rest.split_at(n_bytes);
        let ends = match behind.first()? {
            b'}' | b']' => true,
            b',' => !behind.get(1).is_some_and(u8::is_ascii_digit),
            _ => false,
        };
        let point = token.iter().position(|it| *it == b'.')?;
        let (whole, fraction) = (&token[..point], &token[point + 1..]);
        let is_whole = matches!(whole, [b'0'] | [b'1'..=b'9', ..]);
        if !ends || !is_whole || fraction.is_empty() || fraction.contains(&b'.') {
            return None;
        }
        let digits = whole.iter().chain(fraction);
        let number = digits.fold(0_u64, |n, it| n * 10 + u64::from(it - b'0'));
        let power = fraction.iter().fold(1_u64, |n, _| n * 10);
        Some((at + n_bytes, number as f64 / power as f64))
    }

    /// A literal with structure right behind it, and where it ends.
    fn plain_literal(&self, at: usize) -> Option<(usize, Literal)> {
        const LONGEST: usize = 10;
        let rest = &self.scan.text.as_bytes()[at..];
        let ahead = &rest[..rest.len().min(LONGEST)];
        let n_bytes = ahead.iter().position(|it| !it.is_ascii_alphabetic())?;
        self.scan.step();
        if !matches!(ahead[n_bytes], b',' | b'}' | b']') {
            return None;
        }
        let end = at + n_bytes;
        Some((end, words::literal(&self.scan.text[at..end])?))
    }

    /// Whether a literal or a number stands here on its own.
    pub(super) fn literal_ends(&self, at: usize) -> bool {
        let mut end = at;
        while end - at < 16 {
            match self.scan.char_at(end) {
                Some(c) if is_word(c) => end += c.len_utf8(),
                _ => break,
            }
        }
        words::literal(&self.scan.text[at..end]).is_some() && self.value_ends(end)
    }

    /// Whether a number stands here on its own.
    pub(super) fn number_ends(&self, at: usize) -> bool {
        let mut end = at;
        while end - at < 32 {
            match self.scan.char_at(end) {
                Some(c) if c.is_ascii_digit() || "+-.eE".contains(c) => end += 1,
                _ => break,
            }
        }
        let number = &self.scan.text[at..end];
        let is_cut = end == self.scan.text.len();
        (numbers::is_strict(number) || is_cut && numbers::is_start(number)) && self.value_ends(end)
    }

    fn value_ends(&self, at: usize) -> bool {
        let next = self.scan.next(at);
        matches!(next.ch, None | Some(',' | ']' | '}' | ')' | '"')) || next.new_line
    }

    /// Whether a word needs nothing behind it.
    fn is_whole(&self, word: &str) -> bool {
        let word = word.trim_end_matches(is_blank);
        self.scan.step();
        word.len() < 32 && (numbers::is_strict(word) || words::literal(word).is_some())
    }

    /// Where a bare value ends, and whether a quote without a partner ends it.
    fn word_end(&self, at: usize) -> Result<(usize, bool), Box<Fail>> {
        let mut end = at;
        let mut n_round = 0_usize;
        while let Some(c) = self.scan.char_at(end) {
            match structure(c).unwrap_or(c) {
                '\n' | '}' | ']' => break,
                ',' if !self.joins_digits(at, end, c) => break,
                '(' => n_round += 1,
                ')' if n_round == 0 && self.in_round() => break,
                ')' => n_round = n_round.saturating_sub(1),
                '{' | '[' if self.is_whole(&self.scan.text[at..end]) => break,
                '{' | '[' => return Err(self.fail_at(end, "a bracket stands inside a bare value")),
                '`' if self.scan.starts_with(end, "```") => break,
                '/' | '#' if self.comment_in_word(at, end) => break,
                ':' => {
                    if let Some(split) = self.key_inside(at, end) {
                        return Ok((split, false));
                    }
                }
                '"' | '“' => {
                    let blank_before = self.scan.before(end).is_some_and(is_blank);
                    if blank_before && self.next_item_at(end) {
                        break;
                    }
                    let after = self.scan.next(end + 1);
                    let ends_here = matches!(after.ch, None | Some(',' | '}' | ']'));
                    // Only a comma is missing: `false"next": 1`.
                    if !ends_here
                        && self.is_whole(&self.scan.text[at..end])
                        && self.next_item_at(end)
                    {
                        break;
                    }
                    if c == '"' && !blank_before && ends_here {
                        return Ok((end, true));
                    }
                    if words::is_string_prefix(&self.scan.text[at..end]) {
                        break;
                    }
                }
                '\'' if words::is_string_prefix(&self.scan.text[at..end]) => break,
                _ if !is_blank(c) && self.number_before(at, end) => break,
                _ => {}
            }
            end += c.len_utf8();
        }
        Ok((end, false))
    }

    /// Whether a quote behind a bare value begins the next pair or item.
    fn next_item_at(&self, at: usize) -> bool {
        match self.tree.kind() {
            Kind::Object => self.key_like(at) == KeyLike::Strong,
            _ => true,
        }
    }

    /// In an array a number or literal ends where the next one begins behind white space.
    fn number_before(&self, at: usize, end: usize) -> bool {
        if self.tree.kind() != Kind::Array || !self.scan.before(end).is_some_and(is_blank) {
            return false;
        }
        let word = self.scan.text[at..end].trim_end_matches(is_blank);
        self.is_whole(word) && (self.number_ends(end) || self.literal_ends(end))
    }

    fn comment_in_word(&self, at: usize, end: usize) -> bool {
        let after_blank = end > at && self.scan.before(end).is_some_and(is_blank);
        self.scan.starts_with(end, "/*")
            || self.is_comment(end) && (after_blank || self.is_whole(&self.scan.text[at..end]))
    }

    /// Where a key begins inside what looked like one value: `hello world next: 1`.
    fn key_inside(&self, at: usize, colon: usize) -> Option<usize> {
        if self.tree.kind() != Kind::Object {
            return None;
        }
        let after = self.scan.char_at(self.scan.after(colon));
        let opens_value = after
            .is_none_or(|c| is_blank(c) || Quote::opened_by(c).is_some() || structure(c).is_some());
        let word = &self.scan.text[at..colon];
        let key_len = word.len() - word.trim_end_matches(is_word).len();
        let before = &word[..word.len() - key_len];
        let splits = opens_value && key_len > 0 && before.ends_with(is_blank);
        splits.then_some(at + before.len())
    }

    /// Whether a comma belongs to a number: `1,234` in an object, where a key is due behind a comma.
    fn joins_digits(&self, at: usize, comma: usize, c: char) -> bool {
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        if c != ',' || self.tree.kind() != Kind::Object || comma == at {
            return false;
        }
        if !is_digit(self.scan.before(comma)) || !is_digit(self.scan.char_at(comma + 1)) {
            return false;
        }
        self.bare_key(comma + 1) == KeyLike::No
    }

    /// `ObjectId("…")`, `new Date(1)`: true when a call was opened.
    fn call(&mut self) -> Result<bool, Box<Fail>> {
        let at = self.scan.pos;
        let mut end = at;
        if self.scan.starts_with(at, "new ") {
            end += 4;
        }
        while let Some(c) = self.scan.char_at(end) {
            if !is_word(c) && c != '.' {
                break;
            }
            end += c.len_utf8();
        }
        if end == at || !self.scan.starts_with(end, "(") {
            return Ok(false);
        }
        let argument = self.scan.next(end + 1);
        match argument.ch {
            Some('{' | '[' | '-' | '0'..='9') => {}
            Some(c) if Quote::opened_by(c).is_some() || self.literal_ends(argument.at) => {}
            Some(')') if self.scan.char_at(argument.at + 1).is_some_and(is_word) => {
                return Ok(false);
            }
            _ => return Err(self.fail("a call of a program is no value")),
        }
        self.log.edit(RepairKind::Wrapper, at..end + 1, "");
        self.scan.pos = end + 1;
        self.open(Container::Call);
        self.check_depth()?;
        Ok(true)
    }
}
