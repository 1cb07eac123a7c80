//! Presence and frequency penalty: a fixed sum off the score of tokens that were seen, and a sum for each time.

use super::occurrences::Occurrences;
use super::{Place, Work};
use crate::sampling::candidates::Candidates;
use crate::sampling::{Knob, Knobs, Span, TokenId};

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
    fn see(&mut self, token: TokenId, at: Place) {
        self.seen.see(token, at);
    }

    fn work(&mut self, candidates: &mut Candidates) {
        for it in self.seen.all() {
            let penalty = self.penalty(it.count);
            candidates.change(it.token, |logit| logit - penalty);
        }
    }

    fn replay(&self, token: TokenId, logit: f32) -> f32 {
        let seen = self.seen.get(token);
        seen.map_or(logit, |it| logit - self.penalty(it.count))
    }

    fn earlier(&self, token: TokenId) -> Option<Span> {
        self.seen.latest(token)
    }
}

impl PresenceFrequency {
    fn penalty(&self, count: u32) -> f32 {
        self.presence + self.frequency * count as f32
    }
}
