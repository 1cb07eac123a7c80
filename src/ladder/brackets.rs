//! Brackets of the tolerant parser: opening ones, right, wrong and missing closing ones, and the end of the text.

use super::keys::KeyLike;
use super::log::{Edit, Fail, FailKind, shortened};
use super::repair::{Lean, Parser, State};
use super::tree::{Container, Kind, MAX_DEPTH};
use super::{Flag, RepairKind};

impl Parser<'_> {
    #[inline]
    pub(super) fn open(&mut self, container: Container) {
        self.comma = None;
        self.state = match container {
            Container::Object => State::Key,
            _ => State::Value,
        };
        self.make_room();
        self.tree.push(container);
        self.kept = (self.scan.pos, self.log.edits.len());
    }

    /// Once a value turns out to be large, makes room for the rest of it at once, as much as it took so far.
    #[inline]
    fn make_room(&mut self) {
        const MANY: usize = 96;
        let n_nodes = self.tree.document.nodes.len();
        if n_nodes < MANY || self.has_room {
            return;
        }
        self.has_room = true;
        let read = self.scan.pos.max(1);
        let rest = self.scan.text.len().saturating_sub(read);
        let more = |n: usize| (n * (rest / read + 1)).min(rest / 2);
        self.tree.document.nodes.reserve(more(n_nodes));
        self.log.edits.reserve(more(self.log.edits.len()));
    }

    #[inline]
    pub(super) fn check_depth(&self) -> Result<(), Box<Fail>> {
        if self.tree.depth() <= MAX_DEPTH {
            return Ok(());
        }
        Err(Box::new(Fail {
            at: self.scan.pos,
            message: format!("nested deeper than {MAX_DEPTH}"),
            kind: FailKind::Depth,
        }))
    }

    /// Takes a closing bracket, whatever is open.
    pub(super) fn close(&mut self, c: char) -> Result<(), Box<Fail>> {
        let at = self.scan.pos;
        self.drop_last_comma();
        let wanted = kind_closed_by(c);
        let kind = self.tree.kind();
        if kind == wanted {
            if kind == Kind::Round {
                let after = self.closer();
                self.log
                    .edit(RepairKind::Bracket, at..self.scan.after(at), after);
            } else {
                self.mend_bracket(c);
            }
            self.scan.pos = self.scan.after(at);
            return self.pop();
        }
        if wanted == Kind::Round || kind == Kind::Round {
            return self.close_round(at, wanted);
        }
        if !self.tree.has(wanted) || !self.is_missing(wanted) {
            let after = self.closer();
            self.log
                .edit(RepairKind::Bracket, at..self.scan.after(at), after);
            self.scan.pos = self.scan.after(at);
            return self.pop();
        }
        // The bracket stays where it is; what is open inside closes before it.
        self.close_before(at)
    }

    /// Whether the bracket of JSON stands here that closes what is open.
    #[inline]
    pub(super) fn closes_plainly(&self, closer: u8) -> bool {
        let wanted = match closer {
            b'}' => Kind::Object,
            _ => Kind::Array,
        };
        self.scan.byte_at(self.scan.pos) == Some(closer) && self.tree.kind() == wanted
    }

    /// Takes a bracket of JSON that opens an object or an array, if one stands here.
    #[inline]
    pub(super) fn open_plainly(&mut self) -> bool {
        let container = match self.scan.byte_at(self.scan.pos) {
            Some(b'{') => Container::Object,
            Some(b'[') => Container::Array,
            _ => return false,
        };
        self.scan.step();
        self.scan.pos += 1;
        self.open(container);
        true
    }

    /// Takes the bracket of JSON that closes an object or an array.
    #[inline]
    pub(super) fn close_plainly(&mut self) {
        if let Some((start, end)) = self.comma.take() {
            self.log.edit(RepairKind::Comma, start..end, "");
        }
        self.scan.step();
        self.scan.pos += 1;
        if let Some(added) = self.tree.pop() {
            self.settle(added);
        }
    }

    /// Closes the innermost container at a place where its bracket is missing.
    pub(super) fn close_before(&mut self, at: usize) -> Result<(), Box<Fail>> {
        self.drop_last_comma();
        if self.tree.is_crowded() {
            self.log.note_once(
                "Where a missing bracket was meant to stand cannot be known; it stands as far behind as it can.",
            );
        }
        let after = self.closer();
        self.log.edit(RepairKind::Bracket, at..at, after);
        self.pop()
    }

    /// The end of the text: closes what is open and says so.
    pub(super) fn cut_off(&mut self) -> Result<(), Box<Fail>> {
        if self.tree.depth() == 0 {
            return match self.state {
                State::Done => Ok(()),
                _ => Err(self.fail("the text ends before a value begins")),
            };
        }
        self.cut = true;
        self.log.flag(Flag::Truncated);
        self.drop_last_comma();
        if self.scan.starts_with(self.scan.pos, "```") {
            self.log
                .note("The code block ends before the value does.".to_owned());
        }
        let at = self.scan.pos;
        let (kept_end, n_kept_edits) = self.kept;
        let mut closers = String::new();
        let mut drops_item = self.item_is_cut;
        while self.tree.depth() > 0 {
            if let Some(key) = self.tree.take_key() {
                drops_item = true;
                let key = shortened(&key);
                self.log.note(format!(
                    "\"{key}\" was cut off before its value and is left out."
                ));
            }
            closers.push_str(self.closer());
            self.pop()?;
        }
        if drops_item {
            // All that came behind what is kept goes, with the edits in it.
            let is_bare = |it: &Edit| it.kind == RepairKind::BareKey;
            if self.log.edits.iter().skip(n_kept_edits).any(is_bare) {
                self.log.lose_bare_key();
            }
            self.log.edits.truncate(n_kept_edits);
            let place = kept_end..at;
            self.log.edit(RepairKind::Truncation, place, closers);
        } else {
            self.log.edit(RepairKind::Truncation, at..at, closers);
        }
        Ok(())
    }

    /// A round bracket too much, or one that is missing before another bracket.
    fn close_round(&mut self, at: usize, wanted: Kind) -> Result<(), Box<Fail>> {
        if wanted == Kind::Round && !self.tree.has(Kind::Round) {
            self.log
                .edit(RepairKind::Bracket, at..self.scan.after(at), "");
            self.scan.pos = self.scan.after(at);
            return Ok(());
        }
        self.close_before(at)
    }

    /// Whether a bracket before this one is missing, rather than this one being the wrong kind.
    fn is_missing(&mut self, wanted: Kind) -> bool {
        let behind = self.scan.next(self.scan.after(self.scan.pos));
        // What is open around the container that the bracket would close.
        let n_closed = self
            .tree
            .open
            .iter()
            .rev()
            .position(|it| it.kind() == wanted)
            .map_or(0, |n| n + 1);
        let outer = self.tree.open.len() - n_closed;
        let outer = match outer {
            0 => Kind::Root,
            n => self.tree.open[n - 1].kind(),
        };
        if behind.ch != Some(',') {
            return true;
        }
        let is_pair = matches!(
            self.key_like(self.scan.after(behind.at)),
            KeyLike::Strong | KeyLike::Cut
        );
        // Where the wrong bracket would leave us.
        let inner = self.tree.parent_kind();
        let fits = |kind| match kind {
            Kind::Object => is_pair,
            Kind::Array | Kind::Round => !is_pair,
            Kind::Root => false,
        };
        match (fits(outer), fits(inner)) {
            (true, true) => {
                self.leaned = true;
                self.lean == Lean::Missing
            }
            (missing, wrong) => missing || !wrong,
        }
    }

    /// The bracket that closes the innermost container in JSON.
    fn closer(&self) -> &'static str {
        self.tree.open.last().map_or("", |it| it.brackets().1)
    }

    fn pop(&mut self) -> Result<(), Box<Fail>> {
        if let Some(open) = self.tree.open.last()
            && let Container::Tuple { edit, .. } = open.container
        {
            self.log.amend(edit as usize, open.brackets().0);
        }
        match self.tree.pop() {
            Some(added) => {
                self.settle(added);
                Ok(())
            }
            None => Err(self.fail("a call with no or several arguments is no value")),
        }
    }

    /// Logs a comma that nothing follows. Python's tuples need theirs.
    fn drop_last_comma(&mut self) {
        let is_tuple = matches!(
            self.tree.open.last().map(|it| it.container),
            Some(Container::Tuple { .. })
        );
        if let Some((start, end)) = self.comma.take()
            && !is_tuple
        {
            self.log.edit(RepairKind::Comma, start..end, "");
        }
    }
}

fn kind_closed_by(c: char) -> Kind {
    match c {
        '}' => Kind::Object,
        ']' => Kind::Array,
        _ => Kind::Round,
    }
}
