//! Rung 4: a tolerant parser without recursion that reads a value in one pass and logs every edit.

use super::document::{Document, Node};
use super::log::{Edit, Fail, FailKind, Log, shortened};
use super::scan::{Scan, is_blank};
use super::tree::{Added, Container, Kind, Tree};
use super::trim::trim_start;
use super::{Flag, RepairKind, numbers};

/// A value and how it came about.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) document: Document,
    /// The offset behind the value.
    pub(super) end: usize,
    pub(super) log: Log,
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// A key or the end of the object.
    Key,
    Colon,
    Value,
    /// A comma or the end of the container.
    After,
    Done,
}

/// Which bracket a wrong one stands for when both readings go on well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Lean {
    /// A bracket before it is missing.
    #[default]
    Missing,
    /// It is the wrong bracket.
    Wrong,
}

/// The machine: a scan, a tree, a state.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each tells of another thing; all combinations occur"
)]
pub(super) struct Parser<'a> {
    pub(super) scan: Scan<'a>,
    pub(super) tree: Tree<'a>,
    pub(super) log: Log,
    pub(super) state: State,
    pub(super) lean: Lean,
    /// A wrong bracket had two readings.
    pub(super) leaned: bool,
    /// The text is known to be JSON: every quote is what it seems.
    pub(super) is_valid: bool,
    /// The text ended before the value did.
    pub(super) cut: bool,
    /// The last comma, while nothing came behind it.
    pub(super) comma: Option<(usize, usize)>,
    has_root: bool,
    /// There is room for all that is to come.
    pub(super) has_room: bool,
    /// Serves strings that need a copy.
    pub(super) buffer: String,
    /// The text ended before the last string did.
    pub(super) string_is_cut: bool,
    /// The text ended inside a key or a value of which nothing is kept.
    pub(super) item_is_cut: bool,
    /// Behind the last bracket or value that is kept, and how many edits there were up to there.
    pub(super) kept: (usize, usize),
}

/// Reads the value that begins at the start of the text; what stands behind it is left alone.
pub(super) fn repair(text: &str) -> (Result<Parsed, Box<Fail>>, usize) {
    run_both_ways(text, Parser::new)
}

/// Reads a text that is known to be JSON: there are flags and notes, never an edit.
pub(super) fn read_valid(text: &str) -> Result<Parsed, Box<Fail>> {
    let mut parser = Parser::new(text);
    parser.is_valid = true;
    let result = parser.run();
    parser.finish(result)
}

/// Reads the rest of an object whose opening brace the reply does not hold.
pub(super) fn repair_inside_object(text: &str) -> (Result<Parsed, Box<Fail>>, usize) {
    run_both_ways(text, |text| {
        let mut parser = Parser::new(text);
        parser.log.edit(RepairKind::Bracket, 0..0, "{");
        parser.open(Container::Object);
        parser.log.flag(Flag::Prefill);
        parser
    })
}

/// Reads again with the other meaning of a wrong bracket when the first leaves brackets over.
fn run_both_ways<'a>(
    text: &'a str,
    start: impl Fn(&'a str) -> Parser<'a>,
) -> (Result<Parsed, Box<Fail>>, usize) {
    let mut first = start(text);
    let result = first.run();
    let mut n_steps = first.scan.steps();
    let is_balanced =
        || result.is_ok() && !first.cut && !starts_with_closer(&text[first.scan.pos..]);
    if !first.leaned || is_balanced() {
        return (first.finish(result), n_steps);
    }
    let mut second = start(text);
    second.lean = Lean::Wrong;
    let other = second.run();
    n_steps += second.scan.steps();
    if other.is_ok() && !second.cut && !starts_with_closer(&text[second.scan.pos..]) {
        return (second.finish(other), n_steps);
    }
    (first.finish(result), n_steps)
}

