//! The tokens that are still in the running, with their logits, and the account of what was taken away.

use super::TokenId;
use super::mask_bits::{blot_out, legal_tokens};
use super::ranking::{Ranked, last_to_reach, place_of_max, rank};
use super::trace::Candidate;
use super::vector;
use crate::constraint::TokenMask;

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

/// What turns a logit into a probability: `exp(logit - max) / sum`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Softmax {
    max: f32,
    sum: f64,
}

/// What one stage has taken away.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Removal {
    pub(super) n_removed: usize,
    pub(super) mass: f64,
    /// The softmax as it was when the stage began; only worked out for a stage that takes something away.
    start: Option<Softmax>,
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

/// How many of the best are tried before all candidates are looked at; mostly they are enough.
const N_QUICK: usize = 128;

/// Below this share of the sum a softmax is worked out anew, because its maximum is no longer among the candidates.
const LEAST_SHARE: f64 = 1e-3;

impl Softmax {
    pub(super) fn weight(self, logit: f32) -> f64 {
        f64::from(logit - self.max).exp()
    }

    pub(super) fn sum(self) -> f64 {
        self.sum
    }

    pub(super) fn log_probability(self, logit: f32) -> f64 {
        f64::from(logit - self.max) - self.sum.ln()
    }

    pub(super) fn probability(self, logit: f32) -> f64 {
        self.weight(logit) / self.sum
    }
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
        self.logits.clear();
        self.logits.extend_from_slice(logits);
        if let Some(ids) = self.ids.take() {
            self.scratch.spare_ids = ids;
        }
        self.top = None;
        self.softmax = None;
        self.begin_stage();
        self.n_live = vector::count_greater(&self.logits, f32::NEG_INFINITY);
        self.top().is_some() && self.softmax().sum.is_finite()
    }

    /// Begins a new account of what is taken away.
    pub(super) fn begin_stage(&mut self) {
        self.removal = Removal::default();
    }

    pub(super) fn removal(&self) -> Removal {
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
        let sum = vector::exp_sums(&self.logits, max, &mut self.scratch.chunk_sums);
        let softmax = Softmax { max, sum };
        self.softmax = Some(softmax);
        softmax
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
        self.logits[place] = logit;
        self.softmax = None;
    }

    /// Multiplies all logits by a positive factor.
    pub(super) fn scale(&mut self, factor: f32) {
        vector::scale(&mut self.logits, factor);
        self.softmax = None;
    }

    /// Takes one token away.
    pub(super) fn remove(&mut self, token: TokenId) {
        let Some(place) = self.live_place(token) else {
            return;
        };
        let start = self.start();
        self.removal.n_removed += 1;
        self.removal.mass += start.probability(self.logits[place]);
        self.logits[place] = f32::NEG_INFINITY;
        self.n_live -= 1;
        self.softmax = None;
        if self.top == Some(place) {
            self.top = None;
        }
    }

    /// Takes away all candidates whose logit is below `threshold`.
    pub(super) fn keep_at_least(&mut self, threshold: f32) {
        self.keep_up_to(Ranked {
            logit: threshold.max(f32::MIN),
            place: u32::MAX,
        });
    }

    /// Takes away all but the fewest best candidates whose probabilities together reach `p`; one stays at least.
    pub(super) fn keep_reaching(&mut self, p: f64) {
        let softmax = self.softmax();
        let wanted = p * softmax.sum;
        let mut weights = std::mem::take(&mut self.scratch.weights);
        let mut reached = 0.0;
        let quick = self.head(N_QUICK).iter().copied().find(|it| {
            reached += softmax.weight(it.logit);
            reached >= wanted
        });
        let last = quick.or_else(|| {
            vector::exp_into(&self.logits, softmax.max, &mut weights);
            last_to_reach(&self.logits, &weights, wanted, &mut self.scratch.ranked)
        });
        self.scratch.weights = weights;
        if let Some(last) = last {
            self.keep_up_to(last);
        }
    }

    /// Takes away all but the fewest candidates of highest score whose probabilities together reach `mass`. There is a
    /// score for each place; `weights` was called just before.
    pub(super) fn keep_typical(&mut self, scores: &[f32], mass: f64) {
        let wanted = mass * self.softmax().sum;
        let scratch = &mut self.scratch;
        let Some(last) = last_to_reach(scores, &scratch.weights, wanted, &mut scratch.ranked)
        else {
            return;
        };
        let mut places = std::mem::take(&mut scratch.places);
        places.clear();
        for (place, &logit) in (0..).zip(scores) {
            if logit > f32::NEG_INFINITY && (Ranked { logit, place }).compare(last).is_le() {
                places.push(place);
            }
        }
        self.keep_places(&places);
        self.scratch.places = places;
    }

    /// Takes away all candidates that are not legal.
    pub(super) fn keep_legal(&mut self, mask: &TokenMask) {
        let few = (mask.n_legal() as usize) < self.logits.len() / 8;
        if self.ids.is_none() && !few {
            self.start();
            blot_out(&mut self.logits, mask.words());
            self.settle();
            return;
        }
        let mut places = std::mem::take(&mut self.scratch.places);
        places.clear();
        if let Some(ids) = &self.ids {
            places.extend(
                (0..)
                    .zip(ids)
                    .filter(|(_, id)| mask.allows(**id))
                    .map(|(place, _)| place),
            );
        } else {
            legal_tokens(mask.words(), &mut places);
        }
        places.retain(|&it| {
            self.logits
                .get(it as usize)
                .is_some_and(|it| *it > f32::NEG_INFINITY)
        });
        self.keep_places(&places);
        self.scratch.places = places;
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

    /// Takes away all candidates that rank after this one.
    fn keep_up_to(&mut self, last: Ranked) {
        let mut places = std::mem::take(&mut self.scratch.places);
        places.clear();
        vector::visit_reaching(&self.logits, last.logit, |start, block| {
            for (place, &logit) in (start as u32..).zip(block) {
                let it = Ranked { logit, place };
                if it.compare(last).is_le() {
                    places.push(place);
                }
            }
            last.logit
        });
        self.keep_places(&places);
        self.scratch.places = places;
    }

    /// Takes away all but the candidates at these places, which ascend and are all live.
    fn keep_places(&mut self, places: &[u32]) {
        if places.len() == self.n_live {
            return;
        }
        self.start();
        let mut ids = std::mem::take(&mut self.scratch.spare_ids);
        ids.clear();
        ids.extend(places.iter().map(|&it| self.token_at(it as usize)));
        // A place never moves up, so the logits can be moved where they are.
        for (to, &from) in places.iter().enumerate() {
            self.logits[to] = self.logits[from as usize];
        }
        self.logits.truncate(places.len());
        if let Some(old) = self.ids.replace(ids) {
            self.scratch.spare_ids = old;
        }
        self.settle();
    }

    /// Works out what a stage has taken away by what it has left.
    fn settle(&mut self) {
        let start = self.start();
        let n_live = vector::count_greater(&self.logits, f32::NEG_INFINITY);
        let kept = vector::exp_sums(&self.logits, start.max, &mut self.scratch.chunk_sums);
        self.removal.n_removed += self.n_live - n_live;
        self.removal.mass = (1.0 - kept / start.sum).clamp(0.0, 1.0);
        self.n_live = n_live;
        self.top = None;
        self.softmax = (kept > LEAST_SHARE).then_some(Softmax {
            max: start.max,
            sum: kept,
        });
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
