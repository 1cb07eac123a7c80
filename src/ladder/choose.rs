//! Gathers the values of a reply, code blocks first read on their own, and picks the one that is meant.

use std::ops::Range;

use super::Flag;
use super::cut::{Budget, Candidate, Found, Walk};
use super::fences::{Block, Label, blocks};
use super::hint::Hint;
use super::strict::{Refusal, strict};
use super::tags::Split;
use super::trim::{trim_end, trim_start};

/// All values of a reply, in their order; where the strict parser stopped in the whole may be known.
pub(super) fn pool(reply: &str, split: &Split, as_is: Option<&Refusal>) -> Found {
    let mut walk = Walk::new(reply, as_is);
    for region in split.regions() {
        walk_region(&mut walk, region);
    }
    walk.found.n_steps = walk.budget.n_used;
    walk.found
}

/// The index of the value that is meant: what fits, then what a block of JSON holds, then what needs
/// no repair, then what came first.
pub(super) fn choose(candidates: &[Candidate], reply: &str, hint: &Hint<'_>) -> Option<usize> {
    let best = match candidates.len() {
        // Nothing to compare: asking whether it fits would cost its value.
        1 => 0,
        n => (0..n).min_by_key(|&n| (against(&candidates[n], reply, hint), n))?,
    };
    // A number in square brackets is a citation, unless an array is what was asked for.
    let best_one = &candidates[best];
    let is_asked = || hint.root.is_some() && best_one.is_accepted(reply, hint);
    (!best_one.is_citation() || is_asked()).then_some(best)
}

