//! The ways to keep some candidates and take all others away.

use super::Candidates;
use crate::constraint::TokenMask;
use crate::sampling::mask_bits::{blot_out, is_set, legal_tokens};
use crate::sampling::ranking::{Ranked, last_to_reach};
use crate::sampling::softmax::{LEAST_SHARE, Softmax};
use crate::sampling::{cut, vector};

/// How many of the best are tried before all candidates are looked at; mostly they are enough.
const N_QUICK: usize = 128;

impl Candidates {
    /// Takes away all candidates whose logit is below `threshold`.
    pub(in crate::sampling) fn keep_at_least(&mut self, threshold: f32) {
        self.keep_up_to(Ranked {
            logit: threshold.max(f32::MIN),
            place: u32::MAX,
        });
    }

    /// Takes away all but the fewest best candidates whose probabilities together reach `p`; one stays at least.
    pub(in crate::sampling) fn keep_reaching(&mut self, p: f64) {
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
            last_to_reach(
                &self.logits,
                &weights,
                (p, softmax.sum),
                &mut self.scratch.ranked,
            )
        });
        self.scratch.weights = weights;
        if let Some(last) = last {
            self.keep_up_to(last);
        }
    }

    /// Takes away all but the fewest candidates of highest score whose probabilities together reach `mass`. There is a
    /// score for each place.
    pub(in crate::sampling) fn keep_typical(&mut self, scores: &[f32], mass: f64) {
        let sum = self.softmax().sum;
        self.weights();
        self.start();
        let scratch = &mut self.scratch;
        let Some(last) = last_to_reach(scores, &scratch.weights, (mass, sum), &mut scratch.ranked)
        else {
            return;
        };
        cut::blot_below(&mut self.logits, scores, last.logit);
        equals_behind(scores, last, &mut scratch.places);
        for &place in &scratch.places {
            self.logits[place as usize] = f32::NEG_INFINITY;
        }
        self.settle();
    }

    /// Takes away all candidates that are not legal.
    pub(in crate::sampling) fn keep_legal(&mut self, mask: &TokenMask) {
        self.keep_bits(mask.words());
    }

    /// Takes away all candidates whose bit is not set, the lowest id in the lowest bit of the first word.
    pub(in crate::sampling) fn keep_bits(&mut self, words: &[u32]) {
        let n_set: usize = words.iter().map(|it| it.count_ones() as usize).sum();
        if self.ids.is_none() && n_set >= self.logits.len() / 8 {
            self.start();
            blot_out(&mut self.logits, words);
            self.settle();
            return;
        }
        let mut places = std::mem::take(&mut self.scratch.places);
        places.clear();
        if let Some(ids) = &self.ids {
            places.extend(
                (0..)
                    .zip(ids)
                    .filter(|(_, id)| is_set(words, **id))
                    .map(|(place, _)| place),
            );
        } else {
            legal_tokens(words, &mut places);
        }
        places.retain(|&it| {
            self.logits
                .get(it as usize)
                .is_some_and(|it| *it > f32::NEG_INFINITY)
        });
        self.keep_places(&places);
        self.scratch.places = places;
    }

    /// Takes away all candidates that rank after this one.
    fn keep_up_to(&mut self, last: Ranked) {
        let n_reaching = vector::count_greater(&self.logits, last.logit.next_down());
        if n_reaching == self.n_live && last.place == u32::MAX {
            return;
        }
        if n_reaching >= self.logits.len() / 8 {
            self.blot_after(last);
            return;
        }
        let mut places = std::mem::take(&mut self.scratch.places);
        places.clear();
        vector::visit_reaching(&self.logits, last.logit, |start, block| {
            for (place, &logit) in (start as u32..).zip(block) {
                let it = Ranked { logit, place };
                if it.reaches(last) {
                    places.push(place);
                }
            }
            last.logit
        });
        self.keep_places(&places);
        self.scratch.places = places;
    }

    /// The same where many are left: each keeps its place.
    fn blot_after(&mut self, last: Ranked) {
        self.start();
        cut::blot_small(&mut self.logits, last.logit);
        if last.place < u32::MAX {
            let mut places = std::mem::take(&mut self.scratch.places);
            equals_behind(&self.logits, last, &mut places);
            for &place in &places {
                self.logits[place as usize] = f32::NEG_INFINITY;
            }
            self.scratch.places = places;
        }
        self.settle();
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
        let (kept, slope) = vector::exp_sums(&self.logits, start.max, &mut self.scratch.chunk_sums);
        self.removal.n_removed += self.n_live - n_live;
        self.removal.kept = (kept / start.sum).clamp(0.0, 1.0);
        self.removal.mass = 1.0 - self.removal.kept;
        self.n_live = n_live;
        self.top = None;
        self.softmax =
            (kept > LEAST_SHARE * start.sum).then(|| Softmax::new(start.max, kept, slope));
    }
}

/// Fills `places` with those behind `last` that have the same score.
#[expect(clippy::float_cmp, reason = "scores that are the same are meant")]
fn equals_behind(scores: &[f32], last: Ranked, places: &mut Vec<u32>) {
    places.clear();
    cut::visit_between(
        scores,
        (last.logit, last.logit.next_up()),
        |start, block| {
            for (place, &logit) in (start as u32..).zip(block) {
                if logit == last.logit && place > last.place {
                    places.push(place);
                }
            }
        },
    );
}
