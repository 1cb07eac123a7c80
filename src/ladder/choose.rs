//! Gathers the values of a reply, code blocks first read on their own, and picks the one that is meant.

use super::Flag;
use super::cut::{Budget, Candidate, Found, Walk};
use super::fences::{Block, Label, blocks};
use super::hint::Hint;
use super::strict::strict;
use super::tags::Split;

/// All values of a reply, in their order.
pub(super) fn pool(reply: &str, split: &Split) -> Found {
    let mut walk = Walk::new(reply);
    for region in &split.regions {
        let text = &reply[region.clone()];
        let blocks: Vec<Block> = blocks(text)
            .into_iter()
            .map(|it| it.moved(region.start))
            .collect();
        walk_pieces(
            &mut walk,
            &pieces(region.start, region.end, &blocks),
            region.end,
        );
    }
    walk.found
}

/// The index of the value that is meant: what fits, then what a block of JSON holds, then what needs
/// no repair, then what came first.
pub(super) fn choose(reply: &str, candidates: &[Candidate], hint: &Hint<'_>) -> Option<usize> {
    let blocks = blocks(reply);
    (0..candidates.len()).min_by_key(|&n| {
        let it = &candidates[n];
        let label = blocks
            .iter()
            .find(|block| block.whole.contains(&it.start))
            .map_or(Label::None, |block| block.label);
        (
            (!hint.accepts(&it.value), !hint.root_fits(&it.value)),
            label == Label::Foreign,
            label != Label::Json,
            it.aside,
            !it.strict,
            it.log.flags.contains(&Flag::Truncated),
            n,
        )
    })
}

/// A stretch of text to be read on its own.
struct Piece {
    start: usize,
    end: usize,
    is_block: bool,
}

/// Blocks and what stands between them.
fn pieces(start: usize, end: usize, blocks: &[Block]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = start;
    for block in blocks {
        pieces.push(Piece {
            start: at,
            end: block.whole.start,
            is_block: false,
        });
        pieces.push(Piece {
            start: block.content.start,
            end: block.content.end,
            is_block: true,
        });
        at = block.whole.end;
    }
    pieces.push(Piece {
        start: at,
        end,
        is_block: false,
    });
    pieces
}

/// Walks each piece; a value that a fence cut off is read once more without the fence.
fn walk_pieces(walk: &mut Walk<'_>, pieces: &[Piece], end: usize) {
    let mut done = 0;
    for piece in pieces {
        if piece.end <= done || piece.start >= piece.end {
            continue;
        }
        let start = piece.start.max(done);
        if piece.is_block && start == piece.start && take_scalar_block(walk, piece) {
            continue;
        }
        let n_before = walk.found.candidates.len();
        let Some(cut_at) = walk.walk(start, piece.end) else {
            continue;
        };
        if piece.end == end || walk.found.refused {
            continue;
        }
        if let Some(longer) = whole_beyond(walk, cut_at, end) {
            walk.found
                .candidates
                .truncate(n_before.max(kept(walk, n_before, cut_at)));
            done = longer.end;
            walk.found.candidates.push(longer);
        }
    }
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
        budget,
        found: Found::default(),
    };
    let (candidate, budget) = second.first(cut_at, end);
    walk.budget = budget;
    candidate.filter(|it| !it.log.flags.contains(&Flag::Truncated))
}

/// A block that holds one scalar and nothing else.
fn take_scalar_block(walk: &mut Walk<'_>, piece: &Piece) -> bool {
    let content = &walk.reply[piece.start..piece.end];
    if content.contains(['{', '[']) {
        return false;
    }
    let Ok(read) = strict(content) else {
        return false;
    };
    let start = piece.start + (content.len() - content.trim_start().len());
    walk.found.candidates.push(Candidate {
        value: read.value,
        start,
        end: piece.start + content.trim_end().len(),
        log: read.log,
        strict: true,
        aside: false,
    });
    true
}

impl Block {
    fn moved(mut self, by: usize) -> Self {
        self.content = self.content.start + by..self.content.end + by;
        self.whole = self.whole.start + by..self.whole.end + by;
        self
    }
}