/// Which value was taken, and what speaks against the one that a reader would have taken instead: the first,
/// or when that was taken the best of the rest.
pub(super) fn why_taken(
    candidates: &[Candidate],
    best: usize,
    (reply, hint): (&str, &Hint<'_>),
) -> String {
    let n_values = candidates.len();
    let rival = if best > 0 {
        0
    } else {
        (1..n_values)
            .min_by_key(|&n| (against(&candidates[n], reply, hint), n))
            .unwrap_or(0)
    };
    let taken = against(&candidates[best], reply, hint);
    let left = against(&candidates[rival], reply, hint);
    let differs = |&n: &usize| taken[n] != left[n];
    // A wrong type is the plainer word for not fitting.
    let why = if differs(&1) {
        Some(1)
    } else {
        (0..AGAINST.len()).find(differs)
    };
    let why = why.map_or("nothing speaks for another".to_owned(), |n| {
        format!("the {} {}", ordinal(rival), AGAINST[n])
    });
    format!("Took the {} of {n_values} values: {why}.", ordinal(best))
}

/// What may speak against a value, the weightiest first, in the words that follow on it.
const AGAINST: [&str; 7] = [
    "does not fit the schema",
    "has another type than the schema asks for",
    "stands in a code block of another language",
    "does not stand in a code block of JSON",
    "stands aside in the text",
    "has to be repaired",
    "is cut off",
];

/// What speaks against a value, in the order of `AGAINST`.
fn against(it: &Candidate, reply: &str, hint: &Hint<'_>) -> [bool; AGAINST.len()] {
    [
        !it.is_accepted(reply, hint),
        !hint.takes_root(it.reading.root_type()),
        it.label == Label::Foreign,
        it.label != Label::Json,
        it.aside,
        !it.strict,
        it.log.has(Flag::Truncated),
    ]
}

fn ordinal(n: usize) -> String {
    const WORDS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
    WORDS
        .get(n)
        .map_or_else(|| format!("{}th", n + 1), |it| (*it).to_owned())
}

/// A stretch of text to be read on its own.
struct Piece {
    start: usize,
    end: usize,
    block: Option<Block>,
}

/// Walks the blocks of a region and what stands between them.
fn walk_region(walk: &mut Walk<'_>, region: &Range<usize>) {
    let mut between = region.start;
    let mut done = 0;
    for block in blocks(&walk.reply[region.clone()]) {
        let block = block.moved(region.start);
        let before = Piece {
            start: between,
            end: block.whole.start,
            block: None,
        };
        between = block.whole.end;
        let inside = Piece {
            start: block.content.start,
            end: block.content.end,
            block: Some(block),
        };
        for piece in [before, inside] {
            walk_piece(walk, &piece, &mut done, region.end);
        }
    }
    let rest = Piece {
        start: between,
        end: region.end,
        block: None,
    };
    walk_piece(walk, &rest, &mut done, region.end);
}

/// Walks a piece from where the values before it are done; a value that a fence cut off is read once more without
/// the fence.
fn walk_piece(walk: &mut Walk<'_>, piece: &Piece, done: &mut usize, end: usize) {
    if piece.end <= *done || piece.start >= piece.end {
        return;
    }
    let start = piece.start.max(*done);
    let n_before = walk.found.candidates.len();
    if piece.block.is_some() && start == piece.start && take_scalar_block(walk, piece) {
        mark(walk, n_before, piece);
        return;
    }
    let cut_at = walk.walk(start, piece.end);
    mark(walk, n_before, piece);
    let Some(cut_at) = cut_at else { return };
    if piece.end == end || walk.found.refused {
        return;
    }
    if let Some(mut longer) = whole_beyond(walk, cut_at, end) {
        longer.label = piece.block.as_ref().map_or(Label::None, |it| it.label);
        walk.found
            .candidates
            .truncate(n_before.max(kept(walk, n_before, cut_at)));
        *done = longer.end;
        walk.found.candidates.push(longer);
    }
}

/// Tells the values of a piece which block they stand in; names in a program are no values.
fn mark(walk: &mut Walk<'_>, n_before: usize, piece: &Piece) {
    let Some(block) = &piece.block else { return };
    let content = &walk.reply[block.content.clone()];
    let start = block.content.start + (content.len() - trim_start(content).len());
    let end = block.content.start + trim_end(content).len();
    let mut n = 0;
    walk.found.candidates.retain_mut(|candidate| {
        n += 1;
        if n <= n_before {
            return true;
        }
        candidate.label = block.label;
        candidate.fills_block = block.closed && candidate.start == start && candidate.end == end;
        let has_names = candidate.log.has(Flag::UnquotedValue);
        block.label != Label::Foreign || !has_names
    });
}

/// How many candidates there are without those from the cut place on.
fn kept(walk: &Walk<'_>, n_before: usize, cut_at: usize) -> usize {
    n_before
        + walk.found.candidates[n_before..]
            .iter()
            .filter(|it| it.start < cut_at)
            .count()
}

/// The value at a place read to the end of the region, if that makes it whole.
fn whole_beyond(walk: &mut Walk<'_>, cut_at: usize, end: usize) -> Option<Candidate> {
    let budget = std::mem::replace(&mut walk.budget, Budget::new(0));
    let second = Walk {
        reply: walk.reply,
        as_is: walk.as_is,
        budget,
        found: Found::default(),
    };
    let (candidate, budget) = second.first(cut_at, end);
    walk.budget = budget;
    candidate.filter(|it| !it.log.has(Flag::Truncated))
}

/// A block that holds one scalar and nothing else.
fn take_scalar_block(walk: &mut Walk<'_>, piece: &Piece) -> bool {
    let content = &walk.reply[piece.start..piece.end];
    if content.contains(['{', '[']) {
        return false;
    }
    let Ok(parsed) = strict(content) else {
        return false;
    };
    let mut candidate = Candidate::of_reply(parsed, piece.start);
    candidate.strict = true;
    candidate.start = piece.start + (content.len() - trim_start(content).len());
    candidate.end = piece.start + trim_end(content).len();
    walk.found.candidates.push(candidate);
    true
}

impl Candidate {
    /// Whether the hint takes it; its value is made only where that must be looked at.
    fn is_accepted(&self, reply: &str, hint: &Hint<'_>) -> bool {
        hint.takes_root(self.reading.root_type())
            && hint.fits.is_none_or(|fits| fits(self.reading.value(reply)))
    }
}

impl Block {
    fn moved(mut self, by: usize) -> Self {
        self.content = self.content.start + by..self.content.end + by;
        self.whole = self.whole.start + by..self.whole.end + by;
        self
    }
}
