//! Whether a difference is one: intervals of rates, the paired comparison, quantiles.

/// The quantile of the normal distribution for intervals of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A lower and an upper end, both between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Wilson's score interval at 95 % for `n` of `of` (Wilson 1927); all from 0 to 1 for nothing counted.
pub fn wilson(n: usize, of: usize) -> Interval {
    if of == 0 {
        return Interval {
            low: 0.0,
            high: 1.0,
        };
    }
    let (rate, count) = (n as f64 / of as f64, of as f64);
    let center = rate + Z * Z / (2.0 * count);
    let spread = Z * (rate * (1.0 - rate) / count + Z * Z / (4.0 * count * count)).sqrt();
    let scale = 1.0 + Z * Z / count;
    Interval {
        low: ((center - spread) / scale).max(0.0),
        high: ((center + spread) / scale).min(1.0),
    }
}

/// Pairs of replies to the same question under two presets, counted by which of them succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Both, or neither.
    pub n_same: usize,
    /// Only the reply under the reference.
    pub n_lost: usize,
    /// Only the other one.
    pub n_won: usize,
}

/// What a paired comparison says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Better,
    Worse,
    /// The pairs differ, but chance does that too often.
    TooFew,
    /// No pair differs.
    Same,
    /// There are no pairs.
    Unpaired,
}

impl Pairs {
    /// Whether the reply under the reference succeeded, and the other one.
    pub fn count(&mut self, pair: [bool; 2]) {
        match pair.into() {
            (true, false) => self.n_lost += 1,
            (false, true) => self.n_won += 1,
            _ => self.n_same += 1,
        }
    }

    /// The exact two-sided p of `McNemar`'s test: how often chance alone divides the differing pairs at least as
    /// unevenly (a sign test on them). 1 where no pair differs.
    pub fn p(&self) -> f64 {
        let n = self.n_lost + self.n_won;
        let fewer = self.n_lost.min(self.n_won);
        // Binomial terms as logarithms, so that many pairs do not overflow.
        let mut log_term = -(n as f64) * std::f64::consts::LN_2;
        let mut tail = 0.0;
        for k in 0..=fewer {
            if k > 0 {
                log_term += ((n - k + 1) as f64 / k as f64).ln();
            }
            tail += log_term.exp();
        }
        (2.0 * tail).min(1.0)
    }

    pub fn decision(&self) -> Decision {
        if self.n_lost + self.n_won == 0 {
            return if self.n_same == 0 {
                Decision::Unpaired
            } else {
                Decision::Same
            };
        }
        if self.p() >= 0.05 {
            return Decision::TooFew;
        }
        if self.n_won > self.n_lost {
            Decision::Better
        } else {
            Decision::Worse
        }
    }
}

impl Decision {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::TooFew => "too few to tell",
            Self::Same => "no difference",
            Self::Unpaired => "not comparable",
        }
    }
}

/// The value below which a share of all values lies, between two values by their distance (R's type 7); none of none.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|it| !it.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    // The last value that lies at or before the place.
    let idx = (0..=last).rfind(|it| *it as f64 <= place)?;
    let (below, above) = (sorted[idx], sorted[last.min(idx + 1)]);
    Some(below + (above - below) * (place - idx as f64))
}