fn starts_with_closer(rest: &str) -> bool {
    trim_start(rest).starts_with(['}', ']', ','])
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            scan: Scan::new(text),
            tree: Tree::new(text),
            log: Log::with_room((text.len() / 6).clamp(4, 128)),
            state: State::Value,
            lean: Lean::default(),
            leaned: false,
            is_valid: false,
            cut: false,
            comma: None,
            has_root: false,
            has_room: false,
            buffer: String::new(),
            string_is_cut: false,
            item_is_cut: false,
            kept: (0, 0),
        }
    }

    fn run(&mut self) -> Result<(), Box<Fail>> {
        while self.state != State::Done {
            if self.plain_mark() {
                continue;
            }
            let c = match self.plain_token() {
                Some(c) => c,
                None => match self.token()? {
                    Some(c) => c,
                    None => break,
                },
            };
            match self.state {
                State::Key => self.key(c)?,
                State::Colon => self.colon(c)?,
                State::Value => self.value(c)?,
                State::After => self.after(c)?,
                State::Done => {}
            }
        }
        Ok(())
    }

    /// Takes a colon or comma that stands where one is due and right behind what came before.
    #[inline]
    pub(super) fn plain_mark(&mut self) -> bool {
        let at = self.scan.pos;
        match (self.state, self.scan.byte_at(at)) {
            (State::Colon, Some(b':')) => self.state = State::Value,
            (State::After, Some(b',')) => {
                self.comma = Some((at, at + 1));
                self.tree.saw_comma();
                self.state = self.item_state();
            }
            _ => return false,
        }
        self.scan.step();
        self.scan.pos = at + 1;
        true
    }

    /// What stands next, if it is ASCII that begins neither a comment nor a fence, or a curly quote; white space is
    /// skipped.
    #[inline]
    fn plain_token(&mut self) -> Option<char> {
        let bytes = self.scan.text.as_bytes();
        let mut at = self.scan.pos;
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(at) {
            at += 1;
        }
        self.scan.count(at - self.scan.pos + 1);
        self.scan.pos = at;
        match bytes.get(at) {
            Some(b'/' | b'#' | b'`') => None,
            Some(byte @ b'!'..=b'~') => Some(char::from(*byte)),
            Some(0xE2) => self.curly_quote(at),
            _ => None,
        }
    }

    /// A curly double quote, if one stands at a place.
    fn curly_quote(&self, at: usize) -> Option<char> {
        match self.scan.text.as_bytes().get(at..)?.first_chunk()? {
            [0xE2, 0x80, 0x9C] => Some('“'),
            [0xE2, 0x80, 0x9D] => Some('”'),
            _ => None,
        }
    }

    /// What stands next, whatever it is; none at the end, which it sees to.
    fn token(&mut self) -> Result<Option<char>, Box<Fail>> {
        self.skip_blanks();
        let Some(c) = self.scan.next(self.scan.pos).ch else {
            self.cut_off()?;
            return Ok(None);
        };
        if c == '`' && self.scan.starts_with(self.scan.pos, "```") {
            self.fence()?;
            return Ok(None);
        }
        Ok(Some(c))
    }

    fn finish(&mut self, result: Result<(), Box<Fail>>) -> Result<Parsed, Box<Fail>> {
        let end = self.scan.pos;
        result?;
        if !self.has_root {
            return Err(self.fail_at(end, "the text ends before a value begins"));
        }
        let mut log = std::mem::take(&mut self.log);
        // A last comma turns out to be one only behind the comments after it.
        if !log.edits.is_sorted_by_key(Edit::start) {
            log.edits.sort_by_key(Edit::start);
        }
        Ok(Parsed {
            document: std::mem::take(&mut self.tree.document),
            end,
            log,
        })
    }

    /// A failure at a place; how bad it is depends on what has been read.
    #[expect(clippy::unnecessary_box_returns, reason = "results stay small")]
    pub(super) fn fail_at(&self, at: usize, message: &str) -> Box<Fail> {
        Box::new(Fail {
            at,
            message: message.to_owned(),
            kind: if self.tree.has_any() {
                FailKind::Broken
            } else {
                FailKind::Prose
            },
        })
    }

    #[expect(clippy::unnecessary_box_returns, reason = "results stay small")]
    pub(super) fn fail(&self, message: &str) -> Box<Fail> {
        self.fail_at(self.scan.pos, message)
    }

    /// Skips white space and comments, and logs those JSON does not know.
    fn skip_blanks(&mut self) {
        loop {
            let at = self.scan.pos;
            match self.scan.text.as_bytes().get(at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => {
                    self.scan.step();
                    self.scan.pos += 1;
                    continue;
                }
                Some(b'!'..=b'~')
                    if !self.scan.starts_with(at, "/") && !self.scan.starts_with(at, "#") =>
                {
                    return;
                }
                _ => {}
            }
            if let Some(end) = self.scan.comment_end(at) {
                let comment = &self.scan.text[at..end];
                if has_ellipsis(comment) {
                    self.log.flag(Flag::Elided);
                }
                if !comment.starts_with("/*") && comment.matches('"').count() % 2 == 1 {
                    // A string such as "#tag" that lost its first quote looks the same.
                    self.log.flag(Flag::AmbiguousQuotes);
                }
                self.log.edit(RepairKind::Comment, at..end, "");
                self.scan.pos = end;
                continue;
            }
            match self.scan.char_at(at) {
                Some(c) if is_blank(c) => {
                    let end = at + c.len_utf8();
                    self.log.edit(RepairKind::WhiteSpace, at..end, " ");
                    self.scan.pos = end;
                }
                _ => return,
            }
        }
    }

    /// A code fence between tokens: the block ended before the value did.
    fn fence(&mut self) -> Result<(), Box<Fail>> {
        if self.tree.depth() == 0 || self.tree.is_empty() {
            return Err(self.fail("a code fence stands inside the brackets"));
        }
        self.cut_off()
    }

    /// Puts a scalar where it belongs.
    #[inline]
    pub(super) fn add(&mut self, node: Node) {
        let added = self.tree.add_scalar(node);
        self.settle(added);
    }

    /// Goes on behind a value that was added.
    #[inline]
    pub(super) fn settle(&mut self, added: Added) {
        self.comma = None;
        self.state = State::After;
        self.kept = (self.scan.pos, self.log.edits.len());
        match added {
            Added::Inside => {}
            Added::Replaced { key, lost } => self.tell_lost(key as usize, lost as usize),
            Added::Root => {
                self.has_root = true;
                self.state = State::Done;
            }
        }
    }

    /// Says which value a second one of its key took the place of.
    #[cold]
    fn tell_lost(&mut self, key: usize, lost: usize) {
        let document = &self.tree.document;
        let key = shortened(document.key_at(key, self.scan.text));
        let lost = document.value_at(lost, self.scan.text).to_string();
        self.log.flag(Flag::DuplicateKey);
        self.log.note(format!(
            "\"{key}\" came twice; {} is lost.",
            shortened(&lost)
        ));
    }

    #[inline]
    pub(super) fn item_state(&self) -> State {
        match self.tree.kind() {
            Kind::Object => State::Key,
            _ => State::Value,
        }
    }

    /// Logs a full-width mark that stands for ASCII structure.
    #[inline]
    pub(super) fn mend_structure(&mut self, kind: RepairKind, after: &'static str) {
        let at = self.scan.pos;
        if self.scan.byte_at(at) != after.as_bytes().first().copied() {
            self.log.edit(kind, at..self.scan.after(at), after);
        }
    }

    #[inline]
    pub(super) fn mend_bracket(&mut self, c: char) {
        let after = match c {
            '{' => "{",
            '}' => "}",
            '[' => "[",
            ']' => "]",
            '(' => "(",
            _ => ")",
        };
        self.mend_structure(RepairKind::Bracket, after);
    }
}

/// Whether a comment leaves something out. Looks for what is cheap to find first, because most hold nothing of it.
fn has_ellipsis(comment: &str) -> bool {
    !comment.is_ascii() && comment.contains('…') || comment.contains('.') && comment.contains("...")
}

/// Whether a string value holds digits that only look like ASCII ones.
pub(super) fn is_lookalike_text(text: &str) -> bool {
    text.len() < 64 && !text.is_ascii() && numbers::is_lookalike(text)
}
