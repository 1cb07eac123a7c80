//! The tokens that are still in the running, with their logits, and the account of what was taken away.

mod keep;

use super::TokenId;
use super::ranking::{Ranked, place_of_max, rank};
use super::softmax::{Removal, Softmax};
use super::trace::{Candidate, Standing};
use super::vector;

/// The vocabulary at first, where a token's place is its id; once a stage has left few tokens, those alone.
/// A token that was taken away has a logit of minus infinity or no place at all.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    logits: Vec<f32>,
    /// The token at each place, ascending; none while all tokens have a place.
    ids: Option<Vec<TokenId>>,
    /// Candidates with a logit above minus infinity.
    n_live: usize,
    /// The place of the most likely candidate, while it is known.
    top: Option<usize>,
    /// The softmax of the logits as they are, while it is known.
    softmax: Option<Softmax>,
    removal: Removal,
    scratch: Scratch,
}

/// Memory that is used again at each token.
#[derive(Debug, Default)]
struct Scratch {
    ranked: Vec<Ranked>,
    places: Vec<u32>,
    weights: Vec<f32>,
    /// The sums that make up `softmax`, one for each `vector::CHUNK`.
    chunk_sums: Vec<f64>,
    spare_ids: Vec<TokenId>,
}

impl Candidates {
    pub(super) fn with_capacity(n_vocab: usize) -> Self {
        Self {
            logits: Vec::with_capacity(n_vocab),
            ..Self::default()
        }
    }

    /// Begins a token with the model's logits. False if they are no logits: NaN, plus infinity, or nothing above
    /// minus infinity.
    pub(super) fn begin(&mut self, logits: &[f32]) -> bool {
        if let Some(ids) = self.ids.take() {
            self.scratch.spare_ids = ids;
        }
        self.take_in(logits)
    }

    /// Begins a token with some candidates only, ids ascending.
    pub(super) fn begin_with(&mut self, ids: &[TokenId], logits: &[f32]) -> bool {
        let mut own = std::mem::take(&mut self.scratch.spare_ids);
        own.clear();
        own.extend_from_slice(ids);
        if let Some(old) = self.ids.replace(own) {
            self.scratch.spare_ids = old;
        }
        self.take_in(logits)
    }

    fn take_in(&mut self, logits: &[f32]) -> bool {
        self.logits.clear();
        self.logits.extend_from_slice(logits);
        self.top = None;
        self.softmax = None;
        self.begin_stage();
        self.n_live = vector::count_greater(&self.logits, f32::NEG_INFINITY);
        self.top().is_some() && self.softmax().sum.is_finite()
    }

    /// What is left, ids ascending, with the probabilities.
    pub(super) fn shares(&mut self) -> Vec<(TokenId, f64)> {
        if self.n_live == 0 {
            return Vec::new();
        }
        let sum = self.softmax().sum;
        let weights = self.weights().to_vec();
        let places = weights.iter().zip(&self.logits).enumerate();
        places
            .filter(|(_, (_, logit))| **logit > f32::NEG_INFINITY)
            .map(|(place, (weight, _))| (self.token_at(place), f64::from(*weight) / sum))
            .collect()
    }

    /// Begins a new account of what is taken away.
    pub(super) fn begin_stage(&mut self) {
        self.removal = Removal::default();
    }

    /// Counts what the stage has left, before it changes any of that. What it takes away must be gone by then.
    pub(super) fn end_removal(&mut self) {
        self.removal();
    }

    /// What the stage has taken away and what it has left.
    pub(super) fn removal(&mut self) -> Removal {
        let Some(start) = self.removal.start else {
            return Removal {
                kept: 1.0,
                ..self.removal
            };
        };
        if self.removal.kept == 0.0 && self.n_live > 0 {
            self.removal.kept = self.softmax().share_of(start);
        }
        self.removal
    }

    pub(super) fn n_live(&self) -> usize {
        self.n_live
    }

    /// The logit at each place.
    pub(super) fn logits(&self) -> &[f32] {
        &self.logits
    }

    /// The softmax's weight at each place, worked out anew.
    pub(super) fn weights(&mut self) -> &[f32] {
        let max = self.softmax().max;
        vector::exp_into(&self.logits, max, &mut self.scratch.weights);
        &self.scratch.weights
    }

    /// The most likely candidate, the lowest id among equals; none if all are gone.
    pub(super) fn top(&mut self) -> Option<(TokenId, f32)> {
        if self.n_live == 0 {
            return None;
        }
        let place = self.top.unwrap_or_else(|| place_of_max(&self.logits));
        self.top = Some(place);
        Some((self.token_at(place), self.logits[place]))
    }

    pub(super) fn softmax(&mut self) -> Softmax {
        if let Some(softmax) = self.softmax {
            return softmax;
        }
        let max = self.top().map_or(0.0, |it| it.1);
        let (sum, slope) = vector::exp_sums(&self.logits, max, &mut self.scratch.chunk_sums);
        let softmax = Softmax::new(max, sum, slope);
        self.softmax = Some(softmax);
        softmax
    }

