//! Rung 3: walks over a text and collects every value in it, strict ones as they are, broken ones repaired.

use std::ops::Range;

use super::fences::Label;
use super::log::{Fail, FailKind, Log};
use super::reading::Reading;
use super::recognize::Stop;
use super::repair::{Parsed, repair};
use super::scan::structure;
use super::strict::{Refusal, strict_prefix};
use super::unescape::Unescaped;
use super::{Flag, RepairKind};

/// A value found in the reply; offsets are bytes of the reply.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) reading: Reading,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) log: Log,
    /// It needed no repair.
    pub(super) strict: bool,
    /// It stands in the middle of a sentence: `[1]`.
    pub(super) aside: bool,
    /// The label of the code block it stands in.
    pub(super) label: Label,
    /// A closed code block holds it and nothing else.
    pub(super) fills_block: bool,
}

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) candidates: Vec<Candidate>,
    /// The first text that was to begin with a strict value and did not, in bytes of the reply.
    pub(super) refused_text: Option<Range<usize>>,
    /// The tolerant parser's last complaint.
    pub(super) fail: Option<Box<Fail>>,
    /// No value at all may come out of this reply.
    pub(super) refused: bool,
    /// The work it took.
    pub(super) n_steps: usize,
}

/// Bounds the work of all walks over one reply, in steps.
#[derive(Debug)]
pub(super) struct Budget {
    n_left: usize,
    pub(super) n_used: usize,
}

/// A walk over a part of the reply.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    pub(super) reply: &'a str,
    /// Where the strict parser stopped in the whole reply, if it was asked.
    pub(super) as_is: Option<&'a Refusal>,
    pub(super) budget: Budget,
    pub(super) found: Found,
}

impl Budget {
    /// Steps per byte: enough for a few readings of everything.
    const PER_BYTE: usize = 40;
    const LEAST: usize = 20_000;

    pub(super) fn new(n_bytes: usize) -> Self {
        Self {
            n_left: n_bytes * Self::PER_BYTE + Self::LEAST,
            n_used: 0,
        }
    }

    fn spend(&mut self, n_steps: usize) {
        self.n_left = self.n_left.saturating_sub(n_steps);
        self.n_used += n_steps;
    }

