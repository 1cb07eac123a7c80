//! The softmax of the candidates, kept up to date while single logits change.

/// What turns a logit into a probability: `exp(logit - max) / sum`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Softmax {
    /// The largest logit when all of them were summed; the scale of the sums, so it may have gone since.
    pub(super) max: f32,
    pub(super) sum: f64,
    /// The sum of each weight times the logit's distance from `max`, which makes the entropy.
    pub(super) slope: f64,
    /// The sum before any single change.
    full: f64,
}

/// What one stage has taken away.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Removal {
    pub(super) n_removed: usize,
    /// The share that went, of the softmax at the stage's begin.
    pub(super) mass: f64,
    /// The share that stayed.
    pub(super) kept: f64,
    /// The softmax as it was when the stage began; only worked out for a stage that takes something away.
    pub(super) start: Option<Softmax>,
}

/// Below this share of the full sum the rounding of what was subtracted would be felt, and all is summed anew.
pub(super) const LEAST_SHARE: f64 = 0.05;

impl Softmax {
    pub(super) fn new(max: f32, sum: f64, slope: f64) -> Self {
        Self {
            max,
            sum,
            slope,
            full: sum,
        }
    }

    pub(super) fn weight(self, logit: f32) -> f64 {
        f64::from(logit - self.max).exp()
    }

    pub(super) fn probability(self, logit: f32) -> f64 {
        self.weight(logit) / self.sum
    }

    /// The logit that has this log probability.
    pub(super) fn logit_of(self, log_probability: f64) -> f64 {
        log_probability + self.sum.ln() + f64::from(self.max)
    }

    /// The surprise to be expected, in nats (Shannon 1948).
    pub(super) fn entropy(self) -> f64 {
        (self.sum.ln() - self.slope / self.sum).max(0.0)
    }

    /// The share of `start` that this is a part of.
    pub(super) fn share_of(self, start: Self) -> f64 {
        f64::from(self.max - start.max).exp() * self.sum / start.sum
    }

    /// The softmax after one logit has become another, and what that does to the sum; none if rounding would be
    /// felt. Minus infinity for a logit that goes.
    pub(super) fn moved(self, old: f32, new: f32) -> Option<(Self, f64)> {
        if new > self.max {
            return None;
        }
        let weighed = |logit: f32| {
            let depth = f64::from(logit - self.max).max(-100.0);
            let weight = self.weight(logit);
            (weight, weight * depth)
        };
        let (old, new) = (weighed(old), weighed(new));
        let change = new.0 - old.0;
        let sum = self.sum + change;
        (sum > LEAST_SHARE * self.full).then_some((
            Self {
                sum,
                slope: self.slope + new.1 - old.1,
                ..self
            },
            change,
        ))
    }
}
