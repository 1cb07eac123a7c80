//! Presence and frequency penalty: a fixed sum off the score of tokens that were seen, and a sum for each time.

use super::occurrences::Occurrences;
use super::{Part, Work};
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs, TokenId};

#[derive(Debug)]
struct PresenceFrequency {
    presence: f32,
    frequency: f32,
    seen: Occurrences,
}

pub(super) fn build(knobs: &Knobs) -> Option<Box<dyn Work>> {
    let is_neutral =
        knobs.is_neutral(Knob::PresencePenalty) && knobs.is_neutral(Knob::FrequencyPenalty);
    let window = knobs.count_of_window();
    if is_neutral || window == Some(0) {
        return None;
    }
    Some(Box::new(PresenceFrequency {
        presence: knobs.get(Knob::PresencePenalty) as f32,
        frequency: knobs.get(Knob::FrequencyPenalty) as f32,
        seen: Occurrences::new(knobs.penalty_scope, window),
    }))
}

impl Work for PresenceFrequency {
    fn see(&mut self, token: TokenId, part: Part) {
        self.seen.see(token, part);
    }

    fn work(&mut self, candidates: &mut Candidates) {
        for &(token, count) in self.seen.counts() {
            let penalty = self.presence + self.frequency * count as f32;
            candidates.change(token, |logit| logit - penalty);
        }
    }
}