    fn is_spent(&self) -> bool {
        self.n_left == 0
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(reply: &'a str, as_is: Option<&'a Refusal>) -> Self {
        Self {
            reply,
            as_is,
            budget: Budget::new(reply.len()),
            found: Found {
                // Most replies hold one value.
                candidates: Vec::with_capacity(1),
                ..Found::default()
            },
        }
    }

    /// Collects the values between two offsets. Returns where the last value that the end cut off begins.
    pub(super) fn walk(&mut self, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        let mut cut_at = None;
        while let Some(start) = self.opener(at, to) {
            if self.is_index(start, to) {
                at = start + 1;
                continue;
            }
            if self.budget.is_spent() || self.found.refused {
                return cut_at;
            }
            let n_before = self.found.candidates.len();
            at = self.take(start, &(from..to));
            let is_cut = self.found.candidates[n_before..]
                .iter()
                .any(|it| it.log.has(Flag::Truncated));
            if is_cut || at == to && self.found.candidates.len() == n_before {
                cut_at = Some(start);
            }
        }
        cut_at
    }

    /// The value at a place, if there is one.
    pub(super) fn first(mut self, start: usize, to: usize) -> (Option<Candidate>, Budget) {
        self.take(start, &(start..to));
        (self.found.candidates.pop(), self.budget)
    }

    /// The next opening bracket that does not stand in a comment.
    fn opener(&self, from: usize, to: usize) -> Option<usize> {
        let mut at = from.min(to);
        loop {
            at += self.reply.as_bytes()[at..to]
                .iter()
                .position(|byte| matches!(byte, b'{' | b'[' | b'/' | 0xE3 | 0xEF))?;
            let text = &self.reply[at..to];
            // All full-width brackets begin with one of the two other bytes.
            let n = text.find(|c| matches!(structure(c), Some('{' | '[')) || c == '/')?;
            if text[n..].starts_with("//") && self.line_before(at + n).trim().is_empty() {
                at += n + text[n..].find('\n').unwrap_or(text.len() - n);
            } else if text[n..].starts_with("/*") {
                at += n + text[n..].find("*/").map_or(text.len() - n, |end| end + 2);
            } else if text[n..].starts_with('/') {
                at += n + 1;
            } else {
                return Some(at + n);
            }
        }
    }

    /// Takes the value at an opening bracket, if there is one; returns where the walk goes on.
    fn take(&mut self, start: usize, within: &Range<usize>) -> usize {
        let to = within.end;
        let text = &self.reply[start..to];
        if let Some(end) = self.take_strict(start, to) {
            return end;
        }
        let (result, n_steps) = repair(text);
        self.budget.spend(n_steps);
        match result {
            Ok(parsed) => self.take_repaired(parsed, start, within),
            Err(fail) => self.give_up(fail, start, to),
        }
    }

    /// Takes the value at an opening bracket if it needs no repair; returns its end.
    fn take_strict(&mut self, start: usize, to: usize) -> Option<usize> {
        let text = &self.reply[start..to];
        let known = self
            .as_is
            .filter(|it| it.stops_in_value(&(start..to)))
            .map(|it| Stop {
                at: it.stop.at - start,
                ..it.stop
            });
        let parsed = match known.map_or_else(|| strict_prefix(text), Err) {
            Ok(parsed) => parsed,
            Err(stop) => {
                self.budget.spend(stop.at + 1);
                self.found.refused_text.get_or_insert(start..to);
                return None;
            }
        };
        self.budget.spend(parsed.end);
        let end = start + parsed.end;
        if !self.is_link(start, end, to) && !self.is_start_value(&parsed.document, start) {
            let mut candidate = Candidate::of_reply(parsed, start);
            candidate.strict = true;
            candidate.aside = self.is_aside(&candidate);
            self.found.candidates.push(candidate);
        }
        Some(end)
    }

    fn take_repaired(&mut self, parsed: Parsed, start: usize, within: &Range<usize>) -> usize {
        let end = start + parsed.end;
        let mut candidate = Candidate::of_reply(parsed, start);
        // At the deepest level that is taken, strict parsing gives up one level before.
        candidate.strict = candidate.log.edits.is_empty();
        candidate.aside = self.is_aside(&candidate);
        if self.is_link(start, end, within.end) {
            return end;
        }
        if self.is_prose(&candidate, within) {
            return start + 1.max(self.reply[start..].chars().next().map_or(1, char::len_utf8));
        }
        self.found.candidates.push(candidate);
        end
    }

    fn give_up(&mut self, mut fail: Box<Fail>, start: usize, to: usize) -> usize {
        let width = self.reply[start..].chars().next().map_or(1, char::len_utf8);
        let kind = fail.kind;
        fail.at += start;
        if kind == FailKind::Escaped
            && let Some(end) = self.take_escaped(start, to)
        {
            return end;
        }
        let at = fail.at;
        if kind != FailKind::Prose || self.found.fail.is_none() {
            self.found.fail = Some(fail);
        }
        match kind {
            FailKind::Prose | FailKind::Escaped => start + width,
            FailKind::Broken => self.balanced_end(start, to).unwrap_or(to).max(at.min(to)),
            FailKind::Depth | FailKind::Overflow => {
                self.found.refused = true;
                to
            }
        }
    }

    /// Reads a value all of whose quotes are escaped.
    fn take_escaped(&mut self, start: usize, to: usize) -> Option<usize> {
        let unescaped = Unescaped::new(&self.reply[start..to]);
        let (result, n_steps) = repair(&unescaped.text);
        self.budget.spend(n_steps + unescaped.text.len());
        let candidate = Candidate::of_escaped(result.ok()?, unescaped, start);
        let end = candidate.end;
        self.found.candidates.push(candidate);
        Some(end)
    }

    /// The offset behind the bracket that closes the one at a place, strings left aside.
    fn balanced_end(&mut self, start: usize, to: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut in_string = false;
        let mut escaped = false;
        // A bracket of the other kind may be the one that is wrong.
        let (opening, closing) = match self.reply.as_bytes()[start] {
            b'[' => (b'[', b']'),
            b'{' => (b'{', b'}'),
            // Full-width brackets are too rare to be worth a search.
            _ => return None,
        };
        for (n, byte) in self.reply[start..to].bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                _ if byte == opening => depth += 1,
                _ if byte == closing => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && n > 0 {
                self.budget.spend(n);
                let end = start + n + 1;
                // A bracket is missing when the value seems to go on: then there is no telling.
                let goes_on = self.reply[end..to]
                    .trim_start()
                    .starts_with([',', ':', '}', ']']);
                return (!goes_on).then_some(end);
            }
        }
        self.budget.spend(to - start);
        None
    }
}

impl Candidate {
    /// What was read of the reply from an offset on.
    #[inline]
    pub(super) fn of_reply(parsed: Parsed, start: usize) -> Self {
        Self::new(
            Reading::of_reply(parsed.document, start),
            start..start + parsed.end,
            parsed.log.shifted(start),
        )
    }

    /// What was read of the reply from an offset on, with a layer of escapes taken off.
    pub(super) fn of_escaped(parsed: Parsed, unescaped: Unescaped, start: usize) -> Self {
        let end = start + unescaped.offset(parsed.end);
        let log = parsed.log.spelled_out(&unescaped.text);
        let mut log = log.moved(|at| start + unescaped.offset(at));
        let text = unescaped.text[..parsed.end].to_owned();
        log.edit(RepairKind::Unescaped, start..end, text);
        let reading = Reading::of_text(parsed.document, unescaped.text);
        Self::new(reading, start..end, log)
    }

    /// A value that stands in no block, alone on its line, and needed repair.
    #[inline]
    pub(super) fn new(reading: Reading, place: Range<usize>, log: Log) -> Self {
        Self {
            reading,
            start: place.start,
            end: place.end,
            log,
            strict: false,
            aside: false,
            label: Label::None,
            fills_block: false,
        }
    }
}
