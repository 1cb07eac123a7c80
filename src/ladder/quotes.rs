//! Decides whether a quote inside a string closes it: by what follows, by pairs, by a forgotten quote before it.

use super::keys::{KeyLike, LOOK_AHEAD};
use super::repair::Parser;
use super::scan::{Next, Quote, is_blank, is_word, structure};
use super::strings::{Open, Role};
use super::tree::Kind;

/// What a quote inside a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Close,
    /// Content that should have been escaped.
    Inner,
    /// The string should have ended at an earlier offset; this quote opens the next one.
    EndBefore(usize),
    /// Two readings are equally good.
    Refuse,
}

impl Parser<'_> {
    pub(super) fn verdict(&self, at: usize, c: char, open: &mut Open) -> Verdict {
        if self.is_valid {
            return close_if(c == '"');
        }
        let next = self.scan.next(at + c.len_utf8());
        if !open.quote.is_own(c) && !self.strange_quote_shuts(next, open) {
            return Verdict::Inner;
        }
        if open.role == Role::Key {
            return if self.shuts_key(next, open) {
                Verdict::Close
            } else {
                Verdict::Inner
            };
        }
        if c == '”' && open.n_curly > 0 {
            return Verdict::Inner;
        }
        let verdict = match self.tree.kind() {
            Kind::Object => self.shuts_value(next, open),
            Kind::Array | Kind::Round => close_if(self.shuts_item(next, open)),
            Kind::Root => close_if(matches!(next.ch, None | Some(';' | ')' | '+' | '/' | '#'))),
        };
        if verdict != Verdict::Inner {
            return verdict;
        }
        if let Some(end) = self.forgotten_end(at, open) {
            return Verdict::EndBefore(end);
        }
        open.doubtful |= matches!(next.ch, Some(',' | '}' | ']' | ':'));
        open.swallows |= open.quote.is_own(c)
            && match next.ch {
                Some(':') => open.braces <= 0,
                Some(',') => self.quote_follows(self.scan.after(next.at)),
                _ => false,
            };
        Verdict::Inner
    }

    /// Whether a quote that is the only one closes a value for what stands behind the comma right behind it.
    #[inline]
    pub(super) fn comma_shuts(&self, behind: usize) -> bool {
        self.scan.count(3);
        match self.tree.kind() {
            _ if self.is_valid => true,
            Kind::Object => self.key_like(behind) != KeyLike::No,
            Kind::Array => self.item_like(behind, true),
            Kind::Round | Kind::Root => false,
        }
    }

    /// Whether a quote of another kind than the opening one can close at all: a slip of the keyboard.
    fn strange_quote_shuts(&self, next: Next, open: &Open) -> bool {
        if open.n_curly > 0 || open.n_inner > 0 || !self.own_quote_opens(next.at, open.quote) {
            return false;
        }
        match next.ch {
            Some(':') if open.role == Role::Key => {
                let value = self.scan.next(self.scan.after(next.at));
                matches!(value.ch, Some('"' | '“' | '{' | '[' | '-' | '0'..='9'))
                    || self.literal_ends(value.at)
            }
            _ if open.role == Role::Key => false,
            Some('}' | ']') => self.continues(self.scan.after(next.at)),
            Some(',') => self.key_like(self.scan.after(next.at)) == KeyLike::Strong,
            _ => false,
        }
    }

    fn quote_follows(&self, from: usize) -> bool {
        let next = self.scan.next(from);
        next.ch.is_some_and(|c| Quote::opened_by(c).is_some())
    }

    /// Whether the next proper quote stands where a string begins, or there is none and brackets close.
    fn own_quote_opens(&self, at: usize, quote: Quote) -> bool {
        let mut pos = at;
        let mut last = None;
        for _ in 0..LOOK_AHEAD {
            let Some(c) = self.scan.char_at(pos) else {
                return matches!(last, Some('}' | ']'));
            };
            if quote.is_own(c) {
                return last.is_some_and(|c| structure(c).is_some());
            }
            if !is_blank(c) {
                last = Some(c);
            }
            pos += c.len_utf8();
        }
        true
    }

    fn shuts_key(&self, next: Next, open: &Open) -> bool {
        let Some(c) = next.ch else { return true };
        match c {
            ':' | ',' | '}' | ']' | '{' | '[' | '=' => true,
            _ if Quote::opened_by(c).is_some() => true,
            '0'..='9' | '-' => true,
            _ if open.n_inner % 2 == 1 => false,
            _ if !is_word(c) => self.is_comment(next.at),
            _ => !self.quote_and_colon_follow(next.at, open.quote),
        }
    }

    /// Whether another quote with a colon behind it ends this line's key.
    fn quote_and_colon_follow(&self, at: usize, quote: Quote) -> bool {
        let mut pos = at;
        for _ in 0..LOOK_AHEAD {
            let Some(c) = self.scan.char_at(pos) else {
                return false;
            };
            if matches!(c, '\n' | ',' | '{' | '}' | '[' | ']' | ':') {
                return false;
            }
            pos += c.len_utf8();
            if quote.may_close(c) && self.scan.next(pos).ch == Some(':') {
                return true;
            }
        }
        false
    }

    /// Whether a quote ends the value of a pair.
    fn shuts_value(&self, next: Next, open: &Open) -> Verdict {
        let even = open.n_inner.is_multiple_of(2);
        let Some(c) = next.ch else {
            return Verdict::Close;
        };
        let behind = self.scan.after(next.at);
        if Quote::opened_by(c).is_some() && c != '`' {
            return match self.key_like(next.at) {
                KeyLike::Strong => Verdict::Close,
                KeyLike::Cut if even && next.spaced => Verdict::Close,
                KeyLike::Weak if even && next.spaced => Verdict::Refuse,
                _ => Verdict::Inner,
            };
        }
        close_if(match c {
            ',' => self.key_like(behind) != KeyLike::No,
            '}' => self.brace_shuts(behind, open),
            ']' => self.tree.has(Kind::Array) || open.brackets <= 0,
            ')' => self.in_round(),
            _ if is_word(c) && next.spaced && (even || next.new_line) => {
                match self.bare_key(next.at) {
                    KeyLike::Strong => true,
                    KeyLike::Cut => even && next.new_line,
                    _ => false,
                }
            }
            _ => self.other_end(next, even),
        })
    }

    /// Whether a quote ends an item of an array or an argument.
    fn shuts_item(&self, next: Next, open: &Open) -> bool {
        let even = open.n_inner.is_multiple_of(2);
        let Some(c) = next.ch else { return true };
        let behind = self.scan.after(next.at);
        if Quote::opened_by(c).is_some() && c != '`' {
            let inside = self.scan.next(behind);
            let opens_text = !inside.spaced && !matches!(inside.ch, None | Some(',' | ']' | '}'));
            let is_cut = inside.ch.is_none() && next.spaced;
            return even && (opens_text || is_cut);
        }
        match c {
            ',' => self.item_like(behind, even),
            ']' => open.brackets <= 0 || self.continues(behind),
            '}' => open.braces <= 0 || self.continues(behind),
            ')' => self.in_round(),
            '{' | '[' => even && next.spaced,
            '0'..='9' | '-' => even && next.spaced && self.number_ends(next.at),
            _ if is_word(c) && even && next.spaced => next.new_line || self.literal_ends(next.at),
            _ => self.other_end(next, even),
        }
    }

    /// Ends of a string that are the same everywhere.
    fn other_end(&self, next: Next, even: bool) -> bool {
        let behind = self.scan.next(self.scan.after(next.at));
        match next.ch {
            Some('+') => even && behind.ch.is_none_or(|c| Quote::opened_by(c).is_some()),
            Some('/') => even && self.is_comment(next.at),
            Some('#') => even && next.spaced,
            Some('`') => self.scan.starts_with(next.at, "```") && next.new_line,
            Some('.' | '…') => even && next.spaced && self.scan.ellipsis(next.at).is_some(),
            _ => false,
        }
    }

    fn item_like(&self, from: usize, even: bool) -> bool {
        let next = self.scan.next(from);
        match next.ch {
            None | Some('{' | '[' | '(' | ']' | '}' | ')' | ',' | '-' | '0'..='9') => true,
            Some(c) if Quote::opened_by(c).is_some() => true,
            Some('/' | '#') => self.is_comment(next.at),
            Some(_) if self.scan.ellipsis(next.at).is_some() => true,
            Some(_) => even || self.literal_ends(next.at),
        }
    }

    /// Whether a closing brace right behind a quote closes the object rather than one inside the string.
    fn brace_shuts(&self, behind: usize, open: &Open) -> bool {
        open.braces <= 0 || self.continues(behind)
    }

    /// Whether what follows a closing bracket goes on as JSON would.
    fn continues(&self, behind: usize) -> bool {
        let next = self.scan.next(behind);
        match next.ch {
            None | Some('`') => true,
            Some(',') if self.tree.depth() > 1 => match self.tree.parent_kind() {
                Kind::Object => self.key_like(self.scan.after(next.at)) != KeyLike::No,
                _ => self.item_like(self.scan.after(next.at), false),
            },
            Some('}' | ']' | ')') => self.tree.depth() > 1,
            Some(_) => self.tree.depth() == 1 && next.new_line,
        }
    }

    /// Where the string should have ended, when this quote opens what comes after it.
    fn forgotten_end(&self, at: usize, open: &Open) -> Option<usize> {
        let content = &self.scan.text[open.start..at];
        let trimmed = content.trim_end_matches(is_blank);
        let new_line = content[trimmed.len()..].contains('\n');
        let before_comma = trimmed.strip_suffix([',', '，']);
        if self.tree.kind() == Kind::Array {
            let end = open.start + before_comma?.len();
            return (open.n_inner == 0 && self.string_ends_well(at, open)).then_some(end);
        }
        if self.tree.kind() != Kind::Object {
            return None;
        }
        if let Some(before) = before_comma.or(new_line.then_some(trimmed))
            && self.quoted_key(at, open.quote) == KeyLike::Strong
            && self.value_follows_key(at, open)
        {
            let mut before = before.trim_end_matches(is_blank);
            if open.braces < 0 || open.brackets < 0 {
                before = before.trim_end_matches(|c| is_blank(c) || matches!(c, '}' | ']'));
            }
            return Some(open.start + before.len());
        }
        let before_key = trimmed.strip_suffix(':')?.trim_end_matches(is_blank);
        let before_key_len = before_key.trim_end_matches(is_word).len();
        if before_key_len == before_key.len() || open.n_inner > 0 {
            return None;
        }
        let before = before_key[..before_key_len].trim_end_matches(is_blank);
        let end = open.start + before.strip_suffix([',', '，'])?.len();
        self.string_ends_well(at, open).then_some(end)
    }

    /// Whether a string opened here would end where structure follows.
    fn string_ends_well(&self, at: usize, open: &Open) -> bool {
        let Some(close) = self.closing_quote(at, open) else {
            return false;
        };
        let next = self.scan.next(close);
        match next.ch {
            None | Some(']' | '}') => true,
            Some(',') if self.tree.kind() == Kind::Object => {
                self.key_like(self.scan.after(next.at)) != KeyLike::No
            }
            Some(',') => self
                .scan
                .next(self.scan.after(next.at))
                .ch
                .is_some_and(|c| Quote::opened_by(c).is_some()),
            _ => false,
        }
    }

    /// Whether a value begins behind the colon of a quoted key.
    fn value_follows_key(&self, at: usize, open: &Open) -> bool {
        let Some(close) = self.closing_quote(at, open) else {
            return false;
        };
        let colon = self.scan.next(close);
        let value = self.scan.next(self.scan.after(colon.at));
        match value.ch {
            None | Some('{' | '[' | '-' | '0'..='9') => true,
            Some(c) => Quote::opened_by(c).is_some() || self.literal_ends(value.at),
        }
    }

    /// The offset behind the quote that closes a string opened here, if it is near.
    fn closing_quote(&self, at: usize, open: &Open) -> Option<usize> {
        let mut pos = self.scan.after(at);
        for _ in 0..LOOK_AHEAD {
            let c = self.scan.char_at(pos)?;
            pos += c.len_utf8();
            if open.quote.likely_closes(c) {
                return Some(pos);
            }
        }
        None
    }
}

fn close_if(closes: bool) -> Verdict {
    if closes {
        Verdict::Close
    } else {
        Verdict::Inner
    }
}
