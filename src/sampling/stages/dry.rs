//! DRY, "don't repeat yourself": a token that would go on with a run seen before is penalized by the run's length.

use std::collections::{HashMap, VecDeque};

use super::{Place, Work};
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs, Lexicon, Scope, Span, TokenId};

/// Keeps, for each earlier place, how long the run before it is that the text's end repeats. A new token needs a
/// look at the places where it stood before, and at no others.
#[derive(Debug)]
struct Dry {
    multiplier: f64,
    base: f64,
    allowed: usize,
    /// How many of the last tokens count; none for all.
    window: Option<usize>,
    scope: Scope,
    /// The tokens that count, with their positions in prompt and reply.
    seen: Vec<(TokenId, u32)>,
    /// Where each token stands in `seen`, ascending.
    places: HashMap<TokenId, Vec<u32>>,
    /// Places in `seen` behind a run that equals the text's end, with the run's length; ascending.
    runs: Vec<(u32, u32)>,
    breakers: Breakers,
    /// What was last taken off, with the place in `seen` and the length of the run behind it.
    penalties: HashMap<TokenId, Penalty>,
}

#[derive(Clone, Copy, Debug)]
struct Penalty {
    n_run: usize,
    place: u32,
}

/// Finds the texts over which no run reaches, whatever tokens they are made of.
#[derive(Debug)]
struct Breakers {
    texts: Vec<Vec<u8>>,
    pieces: HashMap<TokenId, Vec<u8>>,
    /// The end of the text, as long as the longest breaker needs it.
    tail: VecDeque<u8>,
    /// How many tokens stand behind the last breaker; none if there was no breaker yet.
    n_since: Option<usize>,
}

pub(super) fn build(knobs: &Knobs, lexicon: Lexicon<'_>) -> Option<Box<dyn Work>> {
    let window = knobs.get(Knob::DryLastN);
    let window = (window >= 0.0).then(|| knobs.count(Knob::DryLastN));
    if knobs.is_neutral(Knob::DryMultiplier) || window == Some(0) {
        return None;
    }
    Some(Box::new(Dry {
        multiplier: knobs.get(Knob::DryMultiplier),
        base: knobs.get(Knob::DryBase),
        allowed: knobs.count(Knob::DryAllowedLength),
        window,
        scope: knobs.penalty_scope,
        seen: Vec::new(),
        places: HashMap::new(),
        runs: Vec::new(),
        breakers: Breakers::new(&knobs.dry_breakers, lexicon),
        penalties: HashMap::new(),
    }))
}

impl Work for Dry {
    fn see(&mut self, token: TokenId, at: Place) {
        if !self.scope.counts(at.part) {
            return;
        }
        let place = self.seen.len() as u32;
        let before = self.places.entry(token).or_default();
        // Both lists ascend, so that one walk over them finds what each run was before this token.
        let mut old = self.runs.iter().peekable();
        let runs = before.iter().map(|&it| {
            while old.next_if(|run| run.0 < it).is_some() {}
            let n_run = old.peek().filter(|run| run.0 == it).map_or(0, |run| run.1);
            (it + 1, n_run + 1)
        });
        let runs = runs.collect();
        before.push(place);
        self.runs = runs;
        self.seen.push((token, at.position));
        self.breakers.see(token);
    }

    fn work(&mut self, candidates: &mut Candidates) {
        self.find_penalties();
        // Each token is changed once, so the order does not matter.
        let mut penalties: Vec<_> = self
            .penalties
            .iter()
            .map(|(it, p)| (*it, p.n_run))
            .collect();
        penalties.sort_unstable();
        for (token, n_run) in penalties {
            let penalty = self.size(n_run);
            candidates.change(token, |logit| logit - penalty);
        }
    }

    fn replay(&self, token: TokenId, logit: f32) -> f32 {
        let penalty = self.penalties.get(&token);
        penalty.map_or(logit, |it| logit - self.size(it.n_run))
    }

    fn earlier(&self, token: TokenId) -> Option<Span> {
        let it = self.penalties.get(&token)?;
        let place = it.place as usize;
        Some(Span {
            start: self.seen[place - it.n_run].1,
            end: self.seen[place].1 + 1,
        })
    }
}

impl Dry {
    fn find_penalties(&mut self) {
        self.penalties.clear();
        let n_seen = self.seen.len();
        let n_window = self.window.map_or(n_seen, |it| it.min(n_seen));
        let limit = self
            .breakers
            .n_since
            .map_or(n_window, |it| it.min(n_window));
        if n_window <= self.allowed || limit < self.allowed {
            return;
        }
        let start = n_seen - n_window;
        for &(place, n_run) in &self.runs {
            let inside = (place as usize).saturating_sub(start);
            let n_run = (n_run as usize).min(limit).min(inside);
            if n_run < self.allowed || n_run == 0 {
                continue;
            }
            let token = self.seen[place as usize].0;
            // A token that ends runs cannot go on with one.
            if self.breakers.hold(token) {
                continue;
            }
            let known = self.penalties.get(&token);
            if known.is_none_or(|it| it.n_run < n_run) {
                self.penalties.insert(token, Penalty { n_run, place });
            }
        }
    }

    fn size(&self, n_run: usize) -> f32 {
        let beyond = (n_run - self.allowed) as f64;
        // Kept within the range of a logit, as llama.cpp does.
        let power = self.base.powf(beyond).min(f64::from(f32::MAX) / 1e4);
        (self.multiplier * power) as f32
    }
}

impl Breakers {
    fn new(texts: &[String], lexicon: Lexicon<'_>) -> Self {
        let texts: Vec<Vec<u8>> = texts.iter().map(|it| it.clone().into_bytes()).collect();
        let signs: Vec<u8> = texts.concat();
        // A piece without any of the breakers' bytes can have no part in one.
        let has_part = |piece: &&Vec<u8>| piece.iter().any(|it| signs.contains(it));
        let pieces = (0..)
            .zip(lexicon.pieces)
            .filter(|(_, piece)| has_part(piece));
        Self {
            pieces: pieces
                .map(|(token, piece)| (token, piece.clone()))
                .collect(),
            texts,
            tail: VecDeque::new(),
            n_since: None,
        }
    }

    /// Whether the token's own text has a whole breaker in it.
    fn hold(&self, token: TokenId) -> bool {
        let piece = self.pieces.get(&token);
        piece.is_some_and(|it| {
            self.texts
                .iter()
                .any(|text| end_of_last(it, text).is_some())
        })
    }

    fn see(&mut self, token: TokenId) {
        self.n_since = self.n_since.map(|it| it + 1);
        let Some(piece) = self.pieces.get(&token) else {
            self.tail.clear();
            return;
        };
        self.tail.extend(piece);
        let text = self.tail.make_contiguous();
        // A breaker ends one run only, so its bytes are not looked at again.
        if let Some(end) = self
            .texts
            .iter()
            .filter_map(|it| end_of_last(text, it))
            .max()
        {
            self.n_since = Some(0);
            self.tail.drain(..end);
        }
        let longest = self.texts.iter().map(Vec::len).max().unwrap_or(0);
        let n_over = self.tail.len().saturating_sub(longest.saturating_sub(1));
        self.tail.drain(..n_over);
    }
}

/// The end of the last occurrence of a breaker that is not empty.
fn end_of_last(text: &[u8], breaker: &[u8]) -> Option<usize> {
    let n = breaker.len();
    let starts = (n > 0).then(|| text.windows(n).rposition(|it| it == breaker))?;
    starts.map(|it| it + n)
}
