//! Token streams in lock step: which tokens stand beside each other, and where the streams part.

use std::ops::Range;

use similar::{Algorithm, capture_diff_slices};

/// Behind the common beginning so many tokens of each stream are aligned, so that the work stays bounded; what comes
/// later is paired by its place.
const MAX_ALIGNED: usize = 1_500;

/// Streams side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockStep {
    /// For each step, which token each column shows; none where a column has none there.
    pub steps: Vec<Vec<Option<usize>>>,
    /// In the order of their steps.
    pub divergences: Vec<Divergence>,
    /// The column that the others are held against; none without a stream.
    pub reference: Option<usize>,
}

/// A place at which columns leave the reference, having agreed with it just before or being at their beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    pub step: usize,
    /// The columns that leave, the lowest first.
    pub leaving: Vec<usize>,
    /// Each column's next token; none for one that has ended, and for one without a stream.
    pub at: Vec<Option<usize>>,
}

/// Aligns every stream with the reference, which is the first column with a stream if the wished one has none, by the least number of inserted and deleted
/// tokens (Myers, "An O(ND) difference algorithm and its variations", 1986). The first divergence is where the
/// common beginning ends; each later one is where a column that has come together with the reference leaves it again.
pub fn lock_step(streams: &[Option<&[u32]>], wished: usize) -> LockStep {
    let has_stream = |it: &usize| streams.get(*it).is_some_and(Option::is_some);
    let first = streams.iter().position(Option::is_some);
    let Some(reference) = Some(wished).filter(has_stream).or(first) else {
        return LockStep::default();
    };
    let ours = streams[reference].unwrap_or_default();
    let placed: Vec<Option<Placed>> = streams
        .iter()
        .enumerate()
        .map(|(column, it)| {
            it.filter(|_| column != reference)
                .map(|it| Placed::new(ours, it))
        })
        .collect();
    let mut steps = Vec::new();
    for place in 0..=ours.len() {
        let inserted = placed.iter().flatten().map(|it| it.inserted[place].len());
        for nth in 0..inserted.max().unwrap_or(0) {
            let token = |it: &Placed| it.inserted[place].clone().nth(nth);
            steps.push(
                placed
                    .iter()
                    .map(|it| it.as_ref().and_then(token))
                    .collect(),
            );
        }
        if place < ours.len() {
            let mut step: Vec<_> = placed
                .iter()
                .map(|it| it.as_ref().and_then(|it| it.partners[place]))
                .collect();
            step[reference] = Some(place);
            steps.push(step);
        }
    }
    LockStep {
        divergences: divergences(streams, &steps, reference),
        steps,
        reference: Some(reference),
    }
}

impl LockStep {
    /// How many tokens of each column are in sight after so many steps. Where that ends at a divergence, every column
    /// shows the token with which it goes on.
    pub fn shown(&self, n_steps: usize) -> Vec<usize> {
        let n_columns = self.steps.first().map_or(0, Vec::len);
        let mut shown = vec![0; n_columns];
        for step in self.steps.iter().take(n_steps) {
            for (n, token) in shown.iter_mut().zip(step) {
                *n = token.map_or(*n, |it| it + 1);
            }
        }
        if let Some(it) = self.divergence_at(n_steps) {
            for (n, at) in shown.iter_mut().zip(&it.at) {
                *n = at.map_or(*n, |it| it + 1);
            }
        }
        shown
    }

    /// The divergence that the last of so many steps has reached.
    pub fn divergence_at(&self, n_steps: usize) -> Option<&Divergence> {
        self.divergences.iter().find(|it| it.step + 1 == n_steps)
    }

    /// The first divergence behind so many steps.
    pub fn next_divergence(&self, n_steps: usize) -> Option<&Divergence> {
        self.divergences.iter().find(|it| it.step >= n_steps)
    }
}

/// Where the tokens of one stream stand beside those of the reference.
struct Placed {
    /// For each token of the reference the one beside it, the same or another.
    partners: Vec<Option<usize>>,
    /// Tokens that stand before each token of the reference, and behind its last.
    inserted: Vec<Range<usize>>,
}

impl Placed {
    fn new(ours: &[u32], theirs: &[u32]) -> Self {
        let mut res = Self {
            partners: vec![None; ours.len()],
            inserted: vec![0..0; ours.len() + 1],
        };
        let n_same = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
        res.pair(0..n_same, 0..n_same);
        let end = |it: &[u32]| it.len().min(n_same + MAX_ALIGNED);
        let (our_end, their_end) = (end(ours), end(theirs));
        let ops = capture_diff_slices(
            Algorithm::Myers,
            &ours[n_same..our_end],
            &theirs[n_same..their_end],
        );
        let moved = |it: Range<usize>| it.start + n_same..it.end + n_same;
        for op in &ops {
            res.pair(moved(op.old_range()), moved(op.new_range()));
        }
        res.pair(our_end..ours.len(), their_end..theirs.len());
        res
    }

    /// Puts two runs of tokens beside each other; the longer one's rest stands alone.
    fn pair(&mut self, ours: Range<usize>, theirs: Range<usize>) {
        let n = ours.len().min(theirs.len());
        for nth in 0..n {
            self.partners[ours.start + nth] = Some(theirs.start + nth);
        }
        if theirs.len() > n {
            let place = ours.start + n;
            // What the run before this one left alone at the same place goes first.
            let start = match &self.inserted[place] {
                alone if alone.start < alone.end => alone.start,
                _ => theirs.start + n,
            };
            self.inserted[place] = start..theirs.end;
        }
    }
}

fn divergences(
    streams: &[Option<&[u32]>],
    steps: &[Vec<Option<usize>>],
    reference: usize,
) -> Vec<Divergence> {
    let token = |column: usize, at: Option<usize>| streams[column]?.get(at?);
    let mut found: Vec<Divergence> = Vec::new();
    let mut has_left = vec![false; streams.len()];
    let mut next = vec![0; streams.len()];
    for (idx, step) in steps.iter().enumerate() {
        for column in (0..streams.len()).filter(|it| *it != reference && streams[*it].is_some()) {
            let (ours, theirs) = (
                token(reference, step[reference]),
                token(column, step[column]),
            );
            if ours.is_none() && theirs.is_none() {
                continue;
            }
            let differs = ours != theirs;
            if differs && !has_left[column] {
                leave(&mut found, (idx, column), (streams, &next, reference));
            }
            has_left[column] = differs;
        }
        for (next, at) in next.iter_mut().zip(step) {
            *next = at.map_or(*next, |it| it + 1);
        }
    }
    found
}

/// Columns that leave before the same token of the reference leave together.
fn leave(
    found: &mut Vec<Divergence>,
    (step, column): (usize, usize),
    (streams, next, reference): (&[Option<&[u32]>], &[usize], usize),
) {
    let at: Vec<Option<usize>> = (0..streams.len())
        .map(|it| Some(next[it]).filter(|next| streams[it].is_some_and(|all| *next < all.len())))
        .collect();
    match found.last_mut() {
        Some(last) if last.at[reference] == at[reference] && last.at[column] == at[column] => {
            last.leaving.push(column);
            last.leaving.sort_unstable();
        }
        _ => found.push(Divergence {
            step,
            leaving: vec![column],
            at,
        }),
    }
}