    /// The surprise to be expected of the candidates, in nats.
    pub(super) fn entropy(&mut self) -> f64 {
        self.softmax().entropy()
    }

    /// The token's logit; none if it was taken away.
    pub(super) fn logit(&self, token: TokenId) -> Option<f32> {
        self.live_place(token).map(|it| self.logits[it])
    }

    /// How a token stands now; none if it was taken away.
    pub(super) fn standing(&mut self, token: TokenId) -> Option<Standing> {
        let logit = self.logit(token)?;
        Some(Standing {
            rank: 1 + vector::count_greater(&self.logits, logit) as u32,
            probability: self.softmax().probability(logit) as f32,
        })
    }

    /// The best `n` candidates that are left, best first, the lower id first among equals.
    pub(super) fn head(&mut self, n: usize) -> &[Ranked] {
        rank(&self.logits, n, &mut self.scratch.ranked);
        &self.scratch.ranked
    }

    /// The best `n` candidates with their probabilities.
    pub(super) fn most_likely(&mut self, n: usize) -> Vec<Candidate> {
        if self.n_live == 0 {
            return Vec::new();
        }
        let softmax = self.softmax();
        rank(&self.logits, n, &mut self.scratch.ranked);
        self.scratch
            .ranked
            .iter()
            .map(|it| Candidate {
                token: self.token_at(it.place as usize),
                probability: softmax.probability(it.logit) as f32,
            })
            .collect()
    }

    /// Changes one token's logit. To take the token away there is `remove`.
    pub(super) fn change(&mut self, token: TokenId, change: impl FnOnce(f32) -> f32) {
        let Some(place) = self.live_place(token) else {
            return;
        };
        let logit = change(self.logits[place]);
        if self
            .top
            .is_some_and(|top| top == place || logit >= self.logits[top])
        {
            self.top = None;
        }
        self.put(place, logit);
    }

    /// Multiplies all logits by a positive factor.
    pub(super) fn scale(&mut self, factor: f32) {
        vector::scale(&mut self.logits, factor);
        self.softmax = None;
    }

    /// Takes one token away. A stage that also changes tokens does that behind `end_removal`.
    pub(super) fn remove(&mut self, token: TokenId) {
        let Some(place) = self.live_place(token) else {
            return;
        };
        let start = self.start();
        self.removal.n_removed += 1;
        self.removal.mass += start.probability(self.logits[place]);
        self.put(place, f32::NEG_INFINITY);
        self.n_live -= 1;
        if self.top == Some(place) {
            self.top = None;
        }
    }

    /// Draws a candidate: the first, by id, at which the summed probability exceeds `draw`, a number in 0..1.
    /// None if no candidate is left.
    pub(super) fn pick(&mut self, draw: f64) -> Option<TokenId> {
        let top = self.top()?;
        let softmax = self.softmax();
        let mut left = draw * softmax.sum;
        let mut picked = top.0;
        for (chunk, &sum) in self.scratch.chunk_sums.iter().enumerate() {
            if left >= sum {
                left -= sum;
                continue;
            }
            let start = chunk * vector::CHUNK;
            let end = self.logits.len().min(start + vector::CHUNK);
            let mut weights = std::mem::take(&mut self.scratch.weights);
            vector::exp_into(&self.logits[start..end], softmax.max, &mut weights);
            for (place, &weight) in (start..).zip(&weights) {
                // If rounding leaves a little at the chunk's end, its last candidate is the one.
                if weight > 0.0 {
                    picked = self.token_at(place);
                    left -= f64::from(weight);
                    if left < 0.0 {
                        break;
                    }
                }
            }
            self.scratch.weights = weights;
            break;
        }
        Some(picked)
    }

    /// Gives a place another logit, and the sums what follows from it.
    fn put(&mut self, place: usize, logit: f32) {
        let moved = self
            .softmax
            .and_then(|it| it.moved(self.logits[place], logit));
        self.softmax = moved.map(|it| it.0);
        if let (Some((_, change)), Some(sum)) = (
            moved,
            self.scratch.chunk_sums.get_mut(place / vector::CHUNK),
        ) {
            *sum = (*sum + change).max(0.0);
        }
        self.logits[place] = logit;
    }

    fn start(&mut self) -> Softmax {
        let start = self.removal.start.unwrap_or_else(|| self.softmax());
        self.removal.start = Some(start);
        start
    }

    pub(super) fn token_at(&self, place: usize) -> TokenId {
        self.ids.as_ref().map_or(place as TokenId, |ids| ids[place])
    }

    fn live_place(&self, token: TokenId) -> Option<usize> {
        let place = match &self.ids {
            Some(ids) => ids.binary_search(&token).ok()?,
            None => token as usize,
        };
        let logit = *self.logits.get(place)?;
        (logit > f32::NEG_INFINITY).then_some(place)
    }
}
