//! XTC, "exclude top choices": now and then all likely tokens go but the least likely of them.

use super::Work;
use crate::sampling::candidates::Candidates;
use crate::sampling::random::Random;
use crate::sampling::{Knob, Knobs, TokenId};

#[derive(Debug)]
struct Xtc {
    chance: f64,
    threshold: f64,
    random: Random,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    if knobs.is_neutral(Knob::XtcProbability) {
        return None;
    }
    Some(Box::new(Xtc {
        chance: knobs.get(Knob::XtcProbability),
        threshold: knobs.get(Knob::XtcThreshold),
        // Dice of its own, so that switching it on leaves the draws of the pick as they were.
        random: Random::new(!(knobs.count(Knob::Seed) as u64)),
    }))
}

impl Work for Xtc {
    fn work(&mut self, candidates: &mut Candidates) {
        if self.random.next_fraction() >= self.chance {
            return;
        }
        let softmax = candidates.softmax();
        // No more tokens than this can each have the threshold's probability.
        let most = candidates.n_live().min(128);
        let n_top = candidates
            .head(most)
            .iter()
            .take_while(|it| softmax.probability(it.logit) >= self.threshold)
            .count();
        let excluded: Vec<TokenId> = candidates
            .head(n_top.saturating_sub(1))
            .to_vec()
            .iter()
            .map(|it| candidates.token_at(it.place as usize))
            .collect();
        for token in excluded {
            candidates.remove(token);
        }
    }
}
